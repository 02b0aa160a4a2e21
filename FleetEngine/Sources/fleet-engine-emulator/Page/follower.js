// @ts-check

/**
 * Follows a trip or a shipment by polling Fleet Engine's REST API, as often as Google's clients do.
 *
 * @module
 */

import { FleetEngineError, readError } from './fleet-engine-error.js';
import { finalStatuses, readTaskTrackingInfo, readTrip } from './trip.js';

/**
 * @typedef {import('./trip.js').Trip} Trip
 * @typedef {import('./trip.js').TaskTrackingInfo} TaskTrackingInfo
 * @typedef {object} Options
 * @property {'trip' | 'tracking'} kind
 * @property {string} id The trip's ID, or the shipment's tracking ID.
 * @property {string} project The provider ID, which is the ID of the Google Cloud project.
 * @property {{ token: (signal: AbortSignal) => Promise<string>, invalidate: (token: string) => void }} tokens
 * @property {(update: Trip | TaskTrackingInfo) => void} onUpdate Following continues if it or `onError` throws: the error becomes
 *   an unhandled rejection.
 * @property {(error: FleetEngineError, retryInMillis: number) => void} onError
 * @property {string} [origin] Where Fleet Engine is; the page's own origin by default.
 * @property {typeof globalThis.fetch} [fetch]
 * @property {() => number} [random] Returns a number from 0 up to 1.
 * @property {{ setTimeout: (action: () => void, milliseconds: number) => any, clearTimeout: (timer: any) => void }} [timers]
 */

const interval = 5000;
/** The longest pause while an error needs action: following goes on, as in Google's SDKs, but seldom. */
const longestPause = 60_000;
const requestTimeout = 15_000;

/** What differs between trips and shipments. */
const resources = {
  trip: {
    collection: 'trips', read: readTrip, isFinal: (/** @type {any} */ trip) => finalStatuses.includes(trip.status),
  },
  tracking: {
    collection: 'taskTrackingInfo', read: readTaskTrackingInfo, isFinal: (/** @type {any} */ shipment) => shipment.state === 'CLOSED',
  },
};

/** Follows until the trip or shipment has ended: one request at a time, the next an interval after the last. */
export class Follower {
  /** @type {any} */ #timer;
  #options;
  /** The number of errors that need action since the last success. */
  #failures = 0;
  #isPolling = false;
  #isFinal = false;

  /** @param {Options} options */
  constructor(options) {
    this.#options = { origin: '', fetch: globalThis.fetch.bind(globalThis), random: Math.random, timers: globalThis, ...options };
    this.refresh();
  }

  /** Requests an update now, unless a request is under way or the end has come. */
  refresh() {
    if (!this.#isPolling && !this.#isFinal) void this.#poll();
  }

  async #poll() {
    const { kind, timers, onUpdate, onError } = this.#options;
    const { read, isFinal } = resources[kind];
    timers.clearTimeout(this.#timer);
    this.#isPolling = true;
    let pause = interval;
    let report;
    try {
      const update = read(await this.#get());
      this.#failures = 0;
      this.#isFinal = isFinal(update);
      report = () => onUpdate(update);
    } catch (cause) {
      const error = cause instanceof FleetEngineError ? cause : new FleetEngineError('UNAVAILABLE', { cause });
      if (!error.recovers) this.#failures += 1;
      pause = this.#pause(error);
      report = () => onError(error, pause);
    }
    this.#isPolling = false;
    if (!this.#isFinal) this.#timer = timers.setTimeout(() => void this.#poll(), pause);
    // Last, so that following continues if the page fails.
    report();
  }

  async #get() {
    const { timers, tokens } = this.#options;
    const request = new AbortController();
    const timer = timers.setTimeout(() => request.abort(), requestTimeout);
    try {
      for (let attempt = 1; ; attempt += 1) {
        const token = await tokens.token(request.signal);
        const response = await this.#send(token, request.signal);
        if (response.status === 401) tokens.invalidate(token);
        // A new token, once: if it is rejected as well, the next attempt is at the next interval.
        if (response.status !== 401 || attempt === 2) return await readJSON(response, token);
      }
    } catch (error) {
      throw request.signal.aborted ? new FleetEngineError('DEADLINE_EXCEEDED') : error;
    } finally {
      timers.clearTimeout(timer);
    }
  }

  /** @param {string} token @param {AbortSignal} signal */
  #send(token, signal) {
    const { kind, id, project, origin, fetch } = this.#options;
    const path = [project, resources[kind].collection, id].map(encodeURIComponent).join('/');
    return fetch(`${origin}/v1/providers/${path}`, {
      headers: { Authorization: `Bearer ${token}` }, signal, cache: 'no-store', credentials: 'omit', redirect: 'error',
      referrerPolicy: 'no-referrer',
    });
  }

  /**
   * Returns the pause after an error, in milliseconds, by the rules of `Tests/PollCases`.
   *
   * @param {FleetEngineError} error
   */
  #pause({ recovers, retryAfter }) {
    const growing = recovers ? interval : Math.min(interval * 2 ** this.#failures, longestPause);
    // Pages that were told the same second must not all return in it.
    return Math.max(growing, retryAfter ? retryAfter * 1000 + this.#options.random() * interval : 0);
  }
}

/** @param {Response} response @param {string} token */
async function readJSON(response, token) {
  if (!response.ok) throw await readError(response, 'Fleet Engine', token);
  const json = await response.json().catch(() => undefined);
  if (json && typeof json === 'object' && !Array.isArray(json)) return json;
  // It is retried, like a broken connection.
  throw new FleetEngineError('UNAVAILABLE', { message: 'Fleet Engine\'s response is not JSON.' });
}
