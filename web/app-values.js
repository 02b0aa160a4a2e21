// @ts-check

/**
 * Checks what an app passes and what its functions return: a mistake is reported as the app's, where it is made.
 *
 * @module
 */

import { TokenError } from './token-error.js';

/** What a relative URL is relative to where there is no page. */
const nowhere = 'https://page.invalid';

/**
 * Returns a server's URL without trailing slashes.
 *
 * It may be relative to the page. Without a page, only the app's own `fetch` can know what it is relative to.
 *
 * @param {string} text @param {boolean} isForOwnFetch
 * @throws {TypeError} If it is not such an http or https URL, or has a user name, a password, a query or a fragment.
 */
export function serverURL(text, isForOwnFetch) {
  const page = globalThis.location?.href ?? (isForOwnFetch ? nowhere : undefined);
  try {
    const { href } = new URL(text || '/', page);
    // Not by the URL's parts, which React Native does not have.
    if (typeof text === 'string' && /^https?:\/\/[^/@]+\//.test(href) && !/[?#]/.test(text)) {
      return href.replace(nowhere, '').replace(/\/+$/, '');
    }
  } catch {
    // Not a URL, or relative to nothing.
  }
  throw new TypeError('`server` must be an http or https URL without a user name, password, query or fragment. '
    + 'Where there is no page, it must be absolute.');
}

/**
 * Returns an option of the app's that is a function.
 *
 * @template Value
 * @param {string} name @param {Value} value @returns {Value}
 * @throws {TypeError} If it is none.
 */
export function functionOption(name, value) {
  if (typeof value !== 'function') throw new TypeError(`\`${name}\` must be a function.`);
  return value;
}

/**
 * Returns a time limit in seconds.
 *
 * @param {number} seconds
 * @throws {TypeError} If it is not a number above 0, or longer than an hour: a timer with a longer one may end at once.
 */
export function timeLimit(seconds) {
  if (typeof seconds === 'number' && seconds > 0 && seconds <= 3600) return seconds;
  throw new TypeError('`timeout` must be a number of seconds, above 0 and at most 3600.');
}

/**
 * Returns header fields from what the app's `credentials` returned: an object of texts, or `Headers`.
 *
 * @param {unknown} value @returns {Record<string, string>}
 * @throws {TokenError} If `fetch` would refuse them. It contains none of them.
 */
export function headerFields(value) {
  // Not only this realm's own `Headers`: a library's have entries, too.
  const isIterable = typeof value === 'object' && value !== null && Symbol.iterator in value && !Array.isArray(value);
  const fields = isIterable ? Object.fromEntries(/** @type {Headers} */ (value)) : value;
  const isObject = typeof fields === 'object' && fields !== null && !Array.isArray(fields);
  if (!isObject || !Object.values(fields).every((text) => typeof text === 'string')) {
    throw invalidFields('an object of header fields, such as { Authorization: `Bearer ${idToken}` }');
  }
  try {
    void new Headers(/** @type {Record<string, string>} */ (fields));
  } catch {
    throw invalidFields('header fields whose names and values HTTP allows');
  }
  return /** @type {Record<string, string>} */ (fields);
}

/** @param {string} expected */
function invalidFields(expected) {
  return new TokenError('invalidConfiguration', `The app's \`credentials\` must return ${expected}.`);
}
