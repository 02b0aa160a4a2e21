// @ts-check

/**
 * Reads the JSON of Fleet Engine's REST API as Google's JavaScript SDK presents it.
 *
 * @module
 */

/**
 * @typedef {{ lat: number, lng: number }} LatLng
 * @typedef {{ location: LatLng, heading?: number, speed?: number, time?: Date, serverTime?: Date }} VehicleLocationUpdate
 * @typedef {{ location?: LatLng, tripId?: string, waypointType: string, distanceMeters?: number,
 *   eta?: Date, path: LatLng[] }} VehicleWaypoint
 * @typedef {{ name: string, status: string, vehicleId?: string,
 *   pickupTime: Date | null, dropOffTime: Date | null, plannedPickupLocation?: LatLng, plannedDropOffLocation?: LatLng,
 *   intermediateDestinations: LatLng[], intermediateDestinationIndex: number,
 *   latestVehicleLocationUpdate?: VehicleLocationUpdate, remainingWaypoints: VehicleWaypoint[],
 *   remainingDistanceMeters?: number, etaToFirstWaypoint?: Date, activeRoute: LatLng[] }} Trip
 * @typedef {{ name: string, trackingId: string, state?: string, taskOutcome?: string, remainingStopCount?: number,
 *   remainingDrivingDistanceMeters?: number, estimatedArrivalTime?: Date,
 *   routePolylinePoints: LatLng[], plannedLocation?: LatLng, latestVehicleLocationUpdate?: VehicleLocationUpdate,
 *   taskOutcomeTime?: Date }} TaskTrackingInfo
 * @typedef {any} JSONValue Fleet Engine's JSON, of which each part is checked when it is read.
 */

/** The statuses after which nothing changes any more. */
export const finalStatuses = ['COMPLETE', 'CANCELED'];

/**
 * Reads a trip.
 *
 * @param {JSONValue} json
 * @returns {Trip}
 */
export function readTrip(json) {
  return {
    name: String(json.name ?? ''),
    status: String(json.tripStatus ?? 'UNKNOWN_TRIP_STATUS'),
    vehicleId: json.vehicleId,
    pickupTime: readDate(json.pickupTime) ?? null,
    dropOffTime: readDate(json.dropoffTime) ?? null,
    plannedPickupLocation: readPoint(json.pickupPoint?.point),
    plannedDropOffLocation: readPoint(json.dropoffPoint?.point),
    intermediateDestinations: readPoints(json.intermediateDestinations?.map((/** @type {JSONValue} */ stop) => stop.point)),
    intermediateDestinationIndex: Number(json.intermediateDestinationIndex ?? 0),
    latestVehicleLocationUpdate: readVehicle(json.lastLocation),
    remainingWaypoints: (json.remainingWaypoints ?? []).map(readWaypoint),
    remainingDistanceMeters: json.remainingDistanceMeters,
    etaToFirstWaypoint: readDate(json.etaToFirstWaypoint),
    activeRoute: readPoints(json.route),
  };
}

/**
 * Reads what a recipient may know of a shipment.
 *
 * @param {JSONValue} json
 * @returns {TaskTrackingInfo}
 */
export function readTaskTrackingInfo(json) {
  return {
    name: String(json.name ?? ''),
    trackingId: String(json.trackingId ?? ''),
    ...(json.state && { state: json.state }),
    taskOutcome: json.taskOutcome,
    taskOutcomeTime: readDate(json.taskOutcomeTime),
    remainingStopCount: json.remainingStopCount,
    remainingDrivingDistanceMeters: json.remainingDrivingDistanceMeters,
    estimatedArrivalTime: readDate(json.estimatedArrivalTime),
    routePolylinePoints: readPoints(json.routePolylinePoints),
    plannedLocation: readPoint(json.plannedLocation?.point),
    latestVehicleLocationUpdate: readVehicle(json.vehicleLocation),
  };
}

/** @param {JSONValue} json @returns {VehicleWaypoint} */
function readWaypoint(json) {
  return {
    location: readPoint(json.location?.point),
    tripId: json.tripId,
    waypointType: String(json.waypointType ?? ''),
    distanceMeters: json.distanceMeters,
    eta: readDate(json.eta),
    path: readPoints(json.pathToWaypoint),
  };
}

/** @param {JSONValue} json @returns {VehicleLocationUpdate | undefined} */
function readVehicle(json) {
  const location = readPoint(json?.location);
  return location && {
    location, heading: json.heading, speed: json.speed, time: readDate(json.updateTime), serverTime: readDate(json.serverTime),
  };
}

/**
 * Reads a point, in which JSON leaves zeros out.
 *
 * @param {JSONValue} json
 * @returns {LatLng | undefined}
 */
function readPoint(json) {
  if (!json) return undefined;
  const [lat, lng] = [Number(json.latitude ?? 0), Number(json.longitude ?? 0)];
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : undefined;
}

/** @param {JSONValue} json @returns {LatLng[]} */
function readPoints(json) {
  return (json ?? []).flatMap((/** @type {JSONValue} */ point) => readPoint(point) ?? []);
}

/** @param {JSONValue} text @returns {Date | undefined} */
function readDate(text) {
  const date = typeof text === 'string' ? new Date(text) : undefined;
  return date && !Number.isNaN(date.getTime()) ? date : undefined;
}
