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
import { headerFields, serverURL } from './app-values.js';
import { backoff, defaultRules, lifespan, spread } from './rules.js';
import { ServerGate, repeated } from './server-gate.js';
import { TokenError, encode, endUserKind, formats, isPrivileged, readToken, refusal } from './token-response.js';

export { TokenError, formats } from './token-response.js';

/**
 * @typedef {import('./token-response.js').TokenContext} TokenContext
 * @typedef {import('./token-response.js').ResponseFormat} ResponseFormat
 * @typedef {{ context: TokenContext, serviceType?: string }} AuthTokenFetcherOptions
 * @typedef {{ token: string, expiresInSeconds: number }} AuthToken
 * @typedef {import('./rules.js').Rules} Rules
 * @typedef {{ continuous: () => number, wall: () => number }} Clock Two clocks, both in seconds.
 * @typedef {Record<string, string>} Fields
 * @typedef {(context: { requiresNewCredentials: boolean }) => Fields | Headers | Promise<Fields | Headers>} Credentials
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

/** Fetches and caches tokens, one for each context. */
export class TokenFetcher {
  /** @type {Map<string, Entry>} */ #entries = new Map();
  /** Counts `removeAll`: a fetch that began before it is not cached. */
  #generation = 0;
  /** @type {ServerGate} */ #gate;

  /** @param {TokenFetcherOptions} [options] */
  constructor(options = {}) {
    this.server = serverURL(options.server ?? '');
    this.format = options.format ?? formats.fleetToken;
    this.kind = options.kind ?? endUserKind;
    this.rules = { ...defaultRules, ...options.rules };
    this.credentials = options.credentials ?? (() => ({}));
    this.fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
    this.random = options.random ?? Math.random;
    this.clock = options.clock ?? { continuous: () => performance.now() / 1000, wall: () => Date.now() / 1000 };
    this.#gate = new ServerGate(this);
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
      if (this.#age(cached) >= cached.lifespan.fresh && !this.#pause(entry)) {
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
      entry.flight?.attempt.abort();
      if (entry.isDenied || entry.pausedUntil <= this.clock.continuous()) this.#entries.delete(key);
      else Object.assign(entry, { token: undefined, flight: undefined });
    }
  }

  /**
   * Discards everything that belongs to the previous credentials; call it after a user has signed in or changed.
   *
   * Tokens are removed and pauses after denials end, as with `removeAll`, but calls that wait do not fail: their fetches
   * start again. Call it when `credentials` returns the new ones.
   */
  credentialsDidChange() {
    for (const entry of this.#entries.values()) {
      entry.token = undefined;
      if (entry.isDenied) Object.assign(entry, { isDenied: false, denials: 0, pausedUntil: -Infinity, error: undefined });
      if (!entry.flight) continue;
      entry.flight.isOutdated = true;
      entry.flight.attempt.abort();
    }
  }

  /** @param {Entry} entry @param {string} kind @param {TokenContext} context @returns {Promise<Cached>} */
  #refresh(entry, kind, context) {
    if (entry.flight) return entry.flight.promise;
    const pause = this.#pause(entry);
    if (pause) return Promise.reject(repeated(pause.error, pause.wait));
    const flight = { attempt: new AbortController(), isOutdated: false };
    const promise = this.#fetchToken(entry, kind, context, flight);
    entry.flight = Object.assign(flight, { promise });
    return promise;
  }

  /**
   * @param {Entry} entry @param {string} kind @param {TokenContext} context @param {Omit<Flight, 'promise'>} flight
   * @returns {Promise<Cached>}
   */
  async #fetchToken(entry, kind, context, flight) {
    const generation = this.#generation;
    const isRemoved = () => generation !== this.#generation;
    try {
      for (;;) {
        try {
          return await this.#attempt(entry, kind, context, flight.attempt, () => isRemoved() || flight.isOutdated);
        } catch (error) {
          if (isRemoved()) throw removed();
          if (!flight.isOutdated) throw error;
          Object.assign(flight, { attempt: new AbortController(), isOutdated: false });
        }
      }
    } finally {
      if (!isRemoved()) entry.flight = undefined;
    }
  }

  /**
   * @param {Entry} entry @param {string} kind @param {TokenContext} context @param {AbortController} abort
   * @param {() => boolean} isDiscarded Whether the result is for nobody: its user has signed out or changed.
   * @returns {Promise<Cached>}
   */
  async #attempt(entry, kind, context, abort, isDiscarded) {
    const pass = await this.#gate.enter(entry.key, abort.signal);
    try {
      if (isDiscarded()) throw removed();
      const token = await this.#newToken(entry, kind, context, abort);
      if (isDiscarded()) throw removed();
      this.#gate.leave(pass);
      Object.assign(entry, { token, failures: 0, denials: 0, mustBeNew: false, error: undefined, isDenied: false });
      return token;
    } catch (cause) {
      const error = isDiscarded() ? removed() : tokenError(cause);
      const isServers = this.#gate.leave(pass, error);
      if (!isDiscarded()) {
        if (!isServers) this.#noteFailure(entry, error);
        error.retryAfter = this.#pause(entry)?.wait;
      }
      throw error;
    }
  }

  /** @param {Entry} entry @param {string} kind @param {TokenContext} context @param {AbortController} abort */
  async #newToken(entry, kind, context, abort) {
    const origin = { continuous: this.clock.continuous(), wall: this.clock.wall() };
    const { value, lifetime } = await this.#request(kind, context, entry.mustBeNew, abort);
    const token = { value, ...origin, lifespan: lifespan(lifetime, this.random(), this.rules) };
    if (this.#age(token) >= token.lifespan.usable) {
      throw new TokenError('alreadyExpired', 'The token server issued a token that had already expired.');
    }
    return token;
  }

  /**
   * @param {string} kind @param {TokenContext} context @param {boolean} mustBeNew @param {AbortController} abort
   * @returns {Promise<{ value: string, lifetime: number }>}
   */
  async #request(kind, context, mustBeNew, abort) {
    const url = this.server + path(kind, context);
    const progress = { isWaitingForApp: false };
    const late = () => progress.isWaitingForApp
      ? new TokenError('credentialsFailed', 'The app\'s `credentials` did not return in time.')
      : new TokenError('deadlineExceeded', 'The token server did not respond in time.');
    const timer = setTimeout(() => abort.abort(late()), this.rules.fetchTimeout * 1000);
    const exchange = async () => {
      const response = await this.#response(url, mustBeNew, abort.signal, progress);
      if (response.type === 'opaqueredirect' || (response.status >= 300 && response.headers.has('Location'))) {
        throw new TokenError('redirected', 'The token server redirects. Use its final URL; the credentials were not sent there.');
      }
      if (!response.ok) throw refusal(response, await response.text().catch(() => ''));
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
   * @param {Progress} progress
   */
  async #response(url, mustBeNew, signal, progress) {
    const send = async (/** @type {Fields} */ fields) => {
      // Credentials that come too late are not sent.
      signal.throwIfAborted();
      return this.fetch(url, {
        headers: { Accept: 'application/json', ...fields, ...(mustBeNew && { 'Fleet-Token-Reuse': 'no' }) },
        signal, cache: 'no-store', credentials: 'omit', redirect: 'manual', referrerPolicy: 'no-referrer',
      }).catch(() => { throw new TokenError('unavailable', 'The token server is unreachable.', { extent: 'server' }); });
    };
    const fields = await this.#callerFields(false, progress);
    const response = await send(fields);
    if (response.status !== 401) return response;
    const renewed = await this.#callerFields(true, progress);
    const text = (/** @type {Fields} */ fields) => JSON.stringify(Object.entries(fields).sort());
    return text(renewed) === text(fields) ? response : send(renewed);
  }

  /** @param {boolean} requiresNewCredentials @param {Progress} progress @returns {Promise<Fields>} */
  async #callerFields(requiresNewCredentials, progress) {
    progress.isWaitingForApp = true;
    try {
      return headerFields(await this.credentials({ requiresNewCredentials }));
    } catch (cause) {
      if (cause instanceof TokenError) throw cause;
      throw new TokenError('credentialsFailed', 'The app\'s `credentials` failed. See `cause`.', { cause });
    } finally {
      progress.isWaitingForApp = false;
    }
  }

  /** @param {Entry} entry @param {TokenError} error */
  #noteFailure(entry, error) {
    // Nothing was sent: a user who signs in must not wait.
    if (error.code === 'credentialsFailed') return;
    if (error.recovers) {
      entry.failures += 1;
      this.#close(entry, spread(backoff(entry.failures, this.random(), this.rules), error.retryAfter), error);
    } else {
      entry.denials += 1;
      entry.isDenied = true;
      this.#close(entry, backoff(entry.denials, this.random(), this.rules) + this.rules.denialLifetime, error);
    }
  }

  /** @param {Entry} entry @param {number} seconds @param {TokenError} error */
  #close(entry, seconds, error) {
    entry.pausedUntil = Math.max(entry.pausedUntil, this.clock.continuous() + seconds);
    entry.error = error;
  }

  /**
   * Returns the longer of the pauses of a token and of its server; undefined if there is none.
   *
   * @param {Entry} entry @returns {{ wait: number, error: TokenError } | undefined}
   */
  #pause({ pausedUntil, error }) {
    const wait = pausedUntil - this.clock.continuous();
    const servers = this.#gate.pause;
    if (wait <= 0 || !error) return servers;
    return servers && servers.wait > wait ? servers : { wait, error };
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
      ?? { key, failures: 0, denials: 0, rejections: 0, pausedUntil: -Infinity, isDenied: false, mustBeNew: false };
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
 * @typedef {{ isWaitingForApp: boolean }} Progress Whether the app's credentials are awaited, and not the server.
 * @typedef {{ promise: Promise<Cached>, attempt: AbortController, isOutdated: boolean }} Flight `isOutdated`: its
 *   credentials have changed, so it starts again.
 * @typedef {{ key: string, token?: Cached, flight?: Flight, failures: number, denials: number, rejections: number, pausedUntil: number,
 *   isDenied: boolean, mustBeNew: boolean, error?: TokenError }} Entry
 */

/** Creates the error of a call during which tokens were removed. */
function removed() {
  return new TokenError('removed', 'The token was removed during the call.');
}

/** @param {unknown} cause */
function tokenError(cause) {
  return cause instanceof TokenError ? cause : new TokenError('unavailable', 'The connection was closed before the response was complete.');
}

/** @param {string} kind @param {TokenContext} context */
function path(kind, context) {
  if (isPrivileged(kind)) return `/token/${kind}`;
  const { tripId, trackingId, vehicleId, deliveryVehicleId, taskId } = context;
  const id = tripId ?? trackingId ?? vehicleId ?? deliveryVehicleId ?? taskId ?? '';
  if (!id || id === '.' || id === '..') throw new TokenError('invalidContext', 'The ID is empty, `.` or `..`.');
  const task = deliveryVehicleId !== undefined && taskId !== undefined ? `?taskId=${encode(taskId)}` : '';
  return `/token/${kind}/${encode(id)}${task}`;
}
