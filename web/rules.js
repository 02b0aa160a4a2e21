// @ts-check

/**
 * The times of tokens and pauses, by the rules that the Swift library has as well.
 *
 * @module
 */

import { maximumRetryAfter } from './token-response.js';

/**
 * @typedef {{ minimumValidity: number, refreshAhead: number, fetchTimeout: number, backoff: number[],
 *   denialLifetime: number, capacity: number }} Rules All times are in seconds.
 */

/** @type {Rules} */
export const defaultRules = {
  minimumValidity: 300, refreshAhead: 600, fetchTimeout: 10, backoff: [0.5, 30], denialLifetime: 30, capacity: 1000,
};

/** Returns the ages at which a token's refresh is due and at which it is no longer returned. */
export function lifespan(/** @type {number} */ total, /** @type {number} */ jitter, rules = defaultRules) {
  const usable = total - Math.min(rules.minimumValidity, total / 2);
  const ahead = Math.min(rules.refreshAhead, total / 5);
  return { total, usable, fresh: usable - ahead + jitter * ahead / 2 };
}

/** Returns the pause after a number of consecutive failures. */
export function backoff(/** @type {number} */ failures, /** @type {number} */ jitter, rules = defaultRules) {
  const step = Math.min(rules.backoff[0] * 2 ** (failures - 1), rules.backoff[1]);
  return step / 2 + jitter * step / 2;
}

/**
 * Returns the delay that a server requests, plus the backoff, whose random part spreads the clients' return.
 *
 * @param {number} pause The backoff. @param {number} [retryAfter]
 */
export function spread(pause, retryAfter = 0) {
  return Math.max(pause, Math.min(pause + retryAfter, maximumRetryAfter));
}
