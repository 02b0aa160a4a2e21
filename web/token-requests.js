// @ts-check

/**
 * Requests to a token server.
 *
 * @module
 */

import { functionOption, headerFields, serverURL, timeLimit } from './app-values.js';
import { TokenError, refusal } from './token-error.js';
import { endUserKind, tokenPath } from './token-path.js';
import { formats, readBody, readToken } from './token-response.js';

/**
 * @typedef {import('./attempt.js').Attempt} Attempt
 * @typedef {Record<string, string>} Fields
 * @typedef {(context: { requiresNewCredentials: boolean }) => Fields | Headers | Promise<Fields | Headers>} Credentials
 * @typedef {{ isWaitingForApp: boolean, wereRejected: boolean }} Progress Whether the app's credentials are awaited, and not
 *   the server; and whether it rejected the first ones.
 */

/** Sends the requests for tokens with the app's credentials. */
export class TokenRequests {
  /** @param {import('./token-fetcher.js').TokenFetcherOptions} options @param {import('./token-fetcher.js').Clock} clock */
  constructor(options, clock) {
    this.server = serverURL(options.server ?? '', Boolean(options.fetch));
    this.format = options.format ?? formats.fleetToken;
    this.kind = functionOption('kind', options.kind ?? endUserKind);
    this.timeout = timeLimit(options.timeout ?? 10);
    this.credentials = functionOption('credentials', options.credentials ?? (() => ({})));
    this.fetch = functionOption('fetch', options.fetch ?? globalThis.fetch);
    this.clock = clock;
    /** @type {RequestInit} What a runtime may not know, and then refuses. */
    this.optional = { cache: 'no-store', credentials: 'omit', referrerPolicy: 'no-referrer' };
  }

  /** @param {import('./token-path.js').TokenContext} context */
  url(context) {
    return this.server + tokenPath(this.kind(context), context);
  }

  /**
   * Fetches a token. The time limit is for the app's credentials, too.
   *
   * @param {string} url @param {boolean} mustBeNew @param {Attempt} attempt
   * @returns {Promise<{ value: string, lifetime: number }>}
   */
  async fetchToken(url, mustBeNew, attempt) {
    const progress = { isWaitingForApp: false, wereRejected: false };
    const timer = setTimeout(() => attempt.end(late(progress)), this.timeout * 1000);
    try {
      return await attempt.value(this.#exchange(url, mustBeNew, attempt, progress));
    } finally {
      clearTimeout(timer);
    }
  }

  /** @param {string} url @param {boolean} mustBeNew @param {Attempt} attempt @param {Progress} progress */
  async #exchange(url, mustBeNew, attempt, progress) {
    const response = await this.#response(url, mustBeNew, attempt, progress);
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.headers.has('Location'))) {
      throw new TokenError('invalidConfiguration', 'The token server redirects. Use its final URL; the credentials were not sent there.');
    }
    if (!response.ok) throw refusal(response);
    return readToken(await readBody(response).catch(noResponse), {
      format: this.format, deviceClock: this.clock.wall(), date: response.headers.get('Date'), age: response.headers.get('Age'),
    });
  }

  /**
   * Returns the server's response; if it rejects the credentials, tries once more with new ones.
   *
   * @param {string} url @param {boolean} mustBeNew @param {Attempt} attempt @param {Progress} progress
   */
  async #response(url, mustBeNew, attempt, progress) {
    const send = (/** @type {Fields} */ fields) => {
      const headers = { Accept: 'application/json', ...fields, ...(mustBeNew && { 'Fleet-Token-Reuse': 'no' }) };
      return this.#send(url, headers, attempt).catch(noResponse);
    };
    const fields = await this.#callerFields(false, progress);
    const response = await send(fields);
    if (response.status !== 401) return response;
    progress.wereRejected = true;
    const renewed = await this.#callerFields(true, progress);
    const text = (/** @type {Fields} */ fields) => JSON.stringify(Object.entries(fields).sort());
    return text(renewed) === text(fields) ? response : send(renewed);
  }

  /**
   * Sends a request; once more if its connection was lost, as happens to one that was kept and that the server closes. A
   * request for a token is safe to repeat.
   *
   * @param {string} url @param {Fields} headers @param {Attempt} attempt @returns {Promise<Response>}
   */
  async #send(url, headers, attempt) {
    // Without `this`, which a browser's own `fetch` refuses.
    const { fetch, optional } = this;
    for (let isRepeated = false;;) {
      // Credentials that come too late are not sent.
      if (attempt.reason) throw attempt.reason;
      try {
        return await fetch(url, { headers, redirect: 'manual', signal: attempt.signal, ...optional });
      } catch (error) {
        const { message, code, cause } = /** @type {any} */ (error) ?? {};
        const refused = Object.keys(optional).find((name) => String(message).includes(name));
        if (refused) delete optional[/** @type {keyof RequestInit} */ (refused)];
        else if (isRepeated || !['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(cause?.code ?? code)) throw error;
        else isRepeated = true;
      }
    }
  }

  /** @param {boolean} requiresNewCredentials @param {Progress} progress @returns {Promise<Fields>} */
  async #callerFields(requiresNewCredentials, progress) {
    progress.isWaitingForApp = true;
    try {
      return headerFields(await this.credentials({ requiresNewCredentials }));
    } catch (cause) {
      const error = cause instanceof TokenError ? cause
        : new TokenError('unavailable', 'The app\'s `credentials` failed. See `cause`.', { cause });
      throw requiresNewCredentials ? renewalFailure(error) : error.with({ extent: 'app', retryAfter: undefined });
    } finally {
      progress.isWaitingForApp = false;
    }
  }
}

/**
 * Returns the error of a call whose credentials were rejected and could not be renewed. The server's rejection is the cause:
 * if nothing paused, nothing would limit further requests.
 *
 * @param {TokenError} error
 */
function renewalFailure(error) {
  const httpStatus = error.httpStatus ?? (error.code === 'unauthenticated' ? 401 : undefined);
  const isDevices = error.remedy === 'wait' && httpStatus === undefined && error.retryAfter === undefined;
  return error.with({ httpStatus, extent: isDevices ? 'device' : 'token' });
}

/** @param {Progress} progress */
function late({ isWaitingForApp, wereRejected }) {
  const extent = wereRejected ? 'token' : 'app';
  return isWaitingForApp
    ? new TokenError('unavailable', 'The app\'s `credentials` did not return in time.', { extent })
    : new TokenError('unavailable', 'The token server did not respond in time.', { extent: 'device' });
}

/**
 * Throws the error of a request without a whole response. A browser does not say more about its cause; Node does.
 *
 * @param {unknown} cause @returns {never}
 */
function noResponse(cause) {
  if (cause instanceof TokenError) throw cause;
  if (globalThis.navigator?.onLine === false) {
    throw new TokenError('offline', 'This device has no network connection.', { extent: 'device' });
  }
  throw new TokenError('unavailable', 'The token server is unreachable. See `cause`.', { cause, extent: 'device' });
}
