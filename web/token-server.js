// @ts-check

/**
 * Requests to a token server.
 *
 * @module
 */

import { headerFields, serverURL, timeLimit } from './options.js';
import { TokenError, responseError } from './token-error.js';
import { endUserKind, tokenPath } from './token-path.js';
import { formats, readBody, readToken } from './token-response.js';

/**
 * @typedef {Record<string, string>} Fields
 * @typedef {(context: { requiresNewCredentials: boolean }) => Fields | Headers | Promise<Fields | Headers>} Credentials
 */

/** A token server: its URL, the app's credentials for it, and the format of its responses. */
export class TokenServer {
  /** @param {import('./token-fetcher.js').TokenFetcherOptions} options @param {import('./token-fetcher.js').Clock} clock */
  constructor(options, clock) {
    this.server = serverURL(options.server ?? '');
    this.format = options.format ?? formats.fleetToken;
    this.kind = options.kind ?? endUserKind;
    this.timeout = timeLimit(options.timeout ?? 10);
    this.credentials = options.credentials ?? (() => ({}));
    this.fetch = options.fetch ?? globalThis.fetch;
    this.clock = clock;
  }

  /** @param {import('./token-path.js').TokenContext} context */
  url(context) {
    return this.server + tokenPath(this.#kind(context), context);
  }

  /** @param {import('./token-path.js').TokenContext} context */
  #kind(context) {
    try {
      return this.kind(context);
    } catch (cause) {
      if (cause instanceof TokenError) throw cause;
      throw new TokenError('invalidConfiguration', 'The app\'s `kind` failed. See `cause`.', { cause });
    }
  }

  /**
   * Fetches a token, until the signal of `attempt` is aborted. The time limit is for the app's credentials, too.
   *
   * @param {string} url @param {boolean} mustBeNew @param {AbortController} attempt
   * @returns {Promise<{ value: string, lifetime: number }>}
   */
  async fetchToken(url, mustBeNew, attempt) {
    const { signal } = attempt;
    const late = new TokenError('unavailable', 'The token was not fetched in time.', { pausing: 'scopeBriefly' });
    const timer = setTimeout(() => attempt.abort(late), this.timeout * 1000);
    try {
      signal.throwIfAborted();
      return await Promise.race([aborted(signal), this.#exchange(url, mustBeNew, signal)]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** @param {string} url @param {boolean} mustBeNew @param {AbortSignal} signal */
  async #exchange(url, mustBeNew, signal) {
    const response = await this.#response(url, mustBeNew, signal);
    if (!response.ok) throw responseError(response);
    return readToken(await readBody(response).catch(noResponse), {
      format: this.format, deviceClock: this.clock.wall(), date: response.headers.get('Date'),
    });
  }

  /**
   * Returns the server's response; if it rejects the credentials, tries once more with new ones.
   *
   * @param {string} url @param {boolean} mustBeNew @param {AbortSignal} signal
   */
  async #response(url, mustBeNew, signal) {
    const send = (/** @type {Headers} */ fields) => {
      const headers = new Headers(fields);
      if (!headers.has('Accept')) headers.set('Accept', 'application/json');
      if (mustBeNew) headers.set('Fleet-Token-Reuse', 'no');
      // Not `Headers`: an app's own `fetch` may copy them as an object.
      return this.#send(url, Object.fromEntries(headers), signal).catch(noResponse);
    };
    const fields = await this.#callerFields(false);
    const response = await send(fields);
    if (response.status !== 401) return response;
    const renewed = await this.#callerFields(true);
    const text = (/** @type {Headers} */ fields) => JSON.stringify([...fields]);
    return text(renewed) === text(fields) ? response : send(renewed);
  }

  /** @param {string} url @param {Fields} headers @param {AbortSignal} signal @returns {Promise<Response>} */
  async #send(url, headers, signal) {
    // Credentials that come too late are not sent.
    signal.throwIfAborted();
    // Without `this`, which a browser's own `fetch` refuses.
    const { fetch } = this;
    return fetch(url, { headers, signal, redirect: 'manual', cache: 'no-store', credentials: 'omit', referrerPolicy: 'no-referrer' });
  }

  /** @param {boolean} requiresNewCredentials */
  async #callerFields(requiresNewCredentials) {
    try {
      return headerFields(await this.credentials({ requiresNewCredentials }));
    } catch (cause) {
      const error = cause instanceof TokenError ? cause
        : new TokenError('unavailable', 'The app\'s `credentials` failed. See `cause`.', { cause });
      throw requiresNewCredentials ? renewalFailure(error) : error.with({ pausing: 'nothing', retryAfter: undefined });
    }
  }
}

/**
 * Returns the error of a call whose credentials were rejected and could not be renewed. A request was sent and rejected, so the
 * token must pause.
 *
 * @param {TokenError} error
 */
function renewalFailure(error) {
  const httpStatus = error.httpStatus ?? (error.code === 'unauthenticated' ? 401 : undefined);
  return error.with({ httpStatus, pausing: error.code === 'offline' ? 'scopeBriefly' : 'scope' });
}

/**
 * Rejects with a signal's reason when it is aborted: the app's `credentials` may never settle.
 *
 * @param {AbortSignal} signal @returns {Promise<never>}
 */
function aborted(signal) {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/**
 * Throws the error of a request without a whole response. A browser does not say more about its cause.
 *
 * @param {unknown} cause @returns {never}
 */
function noResponse(cause) {
  if (cause instanceof TokenError) throw cause;
  if (globalThis.navigator?.onLine === false) {
    throw new TokenError('offline', 'This device has no network connection.', { pausing: 'scopeBriefly' });
  }
  throw new TokenError('unavailable', 'The token server is unreachable. See `cause`.', { cause, pausing: 'scopeBriefly' });
}
