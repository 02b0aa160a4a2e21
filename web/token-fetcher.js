// @ts-check

/**
 * Fetches tokens from a token server and caches them, as Google's JavaScript SDK expects of an `authTokenFetcher`:
 *
 *     const tokens = new TokenFetcher({ server: 'https://tokens.example', credentials: () => signedInUser() });
 *     new google.maps.journeySharing.FleetEngineTripLocationProvider({
 *       projectId: 'my-project', authTokenFetcher: tokens.authTokenFetcher, tripId: 'trip-1' });
 *
 * The rules are those of `TokenProvider`, the Swift library of this project; both are tested with the same table. Tokens
 * are held in memory only.
 *
 * @module
 */

import { abortable } from './abortable.js';
import { TokenError, encode, endUserKind, formats, maximumRetryAfter, privilegedKinds, readToken, refusal } from './token-response.js';

export { TokenError, formats } from './token-response.js';

/**
 * @typedef {import('./token-response.js').TokenContext} TokenContext
 * @typedef {import('./token-response.js').ResponseFormat} ResponseFormat
 * @typedef {{ context: TokenContext, serviceType?: string }} AuthTokenFetcherOptions
 * @typedef {{ token: string, expiresInSeconds: number }} AuthToken
 * @typedef {{ minimumValidity: number, refreshAhead: number, fetchTimeout: number, backoff: number[],
 *   denialLifetime: number, capacity: number }} Rules All times are in seconds.
 * @typedef {{ continuous: () => number, wall: () => number }} Clock Two clocks, both in seconds.
 * @typedef {Record<string, string>} Fields
 * @typedef {(context: { requiresNewCredentials: boolean }) => Fields | Promise<Fields>} Credentials
 * @typedef {object} TokenFetcherOptions
 * @property {string} [server] The server's URL, including the base path of its token routes; this page's origin by default.
 * @property {Credentials} [credentials] Returns the header fields that authenticate the caller; called for each fetch, and
 *   once more with `requiresNewCredentials` if the server rejects them: pass it on as Firebase's `forceRefresh`.
 * @property {ResponseFormat} [format] The format of the response; `tokend`'s by default.
 * @property {(context: TokenContext) => string} [kind] Returns the kind of token; the one that an end user needs by
 *   default.
 * @property {Partial<Rules>} [rules]
 * @property {typeof globalThis.fetch} [fetch]
 * @property {Clock} [clock]
 * @property {() => number} [random] Returns a number from 0 up to 1.
 */

/** @type {Rules} */
export const defaultRules = {
  minimumValidity: 300, refreshAhead: 600, fetchTimeout: 10, backoff: [0.5, 30], denialLifetime: 30, capacity: 1000,
};

/** Fetches and caches tokens, one for each context. */
export class TokenFetcher {
  /** @type {Map<string, Entry>} */ #entries = new Map();
  /** Counts `removeAll`: a fetch that began before it is not cached. */
  #generation = 0;

  /** @param {TokenFetcherOptions} [options] */
  constructor(options = {}) {
    this.server = (options.server ?? '').replace(/\/+$/, '');
    this.format = options.format ?? formats.fleetToken;
    this.kind = options.kind ?? endUserKind;
    this.rules = { ...defaultRules, ...options.rules };
    this.credentials = options.credentials ?? (() => ({}));
    this.fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
    this.random = options.random ?? Math.random;
    this.clock = options.clock ?? { continuous: () => performance.now() / 1000, wall: () => Date.now() / 1000 };
  }

  /**
   * Returns a token with its remaining lifetime: what Google's SDK calls.
   *
   * A property and not a method, so that it can be passed on by itself.
   *
   * @type {(options: AuthTokenFetcherOptions) => Promise<AuthToken>}
   */
  authTokenFetcher = async ({ context }) => {
    const kind = this.kind(context);
    const key = JSON.stringify([kind, ...Object.entries(context).filter(([, id]) => id !== undefined).sort()]);
    const entry = this.#entry(key);
    const cached = entry.token;
    if (cached && this.#age(cached) < cached.lifespan.usable) {
      if (this.#age(cached) >= cached.lifespan.fresh && this.#wait(entry) <= 0) {
        // Its failure is in the entry, and matters to callers only after the token's end.
        this.#refresh(entry, kind, context).catch(() => {});
      }
      return this.#answer(cached);
    }
    return this.#answer(await this.#refresh(entry, kind, context));
  };

  /**
   * Reports that Fleet Engine rejected a token, so that the next call gets another.
   *
   * A report about a token that was replaced meanwhile has no effect.
   *
   * @param {string} token
   */
  invalidate(token) {
    for (const entry of this.#entries.values()) {
      if (entry.token?.value !== token) continue;
      const age = this.#age(entry.token);
      entry.token = undefined;
      entry.mustBeNew = true;
      entry.rejections = age < this.rules.backoff[1] ? entry.rejections + 1 : 1;
      if (entry.rejections > 1) {
        const error = new TokenError('tokenRejected', 'Fleet Engine rejects new tokens as well: check the server\'s keys.');
        this.#close(entry, backoff(entry.rejections - 1, this.random(), this.rules), error);
      }
    }
  }

  /** Removes all tokens, for a sign-out. Fetches in progress fail; pauses that protect the server stay. */
  removeAll() {
    this.#generation += 1;
    for (const [key, entry] of this.#entries) {
      entry.flight?.abort.abort();
      if (entry.isDenied || entry.pausedUntil <= this.clock.continuous()) this.#entries.delete(key);
      else Object.assign(entry, { token: undefined, flight: undefined });
    }
  }

  /** @param {Entry} entry @param {string} kind @param {TokenContext} context @returns {Promise<Cached>} */
  #refresh(entry, kind, context) {
    if (entry.flight) return entry.flight.promise;
    const wait = this.#wait(entry);
    if (wait > 0 && entry.error) {
      const { code, message, httpStatus } = entry.error;
      return Promise.reject(new TokenError(code, message, { retryAfter: wait, httpStatus }));
    }
    const abort = new AbortController();
    const promise = this.#fetchToken(entry, kind, context, abort, this.#generation);
    entry.flight = { promise, abort };
    return promise;
  }

  /**
   * @param {Entry} entry @param {string} kind @param {TokenContext} context @param {AbortController} abort
   * @param {number} generation @returns {Promise<Cached>}
   */
  async #fetchToken(entry, kind, context, abort, generation) {
    const origin = { continuous: this.clock.continuous(), wall: this.clock.wall() };
    try {
      const { value, lifetime } = await this.#request(kind, context, entry.mustBeNew, abort);
      if (generation !== this.#generation) throw removed();
      const token = { value, ...origin, lifespan: lifespan(lifetime, this.random(), this.rules) };
      if (this.#age(token) >= token.lifespan.usable) {
        throw new TokenError('alreadyExpired', 'The token server issued a token that had already expired.');
      }
      Object.assign(entry, { token, failures: 0, denials: 0, mustBeNew: false, error: undefined, isDenied: false });
      return token;
    } catch (cause) {
      if (generation !== this.#generation) throw removed();
      const error = cause instanceof TokenError ? cause : new TokenError('unavailable', 'The token server cannot be reached.');
      this.#noteFailure(entry, error);
      throw error;
    } finally {
      if (generation === this.#generation) entry.flight = undefined;
    }
  }

  /**
   * @param {string} kind @param {TokenContext} context @param {boolean} mustBeNew @param {AbortController} abort
   * @returns {Promise<{ value: string, lifetime: number }>}
   */
  async #request(kind, context, mustBeNew, abort) {
    const url = this.server + path(kind, context);
    const late = new TokenError('deadlineExceeded', 'The token server took too long.');
    const timer = setTimeout(() => abort.abort(late), this.rules.fetchTimeout * 1000);
    const exchange = async () => {
      const response = await this.#response(url, mustBeNew, abort.signal);
      if (!response.ok) throw refusal(response);
      return readToken(await response.text(), {
        format: this.format, context, kind, deviceClock: this.clock.wall(),
        date: response.headers.get('Date'), age: response.headers.get('Age'),
      });
    };
    try {
      // The time limit is for the app's credentials, too.
      return await abortable(exchange(), abort.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Returns the server's response; if it rejects the credentials, tries once more with new ones.
   *
   * @param {string} url @param {boolean} mustBeNew @param {AbortSignal} signal
   */
  async #response(url, mustBeNew, signal) {
    const send = (/** @type {Fields} */ fields) => this.fetch(url, {
      headers: { Accept: 'application/json', ...fields, ...(mustBeNew && { 'Fleet-Token-Reuse': 'no' }) },
      signal, cache: 'no-store', credentials: 'omit', redirect: 'error', referrerPolicy: 'no-referrer',
    });
    const fields = await this.credentials({ requiresNewCredentials: false });
    const response = await send(fields);
    if (response.status !== 401) return response;
    const renewed = await this.credentials({ requiresNewCredentials: true });
    const text = (/** @type {Fields} */ fields) => JSON.stringify(Object.entries(fields).sort());
    return text(renewed) === text(fields) ? response : send(renewed);
  }

  /** @param {Entry} entry @param {TokenError} error */
  #noteFailure(entry, error) {
    if (error.recovers) {
      entry.failures += 1;
      const pause = backoff(entry.failures, this.random(), this.rules);
      this.#close(entry, Math.max(pause, Math.min(pause + (error.retryAfter ?? 0), maximumRetryAfter)), error);
    } else {
      entry.denials += 1;
      entry.isDenied = true;
      this.#close(entry, backoff(entry.denials, this.random(), this.rules) + this.rules.denialLifetime, error);
    }
    error.retryAfter = this.#wait(entry);
  }

  /** @param {Entry} entry @param {number} seconds @param {TokenError} error */
  #close(entry, seconds, error) {
    entry.pausedUntil = Math.max(entry.pausedUntil, this.clock.continuous() + seconds);
    entry.error = error;
  }

  /** @param {Entry} entry */
  #wait(entry) {
    return entry.pausedUntil - this.clock.continuous();
  }

  /**
   * Returns the age by the clock that shows more: one stops during sleep, the other can be set.
   *
   * @param {Moment} moment
   */
  #age({ continuous, wall }) {
    return Math.max(this.clock.continuous() - continuous, this.clock.wall() - wall, 0);
  }

  /** @param {Cached} token @returns {AuthToken} */
  #answer(token) {
    return { token: token.value, expiresInSeconds: Math.floor(token.lifespan.total - this.#age(token)) };
  }

  /** @param {string} key @returns {Entry} */
  #entry(key) {
    const entry = this.#entries.get(key)
      ?? { failures: 0, denials: 0, rejections: 0, pausedUntil: -Infinity, isDenied: false, mustBeNew: false };
    // A map keeps the order of insertion: the first is the least recently used.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    for (const [oldest, { flight }] of this.#entries) {
      if (this.#entries.size <= this.rules.capacity) break;
      if (!flight && oldest !== key) this.#entries.delete(oldest);
    }
    return entry;
  }
}

/**
 * @typedef {{ continuous: number, wall: number }} Moment
 * @typedef {Moment & { value: string, lifespan: { total: number, usable: number, fresh: number } }} Cached
 * @typedef {{ token?: Cached, flight?: { promise: Promise<Cached>, abort: AbortController }, failures: number,
 *   denials: number, rejections: number, pausedUntil: number, isDenied: boolean, mustBeNew: boolean,
 *   error?: TokenError }} Entry
 */

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

/** Creates the error of a call during which tokens were removed. */
function removed() {
  return new TokenError('removed', 'The token was removed during the call.');
}

/** @param {string} kind @param {TokenContext} context */
function path(kind, context) {
  if (privilegedKinds.includes(kind)) return `/token/${kind}`;
  const { tripId, trackingId, vehicleId, deliveryVehicleId, taskId } = context;
  const id = tripId ?? trackingId ?? vehicleId ?? deliveryVehicleId ?? taskId ?? '';
  if (!id || id === '.' || id === '..') throw new TokenError('invalidContext', 'The ID is empty, `.` or `..`.');
  const task = deliveryVehicleId !== undefined && taskId !== undefined ? `?taskId=${encode(taskId)}` : '';
  return `/token/${kind}/${encode(id)}${task}`;
}
