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

import { afterPermanentError, backoff, delay, lifespan, longestBackoff, staleFetch } from './schedule.js';
import { TokenError } from './token-error.js';
import { TokenServer } from './token-server.js';

/**
 * @typedef {import('./token-path.js').TokenContext} TokenContext
 * @typedef {import('./token-response.js').ResponseFormat} ResponseFormat
 * @typedef {import('./token-server.js').Credentials} Credentials
 * @typedef {{ context: TokenContext, serviceType?: string }} AuthTokenFetcherOptions
 * @typedef {{ token: string, expiresInSeconds: number }} AuthToken
 * @typedef {object} TokenFetcherOptions
 * @property {string} [server] The server's URL, including the base path of its token routes; in a page it may be relative, and
 *   is the page's origin by default.
 * @property {Credentials} [credentials] Returns the header fields that authenticate the caller; called for each fetch, and
 *   once more with `requiresNewCredentials` if the server rejects them: pass it on as Firebase's `forceRefresh`.
 * @property {ResponseFormat} [format] The format of the response; `tokend`'s by default.
 * @property {(context: TokenContext) => string} [kind] Returns the kind of token; the one that an end user needs by
 *   default.
 * @property {number} [timeout] The longest time of a fetch, in seconds; 10 by default.
 * @property {typeof globalThis.fetch} [fetch]
 */

/** The number of tokens that are kept. */
const capacity = 1000;
/** How often a change of the credentials starts a fetch again for its calls: a page may change them in each fetch. */
const maximumChanges = 3;

/** Fetches and caches tokens: one token, one fetch and one pause for each of the server's URLs. */
export class TokenFetcher {
  /** @type {Map<string, Entry>} By URL. */ #entries = new Map();
  /** @type {Pause} The pause of all tokens. */ #serverPause = { pausedUntil: -Infinity };
  /** @type {TokenServer} */ #server;
  /** @type {Clock} */ #clock;
  /** @type {() => number} */ #random;

  /** @param {TokenFetcherOptions} [options] @param {{ clock?: Clock, random?: () => number }} testing Not for apps. */
  constructor(options = {}, { clock = systemClock, random = Math.random } = {}) {
    [this.#clock, this.#random] = [clock, random];
    this.#server = new TokenServer(options, clock);
  }

  /**
   * Returns a token with its remaining lifetime: what Google's SDK calls.
   *
   * A property and not a method, so that it can be passed on by itself.
   *
   * @type {(options: AuthTokenFetcherOptions) => Promise<AuthToken>}
   */
  authTokenFetcher = async (options) => {
    const entry = this.#entry(this.#server.url(options?.context ?? {}));
    const cached = entry.token;
    if (!cached || this.#age(cached) >= cached.lifespan.usable) return this.#answer(await this.#refresh(entry));
    if (this.#age(cached) >= cached.lifespan.fresh && !this.#longestPause(entry)) {
      // Its failure is in the entry, and matters to callers only after the token's end.
      this.#refresh(entry).catch(() => {});
    }
    return this.#answer(cached);
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
      if (!entry.token || entry.token.value !== token) continue;
      entry.rejections = this.#age(entry.token) < longestBackoff ? entry.rejections + 1 : 1;
      Object.assign(entry, { token: undefined, mustBeNew: true });
      // A refresh that didn't require a new token may return the rejected one.
      entry.runningFetch?.attempt.abort(startsAgain);
      if (entry.rejections === 1) continue;
      const error = new TokenError('tokenRejected', 'Fleet Engine rejects new tokens as well. Check the server\'s keys.');
      this.#startPause(entry, backoff(entry.rejections - 1, this.#random()), error);
    }
  }

  /**
   * Ends the pauses after failures without a response. Call it when the network is back, or the page is shown again.
   *
   * A fetch that began more than a second ago, perhaps over a connection that is gone, starts again once.
   */
  retryNow() {
    for (const entry of this.#entries.values()) {
      if (isFromDevice(entry)) endPause(entry);
      const { runningFetch } = entry;
      if (!runningFetch || runningFetch.isRepeat || this.#longestPause(entry)) continue;
      if (this.#clock.continuous() - runningFetch.start < staleFetch) continue;
      runningFetch.isRepeat = true;
      runningFetch.attempt.abort(startsAgain);
    }
  }

  /** Removes all tokens, for a sign-out. Fetches in progress fail; pauses that protect the server stay. */
  removeAll() {
    for (const entry of this.#entries.values()) {
      entry.runningFetch?.attempt.abort();
      // A fetch that ends all the same finds that it is no longer the entry's.
      entry.runningFetch = undefined;
      this.#changeCredentials(entry);
    }
  }

  /**
   * Discards everything that belongs to the previous credentials; call it after a user has signed in or changed.
   *
   * Tokens are removed as with `removeAll`, but calls that wait do not fail: their fetches start again, up to
   * three times. Call it when `credentials` returns the new ones, and not each time that the same user's are renewed.
   */
  credentialsDidChange() {
    for (const entry of this.#entries.values()) {
      this.#changeCredentials(entry);
      const { runningFetch } = entry;
      if (!runningFetch) continue;
      runningFetch.changes += 1;
      runningFetch.attempt.abort(runningFetch.changes <= maximumChanges ? startsAgain
        : new TokenError('unavailable', 'The credentials kept changing during the call.'));
    }
  }

  /**
   * Drops what belongs to the last credentials. A pause after a permanent error ends, but not twice within its length: otherwise
   * changing the credentials after each error would allow requests without end.
   *
   * @param {Entry} entry
   */
  #changeCredentials(entry) {
    Object.assign(entry, { token: undefined, mustBeNew: false, rejections: 0 });
    const now = this.#clock.continuous();
    if (!this.#activePause(entry) || !isPermanent(entry) || now - entry.pauseEndedAt < afterPermanentError) return;
    entry.pauseEndedAt = now;
    endPause(entry);
  }

  /** @param {Entry} entry @returns {Promise<Cached>} */
  #refresh(entry) {
    if (entry.runningFetch) return entry.runningFetch.promise;
    const pause = this.#longestPause(entry);
    if (pause) return Promise.reject(pause.error.with({ retryAfter: pause.wait }));
    /** @type {RunningFetch} */
    const fetch = {
      attempt: new AbortController(), start: this.#clock.continuous(), isRepeat: false, changes: 0,
      promise: Promise.resolve().then(() => this.#fetchToken(entry, fetch)),
    };
    entry.runningFetch = fetch;
    return fetch.promise;
  }

  /** @param {Entry} entry @param {RunningFetch} fetch @returns {Promise<Cached>} */
  async #fetchToken(entry, fetch) {
    for (;;) {
      const { attempt } = fetch;
      const result = await this.#newToken(entry, attempt).catch(tokenError);
      if (entry.runningFetch !== fetch) throw new TokenError('signedOut', 'The user signed out during the call.');
      if (attempt.signal.reason !== startsAgain) {
        entry.runningFetch = undefined;
        // What arrives with the end of the fetch does not count.
        const outcome = attempt.signal.aborted ? tokenError(attempt.signal.reason) : result;
        if (outcome instanceof TokenError) throw this.#noteFailure(entry, outcome);
        Object.assign(entry, { token: outcome, mustBeNew: false, pauseEndedAt: -Infinity });
        endPause(entry);
        return outcome;
      }
      const pause = this.#longestPause(entry);
      if (pause) {
        entry.runningFetch = undefined;
        throw pause.error.with({ retryAfter: pause.wait });
      }
      Object.assign(fetch, { attempt: new AbortController(), start: this.#clock.continuous() });
    }
  }

  /** @param {Entry} entry @param {AbortController} attempt @returns {Promise<Cached>} */
  async #newToken({ url, mustBeNew }, attempt) {
    const start = { continuous: this.#clock.continuous(), wall: this.#clock.wall() };
    const { value, lifetime } = await this.#server.fetchToken(url, mustBeNew, attempt);
    const token = { value, ...start, lifespan: lifespan(lifetime, this.#random()) };
    if (this.#age(token) < token.lifespan.usable) return token;
    throw new TokenError('unavailable', 'The token had expired on arrival. Check the server\'s clock and the lifetime of its tokens.');
  }

  /** @param {Entry} entry @param {TokenError} error @returns {TokenError} The error for the calls. */
  #noteFailure(entry, error) {
    // Nothing was sent: a user who signs in must not wait.
    if (error.pausing === 'nothing') return error;
    const random = this.#random();
    if (error.pausing === 'scopeBriefly') {
      // A device without a network has no server to protect.
      this.#startPause(entry, backoff(1, random), error);
    } else {
      entry.failures += 1;
      const requested = delay(error.retryAfter ?? 0, random);
      if (error.pausing === 'allScopes') this.#startPause(this.#serverPause, requested, error);
      const fixed = error.remedy === 'wait' ? requested : afterPermanentError;
      this.#startPause(entry, fixed + backoff(entry.failures, random), error);
    }
    return error.with({ retryAfter: this.#longestPause(entry)?.wait });
  }

  /** @param {Pause} pause @param {number} seconds @param {TokenError} error */
  #startPause(pause, seconds, error) {
    const end = this.#clock.continuous() + seconds;
    if (end > pause.pausedUntil) Object.assign(pause, { pausedUntil: end, error });
  }

  /** @param {Pause} pause @returns {{ wait: number, error: TokenError } | undefined} */
  #activePause({ pausedUntil, error }) {
    const wait = pausedUntil - this.#clock.continuous();
    return error && wait > 0 ? { wait, error } : undefined;
  }

  /**
   * Returns the longer of the pauses of a token and of its server; undefined if there is none.
   *
   * @param {Entry} entry
   */
  #longestPause(entry) {
    const [own, servers] = [this.#activePause(entry), this.#activePause(this.#serverPause)];
    return own && servers ? own.wait > servers.wait ? own : servers : own ?? servers;
  }

  /**
   * Returns the age by the clock that shows more: one stops during sleep, the other can be set.
   *
   * @param {Moment} moment
   */
  #age({ continuous, wall }) {
    return Math.max(this.#clock.continuous() - continuous, this.#clock.wall() - wall, 0);
  }

  /** @param {Cached} token @returns {AuthToken} */
  #answer(token) {
    return { token: token.value, expiresInSeconds: Math.floor(token.lifespan.total - this.#age(token)) };
  }

  /** @param {string} url @returns {Entry} */
  #entry(url) {
    const entry = this.#entries.get(url)
      ?? { url, failures: 0, rejections: 0, pausedUntil: -Infinity, pauseEndedAt: -Infinity, mustBeNew: false };
    // A map keeps the order of insertion: the first is the least recently used.
    this.#entries.delete(url);
    this.#entries.set(url, entry);
    for (const [oldest, { runningFetch }] of this.#entries) {
      if (this.#entries.size <= capacity) break;
      if (!runningFetch && oldest !== url) this.#entries.delete(oldest);
    }
    return entry;
  }
}

/**
 * @typedef {{ continuous: () => number, wall: () => number }} Clock Two clocks, both in seconds.
 * @typedef {{ continuous: number, wall: number }} Moment
 * @typedef {Moment & { value: string, lifespan: { total: number, usable: number, fresh: number } }} Cached
 * @typedef {{ promise: Promise<Cached>, attempt: AbortController, start: number, isRepeat: boolean, changes: number }} RunningFetch
 * @typedef {{ pausedUntil: number, error?: TokenError }} Pause
 * @typedef {Pause & { url: string, token?: Cached, runningFetch?: RunningFetch, failures: number, rejections: number,
 *   pauseEndedAt: number, mustBeNew: boolean }} Entry `pauseEndedAt` is when a change of the credentials last ended a pause.
 */

/** @type {Clock} */
const systemClock = { continuous: () => performance.now() / 1000, wall: () => Date.now() / 1000 };

/** Why a try of a fetch ended, and another begins. */
const startsAgain = new Error('The fetch starts again.');

/** @param {Pause} pause Whether waiting does not help: the user or a developer must act. */
const isPermanent = ({ error }) => error !== undefined && error.remedy !== 'wait';

/** @param {Pause} pause Whether the device or its network caused it, and no response of the server. */
const isFromDevice = ({ error }) => error?.pausing === 'scopeBriefly';

/** @param {Entry} entry */
function endPause(entry) {
  Object.assign(entry, { pausedUntil: -Infinity, error: undefined, failures: 0 });
}

/** @param {unknown} cause */
function tokenError(cause) {
  if (cause instanceof TokenError) return cause;
  return new TokenError('unavailable', 'The token could not be fetched.', { cause });
}
