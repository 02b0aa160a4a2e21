// @ts-check

/**
 * Follows a trip or a shipment by polling Fleet Engine's REST API: `TripLocationProvider` and `ShipmentLocationProvider`,
 * with the options, properties and events of the location providers in Google's JavaScript SDK. They draw nothing, and
 * unlike Google's they can follow an emulator.
 *
 *     const provider = new TripLocationProvider({ projectId: 'demo-fleet', authTokenFetcher, tripId: 'trip-1' });
 *     provider.addListener('update', ({ trip }) => show(trip));
 *
 * @module
 */

import { abortable, fetchedToken, retryAfterSeconds } from './fetching.js';
import { FleetEngineError, readError, tokenFailure } from './fleet-engine-error.js';
import { finalStatuses, merge, readTaskTrackingInfo, readTrip, versionParameters } from './trip.js';

export { FleetEngineError } from './fleet-engine-error.js';

/**
 * @typedef {import('./trip.js').Trip} Trip
 * @typedef {import('./trip.js').TaskTrackingInfo} TaskTrackingInfo
 * @typedef {import('./token-source.js').AuthTokenFetcherOptions} AuthTokenFetcherOptions
 * @typedef {import('./token-source.js').AuthToken} AuthToken
 * @typedef {import('./token-source.js').TokenContext} TokenContext
 * @typedef {object} ProviderOptions
 * @property {string} projectId The provider ID, which is the ID of the Google Cloud project.
 * @property {(options: AuthTokenFetcherOptions) => Promise<AuthToken>} authTokenFetcher
 * @property {number} [pollingIntervalMillis] 5,000 by default, which is also the minimum; 0 does not poll.
 * @property {string} [baseURL] Where Fleet Engine is.
 * @property {(token: string) => void} [invalidateToken] Is told of a token that Fleet Engine rejected.
 * @property {typeof globalThis.fetch} [fetch]
 * @property {() => number} [random] Returns a number from 0 up to 1.
 * @property {{ setTimeout: (action: () => void, milliseconds: number) => any, clearTimeout: (timer: any) => void }} [timers]
 * @typedef {{ remove: () => void }} Listener
 * @typedef {{ error: FleetEngineError, retryInMillis?: number }} ErrorEvent
 */

/**
 * The events and what their listeners get. `retryInMillis` is undefined if no request follows by itself.
 *
 * @template Update
 * @typedef {{ update: Update, error: ErrorEvent, ispollingchange: {} }} ProviderEvents
 */

/**
 * What differs between trips and shipments: the request for an ID after a previous answer, how an answer is merged with it,
 * and what listeners get.
 *
 * @template Update
 * @typedef {{
 *   request: (id: string, previous: any) => { context: TokenContext, path: string, serviceType: string, parameters: string[][] },
 *   merge: (previous: any, answer: any) => any, read: (answer: any) => { event: Update, isFinal: boolean } }} Resource
 */

const minimumInterval = 5000;
/** The longest pause while an error needs action: the provider goes on trying, as Google's SDKs do, but seldom. */
const longestPause = 60_000;
const requestTimeout = 15_000;

/**
 * What trips and shipments have in common: one request at a time, and errors by the guides' rules.
 *
 * @template {object} Update
 */
class PollingLocationProvider {
  /** @type {Map<string, Set<(event: any) => void>>} */ #listeners = new Map();
  /** @type {any} */ #timer;
  /** @type {AbortController | undefined} */ #request;
  #interval;
  #id = '';
  #failures = 0;
  /** The milliseconds that a server requested. */ #requestedPause = 0;
  #isPolling = false;
  #isFinal = false;
  /** @type {any} */ #answer;

  #resource;

  /** @param {ProviderOptions} options @param {Resource<Update>} resource */
  constructor(options, resource) {
    this.#resource = resource;
    this.projectId = options.projectId;
    this.baseURL = (options.baseURL ?? 'https://fleetengine.googleapis.com').replace(/\/+$/, '');
    this.authTokenFetcher = options.authTokenFetcher;
    this.invalidateToken = options.invalidateToken ?? (() => {});
    this.fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
    this.random = options.random ?? Math.random;
    this.timers = options.timers ?? {
      setTimeout: globalThis.setTimeout.bind(globalThis), clearTimeout: globalThis.clearTimeout.bind(globalThis),
    };
    this.#interval = clamp(options.pollingIntervalMillis ?? minimumInterval);
  }

  get isPolling() { return this.#isPolling; }

  get pollingIntervalMillis() { return this.#interval; }

  set pollingIntervalMillis(interval) {
    this.#interval = clamp(interval);
    // Setting the interval does not shorten a pause that a server requested.
    if (!this.#request) this.#schedule(Math.max(this.#interval, this.#requestedPause));
  }

  /**
   * Adds a listener for `update`, `error` or `ispollingchange`.
   *
   * @template {keyof ProviderEvents<Update>} Name
   * @param {Name} event @param {(event: ProviderEvents<Update>[Name]) => void} listener
   * @returns {Listener}
   */
  addListener(event, listener) {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    return { remove: () => listeners.delete(listener) };
  }

  /** Requests an update now; does nothing for a trip or shipment that has ended. */
  refresh() {
    if (this.#id && !this.#request && !this.#isFinal) void this.#poll();
  }

  /**
   * Follows another trip or shipment; the empty ID stops.
   *
   * @param {string} id
   */
  follow(id) {
    if (id === this.#id) return;
    this.#request?.abort();
    this.#request = undefined;
    this.timers.clearTimeout(this.#timer);
    this.#answer = undefined;
    this.#failures = 0;
    this.#requestedPause = 0;
    this.#isFinal = false;
    this.#id = id;
    if (id) void this.#poll();
    this.#setPolling(Boolean(id) && this.#interval > 0);
  }

  /** The ID of the trip or shipment; empty if none is followed. */
  get followed() { return this.#id; }

  async #poll() {
    this.timers.clearTimeout(this.#timer);
    const request = new AbortController();
    this.#request = request;
    this.#requestedPause = 0;
    let pause = 0;
    try {
      const answer = await this.#get(request);
      if (this.#request !== request) return;
      this.#failures = 0;
      this.#answer = this.#resource.merge(this.#answer, answer);
      const update = this.#resource.read(this.#answer);
      this.#isFinal = update.isFinal;
      this.#emit('update', update.event);
    } catch (cause) {
      if (this.#request !== request) return;
      const error = cause instanceof FleetEngineError ? cause : new FleetEngineError('UNAVAILABLE', { cause });
      this.#failures += 1;
      pause = this.#pause(error);
      this.#emit('error', { error, retryInMillis: this.#interval > 0 ? Math.max(this.#interval, pause) : undefined });
    }
    // A listener may have set another ID.
    if (this.#request !== request) return;
    this.#request = undefined;
    this.#schedule(Math.max(this.#interval, pause));
  }

  /** @param {AbortController} request */
  async #get(request) {
    const timer = this.timers.setTimeout(() => request.abort(), requestTimeout);
    try {
      const [answer, token] = await this.#send(request);
      if (answer.status !== 401) return await readJSON(answer, token);
      this.invalidateToken(token);
      // A new token, once: if it is rejected as well, the next attempt is at the next interval.
      const [second, secondToken] = await this.#send(request);
      if (second.status === 401) this.invalidateToken(secondToken);
      return await readJSON(second, secondToken);
    } catch (error) {
      throw request.signal.aborted ? new FleetEngineError('DEADLINE_EXCEEDED') : error;
    } finally {
      this.timers.clearTimeout(timer);
    }
  }

  /** @param {AbortController} request @returns {Promise<[Response, string]>} */
  async #send(request) {
    const { context, path, serviceType, parameters } = this.#resource.request(this.#id, this.#answer);
    const token = await abortable(this.#fetchToken({ context, serviceType }), request.signal);
    const query = new URLSearchParams(parameters).toString();
    const answer = await this.fetch(`${this.baseURL}/v1/providers/${encodeURIComponent(this.projectId)}/${path}${query && `?${query}`}`, {
      headers: { Authorization: `Bearer ${token}` }, signal: request.signal, cache: 'no-store', credentials: 'omit',
      redirect: 'error', referrerPolicy: 'no-referrer',
    });
    return [answer, token];
  }

  /** @param {AuthTokenFetcherOptions} options @returns {Promise<string>} */
  async #fetchToken(options) {
    /** @type {Promise<AuthToken>} */ let fetched;
    try {
      fetched = this.authTokenFetcher(options);
    } catch (cause) {
      throw new FleetEngineError('INVALID_ARGUMENT', { source: 'app', message: 'The app\'s `authTokenFetcher` failed. See `cause`.', cause });
    }
    try {
      return fetchedToken(await fetched);
    } catch (error) {
      throw error instanceof FleetEngineError ? error : tokenFailure(error);
    }
  }

  /**
   * Returns the pause after an error, in milliseconds.
   *
   * @param {FleetEngineError} error
   */
  #pause(error) {
    const growing = error.recovers ? 0 : Math.min(this.#interval * 2 ** this.#failures, longestPause);
    // Pages that were told the same second must not all return in it.
    this.#requestedPause = error.retryAfter ? error.retryAfter * 1000 + this.random() * this.#interval : 0;
    return Math.max(growing, this.#requestedPause);
  }

  /** @param {number} pause */
  #schedule(pause) {
    this.timers.clearTimeout(this.#timer);
    const polls = Boolean(this.#id) && this.#interval > 0 && !this.#isFinal;
    if (polls) this.#timer = this.timers.setTimeout(() => void this.#poll(), pause);
    this.#setPolling(polls);
  }

  /** @param {boolean} isPolling */
  #setPolling(isPolling) {
    if (isPolling === this.#isPolling) return;
    this.#isPolling = isPolling;
    this.#emit('ispollingchange', {});
  }

  /**
   * @template {keyof ProviderEvents<Update>} Name
   * @param {Name} event @param {ProviderEvents<Update>[Name]} details
   */
  #emit(event, details) {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) {
      try {
        listener(details);
      } catch (error) {
        // A listener's fault is the page's: it is reported as such, and following continues.
        queueMicrotask(() => { throw error; });
      }
    }
  }
}

/**
 * Follows a trip, as `FleetEngineTripLocationProvider` does.
 *
 * @extends {PollingLocationProvider<{ trip: Trip }>}
 */
export class TripLocationProvider extends PollingLocationProvider {
  /** @param {ProviderOptions & { tripId?: string }} options */
  constructor(options) {
    super(options, tripResource);
    this.tripId = options.tripId ?? '';
  }

  /** The trip; empty stops following. */
  get tripId() { return this.followed; }
  set tripId(id) { this.follow(id ?? ''); }
}

/**
 * Follows a shipment by its tracking ID, as `FleetEngineShipmentLocationProvider` does.
 *
 * @extends {PollingLocationProvider<{ taskTrackingInfo: TaskTrackingInfo }>}
 */
export class ShipmentLocationProvider extends PollingLocationProvider {
  /** @param {ProviderOptions & { trackingId?: string }} options */
  constructor(options) {
    super(options, shipmentResource);
    this.trackingId = options.trackingId ?? '';
  }

  /** The shipment; empty stops following. */
  get trackingId() { return this.followed; }
  set trackingId(id) { this.follow(id ?? ''); }
}

/** @type {Resource<{ trip: Trip }>} */
const tripResource = {
  request: (tripId, previous) => ({
    context: { tripId }, path: `trips/${encodeURIComponent(tripId)}`, serviceType: 'TRIP_SERVICE',
    parameters: versionParameters(previous),
  }),
  merge,
  read: (answer) => {
    const trip = readTrip(answer);
    return { event: { trip }, isFinal: finalStatuses.includes(trip.status) };
  },
};

/** @type {Resource<{ taskTrackingInfo: TaskTrackingInfo }>} */
const shipmentResource = {
  request: (trackingId) => ({
    context: { trackingId }, path: `taskTrackingInfo/${encodeURIComponent(trackingId)}`, serviceType: 'TASK_SERVICE',
    parameters: [],
  }),
  merge: (_, answer) => answer,
  read: (answer) => {
    const taskTrackingInfo = readTaskTrackingInfo(answer);
    return { event: { taskTrackingInfo }, isFinal: taskTrackingInfo.state === 'CLOSED' };
  },
};

/** @param {number} interval */
function clamp(interval) {
  return interval === 0 ? 0 : Math.max(minimumInterval, interval || minimumInterval);
}

/** @param {Response} answer @param {string} token */
async function readJSON(answer, token) {
  const body = await answer.text();
  if (!answer.ok) {
    throw readError(answer.status, body, retryAfterSeconds(answer.headers.get('Retry-After')), token);
  }
  try {
    const json = JSON.parse(body);
    if (json && typeof json === 'object' && !Array.isArray(json)) return json;
  } catch {
    // A broken response is retried, like a broken connection.
  }
  throw new FleetEngineError('UNAVAILABLE', { message: 'Fleet Engine\'s response is not JSON.' });
}
