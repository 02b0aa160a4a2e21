// @ts-check

/**
 * Why a token is not available.
 *
 * @module
 */

import { parseDate, retryAfterSeconds } from './http-fields.js';

/**
 * @typedef {'app' | 'device' | 'token' | 'server'} Extent What an error concerns: the app's own function, so that nothing
 *   was sent; this device, so that no response came; one token; or the server, and so all tokens.
 * @typedef {{ retryAfter?: number, httpStatus?: number, cause?: unknown, extent?: Extent }} ErrorDetails
 */

const waiting = ['offline', 'unavailable', 'resourceExhausted', 'removed'];

/**
 * An error that says why a token is not available.
 *
 * It contains no token, credential or ID. Its `cause`, if it has one, is what the runtime or the app threw.
 */
export class TokenError extends Error {
  /**
   * @param {string} code A name, as in the Swift library.
   * @param {string} message
   * @param {ErrorDetails} [details]
   */
  constructor(code, message, details = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.name = 'TokenError';
    this.code = code;
    /** The number of seconds after which the next fetch is possible. */
    this.retryAfter = details.retryAfter;
    this.httpStatus = details.httpStatus;
    /** @type {Extent} */
    this.extent = details.extent ?? 'token';
  }

  /**
   * Who must act: nobody, since it passes; the user, who must sign in; or the developer or operator.
   *
   * @returns {'wait' | 'signIn' | 'developer'}
   */
  get remedy() {
    if (waiting.includes(this.code)) return 'wait';
    return this.code === 'unauthenticated' ? 'signIn' : 'developer';
  }

  /**
   * Returns this error with other details; the app may keep this one, and throw it again.
   *
   * @param {ErrorDetails} details
   */
  with(details) {
    const { code, message, retryAfter, httpStatus, extent } = this;
    const cause = 'cause' in this ? { cause: this.cause } : {};
    return new TokenError(code, message, { ...cause, retryAfter, httpStatus, extent, ...details });
  }
}

/**
 * Returns the error of a response that is not a success.
 *
 * @param {Response} response
 */
export function refusal({ status, headers }) {
  const retryAfter = retryAfterSeconds(headers.get('Retry-After'), parseDate(headers.get('Date')) ?? Date.now() / 1000);
  const isServers = retryAfter !== undefined && (status === 429 || status === 503);
  const { code, message } = statusError(status);
  return new TokenError(code, message, { httpStatus: status, retryAfter, extent: isServers ? 'server' : 'token' });
}

/**
 * Returns the meaning of an HTTP status: every 5xx is transient.
 *
 * @param {number} status
 */
export function statusError(status) {
  switch (status) {
    case 401: return new TokenError('unauthenticated', 'Authentication failed. Sign in again.');
    case 403: return new TokenError('permissionDenied', 'Permission denied for this token. Check the server\'s grants.');
    case 404: case 410: return new TokenError('invalidArgument', 'Not found on the token server. Check its URL.');
    case 408: case 504: return new TokenError('unavailable', 'The token server did not respond in time.');
    case 429: return new TokenError('resourceExhausted', 'Too many requests from this caller.');
    default: return status >= 400 && status < 500 && status !== 425
      ? new TokenError('invalidArgument', `The token server refused the request with HTTP status ${status}.`)
      : new TokenError('unavailable', 'The token server is unavailable or overloaded.');
  }
}
