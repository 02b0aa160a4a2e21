// @ts-check

/**
 * The times of tokens and pauses, in seconds, by the rules that the Swift library has as well.
 *
 * @module
 */

/** The shortest remaining life of a token that is returned: Google's SDKs require five minutes. */
const minimumValidity = 300;
/** How long before its end a token's refresh begins, at the earliest. */
const refreshAhead = 600;
const shortestBackoff = 0.5;
/** The longest pause that no server requested. */
export const longestBackoff = 30;
/** The age in seconds from which a fetch may wait for a connection that is gone. */
export const staleFetch = 1;
/** The pause after an error that waiting does not resolve. */
export const afterPermanentError = 30;

/** Returns the ages at which a token's refresh is due and at which it is no longer returned. */
export function lifespan(/** @type {number} */ total, /** @type {number} */ jitter) {
  const usable = total - Math.min(minimumValidity, total / 2);
  const ahead = Math.min(refreshAhead, total / 5);
  return { total, usable, fresh: usable - ahead + jitter * ahead / 2 };
}

/** Returns the pause after a number of consecutive failures. */
export function backoff(/** @type {number} */ failures, /** @type {number} */ jitter) {
  const step = Math.min(shortestBackoff * 2 ** (failures - 1), longestBackoff);
  return step / 2 + jitter * step / 2;
}

/** Returns the delay that a server asks for, with up to a fifth of jitter: it sends all clients the same Retry-After. */
export function delay(/** @type {number} */ retryAfter, /** @type {number} */ jitter) {
  return retryAfter + jitter * retryAfter / 5;
}
