// @ts-check

/**
 * Reads a token server's responses: tokens, errors and times.
 *
 * @module
 */

/**
 * @typedef {{ tripId?: string, vehicleId?: string, deliveryVehicleId?: string, taskId?: string, trackingId?: string }}
 *   TokenContext The IDs that a token is for, as Google's SDK names them.
 * @typedef {'secondsFromNow' | 'secondsSince1970' | 'millisecondsSince1970'} ExpiryUnit
 * @typedef {{ tokenKey: string, expiryKey?: string, expiryUnit?: ExpiryUnit }} ResponseFormat
 */

/**
 * The response formats of `tokend` and of Google's sample servers.
 *
 * @type {Record<string, ResponseFormat>}
 */
export const formats = {
  fleetToken: { tokenKey: 'token', expiryKey: 'expiresInSeconds', expiryUnit: 'secondsFromNow' },
  /** The stub server in Google's on-demand samples. */
  onDemandSample: { tokenKey: 'jwt', expiryKey: 'expirationTimestamp', expiryUnit: 'millisecondsSince1970' },
  /** The backend in Google's last-mile samples. */
  lastMileSample: { tokenKey: 'token', expiryKey: 'expiration_timestamp_ms', expiryUnit: 'millisecondsSince1970' },
};

/** The maximum delay that a server can request, in seconds. */
export const maximumRetryAfter = 3600;

/** An error that says why a token is not available. It contains no token, credential or ID. */
export class TokenError extends Error {
  /**
   * @param {string} code A name as in `TokenErrorCode`, such as `permissionDenied`, or `credentialsFailed`.
   * @param {string} message
   * @param {{ retryAfter?: number, httpStatus?: number, cause?: unknown, extent?: 'server' | 'limit' | 'token' }} [details]
   */
  constructor(code, message, details = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.name = 'TokenError';
    this.code = code;
    /** The number of seconds after which the next fetch is possible. */
    this.retryAfter = details.retryAfter;
    this.httpStatus = details.httpStatus;
    /** What it says something about: the server, its limit of requests, or only this token. */
    this.extent = details.extent ?? 'token';
  }

  /** Whether a retry can succeed without any action. */
  get recovers() {
    return ['unavailable', 'deadlineExceeded', 'resourceExhausted', 'alreadyExpired', 'removed'].includes(this.code);
  }
}

/**
 * Parses `Retry-After`: seconds, or a date, which is compared with the server's own.
 *
 * @param {string | null} field @param {number | undefined} serverClock @returns {number | undefined}
 */
export function retryAfterSeconds(field, serverClock) {
  const value = (field ?? '').replace(/^[ \t]+|[ \t]+$/g, '');
  if (/^[0-9]+(\.[0-9]+)?$/.test(value)) return Math.min(Number(value), maximumRetryAfter);
  const end = parseDate(value);
  if (end === undefined || serverClock === undefined) return undefined;
  return Math.min(Math.max(end - serverClock, 0), maximumRetryAfter);
}

/**
 * Parses the three formats of HTTP dates.
 *
 * @param {string | null} text
 * @returns {number | undefined}
 */
export function parseDate(text) {
  const isHTTPDate = /^[A-Z][a-z]+, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d GMT$/.test(text ?? '');
  const isASCTime = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/.test(text ?? '');
  const milliseconds = isHTTPDate || isASCTime ? Date.parse(text + (isASCTime ? ' GMT' : '')) : NaN;
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000;
}

/**
 * Computes a token's remaining lifetime from all that a response says; the device's clock counts only if nothing else
 * does, and no number extends a token's life beyond its own `exp - iat`.
 *
 * @param {{ secondsFromNow?: number, expiresAt?: number, issuedAt?: number, serverClock?: number, deviceClock: number,
 *   age?: number }} times @returns {number}
 */
export function remainingLifetime({ secondsFromNow, expiresAt, issuedAt, serverClock, deviceClock, age = 0 }) {
  const unknown = 300;
  const whole = difference(expiresAt, issuedAt);
  const measured = least(secondsFromNow, difference(expiresAt, serverClock));
  const left = measured ?? Math.min(whole ?? unknown, difference(expiresAt, deviceClock) ?? unknown);
  return Math.min(left, whole ?? left) - age;
}

/**
 * Reads a token server's response.
 *
 * @param {string} body
 * @param {{ format: ResponseFormat, context: TokenContext, kind: string, deviceClock: number, date?: string | null,
 *   age?: string | null }} answer
 * @returns {{ value: string, lifetime: number }}
 */
export function readToken(body, { format, context, kind, deviceClock, date = null, age = null }) {
  const object = parseObject(body);
  const value = object?.[format.tokenKey];
  const claims = typeof value === 'string' ? parseClaims(value) : undefined;
  if (typeof value !== 'string' || !claims) {
    throw new TokenError('unexpectedResponse', `The response has no JWT ${format.tokenKey}. Choose the server's format.`);
  }
  if (!grantsAccess(claims.authorization, context, kind)) {
    throw new TokenError('wrongScope', 'The server issued a token that does not grant access to the requested scope. Correct the server.');
  }
  const unit = format.expiryUnit ?? 'secondsFromNow';
  const expiry = format.expiryKey === undefined ? undefined : seconds(object?.[format.expiryKey], unit, format.expiryKey);
  const isRelative = unit === 'secondsFromNow';
  return {
    value,
    lifetime: remainingLifetime({
      secondsFromNow: isRelative ? expiry : undefined,
      expiresAt: least(isRelative ? undefined : expiry, number(claims.exp)),
      issuedAt: number(claims.iat),
      serverClock: parseDate(date),
      deviceClock,
      age: /^[0-9]+$/.test(age ?? '') ? Number(age) : 0,
    }),
  };
}

/**
 * Reads an expiry. A number that is implausible for its unit is an error, so that a server that returns milliseconds for
 * seconds is found at once and does not keep a token in use a thousand times too long.
 *
 * @param {unknown} value @param {ExpiryUnit} unit @param {string} key @returns {number}
 */
function seconds(value, unit, key) {
  const amount = number(value);
  if (amount === undefined) {
    throw new TokenError('unexpectedResponse', `The response has no number ${key}. Choose the server's format.`);
  }
  if (unit === 'secondsFromNow' && amount <= 7 * 86_400) return amount;
  if (unit === 'secondsSince1970' && amount >= 1e9 && amount <= 1e11) return amount;
  if (unit === 'millisecondsSince1970' && amount >= 1e12 && amount <= 1e14) return amount / 1000;
  throw new TokenError('unexpectedResponse', `${key} is in a different unit than the format's expiryUnit. Choose the right one.`);
}

/** The claim of each ID in a context. */
const claimNames = /** @type {const} */ ({
  tripId: 'tripid', vehicleId: 'vehicleid', deliveryVehicleId: 'deliveryvehicleid', taskId: 'taskid', trackingId: 'trackingid',
});
const endUserKinds = ['consumer', 'driver', 'delivery_consumer', 'delivery_driver', 'trusted_delivery_driver', 'delivery_task'];

/**
 * Returns whether tokens of a kind grant access to a whole fleet: all kinds do that are not for one ID, those to come too.
 *
 * @param {string} kind
 */
export const isPrivileged = (kind) => !endUserKinds.includes(kind);

/** @param {unknown} authorization @param {TokenContext} context @param {string} kind */
function grantsAccess(authorization, context, kind) {
  if (authorization === null || typeof authorization !== 'object') return false;
  const claims = new Map(Object.entries(authorization));
  const requested = entries(context);
  const isWhole = isPrivileged(kind);
  return requested.every(([name, id]) => claims.get(claimNames[name]) === (isWhole ? '*' : id))
    && (isWhole || claims.size === requested.length);
}

/** @param {TokenContext} context */
function entries(context) {
  return /** @type {[keyof typeof claimNames, string][]} */ (Object.entries(context))
    .filter(([name, id]) => name in claimNames && id !== undefined);
}

/**
 * Returns the kind of token that an end user needs for a context.
 *
 * @param {TokenContext} context
 */
export function endUserKind({ tripId, vehicleId, deliveryVehicleId, taskId, trackingId }) {
  if (tripId !== undefined) return 'consumer';
  if (trackingId !== undefined) return 'delivery_consumer';
  if (deliveryVehicleId !== undefined) return taskId === undefined ? 'delivery_driver' : 'trusted_delivery_driver';
  if (taskId !== undefined) return 'delivery_task';
  if (vehicleId !== undefined) return 'driver';
  throw new TokenError('invalidContext', 'The context has no ID.');
}

/** @param {string} id */
export function encode(id) {
  return encodeURIComponent(id).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * Returns whether a 429 is `tokend`'s limit of the caller, which concerns all of its tokens.
 *
 * @param {string} body
 */
function isCallersLimit(body) {
  const error = /** @type {any} */ (parseObject(body)?.error);
  return error?.details?.[0]?.reason === 'RATE_LIMITED';
}

/** @param {Response} response @param {string} body */
export function refusal(response, body) {
  const { status: httpStatus, headers } = response;
  const retryAfter = retryAfterSeconds(headers.get('Retry-After'), parseDate(headers.get('Date')) ?? Date.now() / 1000);
  const error = statusError(httpStatus);
  const extent = httpStatus === 429 ? isCallersLimit(body) ? 'server' : 'limit'
    : httpStatus === 503 && retryAfter !== undefined ? 'server' : 'token';
  return new TokenError(error.code, error.message, { httpStatus, retryAfter, extent });
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
    case 404: case 410: return new TokenError('notFound', 'Not found on the token server. Check its URL.');
    case 408: case 504: return new TokenError('deadlineExceeded', 'The token server did not respond in time.');
    case 429: return new TokenError('resourceExhausted', 'Too many requests from this caller.');
    default: return status >= 400 && status < 500 && status !== 425
      ? new TokenError('invalidArgument', `The token server refused the request with HTTP status ${status}.`)
      : new TokenError('unavailable', 'The token server is unavailable or overloaded.');
  }
}

/** @param {string} text @returns {Record<string, unknown> | undefined} */
function parseObject(text) {
  try {
    const value = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads a token's claims; they are not verified here.
 *
 * @param {string} token
 */
export function parseClaims(token) {
  const parts = token.split('.');
  if (parts.length !== 3 || !parts.every((part) => /^[A-Za-z0-9_-]+$/.test(part))) return undefined;
  try {
    const bytes = Uint8Array.from(atob(parts[1].replace(/-/g, '+').replace(/_/g, '/')), (sign) => sign.charCodeAt(0));
    return parseObject(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** @param {unknown} value @returns {number | undefined} */
function number(value) {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** @param {number | undefined} later @param {number | undefined} earlier */
function difference(later, earlier) {
  return later === undefined || earlier === undefined ? undefined : later - earlier;
}

/** @param {number | undefined} one @param {number | undefined} other */
function least(one, other) {
  return one === undefined || other === undefined ? one ?? other : Math.min(one, other);
}
