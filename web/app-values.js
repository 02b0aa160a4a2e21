// @ts-check

/**
 * Checks what an app passes and what its functions return: a mistake is reported as the app's, where it is made.
 *
 * @module
 */

import { TokenError } from './token-error.js';

/**
 * Returns a server's URL without trailing slashes. It may be relative to the page.
 *
 * @param {string} text
 * @throws {TypeError} If it is not an http or https URL, or has a user name, a password, a query or a fragment.
 */
export function serverURL(text) {
  const isAccepted = () => {
    const { protocol, username, password } = new URL(text, globalThis.location?.href ?? 'https://page.invalid');
    return /^https?:$/.test(protocol) && !username && !password && !/[?#]/.test(text);
  };
  try {
    if (typeof text === 'string' && isAccepted()) return text.replace(/\/+$/, '');
  } catch {
    // Not a URL.
  }
  throw new TypeError('`server` must be an http or https URL without a user name, password, query or fragment.');
}

/**
 * Returns header fields from what the app's `credentials` returned: an object of texts, or `Headers`.
 *
 * @param {unknown} value @returns {Record<string, string>}
 * @throws {TokenError} If `fetch` would refuse them. It contains none of them.
 */
export function headerFields(value) {
  const fields = value instanceof Headers ? Object.fromEntries(value) : value;
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
