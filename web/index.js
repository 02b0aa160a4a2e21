// @ts-check

/**
 * Tokens for Google's JavaScript SDK.
 *
 * @module
 */

export { TokenError } from './token-error.js';
export { TokenFetcher } from './token-fetcher.js';
export { formats } from './token-response.js';

/**
 * @typedef {import('./token-fetcher.js').AuthToken} AuthToken
 * @typedef {import('./token-fetcher.js').AuthTokenFetcherOptions} AuthTokenFetcherOptions
 * @typedef {import('./token-fetcher.js').TokenFetcherOptions} TokenFetcherOptions
 * @typedef {import('./token-path.js').TokenContext} TokenContext
 * @typedef {import('./token-response.js').ResponseFormat} ResponseFormat
 */
