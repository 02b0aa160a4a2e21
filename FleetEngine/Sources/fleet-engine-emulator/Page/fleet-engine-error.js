// @ts-check

/**
 * Errors of Fleet Engine, whose words are in `state-words.js`.
 *
 * @module
 */

/**
 * The gRPC codes of HTTP statuses, for responses without a JSON error.
 *
 * @type {Record<number, string>}
 */
const codes = {
  400: 'INVALID_ARGUMENT', 401: 'UNAUTHENTICATED', 403: 'PERMISSION_DENIED', 404: 'NOT_FOUND', 409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED', 499: 'CANCELLED', 503: 'UNAVAILABLE', 504: 'DEADLINE_EXCEEDED',
};

const recovering = ['ABORTED', 'CANCELLED', 'INTERRUPTED', 'DEADLINE_EXCEEDED', 'UNAVAILABLE', 'INTERNAL', 'UNKNOWN', 'DATA_LOSS'];

/** @typedef {'Fleet Engine' | 'token server' | 'app'} Source */

/** An error while following a trip or shipment. It contains no token. */
export class FleetEngineError extends Error {
  /**
   * @param {string} code The gRPC code's name.
   * @param {{ message?: string, httpStatus?: number, retryAfter?: number, source?: Source, cause?: unknown }} [details]
   */
  constructor(code, details = {}) {
    super(details.message || code, 'cause' in details ? { cause: details.cause } : undefined);
    this.name = 'FleetEngineError';
    this.code = code;
    this.httpStatus = details.httpStatus;
    this.retryAfter = details.retryAfter;
    /** Who must act, or recovers: `app` if the app's own function failed. */
    this.source = details.source ?? 'Fleet Engine';
  }

  /** Whether it recovers by itself; otherwise the app, its user or the operator must act. */
  get recovers() {
    return recovering.includes(this.code) || (this.source === 'token server' && this.code === 'RESOURCE_EXHAUSTED');
  }

}

/**
 * Reads an error response.
 *
 * @param {number} httpStatus @param {string} body @param {number | undefined} retryAfter
 * @param {string} token The request's token, which must not become part of the error.
 */
export function readError(httpStatus, body, retryAfter, token) {
  const { status, message } = parseStatus(body, token);
  const code = status ?? codes[httpStatus] ?? (httpStatus >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT');
  return new FleetEngineError(code, { message, httpStatus, retryAfter });
}

/** @param {string} body @param {string} token @returns {{ status?: string, message?: string }} */
function parseStatus(body, token) {
  try {
    const error = JSON.parse(body)?.error;
    return {
      status: /^[A-Z_]{1,40}$/.test(error?.status ?? '') ? error.status : undefined,
      message: typeof error?.message === 'string' && !error.message.includes(token) ? error.message.slice(0, 300) : undefined,
    };
  } catch {
    return {};
  }
}

/**
 * The codes of the token server's errors, as Fleet Engine's would be.
 *
 * @type {Record<string, string>}
 */
const tokenCodes = {
  unauthenticated: 'UNAUTHENTICATED', permissionDenied: 'PERMISSION_DENIED', notFound: 'NOT_FOUND',
  resourceExhausted: 'RESOURCE_EXHAUSTED', deadlineExceeded: 'DEADLINE_EXCEEDED', tokenRejected: 'UNAUTHENTICATED',
  unavailable: 'UNAVAILABLE', offline: 'UNAVAILABLE', removed: 'CANCELLED', invalidConfiguration: 'FAILED_PRECONDITION',
};

/**
 * Returns the error of a failed fetch of a token.
 *
 * @param {unknown} error
 */
export function tokenFailure(error) {
  if (!(error instanceof Error)) return new FleetEngineError('UNAVAILABLE', { source: 'token server', cause: error });
  const { code = 'unavailable', extent, message, retryAfter, httpStatus } =
    /** @type {Error & { code?: string, extent?: string, retryAfter?: number, httpStatus?: number }} */ (error);
  if (extent === 'app') return new FleetEngineError('UNAUTHENTICATED', { message, source: 'app', cause: error.cause ?? error });
  const source = code === 'tokenRejected' ? 'Fleet Engine' : 'token server';
  return new FleetEngineError(tokenCodes[code] ?? 'INVALID_ARGUMENT', { message, retryAfter, httpStatus, source, cause: error });
}
