// @ts-check

/**
 * Why a token is not available.
 *
 * @module
 */

import { parseDate, retryAfterSeconds } from './http-fields.js';

/**
 * What pauses after an error:
 * - `nothing`: nothing was sent;
 * - `scopeBriefly`: its token, for half a second at most, because no response came;
 * - `scope`: its token;
 * - `allScopes`: all tokens of the server.
 *
 * @typedef {'nothing' | 'scopeBriefly' | 'scope' | 'allScopes'} Pausing
 * @typedef {object} ErrorDetails
 * @property {number} [retryAfter]
 * @property {number} [httpStatus]
 * @property {string} [requestID]
 * @property {unknown} [cause]
 * @property {Pausing} [pausing] `scope` by default.
 */

const transient = ['offline', 'insecureConnection', 'unavailable', 'resourceExhausted', 'signedOut'];

/**
 * An error that says why a token is not available.
 *
 * It contains no token, credential or ID. Its `cause`, if it has one, is what the browser or the app threw.
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
    /** The request's ID in the server's log: the code that a user tells support. */
    this.requestID = details.requestID;
    /** @type {Pausing} */
    this.pausing = details.pausing ?? 'scope';
  }

  /**
   * Who must act: nobody, since it passes; the user, who must sign in; or the developer or operator.
   *
   * @returns {'wait' | 'signIn' | 'developer'}
   */
  get remedy() {
    if (transient.includes(this.code)) return 'wait';
    return this.code === 'unauthenticated' ? 'signIn' : 'developer';
  }

  /**
   * Returns this error with other details; the app may keep this one, and throw it again.
   *
   * @param {ErrorDetails} details
   */
  with(details) {
    const { code, message, retryAfter, httpStatus, requestID, pausing } = this;
    const cause = 'cause' in this ? { cause: this.cause } : {};
    return new TokenError(code, message, { ...cause, retryAfter, httpStatus, requestID, pausing, ...details });
  }
}

/**
 * Returns the error of a response that is not a success: every 5xx is transient.
 *
 * @param {Pick<Response, 'type' | 'status' | 'headers'>} response
 */
export function responseError({ type, status, headers }) {
  // A browser does not show the response that redirects, and does not say that it has a target.
  if (type === 'opaqueredirect' || (status >= 300 && status < 400 && headers.has('Location'))) {
    return new TokenError('invalidConfiguration', 'The token server redirects. Use its final URL.');
  }
  const retryAfter = retryAfterSeconds(headers.get('Retry-After'), parseDate(headers.get('Date')) ?? Date.now() / 1000);
  const concernsServer = retryAfter !== undefined && (status === 429 || status === 503);
  const { code, message } = meaning(status);
  return new TokenError(code, message, {
    httpStatus: status, retryAfter, requestID: requestID(headers), pausing: concernsServer ? 'allScopes' : 'scope',
  });
}

/** @param {number} status */
function meaning(status) {
  switch (status) {
    case 401: return { code: 'unauthenticated', message: 'Authentication failed. Sign in again.' };
    case 403: return { code: 'permissionDenied', message: 'Permission denied for this token. Check the server\'s grants.' };
    case 404: case 410: return { code: 'invalidArgument', message: 'Not found on the token server. Check its URL.' };
    case 408: case 504: return { code: 'unavailable', message: 'The token server did not respond in time.' };
    case 429: return { code: 'resourceExhausted', message: 'Too many requests from this caller.' };
    default: return status >= 400 && status < 500 && status !== 425
      ? { code: 'invalidArgument', message: `The token server refused the request with HTTP status ${status}.` }
      : { code: 'unavailable', message: 'The token server is unavailable or overloaded.' };
  }
}

/**
 * Returns a response's request ID, if it has the form of one.
 *
 * @param {Headers} headers
 */
function requestID(headers) {
  const text = headers.get('X-Request-Id') ?? '';
  return /^[\x21-\x7E]{1,128}$/.test(text) ? text : undefined;
}
