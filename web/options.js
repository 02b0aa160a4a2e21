// @ts-check

/**
 * Checks what an app passes and what its functions return: a mistake is reported as the app's, where it is made.
 *
 * @module
 */

import { TokenError } from './token-error.js';

/**
 * Returns a server's URL without trailing slashes; it may be relative to the page.
 *
 * @param {string} text
 * @throws {TypeError} If it is not an http or https URL, or has a user name, a password, a query or a fragment.
 */
export function serverURL(text) {
  try {
    const { protocol, username, password, href } = new URL(text || '/', globalThis.location?.href);
    // Not by `search` and `hash`: they are empty after a `?` or `#` without text.
    if (/^https?:$/.test(protocol) && !username && !password && !/[?#]/.test(href)) return href.replace(/\/+$/, '');
  } catch {
    // Not a URL, or relative to nothing.
  }
  throw new TypeError('`server` must be an http or https URL without a user name, password, query or fragment. '
    + 'Where there is no page, it must be absolute.');
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
 * @param {unknown} value @returns {Headers}
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
    return new Headers(/** @type {Record<string, string>} */ (fields));
  } catch {
    throw invalidFields('header fields whose names and values HTTP allows');
  }
}

/** @param {string} expected */
function invalidFields(expected) {
  return new TokenError('invalidConfiguration', `The app's \`credentials\` must return ${expected}.`);
}
