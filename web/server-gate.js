// @ts-check

/**
 * A token server's own pauses, which concern every token that is fetched from it.
 *
 * @module
 */

import { backoff, spread } from './rules.js';
import { TokenError } from './token-response.js';

/**
 * @typedef {import('./rules.js').Rules} Rules
 * @typedef {import('./token-fetcher.js').Clock} Clock
 * @typedef {{ generation: number, key: string }} Pass The permission to send one request, for a token.
 * @typedef {{ key: string, admit: (pass: Pass) => void, reject: (error: unknown) => void }} Waiting
 */

/** The number of requests in flight from which the server is no longer spared. */
const rampEnd = 32;
/** The number of tokens whose failures are remembered; those that never succeed are few. */
const maximumFailing = 256;

/**
 * Decides when requests may be sent.
 *
 * If the server answers 503 with `Retry-After`, limits the caller's requests, or accepts no connection, no token is fetched
 * for a while. Then one request is sent; each success lets one more be in flight, so that the number doubles in each round.
 * A failure of one token is not the server's if other tokens are fetched meanwhile: otherwise one token whose fetches always
 * fail would starve the others.
 */
export class ServerGate {
  #pausedUntil = -Infinity;
  /** @type {TokenError | undefined} */ #error;
  #failures = 0;
  /** Counts the pauses: the outcome of a request from before a pause says nothing of the server after it. */
  #generation = 0;
  #limit = Infinity;
  #inFlight = 0;
  /** @type {Waiting[]} */ #waiting = [];
  /** The number of successes and of failures that may be the server's. */
  #count = 0;
  #lastSuccess = 0;
  /** @type {Map<string, number>} The last such failure of each token that has not been fetched since. */ #failing = new Map();
  /** @type {{ key: string, count: number } | undefined} The last request that was refused by a limit. */ #limited;

  /** @param {{ clock: Clock, random: () => number, rules: Rules }} environment */
  constructor({ clock, random, rules }) {
    this.clock = clock;
    this.random = random;
    this.rules = rules;
  }

  /** The pause that is left, with its cause; undefined if requests may be sent. */
  get pause() {
    const wait = this.#pausedUntil - this.clock.continuous();
    return wait > 0 && this.#error ? { wait, error: this.#error } : undefined;
  }

  /**
   * Waits for the permission to send a request, which must be returned by `leave`.
   *
   * @param {string} key The token. @param {AbortSignal} signal @returns {Promise<Pass>}
   * @throws {TokenError} If the server fails meanwhile.
   */
  async enter(key, signal) {
    if (this.#inFlight < this.#limit) {
      this.#inFlight += 1;
      return { generation: this.#generation, key };
    }
    return new Promise((admit, reject) => {
      const waiting = { key, admit, reject };
      this.#waiting.push(waiting);
      signal.addEventListener('abort', () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        reject(signal.reason);
      });
    });
  }

  /**
   * Notes a request's outcome.
   *
   * @param {Pass} pass @param {TokenError} [error]
   * @returns {boolean} Whether the error is the server's, not this token's.
   */
  leave({ generation, key }, error) {
    const isCurrent = generation === this.#generation;
    if (!error) this.#noteSuccess(key);
    else if (this.#concernsAll(error, key, isCurrent)) {
      this.#close(error, isCurrent);
      return true;
    }
    if (!isCurrent) return false;
    this.#inFlight -= 1;
    // Without a response nothing is known of the server.
    if (!['removed', 'credentialsFailed'].includes(error?.code ?? '')) this.#limit += 1;
    if (this.#limit >= rampEnd) {
      this.#limit = Infinity;
      this.#failures = 0;
    }
    this.#admit();
    return false;
  }

  /** @param {string} key */
  #noteSuccess(key) {
    this.#lastSuccess = this.#count += 1;
    this.#failing.delete(key);
  }

  /** @param {TokenError} error @param {string} key @param {boolean} isCurrent */
  #concernsAll({ code, extent }, key, isCurrent) {
    // Other tokens were fetched since this one failed.
    const isAlone = (this.#failing.get(key) ?? Infinity) < this.#lastSuccess;
    // A token that was limited before says nothing new: otherwise two such tokens would starve the others.
    const isLimited = !this.#failing.has(key) && this.#limited !== undefined && this.#limited.key !== key
      && this.#limited.count > this.#lastSuccess;
    if (extent !== 'token') {
      this.#count += 1;
      if (this.#failing.size >= maximumFailing) this.#failing.clear();
      this.#failing.set(key, this.#count);
      if (extent === 'limit') this.#limited = { key, count: this.#count };
    }
    if (isAlone) return false;
    if (extent === 'server' || (extent === 'limit' && isLimited)) return true;
    // A failure during the recovery says that the server has not recovered.
    const isTransient = ['unavailable', 'deadlineExceeded'].includes(code);
    return extent === 'token' && isTransient && isCurrent && this.#limit < Infinity;
  }

  /** @param {TokenError} error @param {boolean} isNew Whether it is another failure than the last. */
  #close(error, isNew) {
    if (isNew) this.#failures += 1;
    const pause = backoff(Math.max(this.#failures, 1), this.random(), this.rules);
    const end = this.clock.continuous() + spread(pause, error.retryAfter);
    this.#pausedUntil = Math.max(this.#pausedUntil, end);
    this.#error = error;
    this.#generation += 1;
    this.#limit = 1;
    this.#inFlight = 0;
    const wait = this.#pausedUntil - this.clock.continuous();
    for (const { reject } of this.#waiting.splice(0)) reject(repeated(error, wait));
  }

  #admit() {
    while (this.#waiting.length && this.#inFlight < this.#limit) {
      this.#inFlight += 1;
      const next = /** @type {Waiting} */ (this.#waiting.shift());
      next.admit({ generation: this.#generation, key: next.key });
    }
  }
}

/**
 * Returns an error for another call during the same pause.
 *
 * @param {TokenError} error @param {number} retryAfter
 */
export function repeated({ code, message, httpStatus }, retryAfter) {
  return new TokenError(code, message, { retryAfter, httpStatus });
}
