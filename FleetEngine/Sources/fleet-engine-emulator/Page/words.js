// @ts-check

/**
 * Times, distances and directions in words.
 *
 * @module
 */

/**
 * Returns the minutes until a time, as a label on the map; undefined if it is now.
 *
 * @param {Date} time @param {number} now In milliseconds since 1970.
 * @returns {string | undefined}
 */
export function minutesUntil(time, now) {
  const minutes = Math.round((time.getTime() - now) / 60_000);
  if (minutes < 1) return undefined;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/**
 * Returns the time of day.
 *
 * @param {Date} time
 */
export function timeOfDay(time) {
  return time.toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit' });
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
  return directions[((Math.round(heading / 45) % 8) + 8) % 8];
}
