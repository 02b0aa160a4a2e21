// @ts-check

/**
 * What the page says: statuses, times and distances in words.
 *
 * @module
 */

/** @type {Record<string, string>} */
const statuses = {
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
 * @param {string} status
 */
export function statusWords(status) {
  return statuses[status] ?? 'Status unknown';
}

/**
 * Returns a shipment's state in words, as Google's sample pages do.
 *
 * @param {import('../trip.js').TaskTrackingInfo} info
 */
export function shipmentWords({ state, taskOutcome, remainingStopCount }) {
  if (state === undefined) return 'Shipment not found';
  if (state === 'CLOSED') return taskOutcome === 'FAILED' ? 'Delivery failed' : 'Delivered';
  if (remainingStopCount === undefined) return 'On its way';
  return remainingStopCount > 1 ? `${remainingStopCount} stops away` : 'You are the next stop';
}

/**
 * Returns the minutes until a time, as a label on the map.
 *
 * @param {Date} time @param {number} now In milliseconds since 1970.
 */
export function minutesUntil(time, now) {
  const minutes = Math.round((time.getTime() - now) / 60_000);
  if (minutes < 1) return 'now';
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/**
 * Returns the time of day.
 *
 * @param {Date} time
 */
export function timeOfDay(time) {
  return time.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
}

/**
 * Returns a distance, rounded as people say it.
 *
 * @param {number} meters
 */
export function distance(meters) {
  if (meters < 950) return `${Math.max(10, Math.round(meters / 10) * 10)} m`;
  return `${(meters / 1000).toFixed(meters < 9950 ? 1 : 0)} km`;
}

/**
 * Returns a number of seconds as minutes and seconds.
 *
 * @param {number} seconds
 */
export function remaining(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
}

const directions = ['north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest'];

/**
 * Returns a heading as a direction.
 *
 * @param {number} heading In degrees from north.
 */
export function direction(heading) {
  return directions[Math.round(heading / 45) % 8];
}
