// @ts-check

/**
 * What the page shows of a trip or a shipment: the same model for both.
 *
 * @module
 */

import { finalStatuses } from './trip.js';
import { isOnItsWay, shipmentWords, tripWords } from './state-words.js';
import { direction } from './words.js';

/**
 * @typedef {import('./trip.js').LatLng} LatLng
 * @typedef {import('./trip.js').Trip} Trip
 * @typedef {import('./trip.js').TaskTrackingInfo} TaskTrackingInfo
 * @typedef {import('./map-style.js').MarkerType} MarkerType
 * @typedef {{ id: string, type: MarkerType, location: LatLng, name: string, detail: string, eta?: Date, heading?: number,
 *   number?: number, isPast?: boolean }} Marker
 * @typedef {'past' | 'here' | 'next' | 'later' | 'failed' | 'canceled' | 'unknown'} StopState
 * @typedef {{ name: string, state: StopState, detail?: string, time?: Date, distanceMeters?: number }} Stop
 * @typedef {object} Journey
 * @property {string} status @property {boolean} isFinal
 * @property {'moving' | 'waiting' | 'done' | 'failed'} tone
 * @property {Date} [eta] @property {string} [etaOf]
 * @property {boolean} isHere Whether the vehicle waits at a stop.
 * @property {Date} [locatedAt] When the vehicle's location was reported.
 * @property {number} [distanceMeters] To the next stop.
 * @property {boolean} [isPickedUp] Whether the rider was picked up; undefined if it is not known.
 * @property {Marker[]} markers Along the route, which is the order of the keyboard's focus.
 * @property {LatLng[]} activeRoute @property {LatLng[][]} remainingRoutes
 * @property {LatLng[]} finishedRoute The stops of a trip that is complete.
 * @property {Stop[]} stops
 */

/** @type {Record<string, string>} */
const waypointNames = { PICKUP_WAYPOINT_TYPE: 'Pickup', DROP_OFF_WAYPOINT_TYPE: 'Drop-off' };
const stopsHere = 'The vehicle stops here on the way.';
const beforePickup = ['NEW', 'ENROUTE_TO_PICKUP', 'ARRIVED_AT_PICKUP'];
const afterPickup = [
  'ENROUTE_TO_INTERMEDIATE_DESTINATION', 'ARRIVED_AT_INTERMEDIATE_DESTINATION', 'ENROUTE_TO_DROPOFF', 'COMPLETE',
];

/**
 * Returns what to show of a trip.
 *
 * @param {Trip} trip
 * @param {Journey} [previous] What was shown last: a canceled trip does not say whether the rider was picked up.
 * @returns {Journey}
 */
export function tripJourney(trip, previous) {
  const isFinal = finalStatuses.includes(trip.status);
  const waypoints = isFinal ? [] : trip.remainingWaypoints;
  const tripId = trip.name.split('/').at(-1);
  const first = waypoints.findIndex((waypoint) => !waypoint.tripId || waypoint.tripId === tripId);
  const own = waypoints.filter((waypoint) => !waypoint.tripId || waypoint.tripId === tripId);
  const isPickedUp = pickedUp(trip, own, previous);
  const isHere = trip.status.startsWith('ARRIVED');
  const next = first < 0 ? undefined : waypoints[first];
  const nextTime = next?.waypointType.startsWith('PICKUP') ? trip.pickupTime
    : next?.waypointType.startsWith('DROP_OFF') ? trip.dropOffTime : undefined;
  return {
    status: tripWords(trip, first > 0),
    isFinal,
    tone: trip.status === 'CANCELED' ? 'failed' : trip.status === 'COMPLETE' ? 'done'
      : trip.status.startsWith('ENROUTE') ? 'moving' : 'waiting',
    isPickedUp,
    // The ETA of the first waypoint is another trip's, if the waypoint is.
    eta: isFinal || isHere || !trip.vehicleId ? undefined : nextTime ?? next?.eta ?? (first > 0 ? undefined : trip.etaToFirstWaypoint),
    etaOf: waypointNames[next?.waypointType ?? ''] ?? 'Next stop',
    isHere,
    locatedAt: locationTime(isFinal ? undefined : trip.latestVehicleLocationUpdate),
    distanceMeters: isFinal || isHere ? undefined : distanceTo(first, trip),
    markers: tripMarkers(trip, isPickedUp, waypoints.slice(0, Math.max(first, 0))),
    activeRoute: isFinal ? [] : trip.activeRoute,
    remainingRoutes: waypoints.slice(1).map(({ path }) => path),
    finishedRoute: trip.status !== 'COMPLETE' ? []
      : [trip.plannedPickupLocation, ...trip.intermediateDestinations, trip.plannedDropOffLocation].flatMap((place) => place ?? []),
    stops: [...otherStops(first), ...tripStops(trip, own, isPickedUp, first > 0)],
  };
}

/** @param {Trip} trip @param {Trip['remainingWaypoints']} own @param {Journey | undefined} previous */
function pickedUp({ status, intermediateDestinationIndex }, own, previous) {
  if (beforePickup.includes(status)) return false;
  if (afterPickup.includes(status)) return true;
  if (own.some(({ waypointType }) => waypointType.startsWith('PICKUP'))) return false;
  return intermediateDestinationIndex > 0 || previous?.isPickedUp;
}

/**
 * Returns the distance to one of the waypoints: the trip's remaining distance is to the vehicle's next.
 *
 * @param {number} index @param {Trip} trip @returns {number | undefined}
 */
function distanceTo(index, { remainingWaypoints, remainingDistanceMeters }) {
  const others = remainingWaypoints.slice(1, Math.max(index, 0) + 1).map(({ distanceMeters }) => distanceMeters);
  return [remainingDistanceMeters, ...others].reduce((sum, leg) => sum === undefined || leg === undefined ? undefined : sum + leg, 0);
}

/** @param {number} count @returns {Stop[]} */
function otherStops(count) {
  return count > 0 ? [{ name: count === 1 ? 'Stop of another trip' : `${count} stops of other trips`, state: 'next' }] : [];
}

/**
 * @param {Trip} trip @param {Trip['remainingWaypoints']} own @param {boolean | undefined} isPickedUp
 * @param {boolean} isOtherFirst @returns {Stop[]}
 */
function tripStops(trip, own, isPickedUp, isOtherFirst) {
  const between = own.filter(({ waypointType }) => waypointType.startsWith('INTERMEDIATE'));
  const count = trip.intermediateDestinations.length;
  const dropoff = own.find(({ waypointType }) => waypointType.startsWith('DROP_OFF'));
  const last = dropoff ? trip.remainingWaypoints.indexOf(dropoff) : -1;
  const stops = [
    { name: 'Pickup', time: trip.pickupTime ?? undefined },
    // What remains is at the end.
    ...trip.intermediateDestinations.map((_, index) => ({ name: `Stop ${index + 1}`, time: between[index - (count - between.length)]?.eta })),
    { name: 'Drop-off', time: trip.dropOffTime ?? dropoff?.eta, distanceMeters: last < 0 ? undefined : distanceTo(last, trip) },
  ];
  const current = currentState(trip, isPickedUp, isOtherFirst);
  const behind = stopsBehind(trip, isPickedUp);
  return stops.map((stop, index) => {
    if (index < behind) return { ...stop, state: 'past' };
    // What was planned for a canceled trip no longer holds.
    if (trip.status === 'CANCELED') return { name: stop.name, state: index === behind ? current : 'canceled' };
    return { ...stop, state: index === behind || isPickedUp === undefined ? current : 'later' };
  });
}

/**
 * Returns the state of the first stop that is not behind.
 *
 * @param {Trip} trip @param {boolean | undefined} isPickedUp @param {boolean} isOtherFirst @returns {StopState}
 */
function currentState({ status, vehicleId }, isPickedUp, isOtherFirst) {
  if (isPickedUp === undefined) return 'unknown';
  if (status === 'CANCELED') return 'canceled';
  if (status.startsWith('ARRIVED')) return 'here';
  return vehicleId && !isOtherFirst ? 'next' : 'later';
}

/**
 * Returns how many stops of a trip are behind it, from the pickup to the drop-off.
 *
 * @param {Trip} trip @param {boolean | undefined} isPickedUp
 */
function stopsBehind({ status, intermediateDestinations, intermediateDestinationIndex }, isPickedUp) {
  const count = intermediateDestinations.length;
  if (status === 'COMPLETE') return count + 2;
  if (status === 'ENROUTE_TO_DROPOFF') return count + 1;
  return isPickedUp ? 1 + Math.min(intermediateDestinationIndex, count) : 0;
}

/**
 * @param {Trip} trip @param {boolean | undefined} isPickedUp
 * @param {Trip['remainingWaypoints']} others The stops of other trips before this trip's next.
 * @returns {Marker[]}
 */
function tripMarkers(trip, isPickedUp, others) {
  const isFinal = finalStatuses.includes(trip.status);
  const isCanceled = trip.status === 'CANCELED';
  const isArrived = isFinal || trip.status === 'ARRIVED_AT_PICKUP';
  const begins = isPickedUp ? 'began' : isCanceled ? 'was to begin' : 'begins';
  const ends = trip.status === 'COMPLETE' ? 'ended' : isCanceled ? 'was to end' : 'ends';
  const places = [
    ...place('pickup', 'tripPickupPoint', trip.plannedPickupLocation, 'Pickup point', `The trip ${begins} here.`)
      .map((marker) => ({ ...marker, eta: isArrived || isPickedUp ? undefined : trip.pickupTime ?? undefined, isPast: isPickedUp || isFinal })),
    ...trip.intermediateDestinations.flatMap((location, index) => place(`stop-${index}`, 'intermediateDestination', location, `Stop ${index + 1}`, stopsHere)
      .map((marker) => ({
        ...marker, number: index + 1, isPast: isFinal || index + 1 < stopsBehind(trip, isPickedUp),
      }))),
    ...place('dropoff', 'tripDropoffPoint', trip.plannedDropOffLocation, 'Drop-off point', `The trip ${ends} here.`)
      .map((marker) => ({ ...marker, eta: isFinal ? undefined : trip.dropOffTime ?? undefined, isPast: isFinal })),
  ];
  const driven = isFinal ? [] : vehicle(trip.latestVehicleLocationUpdate, trip.vehicleId);
  const otherPlaces = others.flatMap(({ location }, index) => place(`other-${index}`, 'unknown', location, 'Stop of another trip', stopsHere));
  return [...places.filter(({ isPast }) => isPast), ...driven, ...otherPlaces, ...places.filter(({ isPast }) => !isPast)];
}

/**
 * Returns what to show of a shipment.
 *
 * @param {TaskTrackingInfo} info
 * @returns {Journey}
 */
export function shipmentJourney(info) {
  const isFinal = info.state === 'CLOSED';
  const isDelivered = isFinal && info.taskOutcome === 'SUCCEEDED';
  const eta = isFinal ? undefined : info.estimatedArrivalTime;
  const before = Math.max((info.remainingStopCount ?? 0) - 1, 0);
  const outcome = isDelivered ? 'was delivered' : info.taskOutcome === 'FAILED' ? 'was not delivered'
    : isFinal ? 'was to be delivered' : 'is to be delivered';
  return {
    status: shipmentWords(info),
    isFinal,
    tone: isDelivered ? 'done' : (isFinal && info.taskOutcome === 'FAILED') || info.state === undefined ? 'failed'
      : !isFinal && isOnItsWay(info) ? 'moving' : 'waiting',
    eta,
    etaOf: 'Delivery',
    isHere: !isFinal && info.remainingStopCount === 0,
    locatedAt: locationTime(isFinal ? undefined : info.latestVehicleLocationUpdate),
    distanceMeters: isFinal ? undefined : info.remainingDrivingDistanceMeters,
    markers: [
      ...(isFinal ? [] : vehicle(info.latestVehicleLocationUpdate, undefined)),
      ...place('delivery', 'tripDropoffPoint', info.plannedLocation, 'Delivery address', `The shipment ${outcome} here.`)
        .map((marker) => ({ ...marker, eta })),
    ],
    activeRoute: isFinal ? [] : info.routePolylinePoints,
    remainingRoutes: [],
    finishedRoute: [],
    stops: info.state === undefined ? [] : [{
      name: 'Delivery', state: shipmentState(info), time: info.taskOutcomeTime ?? eta,
      ...(!isFinal && before > 0 && { detail: before === 1 ? 'after 1 other stop' : `after ${before} other stops` }),
    }],
  };
}

/** @param {TaskTrackingInfo} info @returns {StopState} */
function shipmentState({ state, taskOutcome, remainingStopCount }) {
  if (state === 'CLOSED') return taskOutcome === 'SUCCEEDED' ? 'past' : taskOutcome === 'FAILED' ? 'failed' : 'unknown';
  if (remainingStopCount === 0) return 'here';
  return remainingStopCount === 1 ? 'next' : 'later';
}

/**
 * @param {string} id @param {MarkerType} type @param {LatLng | undefined} location
 * @param {string} name @param {string} detail @returns {Marker[]}
 */
function place(id, type, location, name, detail) {
  return location ? [{ id, type, location, name, detail }] : [];
}

/** @param {import('./trip.js').VehicleLocationUpdate | undefined} update */
function locationTime(update) {
  return update?.serverTime ?? update?.time;
}

/** A location that is older than this, in milliseconds, says little about where the vehicle is. */
const locationLifetime = 120_000;

/**
 * Returns the age of a journey's location in minutes, if it is too old to be called live.
 *
 * @param {Journey} journey @param {number} now In milliseconds since 1970.
 * @returns {number | undefined}
 */
export function staleMinutes({ locatedAt }, now) {
  const age = locatedAt ? now - locatedAt.getTime() : 0;
  return age > locationLifetime ? Math.floor(age / 60_000) : undefined;
}

/**
 * Returns a journey as it is known from an old location: without the arrival times on the map.
 *
 * @param {Journey} journey @param {number} minutes @returns {Journey}
 */
export function staleJourney(journey, minutes) {
  return {
    ...journey,
    markers: journey.markers.map(({ eta, ...marker }) => marker.id === 'vehicle' ? { ...marker, detail: locationAge(minutes) } : marker),
  };
}

/** @param {number} minutes */
export function locationAge(minutes) {
  return `Location from ${minutes} min ago`;
}

/** @param {import('./trip.js').VehicleLocationUpdate | undefined} update @param {string | undefined} id @returns {Marker[]} */
function vehicle(update, id) {
  if (!update) return [];
  const { heading, speed } = update;
  const toward = heading === undefined ? undefined : direction(heading);
  return [{
    id: 'vehicle', type: 'tripVehicle', location: update.location, name: id ? `Vehicle ${id}` : 'Vehicle', heading,
    detail: speed === 0 ? 'The vehicle is not moving.' : toward === undefined ? ''
      : speed === undefined ? `The vehicle is heading ${toward}.` : `The vehicle is heading ${toward} at ${Math.round(speed * 3.6)} km/h.`,
  }];
}
