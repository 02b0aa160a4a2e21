// @ts-check

/**
 * What following needs of requests: an end, a pause and a token that can be sent.
 *
 * @module
 */

import { FleetEngineError } from './fleet-engine-error.js';

/**
 * Returns what a promise returns, or rejects when a signal aborts: the code behind the promise may never settle it.
 *
 * @template Value
 * @param {Promise<Value>} promise @param {AbortSignal} signal
 * @returns {Promise<Value>}
 */
export function abortable(promise, signal) {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/**
 * Parses `Retry-After` in seconds, which is what Google's servers send; at most an hour.
 *
 * @param {string | null} field @returns {number | undefined}
 */
export function retryAfterSeconds(field) {
  return /^[0-9]+$/.test(field ?? '') ? Math.min(Number(field), 3600) : undefined;
}

/**
 * Returns the token from what the app's `authTokenFetcher` returned.
 *
 * @param {unknown} value @returns {string}
 * @throws {FleetEngineError} If there is no token that can be sent; its source is `app`.
 */
export function fetchedToken(value) {
  const token = /** @type {{ token?: unknown } | undefined | null} */ (value)?.token;
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token;
  const message = 'The app\'s `authTokenFetcher` must return a promise of { token, expiresInSeconds }.';
  throw new FleetEngineError('INVALID_ARGUMENT', { source: 'app', message });
}
