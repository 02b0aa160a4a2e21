// @ts-check

/**
 * The table of states and their words: of trips, of shipments, and of errors.
 *
 * @module
 */

/**
 * @typedef {import('./trip.js').Trip} Trip
 * @typedef {import('./trip.js').TaskTrackingInfo} TaskTrackingInfo
 * @typedef {import('./fleet-engine-error.js').FleetEngineError} FleetEngineError
 * @typedef {{ blamed: string, meaning: string, advice?: string }} Diagnosis
 */

/** @type {Record<string, string>} */
const tripStates = {
  NEW: 'Waiting for a vehicle',
  ENROUTE_TO_PICKUP: 'On the way to the pickup point',
  ARRIVED_AT_PICKUP: 'At the pickup point',
  ENROUTE_TO_INTERMEDIATE_DESTINATION: 'On the way to the next stop',
  ARRIVED_AT_INTERMEDIATE_DESTINATION: 'At a stop',
  ENROUTE_TO_DROPOFF: 'On the way to the drop-off point',
  COMPLETE: 'Trip complete',
  CANCELED: 'Trip canceled',
};

/**
 * Returns a trip's status in words.
 *
 * @param {Pick<Trip, 'status' | 'vehicleId'>} trip
 * @param {boolean} isOtherFirst Whether the vehicle's next stop belongs to another trip.
 */
export function tripWords({ status, vehicleId }, isOtherFirst) {
  if (status === 'NEW' && vehicleId) return 'A vehicle is assigned';
  if (isOtherFirst && status === 'ENROUTE_TO_PICKUP') return 'The vehicle finishes another trip first';
  if (isOtherFirst && status.startsWith('ENROUTE')) return 'On the way, with a stop for another rider first';
  return tripStates[status] ?? 'Status unknown';
}

/**
 * Returns a shipment's state in words.
 *
 * @param {TaskTrackingInfo} info
 */
export function shipmentWords(info) {
  const { state, taskOutcome, remainingStopCount } = info;
  if (state === undefined) return 'Shipment not found';
  if (state === 'CLOSED') {
    return taskOutcome === 'SUCCEEDED' ? 'Delivered' : taskOutcome === 'FAILED' ? 'Delivery failed' : 'The delivery has ended';
  }
  if (state !== 'OPEN') return 'Status unknown';
  if (remainingStopCount === 0) return 'The vehicle has arrived';
  if (remainingStopCount === 1) return 'You are the next stop';
  if (remainingStopCount !== undefined) return `${remainingStopCount} stops away`;
  return isOnItsWay(info) ? 'On its way' : 'The delivery is planned';
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

const engine = 'Fleet Engine';
const server = 'Token server';
const invalidID = { blamed: 'The ID', meaning: 'The ID is invalid.', advice: 'Check the ID in the page\'s address.' };
const interrupted = 'The request was interrupted.';

/** @type {Record<FleetEngineError['source'], Record<string, Diagnosis>>} */
const diagnoses = {
  'Fleet Engine': {
    ABORTED: { blamed: engine, meaning: interrupted },
    CANCELLED: { blamed: engine, meaning: interrupted },
    DEADLINE_EXCEEDED: { blamed: engine, meaning: 'Fleet Engine did not respond in time.' },
    UNAVAILABLE: { blamed: engine, meaning: 'Fleet Engine is not available.' },
    PERMISSION_DENIED: {
      blamed: engine, meaning: 'Permission denied by Fleet Engine.',
      advice: 'Check that the token is for this ID, and its account\'s role.',
    },
    UNAUTHENTICATED: {
      blamed: engine, meaning: 'Fleet Engine rejected the token.',
      advice: 'Check the token server\'s signing key and clock, and the token\'s claims.',
    },
    RESOURCE_EXHAUSTED: {
      blamed: engine, meaning: 'A quota of Fleet Engine is exhausted.',
      advice: 'Follow fewer trips, poll less often, or raise the quota.',
    },
    NOT_FOUND: {
      blamed: 'The ID', meaning: 'Trip not found.', advice: 'Check the ID: it was never created, or belongs to another project.',
    },
    INVALID_ARGUMENT: invalidID,
  },
  'token server': {
    CANCELLED: { blamed: server, meaning: interrupted },
    DEADLINE_EXCEEDED: { blamed: server, meaning: 'The token server did not respond in time.' },
    UNAVAILABLE: { blamed: server, meaning: 'The token server is unavailable.' },
    RESOURCE_EXHAUSTED: { blamed: server, meaning: 'Too many requests to the token server.' },
    PERMISSION_DENIED: {
      blamed: server, meaning: 'Permission denied by the token server.',
      advice: 'Check the grants in the token server\'s configuration.',
    },
    UNAUTHENTICATED: {
      blamed: server, meaning: 'Authentication failed at the token server.',
      advice: 'Sign in again, or check the callers in the token server\'s configuration.',
    },
    NOT_FOUND: { blamed: server, meaning: 'Not found on the token server.', advice: 'Check the URL of the token server.' },
    INVALID_ARGUMENT: {
      blamed: server, meaning: 'The token server\'s response is invalid.', advice: 'Check its URL, and the format of its responses.',
    },
  },
};

/**
 * Returns an error in words: whose fault it is, what it is, and what to do.
 *
 * @param {FleetEngineError} error @param {boolean} isShipment
 * @returns {{ blamed: string, meaning: string, advice: string }}
 */
export function errorWords({ source, code, httpStatus }, isShipment) {
  const isServer = source === 'token server';
  // The token server refuses the request itself, of which the page chooses nothing but the ID.
  const diagnosis = isServer && httpStatus === 400 ? invalidID
    : diagnoses[source][code] ?? { blamed: isServer ? server : engine, meaning: 'Fleet Engine has an internal error.' };
  const isUnknownShipment = isShipment && !isServer && code === 'NOT_FOUND';
  return { advice: '', ...diagnosis, ...(isUnknownShipment && { meaning: 'Shipment not found.' }) };
}
