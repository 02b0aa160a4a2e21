// @ts-check

/**
 * Reads a token server's responses.
 *
 * @module
 */

import { parseDate } from './http-fields.js';
import { TokenError } from './token-error.js';

/**
 * @typedef {'secondsFromNow' | 'secondsSince1970' | 'millisecondsSince1970'} ExpiryUnit
 * @typedef {{ tokenKey: string, expiryKey?: string, expiryUnit?: ExpiryUnit }} ResponseFormat
 */

/**
 * The response formats of `tokend`, of the stub server in Google's on-demand samples, and of the backend in its last-mile
 * samples.
 *
 * @type {Readonly<Record<'fleetToken' | 'onDemandSample' | 'lastMileSample', ResponseFormat>>}
 */
export const formats = {
  fleetToken: { tokenKey: 'token', expiryKey: 'expiresInSeconds', expiryUnit: 'secondsFromNow' },
  onDemandSample: { tokenKey: 'jwt', expiryKey: 'expirationTimestamp', expiryUnit: 'millisecondsSince1970' },
  lastMileSample: { tokenKey: 'token', expiryKey: 'expiration_timestamp_ms', expiryUnit: 'millisecondsSince1970' },
};

/** The largest body of a response, in bytes. */
const maximumBody = 65_536;

/**
 * Returns a response's body.
 *
 * @param {Response} response @returns {Promise<string>}
 */
export async function readBody(response) {
  const tooLarge = new TokenError('unexpectedResponse', `The response is larger than ${maximumBody} bytes.`);
  if (!response.body) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let length = 0;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.length;
    if (length > maximumBody) {
      reader.cancel().catch(() => {});
      throw tooLarge;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/**
 * Reads a token server's response.
 *
 * @param {string} body
 * @param {{ format: ResponseFormat, deviceClock: number, date?: string | null }} answer
 * @returns {{ value: string, lifetime: number }}
 */
export function readToken(body, { format, deviceClock, date = null }) {
  const object = parseObject(body);
  const value = object?.[format.tokenKey];
  const claims = typeof value === 'string' ? parseClaims(value) : undefined;
  if (typeof value !== 'string' || !claims) {
    throw new TokenError('unexpectedResponse', `The response has no JWT ${format.tokenKey}. Choose the server's format.`);
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
    }),
  };
}

/**
 * Computes a token's remaining lifetime from all that a response says; the device's clock counts only if nothing else
 * does, and no number extends a token's life beyond its own `exp - iat`.
 *
 * @param {{ secondsFromNow?: number, expiresAt?: number, issuedAt?: number, serverClock?: number,
 *   deviceClock: number }} times @returns {number}
 */
export function remainingLifetime({ secondsFromNow, expiresAt, issuedAt, serverClock, deviceClock }) {
  const unknown = 300;
  const whole = difference(expiresAt, issuedAt);
  const measured = least(secondsFromNow, difference(expiresAt, serverClock));
  const left = measured ?? Math.min(whole ?? unknown, difference(expiresAt, deviceClock) ?? unknown);
  return Math.min(left, whole ?? left);
}

/**
 * Reads an expiry. A number that is implausible for its unit is an error, so that a server that returns milliseconds for
 * seconds is found at once and does not keep a token in use a thousand times too long.
 *
 * @param {unknown} value @param {ExpiryUnit} unit @param {string} key @returns {number}
 */
function seconds(value, unit, key) {
  // Some servers write 64-bit integers as text.
  const amount = number(typeof value === 'string' && /^-?[0-9.]+$/.test(value) ? Number(value) : value);
  if (amount === undefined) {
    throw new TokenError('unexpectedResponse', `The response has no number ${key}. Choose the server's format.`);
  }
  if (unit === 'secondsFromNow' && amount <= 7 * 86_400) return amount;
  if (unit === 'secondsSince1970' && amount >= 1e9 && amount <= 1e11) return amount;
  if (unit === 'millisecondsSince1970' && amount >= 1e12 && amount <= 1e14) return amount / 1000;
  throw new TokenError('unexpectedResponse', `${key} is in a different unit than the format's expiryUnit. Choose the right one.`);
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
    // A character for each byte is enough: the structure and the numbers of JSON are ASCII.
    return parseObject(atob(parts[1].replaceAll('-', '+').replaceAll('_', '/')));
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
