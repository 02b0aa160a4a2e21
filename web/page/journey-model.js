// @ts-check

/**
 * What the page shows of a trip or a shipment: the same model for both.
 *
 * @module
 */

import { finalStatuses } from '../trip.js';
import { direction, shipmentWords, statusWords } from './words.js';

/**
 * @typedef {import('../trip.js').LatLng} LatLng
 * @typedef {import('../trip.js').SpeedReadingInterval} SpeedReadingInterval
 * @typedef {import('../trip.js').Trip} Trip
 * @typedef {import('../trip.js').TaskTrackingInfo} TaskTrackingInfo
 * @typedef {import('./map-style.js').MarkerType} MarkerType
 * @typedef {{ id: string, type: MarkerType, location: LatLng, name: string, detail: string, eta?: Date, heading?: number,
 *   number?: number, isPast?: boolean }} Marker
 * @typedef {{ path: LatLng[], traffic: SpeedReadingInterval[] }} Route
 * @typedef {{ name: string, state: 'past' | 'next' | 'later', time?: Date, distanceMeters?: number }} Stop
 * @typedef {{ status: string, isFinal: boolean, tone: 'moving' | 'waiting' | 'done' | 'failed', eta?: Date,
 *   etaOf?: string, distanceMeters?: number, markers: Marker[], activeRoute: Route, remainingRoutes: Route[],
 *   stops: Stop[] }} Journey
 */

/** @type {Record<string, string>} */
const waypointNames = {
  PICKUP_WAYPOINT_TYPE: 'Pickup', DROP_OFF_WAYPOINT_TYPE: 'Drop-off', INTERMEDIATE_DESTINATION_WAYPOINT_TYPE: 'Stop',
};

/**
 * Returns what to show of a trip.
 *
 * @param {Trip} trip
 * @returns {Journey}
 */
export function tripJourney(trip) {
  const isFinal = finalStatuses.includes(trip.status);
  const tripId = trip.name.split('/').at(-1);
  const own = trip.remainingWaypoints.filter((waypoint) => !waypoint.tripId || waypoint.tripId === tripId);
  const [next] = own;
  const isBeforePickup = ['NEW', 'ENROUTE_TO_PICKUP', 'ARRIVED_AT_PICKUP'].includes(trip.status);
  const nextName = waypointNames[next?.waypointType] ?? 'Next stop';
  const nextTime = nextName === 'Pickup' ? trip.pickupTime : nextName === 'Drop-off' ? trip.dropOffTime : undefined;
  return {
    status: statusWords(trip.status),
    isFinal,
    tone: trip.status === 'CANCELED' ? 'failed' : trip.status === 'COMPLETE' ? 'done'
      : trip.status.startsWith('ENROUTE') ? 'moving' : 'waiting',
    eta: isFinal || !trip.vehicleId ? undefined : nextTime ?? next?.eta ?? trip.etaToFirstWaypoint,
    etaOf: nextName,
    distanceMeters: isFinal ? undefined : trip.remainingDistanceMeters,
    markers: tripMarkers(trip, isBeforePickup, isFinal),
    activeRoute: { path: isFinal ? [] : trip.activeRoute, traffic: trip.activeRouteTraffic },
    remainingRoutes: trip.remainingWaypoints.slice(1).map(({ path, speedReadingIntervals }) =>
      ({ path, traffic: speedReadingIntervals })),
    stops: tripStops(trip, isBeforePickup, isFinal),
  };
}

/** @param {Trip} trip @param {boolean} isBeforePickup @param {boolean} isFinal @returns {Marker[]} */
function tripMarkers(trip, isBeforePickup, isFinal) {
  const pickup = place('pickup', 'tripPickupPoint', trip.plannedPickupLocation, 'Pickup point',
    isBeforePickup ? trip.pickupTime : null, isBeforePickup ? 'The trip begins here.' : 'The trip began here.');
  const dropoff = place('dropoff', 'tripDropoffPoint', trip.plannedDropOffLocation, 'Drop-off point',
    isFinal ? null : trip.dropOffTime, isFinal ? 'The trip ended here.' : 'The trip ends here.');
  const stops = trip.intermediateDestinations.flatMap((location, index) =>
    place(`stop-${index}`, 'intermediateDestination', location, `Stop ${index + 1}`, null, 'The vehicle stops here on the way.')
      .map((marker) => ({ ...marker, number: index + 1, isPast: isFinal || isStopPast(trip, isBeforePickup, index) })));
  pickup.forEach((marker) => { marker.isPast = !isBeforePickup; });
  dropoff.forEach((marker) => { marker.isPast = isFinal; });
  return [...pickup, ...stops, ...dropoff, ...(isFinal ? [] : vehicle(trip.latestVehicleLocationUpdate, trip.vehicleId))];
}

/** @param {Trip} trip @param {boolean} isBeforePickup @param {boolean} isFinal @returns {Stop[]} */
function tripStops(trip, isBeforePickup, isFinal) {
  const passed = trip.intermediateDestinationIndex;
  /** @type {(isPast: boolean, isNext: boolean) => Stop['state']} */
  const state = (isPast, isNext) => isPast ? 'past' : isNext ? 'next' : 'later';
  const hasVehicle = Boolean(trip.vehicleId);
  return [
    { name: 'Pickup', state: state(!isBeforePickup, hasVehicle), time: trip.pickupTime ?? undefined },
    ...trip.intermediateDestinations.map((_, index) => ({
      name: `Stop ${index + 1}`,
      state: state(isFinal || isStopPast(trip, isBeforePickup, index), !isBeforePickup && index === passed),
      time: trip.remainingWaypoints.filter(({ waypointType }) => waypointType.startsWith('INTERMEDIATE'))[index - passed]?.eta,
    })),
    {
      name: 'Drop-off',
      state: state(trip.status === 'COMPLETE', trip.status === 'ENROUTE_TO_DROPOFF'),
      time: trip.dropOffTime ?? undefined,
      distanceMeters: trip.remainingWaypoints.at(-1)?.distanceMeters,
    },
  ];
}

/** @param {Trip} trip @param {boolean} isBeforePickup @param {number} index */
function isStopPast({ status, intermediateDestinationIndex }, isBeforePickup, index) {
  return !isBeforePickup && (status === 'ENROUTE_TO_DROPOFF' || index < intermediateDestinationIndex);
}

/**
 * Returns what to show of a shipment.
 *
 * @param {TaskTrackingInfo} info
 * @returns {Journey}
 */
export function shipmentJourney(info) {
  const isFinal = info.state === 'CLOSED';
  const eta = isFinal ? undefined : info.estimatedArrivalTime;
  return {
    status: shipmentWords(info),
    isFinal,
    tone: info.taskOutcome === 'FAILED' || info.state === undefined ? 'failed' : isFinal ? 'done' : 'moving',
    eta,
    etaOf: 'Delivery',
    distanceMeters: isFinal ? undefined : info.remainingDrivingDistanceMeters,
    markers: [
      ...place('delivery', 'tripDropoffPoint', info.plannedLocation, 'Delivery address', eta ?? null,
        isFinal ? 'The shipment was delivered here.' : 'The shipment is delivered here.'),
      ...(isFinal ? [] : vehicle(info.latestVehicleLocationUpdate, undefined)),
    ],
    activeRoute: { path: isFinal ? [] : info.routePolylinePoints, traffic: [] },
    remainingRoutes: [],
    stops: [{ name: 'Delivery', state: isFinal ? 'past' : 'next', time: info.taskOutcomeTime ?? eta }],
  };
}

/**
 * @param {string} id @param {MarkerType} type @param {LatLng | undefined} location @param {string} name
 * @param {Date | null} eta @param {string} detail @returns {Marker[]}
 */
function place(id, type, location, name, eta, detail) {
  return location ? [{ id, type, location, name, detail, eta: eta ?? undefined }] : [];
}

/** @param {import('../trip.js').VehicleLocationUpdate | undefined} update @param {string | undefined} id @returns {Marker[]} */
function vehicle(update, id) {
  if (!update) return [];
  const heading = update.heading ?? 0;
  const speed = update.speed === undefined ? '' : ` at ${Math.round(update.speed * 3.6)} km/h`;
  return [{
    id: 'vehicle', type: 'tripVehicle', location: update.location, name: id ? `Vehicle ${id}` : 'Vehicle', heading,
    detail: update.speed === 0 ? 'It stands still.' : `It drives ${direction(heading)}${speed}.`,
  }];
}
