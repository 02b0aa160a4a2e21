// @ts-check

/**
 * Tokens for Google's JavaScript SDK, and following trips and shipments without it.
 *
 * @module
 */

export { ShipmentLocationProvider, TripLocationProvider } from './journey.js';
export { FleetEngineError } from './fleet-engine-error.js';
export { TokenError, TokenFetcher, formats } from './token-fetcher.js';

/**
 * @typedef {import('./token-fetcher.js').AuthToken} AuthToken
 * @typedef {import('./token-fetcher.js').AuthTokenFetcherOptions} AuthTokenFetcherOptions
 * @typedef {import('./token-fetcher.js').TokenContext} TokenContext
 * @typedef {import('./token-fetcher.js').TokenFetcherOptions} TokenFetcherOptions
 * @typedef {import('./token-response.js').ResponseFormat} ResponseFormat
 * @typedef {import('./journey.js').ProviderOptions} ProviderOptions
 * @typedef {import('./journey.js').ErrorEvent} ProviderErrorEvent
 * @typedef {import('./trip.js').Trip} Trip
 * @typedef {import('./trip.js').TaskTrackingInfo} TaskTrackingInfo
 */
