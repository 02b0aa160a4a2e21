// @ts-check

/**
 * What the page says: the words of `words-en.js` with their values.
 *
 * @module
 */

import words from './words-en.js';

/** @typedef {{ [Name in keyof typeof words]: string }} Words */

/**
 * Returns words with their values.
 *
 * @param {keyof Words} name @param {Record<string, string | number>} [values]
 */
export function say(name, values = {}) {
  return words[name].replace(/\{(\w+)\}/g, (_, value) => isolated(String(values[value])));
}

/**
 * Returns text that does not change the order of what is around it: IDs and names may be of another direction.
 *
 * @param {string} text
 */
function isolated(text) {
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(text) ? `\u2068${text}\u2069` : text;
}

/**
 * Fills the elements that name their words.
 *
 * @param {ParentNode} root
 */
export function fillWords(root) {
  for (const element of /** @type {Iterable<HTMLElement>} */ (root.querySelectorAll('[data-word]'))) {
    element.textContent = say(/** @type {keyof Words} */ (element.dataset.word));
  }
  for (const element of /** @type {Iterable<HTMLElement>} */ (root.querySelectorAll('[data-label]'))) {
    element.setAttribute('aria-label', say(/** @type {keyof Words} */ (element.dataset.label)));
  }
}

/**
 * Returns the minutes until a time, as a label on the map; undefined if it is now.
 *
 * @param {Date} time @param {number} now In milliseconds since 1970.
 * @returns {string | undefined}
 */
export function minutesUntil(time, now) {
  const minutes = Math.round((time.getTime() - now) / 60_000);
  if (minutes < 1) return undefined;
  return minutes < 60 ? say('minutes', { minutes }) : say('hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
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
  if (meters < 950) return say('meters', { meters: Math.max(10, Math.round(meters / 10) * 10) });
  return say('kilometers', { kilometers: (meters / 1000).toFixed(meters < 9950 ? 1 : 0) });
}

/**
 * Returns a number of seconds as minutes and seconds.
 *
 * @param {number} seconds
 */
export function remaining(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) return say('secondsLeft', { seconds: whole });
  return say('minutesLeft', { minutes: Math.floor(whole / 60), seconds: String(whole % 60).padStart(2, '0') });
}

const directions = /** @type {const} */ (['north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest']);

/**
 * Returns a heading as a direction.
 *
 * @param {number} heading In degrees from north.
 */
export function direction(heading) {
  return say(directions[((Math.round(heading / 45) % 8) + 8) % 8]);
}
