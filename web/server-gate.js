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
 * @typedef {{ generation: number }} Pass The permission to send one request.
 * @typedef {{ admit: (pass: Pass) => void, reject: (error: unknown) => void }} Waiting
 */

/** The number of requests in flight from which the server is no longer spared. */
const rampEnd = 32;

/**
 * Decides when requests may be sent.
 *
 * If the server answers 429 or 503 with `Retry-After`, or no connection is possible, no token is fetched for a while. Then
 * one request is sent; each success lets one more be in flight, so that the number doubles in each round.
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
   * @param {AbortSignal} signal @returns {Promise<Pass>}
   * @throws {TokenError} If the server fails meanwhile.
   */
  async enter(signal) {
    if (this.#inFlight < this.#limit) {
      this.#inFlight += 1;
      return { generation: this.#generation };
    }
    return new Promise((admit, reject) => {
      const waiting = { admit, reject };
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
  leave({ generation }, error) {
    const isCurrent = generation === this.#generation;
    const isTransient = ['unavailable', 'deadlineExceeded', 'resourceExhausted'].includes(error?.code ?? '');
    if (error && (error.isServerWide || (isTransient && isCurrent && this.#limit < Infinity))) {
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
      this.#waiting.shift()?.admit({ generation: this.#generation });
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
