// @ts-check

/**
 * Values of HTTP header fields.
 *
 * @module
 */

/** The longest delay that a server can request, in seconds. */
const maximumRetryAfter = 3600;

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
 * @returns {number | undefined} Seconds since 1970.
 */
export function parseDate(text) {
  const isHTTPDate = /^[A-Z][a-z]+, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d GMT$/.test(text ?? '');
  const isASCTime = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/.test(text ?? '');
  const milliseconds = isHTTPDate || isASCTime ? Date.parse(text + (isASCTime ? ' GMT' : '')) : NaN;
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000;
}
