// @ts-check

/**
 * Tokens for Google's JavaScript SDK.
 *
 * @module
 */

export { TokenError, TokenFetcher, formats } from './token-fetcher.js';

/**
 * @typedef {import('./token-fetcher.js').AuthToken} AuthToken
 * @typedef {import('./token-fetcher.js').AuthTokenFetcherOptions} AuthTokenFetcherOptions
 * @typedef {import('./token-fetcher.js').TokenContext} TokenContext
 * @typedef {import('./token-fetcher.js').TokenFetcherOptions} TokenFetcherOptions
 * @typedef {import('./token-response.js').ResponseFormat} ResponseFormat
 */
