// @ts-check

/**
 * The table of states and their words: of trips, of shipments, and of errors.
 *
 * @module
 */

import { say } from './words.js';

/**
 * @typedef {import('./trip.js').Trip} Trip
 * @typedef {import('./trip.js').TaskTrackingInfo} TaskTrackingInfo
 * @typedef {import('./fleet-engine-error.js').FleetEngineError} FleetEngineError
 * @typedef {import('./words.js').Words} Words
 * @typedef {{ blamed: keyof Words, meaning: keyof Words, advice?: keyof Words }} Diagnosis
 */

/** @type {Record<string, keyof Words>} */
const tripStates = {
  NEW: 'new',
  ENROUTE_TO_PICKUP: 'enrouteToPickup',
  ARRIVED_AT_PICKUP: 'arrivedAtPickup',
  ENROUTE_TO_INTERMEDIATE_DESTINATION: 'enrouteToStop',
  ARRIVED_AT_INTERMEDIATE_DESTINATION: 'arrivedAtStop',
  ENROUTE_TO_DROPOFF: 'enrouteToDropoff',
  COMPLETE: 'complete',
  CANCELED: 'canceled',
};

/**
 * Returns a trip's status in words.
 *
 * @param {Pick<Trip, 'status' | 'vehicleId'>} trip
 * @param {boolean} isOtherFirst Whether the vehicle's next stop belongs to another trip.
 */
export function tripWords({ status, vehicleId }, isOtherFirst) {
  if (status === 'NEW' && vehicleId) return say('assigned');
  if (isOtherFirst && status === 'ENROUTE_TO_PICKUP') return say('finishingAnotherTrip');
  if (isOtherFirst && status.startsWith('ENROUTE')) return say('anotherStopFirst');
  return say(tripStates[status] ?? 'unknown');
}

/**
 * Returns a shipment's state in words.
 *
 * @param {TaskTrackingInfo} info
 */
export function shipmentWords(info) {
  const { state, taskOutcome, remainingStopCount } = info;
  if (state === undefined) return say('shipmentNotFound');
  if (state === 'CLOSED') {
    return say(taskOutcome === 'SUCCEEDED' ? 'delivered' : taskOutcome === 'FAILED' ? 'deliveryFailed' : 'shipmentClosed');
  }
  if (state !== 'OPEN') return say('unknown');
  if (remainingStopCount === 0) return say('vehicleArrived');
  if (remainingStopCount === 1) return say('nextStop');
  if (remainingStopCount !== undefined) return say('stopsAway', { count: remainingStopCount });
  return say(isOnItsWay(info) ? 'shipmentOnItsWay' : 'shipmentPlanned');
}

/**
 * Returns whether anything says that a vehicle brings the shipment. All of it can be hidden from recipients.
 *
 * @param {TaskTrackingInfo} info
 */
export function isOnItsWay({ latestVehicleLocationUpdate, remainingStopCount, estimatedArrivalTime, remainingDrivingDistanceMeters }) {
  return [latestVehicleLocationUpdate, remainingStopCount, estimatedArrivalTime, remainingDrivingDistanceMeters]
    .some((part) => part !== undefined);
}

/** @type {Record<FleetEngineError['source'], Record<string, Diagnosis>>} */
const diagnoses = {
  'Fleet Engine': {
    ABORTED: { blamed: 'faultFleetEngine', meaning: 'engineInterrupted' },
    CANCELLED: { blamed: 'faultFleetEngine', meaning: 'engineInterrupted' },
    DEADLINE_EXCEEDED: { blamed: 'faultFleetEngine', meaning: 'engineSlow' },
    UNAVAILABLE: { blamed: 'faultFleetEngine', meaning: 'engineUnavailable' },
    PERMISSION_DENIED: { blamed: 'faultFleetEngine', meaning: 'enginePermission', advice: 'enginePermissionAdvice' },
    UNAUTHENTICATED: { blamed: 'faultFleetEngine', meaning: 'engineUnauthenticated', advice: 'engineUnauthenticatedAdvice' },
    RESOURCE_EXHAUSTED: { blamed: 'faultFleetEngine', meaning: 'engineQuota', advice: 'engineQuotaAdvice' },
    NOT_FOUND: { blamed: 'faultID', meaning: 'tripNotFound', advice: 'checkID' },
    INVALID_ARGUMENT: { blamed: 'faultID', meaning: 'invalidID', advice: 'invalidIDAdvice' },
  },
  'token server': {
    CANCELLED: { blamed: 'faultTokenServer', meaning: 'engineInterrupted' },
    DEADLINE_EXCEEDED: { blamed: 'faultTokenServer', meaning: 'serverSlow' },
    UNAVAILABLE: { blamed: 'faultTokenServer', meaning: 'serverUnavailable' },
    RESOURCE_EXHAUSTED: { blamed: 'faultTokenServer', meaning: 'serverBusy' },
    PERMISSION_DENIED: { blamed: 'faultTokenServer', meaning: 'serverPermission', advice: 'serverPermissionAdvice' },
    UNAUTHENTICATED: { blamed: 'faultTokenServer', meaning: 'serverUnauthenticated', advice: 'serverUnauthenticatedAdvice' },
    NOT_FOUND: { blamed: 'faultTokenServer', meaning: 'serverNotFound', advice: 'serverNotFoundAdvice' },
    INVALID_ARGUMENT: { blamed: 'faultTokenServer', meaning: 'serverInvalid', advice: 'serverInvalidAdvice' },
  },
};

/**
 * Returns an error in words: whose fault it is, what it is, and what to do.
 *
 * @param {FleetEngineError} error @param {boolean} isShipment
 * @returns {{ blamed: string, meaning: string, advice: string }}
 */
export function errorWords(error, isShipment) {
  const { source, code, httpStatus } = error;
  /** @type {Diagnosis} */
  let diagnosis = diagnoses[source][code]
    ?? { blamed: source === 'token server' ? 'faultTokenServer' : 'faultFleetEngine', meaning: 'engineFault' };
  // The token server refuses the request itself, of which the page chooses nothing but the ID.
  if (source === 'token server' && httpStatus === 400) diagnosis = { blamed: 'faultID', meaning: 'invalidID', advice: 'invalidIDAdvice' };
  if (diagnosis.meaning === 'tripNotFound' && isShipment) diagnosis = { ...diagnosis, meaning: 'shipmentNotFoundError' };
  return { blamed: say(diagnosis.blamed), meaning: say(diagnosis.meaning), advice: diagnosis.advice ? say(diagnosis.advice) : '' };
}
