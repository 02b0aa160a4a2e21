// @ts-check

/**
 * Errors of Fleet Engine and of the token server, whose words are in `state-words.js`.
 *
 * @module
 */

/**
 * The gRPC codes of HTTP statuses, for responses without a JSON error.
 *
 * @type {Record<number, string>}
 */
const codes = {
  401: 'UNAUTHENTICATED', 403: 'PERMISSION_DENIED', 404: 'NOT_FOUND', 408: 'DEADLINE_EXCEEDED', 409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED', 499: 'CANCELLED', 500: 'INTERNAL', 501: 'UNIMPLEMENTED', 504: 'DEADLINE_EXCEEDED',
};

const recovering = ['ABORTED', 'CANCELLED', 'DEADLINE_EXCEEDED', 'UNAVAILABLE', 'INTERNAL', 'UNKNOWN', 'DATA_LOSS'];
const needingAction = [
  'INVALID_ARGUMENT', 'UNAUTHENTICATED', 'PERMISSION_DENIED', 'NOT_FOUND', 'ALREADY_EXISTS', 'FAILED_PRECONDITION',
  'OUT_OF_RANGE', 'RESOURCE_EXHAUSTED', 'UNIMPLEMENTED',
];

/** @typedef {'Fleet Engine' | 'token server'} Source */

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
    this.source = details.source ?? 'Fleet Engine';
  }

  /** Whether it recovers by itself; otherwise the page's user or the operator must act. */
  get recovers() {
    return recovering.includes(this.code) || (this.source === 'token server' && this.code === 'RESOURCE_EXHAUSTED');
  }
}

/**
 * Reads an error response.
 *
 * @param {Response} response @param {Source} source
 * @param {string} [token] The request's token, which must not become part of the error.
 */
export async function readError(response, source, token) {
  const body = await response.json().catch(() => undefined);
  const { status, message } = body?.error ?? {};
  const isHarmless = typeof message === 'string' && !(token && message.includes(token));
  // In seconds, which is what Google's servers and tokend send; at most an hour.
  const field = response.headers.get('Retry-After') ?? '';
  return new FleetEngineError(
    [...recovering, ...needingAction].includes(status) ? status
      : codes[response.status] ?? (response.status > 500 ? 'UNAVAILABLE' : 'INVALID_ARGUMENT'),
    {
      message: isHarmless ? message.slice(0, 300) : undefined, httpStatus: response.status, source,
      retryAfter: /^[0-9]+$/.test(field) ? Math.min(Number(field), 3600) : undefined,
    },
  );
}
