// Written by scripts/embed-web.py from web.
// swift-format-ignore-file

extension PageAssets {
    /// The files by path.
    static let files: [String: String] = [
        "": #"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>Fleet Engine</title>
<link rel="icon" href="/page/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page/page.css">
<script type="module" src="/page/page.js"></script>
</head>
<body data-page="journey" data-state="connecting">
<a class="skip" href="#panel" data-word="skipMap"></a>
<main>
  <section id="map" tabindex="0" data-label="map" aria-describedby="map-help">
    <p id="map-help" class="unseen" data-word="mapHelp"></p>
    <ul id="legend" data-label="legend" data-control hidden>
      <li><svg viewBox="0 0 36 8" aria-hidden="true"><path class="slow" d="M4 4h28"/><path class="slow-mark" d="M4 4h28"/></svg><span data-word="legendSlow"></span></li>
      <li><svg viewBox="0 0 36 8" aria-hidden="true"><path class="jam" d="M4 4h28"/><path class="jam-mark" d="M4 4h28"/></svg><span data-word="legendJam"></span></li>
    </ul>
    <div class="tools" data-control>
      <button id="zoom-in" type="button" data-label="zoomIn">+</button>
      <button id="zoom-out" type="button" data-label="zoomOut">−</button>
    </div>
    <button id="recenter" type="button" data-word="followAgain" hidden></button>
    <p id="attribution" hidden></p>
    <div id="marker-card" hidden>
      <div><strong id="marker-name"></strong><p id="marker-detail"></p></div>
      <button id="marker-close" type="button" data-label="close">×</button>
    </div>
  </section>

  <div id="panel" tabindex="-1">
    <header>
      <h1 id="title" data-word="journey"></h1>
      <p id="live" data-state="waiting"><span class="dot"></span><span id="live-text" data-word="connecting"></span></p>
    </header>

    <form id="start" method="get" action="/">
      <p data-word="startHelp"></p>
      <label for="id-kind" data-word="what"></label>
      <select id="id-kind"><option value="trip" data-word="tripOption"></option><option value="tracking" data-word="shipmentOption"></option></select>
      <label for="id" data-word="id"></label>
      <input id="id" name="trip" required maxlength="64" autocomplete="off" spellcheck="false" placeholder="trip-1" dir="auto">
      <input id="language" type="hidden" name="lang" disabled>
      <button class="primary" data-word="follow"></button>
    </form>

    <section id="error" hidden aria-labelledby="error-source">
      <h2><span id="error-source"></span> <span id="error-recovery" class="badge"></span></h2>
      <p id="error-meaning"></p>
      <p id="error-advice"></p>
      <p id="error-detail" class="note" dir="auto"></p>
      <p class="note"><code id="error-code"></code></p>
      <div class="row"><p id="error-next"></p><button id="retry" type="button" data-word="tryNow"></button></div>
    </section>

    <section id="journey" class="card" data-label="journey">
      <h2 id="status" data-word="connecting"></h2>
      <p id="facts" data-word="waitingForResponse"></p>
      <ol id="stops"></ol>
    </section>

    <section id="token" class="card" aria-labelledby="token-title">
      <h2 id="token-title" data-word="token"></h2>
      <dl>
        <dt data-word="tokenScope"></dt><dd id="token-scope" data-word="noToken"></dd>
        <dt data-word="tokenLife"></dt><dd id="token-life">–</dd>
        <dt data-word="tokenCount"></dt><dd id="token-count">0</dd>
      </dl>
      <meter id="token-meter" min="0" max="1" value="0" aria-labelledby="token-title"></meter>
    </section>

    <details id="faults" class="card" hidden>
      <summary data-word="injectFaults"></summary>
      <label for="fault" data-word="fault"></label>
      <select id="fault"></select>
      <p id="fault-message" class="note" role="status" data-word="noFault"></p>
    </details>

    <details id="styles" class="card">
      <summary data-word="mapStyle"></summary>
      <label for="style-example" data-word="example"></label>
      <select id="style-example"></select>
      <label for="style-json" data-word="optionsAsJSON"></label>
      <textarea id="style-json" rows="8" spellcheck="false" dir="ltr"></textarea>
      <button id="style-apply" type="button" data-word="apply"></button>
      <p id="style-message" class="note" role="status"></p>
    </details>
  </div>
</main>
<p id="announcer" class="unseen" role="status" aria-live="polite"></p>
</body>
</html>

"""#,
        "abortable.js": #"""
// @ts-check

/**
 * Waiting that a signal can end.
 *
 * @module
 */

/**
 * Returns what a promise returns, or rejects when a signal aborts: the code behind the promise may never settle it.
 *
 * @template Value
 * @param {Promise<Value>} promise @param {AbortSignal} signal
 * @returns {Promise<Value>}
 */
export function abortable(promise, signal) {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

"""#,
        "app-values.js": #"""
// @ts-check

/**
 * Checks what an app passes and what its functions return: a mistake is reported as the app's, where it is made.
 *
 * @module
 */

import { FleetEngineError } from './fleet-engine-error.js';
import { TokenError } from './token-error.js';

/**
 * Returns a server's URL without trailing slashes. It may be relative to the page.
 *
 * @param {string} text
 * @throws {TypeError} If it is not an http or https URL, or has a user name, a password, a query or a fragment.
 */
export function serverURL(text) {
  const isAccepted = () => {
    const { protocol, username, password } = new URL(text, globalThis.location?.href ?? 'https://page.invalid');
    return /^https?:$/.test(protocol) && !username && !password && !/[?#]/.test(text);
  };
  try {
    if (typeof text === 'string' && isAccepted()) return text.replace(/\/+$/, '');
  } catch {
    // Not a URL.
  }
  throw new TypeError('`server` must be an http or https URL without a user name, password, query or fragment.');
}

/**
 * Returns header fields from what the app's `credentials` returned: an object of texts, or `Headers`.
 *
 * @param {unknown} value @returns {Record<string, string>}
 * @throws {TokenError} If `fetch` would refuse them. It contains none of them.
 */
export function headerFields(value) {
  const fields = value instanceof Headers ? Object.fromEntries(value) : value;
  const isObject = typeof fields === 'object' && fields !== null && !Array.isArray(fields);
  if (!isObject || !Object.values(fields).every((text) => typeof text === 'string')) {
    throw invalidFields('an object of header fields, such as { Authorization: `Bearer ${idToken}` }');
  }
  try {
    void new Headers(/** @type {Record<string, string>} */ (fields));
  } catch {
    throw invalidFields('header fields whose names and values HTTP allows');
  }
  return /** @type {Record<string, string>} */ (fields);
}

/** @param {string} expected */
function invalidFields(expected) {
  return new TokenError('invalidConfiguration', `The app's \`credentials\` must return ${expected}.`);
}

/**
 * Returns the token from what the app's `authTokenFetcher` returned.
 *
 * @param {unknown} value @returns {string}
 * @throws {FleetEngineError} If there is no token that can be sent; its source is `app`.
 */
export function fetchedToken(value) {
  const token = /** @type {{ token?: unknown } | undefined | null} */ (value)?.token;
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token;
  const message = 'The app\'s `authTokenFetcher` must return a promise of { token, expiresInSeconds }.';
  throw new FleetEngineError('INVALID_ARGUMENT', { source: 'app', message });
}

"""#,
        "fleet-engine-error.js": #"""
// @ts-check

/**
 * Errors of Fleet Engine, in the words of Google's guides.
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

/**
 * What the guides' table says of each code.
 *
 * @type {Record<string, { meaning: string, advice: string }>}
 */
const guide = {
  ABORTED: { meaning: 'The request was aborted.', advice: 'Following continues with the next update.' },
  CANCELLED: { meaning: 'The request was cancelled.', advice: 'Following continues with the next update.' },
  DEADLINE_EXCEEDED: { meaning: 'Fleet Engine did not respond in time.', advice: 'Following continues with the next update.' },
  UNAVAILABLE: { meaning: 'Fleet Engine is not available.', advice: 'Following continues as soon as it is back.' },
  INVALID_ARGUMENT: {
    meaning: 'The request is invalid.', advice: 'Check the name: providers/{provider}/trips/{trip}.',
  },
  NOT_FOUND: { meaning: 'There is no such trip or shipment.', advice: 'Check the ID: it was never created.' },
  PERMISSION_DENIED: {
    meaning: 'Permission denied by Fleet Engine.', advice: 'Check that the token is for this ID, and its account\'s role.',
  },
  RESOURCE_EXHAUSTED: { meaning: 'A quota is used up.', advice: 'Follow fewer trips, poll less often, or raise the quota.' },
  UNAUTHENTICATED: {
    meaning: 'Fleet Engine rejected the token.', advice: 'Check the signing key, the clock and the claims.',
  },
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
    super(details.message || meaning(code), 'cause' in details ? { cause: details.cause } : undefined);
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

  /** What it is, in the guides' words. */
  get meaning() {
    return meaning(this.code);
  }

  /** What the guides say to do. */
  get advice() {
    if (this.source === 'app') return 'Correct the app, or sign in again.';
    return guide[this.code]?.advice ?? 'Following continues with the next update.';
  }
}

/** @param {string} code */
function meaning(code) {
  return guide[code]?.meaning ?? 'Fleet Engine has an internal error.';
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

"""#,
        "http-fields.js": #"""
// @ts-check

/**
 * Values of HTTP header fields.
 *
 * @module
 */

/** The longest delay that a server can request, in seconds. */
export const maximumRetryAfter = 3600;

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

"""#,
        "index.js": #"""
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

"""#,
        "journey.js": #"""
// @ts-check

/**
 * Follows a trip or a shipment by polling Fleet Engine's REST API: `TripLocationProvider` and `ShipmentLocationProvider`,
 * with the options, properties and events of the location providers in Google's JavaScript SDK. They draw nothing, and
 * unlike Google's they can follow an emulator.
 *
 *     const provider = new TripLocationProvider({ projectId: 'demo-fleet', authTokenFetcher, tripId: 'trip-1' });
 *     provider.addListener('update', ({ trip }) => show(trip));
 *
 * @module
 */

import { abortable } from './abortable.js';
import { fetchedToken } from './app-values.js';
import { FleetEngineError, readError, tokenFailure } from './fleet-engine-error.js';
import { parseDate, retryAfterSeconds } from './http-fields.js';
import { finalStatuses, merge, readTaskTrackingInfo, readTrip, versionParameters } from './trip.js';

export { FleetEngineError } from './fleet-engine-error.js';

/**
 * @typedef {import('./trip.js').Trip} Trip
 * @typedef {import('./trip.js').TaskTrackingInfo} TaskTrackingInfo
 * @typedef {import('./token-fetcher.js').AuthTokenFetcherOptions} AuthTokenFetcherOptions
 * @typedef {import('./token-fetcher.js').AuthToken} AuthToken
 * @typedef {import('./token-fetcher.js').TokenContext} TokenContext
 * @typedef {object} ProviderOptions
 * @property {string} projectId The provider ID, which is the ID of the Google Cloud project.
 * @property {(options: AuthTokenFetcherOptions) => Promise<AuthToken>} authTokenFetcher
 * @property {number} [pollingIntervalMillis] 5,000 by default, which is also the minimum; 0 does not poll.
 * @property {string} [baseURL] Where Fleet Engine is.
 * @property {(token: string) => void} [invalidateToken] Is told of a token that Fleet Engine rejected.
 * @property {typeof globalThis.fetch} [fetch]
 * @property {() => number} [random] Returns a number from 0 up to 1.
 * @property {{ setTimeout: (action: () => void, milliseconds: number) => any, clearTimeout: (timer: any) => void }} [timers]
 * @typedef {{ remove: () => void }} Listener
 * @typedef {{ error: FleetEngineError, retryInMillis?: number }} ErrorEvent
 */

/**
 * The events and what their listeners get. `retryInMillis` is undefined if no request follows by itself.
 *
 * @template Update
 * @typedef {{ update: Update, error: ErrorEvent, ispollingchange: {} }} ProviderEvents
 */

/**
 * What differs between trips and shipments: the request for an ID after a previous answer, how an answer is merged with it,
 * and what listeners get.
 *
 * @template Update
 * @typedef {{
 *   request: (id: string, previous: any) => { context: TokenContext, path: string, serviceType: string, parameters: string[][] },
 *   merge: (previous: any, answer: any) => any, read: (answer: any) => { event: Update, isFinal: boolean } }} Resource
 */

const minimumInterval = 5000;
/** The longest pause while an error needs action: the provider goes on trying, as Google's SDKs do, but seldom. */
const longestPause = 60_000;
const requestTimeout = 15_000;

/**
 * What trips and shipments have in common: one request at a time, and errors by the guides' rules.
 *
 * @template {object} Update
 */
class PollingLocationProvider {
  /** @type {Map<string, Set<(event: any) => void>>} */ #listeners = new Map();
  /** @type {any} */ #timer;
  /** @type {AbortController | undefined} */ #request;
  #interval;
  #id = '';
  #failures = 0;
  /** The milliseconds that a server requested. */ #requestedPause = 0;
  #isPolling = false;
  #isFinal = false;
  /** @type {any} */ #answer;

  #resource;

  /** @param {ProviderOptions} options @param {Resource<Update>} resource */
  constructor(options, resource) {
    this.#resource = resource;
    this.projectId = options.projectId;
    this.baseURL = (options.baseURL ?? 'https://fleetengine.googleapis.com').replace(/\/+$/, '');
    this.authTokenFetcher = options.authTokenFetcher;
    this.invalidateToken = options.invalidateToken ?? (() => {});
    this.fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
    this.random = options.random ?? Math.random;
    this.timers = options.timers ?? {
      setTimeout: globalThis.setTimeout.bind(globalThis), clearTimeout: globalThis.clearTimeout.bind(globalThis),
    };
    this.#interval = clamp(options.pollingIntervalMillis ?? minimumInterval);
  }

  get isPolling() { return this.#isPolling; }

  get pollingIntervalMillis() { return this.#interval; }

  set pollingIntervalMillis(interval) {
    this.#interval = clamp(interval);
    // Setting the interval does not shorten a pause that a server requested.
    if (!this.#request) this.#schedule(Math.max(this.#interval, this.#requestedPause));
  }

  /**
   * Adds a listener for `update`, `error` or `ispollingchange`.
   *
   * @template {keyof ProviderEvents<Update>} Name
   * @param {Name} event @param {(event: ProviderEvents<Update>[Name]) => void} listener
   * @returns {Listener}
   */
  addListener(event, listener) {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    return { remove: () => listeners.delete(listener) };
  }

  /** Requests an update now; does nothing for a trip or shipment that has ended. */
  refresh() {
    if (this.#id && !this.#request && !this.#isFinal) void this.#poll();
  }

  /**
   * Follows another trip or shipment; the empty ID stops.
   *
   * @param {string} id
   */
  follow(id) {
    if (id === this.#id) return;
    this.#request?.abort();
    this.#request = undefined;
    this.timers.clearTimeout(this.#timer);
    this.#answer = undefined;
    this.#failures = 0;
    this.#requestedPause = 0;
    this.#isFinal = false;
    this.#id = id;
    if (id) void this.#poll();
    this.#setPolling(Boolean(id) && this.#interval > 0);
  }

  /** The ID of the trip or shipment; empty if none is followed. */
  get followed() { return this.#id; }

  async #poll() {
    this.timers.clearTimeout(this.#timer);
    const request = new AbortController();
    this.#request = request;
    this.#requestedPause = 0;
    let pause = 0;
    try {
      const answer = await this.#get(request);
      if (this.#request !== request) return;
      this.#failures = 0;
      this.#answer = this.#resource.merge(this.#answer, answer);
      const update = this.#resource.read(this.#answer);
      this.#isFinal = update.isFinal;
      this.#emit('update', update.event);
    } catch (cause) {
      if (this.#request !== request) return;
      const error = cause instanceof FleetEngineError ? cause : new FleetEngineError('UNAVAILABLE', { cause });
      this.#failures += 1;
      pause = this.#pause(error);
      this.#emit('error', { error, retryInMillis: this.#interval > 0 ? Math.max(this.#interval, pause) : undefined });
    }
    // A listener may have set another ID.
    if (this.#request !== request) return;
    this.#request = undefined;
    this.#schedule(Math.max(this.#interval, pause));
  }

  /** @param {AbortController} request */
  async #get(request) {
    const timer = this.timers.setTimeout(() => request.abort(), requestTimeout);
    try {
      const [answer, token] = await this.#send(request);
      if (answer.status !== 401) return await readJSON(answer, token);
      this.invalidateToken(token);
      // A new token, once: if it is rejected as well, the next attempt is at the next interval.
      const [second, secondToken] = await this.#send(request);
      if (second.status === 401) this.invalidateToken(secondToken);
      return await readJSON(second, secondToken);
    } catch (error) {
      throw request.signal.aborted ? new FleetEngineError('DEADLINE_EXCEEDED') : error;
    } finally {
      this.timers.clearTimeout(timer);
    }
  }

  /** @param {AbortController} request @returns {Promise<[Response, string]>} */
  async #send(request) {
    const { context, path, serviceType, parameters } = this.#resource.request(this.#id, this.#answer);
    const token = await abortable(this.#fetchToken({ context, serviceType }), request.signal);
    const query = new URLSearchParams(parameters).toString();
    const answer = await this.fetch(`${this.baseURL}/v1/providers/${encodeURIComponent(this.projectId)}/${path}${query && `?${query}`}`, {
      headers: { Authorization: `Bearer ${token}` }, signal: request.signal, cache: 'no-store', credentials: 'omit',
      redirect: 'error', referrerPolicy: 'no-referrer',
    });
    return [answer, token];
  }

  /** @param {AuthTokenFetcherOptions} options @returns {Promise<string>} */
  async #fetchToken(options) {
    /** @type {Promise<AuthToken>} */ let fetched;
    try {
      fetched = this.authTokenFetcher(options);
    } catch (cause) {
      throw new FleetEngineError('INVALID_ARGUMENT', { source: 'app', message: 'The app\'s `authTokenFetcher` failed. See `cause`.', cause });
    }
    try {
      return fetchedToken(await fetched);
    } catch (error) {
      throw error instanceof FleetEngineError ? error : tokenFailure(error);
    }
  }

  /**
   * Returns the pause after an error, in milliseconds.
   *
   * @param {FleetEngineError} error
   */
  #pause(error) {
    const growing = error.recovers ? 0 : Math.min(this.#interval * 2 ** this.#failures, longestPause);
    // Pages that were told the same second must not all return in it.
    this.#requestedPause = error.retryAfter ? error.retryAfter * 1000 + this.random() * this.#interval : 0;
    return Math.max(growing, this.#requestedPause);
  }

  /** @param {number} pause */
  #schedule(pause) {
    this.timers.clearTimeout(this.#timer);
    const polls = Boolean(this.#id) && this.#interval > 0 && !this.#isFinal;
    if (polls) this.#timer = this.timers.setTimeout(() => void this.#poll(), pause);
    this.#setPolling(polls);
  }

  /** @param {boolean} isPolling */
  #setPolling(isPolling) {
    if (isPolling === this.#isPolling) return;
    this.#isPolling = isPolling;
    this.#emit('ispollingchange', {});
  }

  /**
   * @template {keyof ProviderEvents<Update>} Name
   * @param {Name} event @param {ProviderEvents<Update>[Name]} details
   */
  #emit(event, details) {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) {
      try {
        listener(details);
      } catch (error) {
        // A listener's fault is the page's: it is reported as such, and following continues.
        queueMicrotask(() => { throw error; });
      }
    }
  }
}

/**
 * Follows a trip, as `FleetEngineTripLocationProvider` does.
 *
 * @extends {PollingLocationProvider<{ trip: Trip }>}
 */
export class TripLocationProvider extends PollingLocationProvider {
  /** @param {ProviderOptions & { tripId?: string }} options */
  constructor(options) {
    super(options, tripResource);
    this.tripId = options.tripId ?? '';
  }

  /** The trip; empty stops following. */
  get tripId() { return this.followed; }
  set tripId(id) { this.follow(id ?? ''); }
}

/**
 * Follows a shipment by its tracking ID, as `FleetEngineShipmentLocationProvider` does.
 *
 * @extends {PollingLocationProvider<{ taskTrackingInfo: TaskTrackingInfo }>}
 */
export class ShipmentLocationProvider extends PollingLocationProvider {
  /** @param {ProviderOptions & { trackingId?: string }} options */
  constructor(options) {
    super(options, shipmentResource);
    this.trackingId = options.trackingId ?? '';
  }

  /** The shipment; empty stops following. */
  get trackingId() { return this.followed; }
  set trackingId(id) { this.follow(id ?? ''); }
}

/** @type {Resource<{ trip: Trip }>} */
const tripResource = {
  request: (tripId, previous) => ({
    context: { tripId }, path: `trips/${encodeURIComponent(tripId)}`, serviceType: 'TRIP_SERVICE',
    parameters: versionParameters(previous),
  }),
  merge,
  read: (answer) => {
    const trip = readTrip(answer);
    return { event: { trip }, isFinal: finalStatuses.includes(trip.status) };
  },
};

/** @type {Resource<{ taskTrackingInfo: TaskTrackingInfo }>} */
const shipmentResource = {
  request: (trackingId) => ({
    context: { trackingId }, path: `taskTrackingInfo/${encodeURIComponent(trackingId)}`, serviceType: 'TASK_SERVICE',
    parameters: [],
  }),
  merge: (_, answer) => answer,
  read: (answer) => {
    const taskTrackingInfo = readTaskTrackingInfo(answer);
    return { event: { taskTrackingInfo }, isFinal: taskTrackingInfo.state === 'CLOSED' };
  },
};

/** @param {number} interval */
function clamp(interval) {
  return interval === 0 ? 0 : Math.max(minimumInterval, interval || minimumInterval);
}

/** @param {Response} answer @param {string} token */
async function readJSON(answer, token) {
  const body = await answer.text();
  if (!answer.ok) {
    const date = parseDate(answer.headers.get('Date')) ?? Date.now() / 1000;
    throw readError(answer.status, body, retryAfterSeconds(answer.headers.get('Retry-After'), date), token);
  }
  try {
    const json = JSON.parse(body);
    if (json && typeof json === 'object' && !Array.isArray(json)) return json;
  } catch {
    // A broken response is retried, like a broken connection.
  }
  throw new FleetEngineError('UNAVAILABLE', { message: 'Fleet Engine\'s response is not JSON.' });
}

"""#,
        "rules.js": #"""
// @ts-check

/**
 * The times of tokens and pauses, in seconds, by the rules that the Swift library has as well.
 *
 * @module
 */

import { maximumRetryAfter } from './http-fields.js';

/** The shortest remaining life of a token that is returned: Google's SDKs require five minutes. */
const minimumValidity = 300;
/** How long before its end a token's refresh begins, at the earliest. */
const refreshAhead = 600;
const shortestBackoff = 0.5;
/** The longest pause that no server asked for. */
export const longestBackoff = 30;
/** The longest pause after a failure without a response: a device without a network has no server to spare. */
export const longestDevicePause = 1;
/** How long an answer that a retry does not change is kept. */
export const denialLifetime = 30;

/** Returns the ages at which a token's refresh is due and at which it is no longer returned. */
export function lifespan(/** @type {number} */ total, /** @type {number} */ jitter) {
  const usable = total - Math.min(minimumValidity, total / 2);
  const ahead = Math.min(refreshAhead, total / 5);
  return { total, usable, fresh: usable - ahead + jitter * ahead / 2 };
}

/** Returns the pause after a number of consecutive failures. */
export function backoff(/** @type {number} */ failures, /** @type {number} */ jitter) {
  const step = Math.min(shortestBackoff * 2 ** (failures - 1), longestBackoff);
  return step / 2 + jitter * step / 2;
}

/**
 * Returns the delay that a server requests, plus the backoff, whose random part spreads the clients' return.
 *
 * @param {number} pause The backoff. @param {number} [retryAfter]
 */
export function spread(pause, retryAfter = 0) {
  return Math.max(pause, Math.min(pause + retryAfter, maximumRetryAfter));
}

"""#,
        "token-error.js": #"""
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
 */

const waiting = ['offline', 'unavailable', 'deadlineExceeded', 'resourceExhausted', 'removed'];

/** An error that says why a token is not available. It contains no token, credential or ID. */
export class TokenError extends Error {
  /**
   * @param {string} code A name, as in the Swift library.
   * @param {string} message
   * @param {{ retryAfter?: number, httpStatus?: number, cause?: unknown, extent?: Extent }} [details]
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
   * Returns the error of another call during the same pause.
   *
   * @param {number} retryAfter
   */
  repeated(retryAfter) {
    const { httpStatus, extent } = this;
    return new TokenError(this.code, this.message, { retryAfter, httpStatus, extent });
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
    case 404: case 410: return new TokenError('notFound', 'Not found on the token server. Check its URL.');
    case 408: case 504: return new TokenError('deadlineExceeded', 'The token server did not respond in time.');
    case 429: return new TokenError('resourceExhausted', 'Too many requests from this caller.');
    default: return status >= 400 && status < 500 && status !== 425
      ? new TokenError('invalidArgument', `The token server refused the request with HTTP status ${status}.`)
      : new TokenError('unavailable', 'The token server is unavailable or overloaded.');
  }
}

"""#,
        "token-fetcher.js": #"""
// @ts-check

/**
 * Fetches tokens from a token server and caches them, as Google's JavaScript SDK expects of an `authTokenFetcher`:
 *
 *     const tokens = new TokenFetcher({ server: 'https://tokens.example', credentials: () => signedInUser() });
 *     new google.maps.journeySharing.FleetEngineTripLocationProvider({
 *       projectId: 'my-project', authTokenFetcher: tokens.authTokenFetcher, tripId: 'trip-1' });
 *
 * The rules are those of `TokenProvider`, the Swift library of this project; both are tested with the same table. Tokens
 * are held in memory only.
 *
 * @module
 */

import { backoff, denialLifetime, lifespan, longestBackoff, longestDevicePause, spread } from './rules.js';
import { TokenError } from './token-error.js';
import { TokenRequests } from './token-requests.js';

export { TokenError } from './token-error.js';
export { formats } from './token-response.js';

/**
 * @typedef {import('./token-path.js').TokenContext} TokenContext
 * @typedef {import('./token-response.js').ResponseFormat} ResponseFormat
 * @typedef {import('./token-requests.js').Credentials} Credentials
 * @typedef {{ context: TokenContext, serviceType?: string }} AuthTokenFetcherOptions
 * @typedef {{ token: string, expiresInSeconds: number }} AuthToken
 * @typedef {{ continuous: () => number, wall: () => number }} Clock Two clocks, both in seconds.
 * @typedef {object} TokenFetcherOptions
 * @property {string} [server] The server's URL, including the base path of its token routes; this page's origin by default.
 * @property {Credentials} [credentials] Returns the header fields that authenticate the caller; called for each fetch, and
 *   once more with `requiresNewCredentials` if the server rejects them: pass it on as Firebase's `forceRefresh`.
 * @property {ResponseFormat} [format] The format of the response; `tokend`'s by default.
 * @property {(context: TokenContext) => string} [kind] Returns the kind of token; the one that an end user needs by
 *   default.
 * @property {number} [timeout] The longest time of a fetch, in seconds; 10 by default.
 * @property {typeof globalThis.fetch} [fetch]
 * @property {Clock} [clock]
 * @property {() => number} [random] Returns a number from 0 up to 1.
 */

/** The number of tokens that are kept. */
const capacity = 1000;

/** Fetches and caches tokens: one token, one fetch and one pause for each of the server's URLs. */
export class TokenFetcher {
  /** @type {Map<string, Entry>} By URL. */ #entries = new Map();
  /** @type {Pause} The server's own pause, which concerns all tokens. */ #server = { pausedUntil: -Infinity };
  /** @type {TokenRequests} */ #requests;
  /** @type {Clock} */ #clock;
  /** @type {() => number} */ #random;

  /** @param {TokenFetcherOptions} [options] */
  constructor(options = {}) {
    this.#clock = options.clock ?? { continuous: () => performance.now() / 1000, wall: () => Date.now() / 1000 };
    this.#random = options.random ?? Math.random;
    this.#requests = new TokenRequests(options, this.#clock);
  }

  /**
   * Returns a token with its remaining lifetime: what Google's SDK calls.
   *
   * A property and not a method, so that it can be passed on by itself.
   *
   * @type {(options: AuthTokenFetcherOptions) => Promise<AuthToken>}
   */
  authTokenFetcher = async ({ context }) => {
    const entry = this.#entry(this.#requests.url(context));
    const cached = entry.token;
    if (!cached || this.#age(cached) >= cached.lifespan.usable) return this.#answer(await this.#refresh(entry));
    if (this.#age(cached) >= cached.lifespan.fresh && !this.#pause(entry)) {
      // Its failure is in the entry, and matters to callers only after the token's end.
      this.#refresh(entry).catch(() => {});
    }
    return this.#answer(cached);
  };

  /**
   * Reports that Fleet Engine rejected a token, so that the next call gets another.
   *
   * A report about a token that was replaced meanwhile has no effect.
   *
   * @param {string} token
   */
  invalidate(token) {
    for (const entry of this.#entries.values()) {
      if (entry.token?.value !== token) continue;
      entry.rejections = this.#age(entry.token) < longestBackoff ? entry.rejections + 1 : 1;
      Object.assign(entry, { token: undefined, mustBeNew: true });
      if (entry.rejections === 1) continue;
      const error = new TokenError('tokenRejected', 'Fleet Engine rejects new tokens as well. Check the server\'s keys.');
      this.#close(entry, backoff(entry.rejections - 1, this.#random()), error);
    }
  }

  /** Ends the pauses after failures without a response. Call it when the network is back, or the page is shown again. */
  retryNow() {
    for (const entry of this.#entries.values()) if (entry.error?.extent === 'device') reopen(entry);
  }

  /** Removes all tokens, for a sign-out. Fetches in progress fail; pauses that protect the server stay. */
  removeAll() {
    for (const [url, entry] of this.#entries) {
      entry.flight?.attempt.abort(new TokenError('removed', 'The token was removed during the call.'));
      if (isDenied(entry) || !this.#remaining(entry)) this.#entries.delete(url);
      else Object.assign(entry, { token: undefined, flight: undefined });
    }
  }

  /**
   * Discards everything that belongs to the previous credentials; call it after a user has signed in or changed.
   *
   * Tokens are removed and pauses after denials end, as with `removeAll`, but calls that wait do not fail: their fetches
   * start again. Call it when `credentials` returns the new ones.
   */
  credentialsDidChange() {
    for (const entry of this.#entries.values()) {
      entry.token = undefined;
      if (isDenied(entry)) reopen(entry);
      entry.flight?.attempt.abort(newCredentials);
    }
  }

  /** @param {Entry} entry @returns {Promise<Cached>} */
  #refresh(entry) {
    if (entry.flight) return entry.flight.promise;
    const pause = this.#pause(entry);
    if (pause) return Promise.reject(pause.error.repeated(pause.wait));
    /** @type {Flight} */
    const flight = { attempt: new AbortController(), promise: Promise.resolve().then(() => this.#fetchToken(entry, flight)) };
    entry.flight = flight;
    return flight.promise;
  }

  /** @param {Entry} entry @param {Flight} flight @returns {Promise<Cached>} */
  async #fetchToken(entry, flight) {
    for (;;) {
      const { attempt } = flight;
      const outcome = await this.#newToken(entry, attempt).catch(tokenError);
      if (attempt.signal.reason === newCredentials) {
        flight.attempt = new AbortController();
        continue;
      }
      if (entry.flight !== flight) throw attempt.signal.reason;
      entry.flight = undefined;
      if (outcome instanceof TokenError) {
        this.#noteFailure(entry, outcome);
        throw outcome;
      }
      Object.assign(entry, { token: outcome, failures: 0, mustBeNew: false });
      reopen(entry);
      return outcome;
    }
  }

  /** @param {Entry} entry @param {AbortController} attempt @returns {Promise<Cached>} */
  async #newToken({ url, mustBeNew }, attempt) {
    const start = { continuous: this.#clock.continuous(), wall: this.#clock.wall() };
    const { value, lifetime } = await this.#requests.fetchToken(url, mustBeNew, attempt);
    const token = { value, ...start, lifespan: lifespan(lifetime, this.#random()) };
    if (this.#age(token) < token.lifespan.usable) return token;
    throw new TokenError('unavailable', 'The token had expired on arrival. Check the server\'s clock and the lifetime of its tokens.');
  }

  /** @param {Entry} entry @param {TokenError} error */
  #noteFailure(entry, error) {
    // Nothing was sent: a user who signs in must not wait.
    if (error.extent === 'app') return;
    entry.failures += 1;
    const pause = backoff(entry.failures, this.#random());
    if (error.extent === 'server') this.#close(this.#server, error.retryAfter ?? 0, error);
    if (error.extent === 'device') this.#close(entry, Math.min(pause, longestDevicePause), error);
    else this.#close(entry, error.remedy === 'wait' ? spread(pause, error.retryAfter) : pause + denialLifetime, error);
    error.retryAfter = this.#pause(entry)?.wait;
  }

  /** @param {Pause} pause @param {number} seconds @param {TokenError} error */
  #close(pause, seconds, error) {
    pause.pausedUntil = Math.max(pause.pausedUntil, this.#clock.continuous() + seconds);
    pause.error = error;
  }

  /** @param {Pause} pause @returns {{ wait: number, error: TokenError } | undefined} */
  #remaining({ pausedUntil, error }) {
    const wait = pausedUntil - this.#clock.continuous();
    return error && wait > 0 ? { wait, error } : undefined;
  }

  /**
   * Returns the longer of the pauses of a token and of its server; undefined if there is none.
   *
   * @param {Entry} entry
   */
  #pause(entry) {
    const [own, servers] = [this.#remaining(entry), this.#remaining(this.#server)];
    return own && servers ? own.wait > servers.wait ? own : servers : own ?? servers;
  }

  /**
   * Returns the age by the clock that shows more: one stops during sleep, the other can be set.
   *
   * @param {Moment} moment
   */
  #age({ continuous, wall }) {
    return Math.max(this.#clock.continuous() - continuous, this.#clock.wall() - wall, 0);
  }

  /** @param {Cached} token @returns {AuthToken} */
  #answer(token) {
    return { token: token.value, expiresInSeconds: Math.floor(token.lifespan.total - this.#age(token)) };
  }

  /** @param {string} url @returns {Entry} */
  #entry(url) {
    const entry = this.#entries.get(url) ?? { url, failures: 0, rejections: 0, pausedUntil: -Infinity, mustBeNew: false };
    // A map keeps the order of insertion: the first is the least recently used.
    this.#entries.delete(url);
    this.#entries.set(url, entry);
    for (const [oldest, { flight }] of this.#entries) {
      if (this.#entries.size <= capacity) break;
      if (!flight && oldest !== url) this.#entries.delete(oldest);
    }
    return entry;
  }
}

/**
 * @typedef {{ continuous: number, wall: number }} Moment
 * @typedef {Moment & { value: string, lifespan: { total: number, usable: number, fresh: number } }} Cached
 * @typedef {{ promise: Promise<Cached>, attempt: AbortController }} Flight
 * @typedef {{ pausedUntil: number, error?: TokenError }} Pause
 * @typedef {Pause & { url: string, token?: Cached, flight?: Flight, failures: number, rejections: number,
 *   mustBeNew: boolean }} Entry
 */

/** Why a fetch starts again. */
const newCredentials = new TokenError('removed', 'The credentials changed during the call.');

/** @param {Pause} pause Whether it is of an answer to the signed-in user, and not of a failure that passes. */
const isDenied = ({ error }) => error !== undefined && error.remedy !== 'wait';

/** @param {Pause} pause */
function reopen(pause) {
  Object.assign(pause, { pausedUntil: -Infinity, error: undefined });
}

/** @param {unknown} cause */
function tokenError(cause) {
  if (cause instanceof TokenError) return cause;
  return new TokenError('unavailable', 'The token could not be fetched.', { cause });
}

"""#,
        "token-path.js": #"""
// @ts-check

/**
 * Kinds of tokens and their routes.
 *
 * @module
 */

import { TokenError } from './token-error.js';

/**
 * @typedef {{ tripId?: string, vehicleId?: string, deliveryVehicleId?: string, taskId?: string, trackingId?: string }}
 *   TokenContext The IDs that a token is for, as Google's SDK names them.
 */

const endUserKinds = ['consumer', 'driver', 'delivery_consumer', 'delivery_driver', 'trusted_delivery_driver', 'delivery_task'];

/**
 * Returns whether tokens of a kind grant access to a whole fleet: all kinds do that are not for one ID, those to come too.
 *
 * @param {string} kind
 */
export const isPrivileged = (kind) => !endUserKinds.includes(kind);

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
  throw new TokenError('invalidArgument', 'The context has no ID.');
}

/**
 * Returns the path and the query of a token's route.
 *
 * @param {string} kind @param {TokenContext} context
 */
export function tokenPath(kind, context) {
  if (isPrivileged(kind)) return `/token/${kind}`;
  const { tripId, trackingId, vehicleId, deliveryVehicleId, taskId } = context;
  const id = tripId ?? trackingId ?? vehicleId ?? deliveryVehicleId ?? taskId ?? '';
  if (!id || id === '.' || id === '..') throw new TokenError('invalidArgument', 'The ID is empty, `.` or `..`.');
  const task = deliveryVehicleId !== undefined && taskId !== undefined ? `?taskId=${encode(taskId)}` : '';
  return `/token/${kind}/${encode(id)}${task}`;
}

/** @param {string} id */
function encode(id) {
  return encodeURIComponent(id).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

"""#,
        "token-requests.js": #"""
// @ts-check

/**
 * Requests to a token server.
 *
 * @module
 */

import { abortable } from './abortable.js';
import { headerFields, serverURL } from './app-values.js';
import { TokenError, refusal } from './token-error.js';
import { endUserKind, tokenPath } from './token-path.js';
import { formats, readBody, readToken } from './token-response.js';

/**
 * @typedef {Record<string, string>} Fields
 * @typedef {(context: { requiresNewCredentials: boolean }) => Fields | Headers | Promise<Fields | Headers>} Credentials
 * @typedef {{ isWaitingForApp: boolean }} Progress Whether the app's credentials are awaited, and not the server.
 */

/** Sends the requests for tokens with the app's credentials. */
export class TokenRequests {
  /** @param {import('./token-fetcher.js').TokenFetcherOptions} options @param {import('./token-fetcher.js').Clock} clock */
  constructor(options, clock) {
    this.server = serverURL(options.server ?? '');
    this.format = options.format ?? formats.fleetToken;
    this.kind = options.kind ?? endUserKind;
    this.timeout = options.timeout ?? 10;
    this.credentials = options.credentials ?? (() => ({}));
    this.fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
    this.clock = clock;
  }

  /** @param {import('./token-path.js').TokenContext} context */
  url(context) {
    return this.server + tokenPath(this.kind(context), context);
  }

  /**
   * Fetches a token. The time limit is for the app's credentials, too.
   *
   * @param {string} url @param {boolean} mustBeNew @param {AbortController} attempt
   * @returns {Promise<{ value: string, lifetime: number }>}
   */
  async fetchToken(url, mustBeNew, attempt) {
    const progress = { isWaitingForApp: false };
    const timer = setTimeout(() => attempt.abort(late(progress)), this.timeout * 1000);
    try {
      return await abortable(this.#exchange(url, mustBeNew, attempt.signal, progress), attempt.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  /** @param {string} url @param {boolean} mustBeNew @param {AbortSignal} signal @param {Progress} progress */
  async #exchange(url, mustBeNew, signal, progress) {
    const response = await this.#response(url, mustBeNew, signal, progress);
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.headers.has('Location'))) {
      throw new TokenError('invalidConfiguration', 'The token server redirects. Use its final URL; the credentials were not sent there.');
    }
    if (!response.ok) throw refusal(response);
    return readToken(await readBody(response).catch(noResponse), {
      format: this.format, deviceClock: this.clock.wall(), date: response.headers.get('Date'), age: response.headers.get('Age'),
    });
  }

  /**
   * Returns the server's response; if it rejects the credentials, tries once more with new ones.
   *
   * @param {string} url @param {boolean} mustBeNew @param {AbortSignal} signal @param {Progress} progress
   */
  async #response(url, mustBeNew, signal, progress) {
    const send = (/** @type {Fields} */ fields) => {
      // Credentials that come too late are not sent.
      signal.throwIfAborted();
      return this.fetch(url, {
        headers: { Accept: 'application/json', ...fields, ...(mustBeNew && { 'Fleet-Token-Reuse': 'no' }) },
        signal, cache: 'no-store', credentials: 'omit', redirect: 'manual', referrerPolicy: 'no-referrer',
      }).catch(noResponse);
    };
    const fields = await this.#callerFields(false, progress);
    const response = await send(fields);
    if (response.status !== 401) return response;
    const renewed = await this.#callerFields(true, progress);
    const text = (/** @type {Fields} */ fields) => JSON.stringify(Object.entries(fields).sort());
    return text(renewed) === text(fields) ? response : send(renewed);
  }

  /** @param {boolean} requiresNewCredentials @param {Progress} progress @returns {Promise<Fields>} */
  async #callerFields(requiresNewCredentials, progress) {
    progress.isWaitingForApp = true;
    try {
      return headerFields(await this.credentials({ requiresNewCredentials }));
    } catch (cause) {
      if (!(cause instanceof TokenError)) {
        throw new TokenError('unavailable', 'The app\'s `credentials` failed. See `cause`.', { cause, extent: 'app' });
      }
      cause.extent = 'app';
      throw cause;
    } finally {
      progress.isWaitingForApp = false;
    }
  }
}

/** @param {Progress} progress */
function late({ isWaitingForApp }) {
  return isWaitingForApp
    ? new TokenError('deadlineExceeded', 'The app\'s `credentials` did not return in time.', { extent: 'app' })
    : new TokenError('deadlineExceeded', 'The token server did not respond in time.', { extent: 'device' });
}

/**
 * Throws the error of a request without a whole response. A browser tells an app no more about its cause.
 *
 * @param {unknown} cause @returns {never}
 */
function noResponse(cause) {
  if (cause instanceof TokenError) throw cause;
  if (globalThis.navigator?.onLine === false) {
    throw new TokenError('offline', 'This device has no network connection.', { extent: 'device' });
  }
  throw new TokenError('unavailable', 'The token server is unreachable.', { extent: 'device' });
}

"""#,
        "token-response.js": #"""
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
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let length = 0; reader;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > maximumBody) {
      reader.cancel().catch(() => {});
      throw new TokenError('unexpectedResponse', `The response is larger than ${maximumBody} bytes.`);
    }
    text += decoder.decode(value, { stream: true });
  }
  return text + decoder.decode();
}

/**
 * Reads a token server's response.
 *
 * @param {string} body
 * @param {{ format: ResponseFormat, deviceClock: number, date?: string | null, age?: string | null }} answer
 * @returns {{ value: string, lifetime: number }}
 */
export function readToken(body, { format, deviceClock, date = null, age = null }) {
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
      age: /^[0-9]+$/.test(age ?? '') ? Number(age) : 0,
    }),
  };
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

"""#,
        "trip.js": #"""
// @ts-check

/**
 * Reads the JSON of Fleet Engine's REST API as Google's JavaScript SDK presents it.
 *
 * @module
 */

/**
 * @typedef {{ lat: number, lng: number }} LatLng
 * @typedef {{ startIndex: number, endIndex: number, speed: 'NORMAL' | 'SLOW' | 'TRAFFIC_JAM' }} SpeedReadingInterval
 * @typedef {{ location: LatLng, heading?: number, speed?: number, time?: Date, serverTime?: Date }} VehicleLocationUpdate
 * @typedef {{ location?: LatLng, tripId?: string, waypointType: string, distanceMeters?: number, durationMillis?: number,
 *   eta?: Date, path: LatLng[], speedReadingIntervals: SpeedReadingInterval[] }} VehicleWaypoint
 * @typedef {{ name: string, status: string, type?: string, vehicleId?: string, passengerCount?: number,
 *   pickupTime: Date | null, dropOffTime: Date | null, plannedPickupLocation?: LatLng, plannedDropOffLocation?: LatLng,
 *   intermediateDestinations: LatLng[], intermediateDestinationIndex: number,
 *   latestVehicleLocationUpdate?: VehicleLocationUpdate, remainingWaypoints: VehicleWaypoint[],
 *   remainingDistanceMeters?: number, etaToFirstWaypoint?: Date, activeRoute: LatLng[],
 *   activeRouteTraffic: SpeedReadingInterval[] }} Trip
 * @typedef {{ name: string, trackingId: string, state?: string, taskOutcome?: string, remainingStopCount?: number,
 *   remainingDrivingDistanceMeters?: number, estimatedArrivalTime?: Date, estimatedTaskCompletionTime?: Date,
 *   routePolylinePoints: LatLng[], plannedLocation?: LatLng, latestVehicleLocationUpdate?: VehicleLocationUpdate,
 *   taskOutcomeTime?: Date }} TaskTrackingInfo
 * @typedef {any} JSONValue Fleet Engine's JSON, of which each part is checked when it is read.
 */

/** The statuses after which nothing changes any more. */
export const finalStatuses = ['COMPLETE', 'CANCELED'];

/** What is sent with each request, so that Fleet Engine leaves out what has not changed. */
const versions = ['currentRouteSegmentVersion', 'currentRouteSegmentTrafficVersion', 'remainingWaypointsRouteVersion'];

/**
 * Returns the query parameters for the next request of a trip.
 *
 * @param {JSONValue} previous The last response, merged; undefined for the first request.
 */
export function versionParameters(previous) {
  return versions.filter((name) => previous?.[name]).map((name) => [name, previous[name]]);
}

/**
 * Merges a response with the previous one: Fleet Engine leaves out routes and traffic that have not changed.
 *
 * @param {JSONValue} previous @param {JSONValue} answer
 * @returns {JSONValue}
 */
export function merge(previous, answer) {
  if (!previous || finalStatuses.includes(answer.tripStatus)) return answer;
  const merged = { ...answer };
  const first = (/** @type {JSONValue} */ trip) => JSON.stringify(trip.remainingWaypoints?.[0]?.location);
  const isSameSegment = isUnchanged('currentRouteSegmentVersion', previous, answer) && first(previous) === first(answer);
  if (!('route' in answer) && isSameSegment) {
    for (const name of ['route', 'currentRouteSegmentVersion']) if (name in previous) merged[name] = previous[name];
    if (!('currentRouteSegmentTraffic' in answer) && isUnchanged('currentRouteSegmentTrafficVersion', previous, answer)) {
      for (const name of ['currentRouteSegmentTraffic', 'currentRouteSegmentTrafficVersion']) {
        if (name in previous) merged[name] = previous[name];
      }
    }
  }
  const hasSamePaths = isUnchanged('remainingWaypointsRouteVersion', previous, answer);
  merged.remainingWaypoints = answer.remainingWaypoints?.map((/** @type {JSONValue} */ waypoint) => {
    if ('pathToWaypoint' in waypoint || !hasSamePaths) return waypoint;
    const known = previous.remainingWaypoints?.find((/** @type {JSONValue} */ other) => isSamePlace(other, waypoint));
    const { pathToWaypoint, trafficToWaypoint } = known ?? {};
    return { ...(pathToWaypoint && { pathToWaypoint }), ...(trafficToWaypoint && { trafficToWaypoint }), ...waypoint };
  });
  return merged;
}

/** @param {string} version @param {JSONValue} previous @param {JSONValue} answer */
function isUnchanged(version, previous, answer) {
  return Boolean(answer[version]) && answer[version] === previous[version];
}

/** @param {JSONValue} one @param {JSONValue} other */
function isSamePlace(one, other) {
  return one.tripId === other.tripId && one.waypointType === other.waypointType
    && JSON.stringify(one.location) === JSON.stringify(other.location);
}

/**
 * Reads a trip.
 *
 * @param {JSONValue} json
 * @returns {Trip}
 */
export function readTrip(json) {
  return {
    name: String(json.name ?? ''),
    status: String(json.tripStatus ?? 'UNKNOWN_TRIP_STATUS'),
    type: json.tripType,
    vehicleId: json.vehicleId,
    passengerCount: json.numberOfPassengers,
    pickupTime: readDate(json.pickupTime) ?? null,
    dropOffTime: readDate(json.dropoffTime) ?? null,
    plannedPickupLocation: readPoint(json.pickupPoint?.point),
    plannedDropOffLocation: readPoint(json.dropoffPoint?.point),
    intermediateDestinations: readPoints(json.intermediateDestinations?.map((/** @type {JSONValue} */ stop) => stop.point)),
    intermediateDestinationIndex: Number(json.intermediateDestinationIndex ?? 0),
    latestVehicleLocationUpdate: readVehicle(json.lastLocation),
    remainingWaypoints: (json.remainingWaypoints ?? []).map(readWaypoint),
    remainingDistanceMeters: json.remainingDistanceMeters,
    etaToFirstWaypoint: readDate(json.etaToFirstWaypoint),
    activeRoute: readPoints(json.route),
    activeRouteTraffic: readTraffic(json.currentRouteSegmentTraffic),
  };
}

/**
 * Reads what a recipient may know of a shipment.
 *
 * @param {JSONValue} json
 * @returns {TaskTrackingInfo}
 */
export function readTaskTrackingInfo(json) {
  return {
    name: String(json.name ?? ''),
    trackingId: String(json.trackingId ?? ''),
    ...(json.state && { state: json.state }),
    taskOutcome: json.taskOutcome,
    taskOutcomeTime: readDate(json.taskOutcomeTime),
    remainingStopCount: json.remainingStopCount,
    remainingDrivingDistanceMeters: json.remainingDrivingDistanceMeters,
    estimatedArrivalTime: readDate(json.estimatedArrivalTime),
    estimatedTaskCompletionTime: readDate(json.estimatedTaskCompletionTime),
    routePolylinePoints: readPoints(json.routePolylinePoints),
    plannedLocation: readPoint(json.plannedLocation?.point),
    latestVehicleLocationUpdate: readVehicle(json.vehicleLocation),
  };
}

/** @param {JSONValue} json @returns {VehicleWaypoint} */
function readWaypoint(json) {
  return {
    location: readPoint(json.location?.point),
    tripId: json.tripId,
    waypointType: String(json.waypointType ?? ''),
    distanceMeters: json.distanceMeters,
    durationMillis: readDuration(json.duration),
    eta: readDate(json.eta),
    path: readPoints(json.pathToWaypoint),
    speedReadingIntervals: readTraffic(json.trafficToWaypoint),
  };
}

/** @param {JSONValue} json @returns {VehicleLocationUpdate | undefined} */
function readVehicle(json) {
  const location = readPoint(json?.location);
  return location && {
    location, heading: json.heading, speed: json.speed, time: readDate(json.updateTime), serverTime: readDate(json.serverTime),
  };
}

/**
 * Reads a point, in which JSON leaves zeros out.
 *
 * @param {JSONValue} json
 * @returns {LatLng | undefined}
 */
function readPoint(json) {
  if (!json) return undefined;
  const [lat, lng] = [Number(json.latitude ?? 0), Number(json.longitude ?? 0)];
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : undefined;
}

/** @param {JSONValue} json @returns {LatLng[]} */
function readPoints(json) {
  return (json ?? []).flatMap((/** @type {JSONValue} */ point) => readPoint(point) ?? []);
}

/** @param {JSONValue} json @returns {SpeedReadingInterval[]} */
function readTraffic(json) {
  return (json?.speedReadingInterval ?? []).map((/** @type {JSONValue} */ interval) => ({
    startIndex: interval.startPolylinePointIndex ?? 0,
    endIndex: interval.endPolylinePointIndex ?? 0,
    speed: interval.speed ?? 'NORMAL',
  }));
}

/** @param {JSONValue} text @returns {Date | undefined} */
function readDate(text) {
  const date = typeof text === 'string' ? new Date(text) : undefined;
  return date && !Number.isNaN(date.getTime()) ? date : undefined;
}

/** @param {JSONValue} text @returns {number | undefined} */
function readDuration(text) {
  return typeof text === 'string' && /^[0-9.]+s$/.test(text) ? Number(text.slice(0, -1)) * 1000 : undefined;
}

"""#,
        "page/camera.js": #"""
// @ts-check

/**
 * The map's camera: a Web Mercator projection that fits what it is given.
 *
 * @module
 */

/**
 * @typedef {import('../trip.js').LatLng} LatLng
 * @typedef {{ x: number, y: number }} Point In pixels from the map's top left corner, or in the world from 0 to 1.
 * @typedef {{ width: number, height: number }} Size
 * @typedef {{ top: number, right: number, bottom: number, left: number }} Box Distances from the map's top left corner.
 * @typedef {{ x: number, y: number, scale: number }} Camera Its center in the world, and the world's size in pixels.
 */

/** The edge that stays free of what is fitted, for markers and labels. */
const padding = { top: 76, right: 56, bottom: 64, left: 56 };
/** The distance that the center of a marker keeps from a control. */
const clearance = 32;
/** The world's size in pixels at which a street fills the map; nothing is fitted closer. */
const closest = 256 * 2 ** 17;
const farthest = 256;

/**
 * Projects a location into the world.
 *
 * @param {LatLng} location
 * @returns {Point}
 */
export function project({ lat, lng }) {
  const sine = Math.min(Math.max(Math.sin(lat * Math.PI / 180), -0.9999), 0.9999);
  return { x: (lng + 180) / 360, y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI) };
}

/**
 * Returns where a location appears on the map.
 *
 * @param {LatLng} location @param {Camera} camera @param {Size} size
 * @returns {Point}
 */
export function onMap(location, camera, size) {
  const world = project(location);
  return {
    x: (world.x - camera.x) * camera.scale + size.width / 2,
    y: (world.y - camera.y) * camera.scale + size.height / 2,
  };
}

/**
 * Returns the camera that shows all locations, none of them behind a control.
 *
 * @param {LatLng[]} locations @param {Size} size @param {Box[]} [controls] What lies on the map's lower edge.
 * @returns {Camera | undefined}
 */
export function fit(locations, size, controls = []) {
  if (locations.length === 0) return undefined;
  const isHidden = (/** @type {Camera} */ camera) => locations.some((location) => {
    const { x, y } = onMap(location, camera, size);
    return controls.some(({ top, right, left }) => y > top - clearance && x > left - clearance && x < right + clearance);
  });
  // Each control can be avoided above it or beside it: the closest camera that hides nothing is the best.
  const cameras = controls.reduce((paddings, control) => paddings.flatMap((each) => [each, ...avoiding(control, size, each)]), [padding])
    .map((each) => fitWithin(each, locations, size)).sort((one, other) => other.scale - one.scale);
  return cameras.find((camera) => !isHidden(camera)) ?? cameras.at(-1);
}

/**
 * Returns the paddings that keep what is fitted above a control, and beside it.
 *
 * @param {Box} control @param {Size} size @param {Box} padding @returns {Box[]}
 */
function avoiding({ top, right, left }, { width, height }, padding) {
  const beside = left + right < width ? { ...padding, left: Math.max(padding.left, right + clearance) }
    : { ...padding, right: Math.max(padding.right, width - left + clearance) };
  return [{ ...padding, bottom: Math.max(padding.bottom, height - top + clearance) }, beside];
}

/** @param {Box} padding @param {LatLng[]} locations @param {Size} size @returns {Camera} */
function fitWithin(padding, locations, size) {
  const points = locations.map(project);
  const [left, right] = extent(points.map(({ x }) => x));
  const [top, bottom] = extent(points.map(({ y }) => y));
  const room = {
    width: Math.max(size.width - padding.left - padding.right, 40), height: Math.max(size.height - padding.top - padding.bottom, 40),
  };
  const scale = clamp(Math.min(room.width / (right - left), room.height / (bottom - top)));
  // What is fitted lies in the middle of what is free, not of the map.
  return {
    x: (left + right) / 2 - (padding.left - padding.right) / 2 / scale,
    y: (top + bottom) / 2 - (padding.top - padding.bottom) / 2 / scale, scale,
  };
}

/**
 * Returns the camera after a drag, in pixels.
 *
 * @param {Camera} camera @param {Point} distance
 * @returns {Camera}
 */
export function drag(camera, { x, y }) {
  return { ...camera, x: camera.x - x / camera.scale, y: camera.y - y / camera.scale };
}

/**
 * Returns the camera after zooming by a factor around a point of the map.
 *
 * @param {Camera} camera @param {number} factor @param {Size} size @param {Point} [around] The center by default.
 * @returns {Camera}
 */
export function zoom(camera, factor, size, around = { x: size.width / 2, y: size.height / 2 }) {
  const scale = clamp(camera.scale * factor);
  const offset = { x: around.x - size.width / 2, y: around.y - size.height / 2 };
  const change = 1 / camera.scale - 1 / scale;
  return { x: camera.x + offset.x * change, y: camera.y + offset.y * change, scale };
}

/**
 * Returns the camera between two, for `share` from 0 to 1.
 *
 * @param {Camera} from @param {Camera} to @param {number} share
 * @returns {Camera}
 */
export function between(from, to, share) {
  return {
    x: from.x + (to.x - from.x) * share,
    y: from.y + (to.y - from.y) * share,
    scale: from.scale * (to.scale / from.scale) ** share,
  };
}

/**
 * Returns the number of meters that a pixel shows at the center.
 *
 * @param {Camera} camera
 */
export function metersPerPixel(camera) {
  const latitude = Math.atan(Math.sinh(Math.PI * (1 - 2 * camera.y)));
  return 40_075_017 * Math.cos(latitude) / camera.scale;
}

/**
 * Returns a path along great circles: points are added where a straight line on the map would leave them visibly.
 *
 * @param {LatLng[]} path
 * @returns {LatLng[]}
 */
export function geodesic(path) {
  return path.flatMap((to, index) => {
    const from = path[index - 1];
    if (!from) return [to];
    const [a, b] = [from, to].map(unitVector);
    const angle = Math.acos(Math.min(a[0] * b[0] + a[1] * b[1] + a[2] * b[2], 1));
    // A point for each half degree, which is 55 km.
    const count = Math.max(1, Math.ceil(angle / (Math.PI / 360)));
    return Array.from({ length: count }, (_, step) => {
      if (step + 1 === count) return to;
      const share = (step + 1) / count;
      const [p, q] = [Math.sin((1 - share) * angle), Math.sin(share * angle)];
      const [x, y, z] = a.map((value, axis) => p * value + q * b[axis]);
      return { lat: Math.atan2(z, Math.hypot(x, y)) * 180 / Math.PI, lng: Math.atan2(y, x) * 180 / Math.PI };
    });
  });
}

/** @param {LatLng} location */
function unitVector({ lat, lng }) {
  const [latitude, longitude] = [lat * Math.PI / 180, lng * Math.PI / 180];
  return [Math.cos(latitude) * Math.cos(longitude), Math.cos(latitude) * Math.sin(longitude), Math.sin(latitude)];
}

/** @param {number[]} values */
function extent(values) {
  // A long route has more points than a call may have arguments.
  return values.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [Infinity, -Infinity]);
}

/** @param {number} scale */
function clamp(scale) {
  return Math.min(Math.max(scale, farthest), closest);
}

"""#,
        "page/faults.js": #"""
// @ts-check

/**
 * The faults that the emulator injects into what this page requests.
 *
 * @module
 */

import { say } from './words.js';

/** The faults to choose from, as the emulator's control plane takes them. */
export const faults = /** @type {const} */ ({
  none: { name: 'faultNone', effect: undefined },
  unavailable: { name: 'faultUnavailable', effect: { error: { code: 'UNAVAILABLE' } } },
  unauthenticated: { name: 'faultUnauthenticated', effect: { error: { code: 'UNAUTHENTICATED' } } },
  denied: { name: 'faultDenied', effect: { error: { code: 'PERMISSION_DENIED' } } },
  notFound: { name: 'faultNotFound', effect: { error: { code: 'NOT_FOUND' } } },
  quota: { name: 'faultQuota', effect: { error: { code: 'RESOURCE_EXHAUSTED', retryAfterSeconds: 10 } } },
  slow: { name: 'faultSlow', effect: { latencyMilliseconds: 2000 } },
  truncated: { name: 'faultTruncated', effect: { truncate: true } },
  lost: { name: 'faultLost', effect: { reset: true } },
});

/** A response of the control plane that is no success. */
export class Refusal extends Error {}

/**
 * Replaces the emulator's faults.
 *
 * @param {string} controlPlane @param {keyof typeof faults} name
 */
export async function setFault(controlPlane, name) {
  const { effect } = faults[name];
  const methods = ['GetTrip', 'GetTaskTrackingInfo'];
  const response = await fetch(`${controlPlane}/faults`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ seed: 1, faults: effect ? [{ id: `page-${name}`, methods, ...effect }] : [] }),
  });
  if (!response.ok) throw new Refusal(say('faultRefused', { status: response.status }));
}

"""#,
        "page/gestures.js": #"""
// @ts-check

/**
 * Moving the map: by drag, pinch, wheel and keys.
 *
 * @module
 */

/** @typedef {import('./map-view.js').MapView} MapView */

/** @type {Record<string, (map: MapView) => void>} */
const keys = {
  ArrowLeft: (map) => map.panBy(60, 0), ArrowRight: (map) => map.panBy(-60, 0),
  ArrowUp: (map) => map.panBy(0, 60), ArrowDown: (map) => map.panBy(0, -60),
  '+': (map) => map.zoomBy(1.5), '=': (map) => map.zoomBy(1.5), '-': (map) => map.zoomBy(1 / 1.5), 0: (map) => map.setFollowing(true),
};

/**
 * Lets gestures in an element move a map.
 *
 * @param {HTMLElement} element @param {MapView} map
 */
export function addGestures(element, map) {
  /** @type {Map<number, { x: number, y: number }>} */
  const pointers = new Map();
  const place = (/** @type {{ x: number, y: number }} */ { x, y }) => {
    const { left, top } = element.getBoundingClientRect();
    return { x: x - left, y: y - top };
  };
  element.addEventListener('pointerdown', (event) => {
    if (event.target instanceof Element && event.target.closest('button, .marker')) return;
    element.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  element.addEventListener('pointermove', (event) => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const next = { x: event.clientX, y: event.clientY };
    const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    pointers.set(event.pointerId, next);
    map.panBy((next.x - last.x) / pointers.size, (next.y - last.y) / pointers.size);
    if (!other) return;
    const before = Math.max(Math.hypot(last.x - other.x, last.y - other.y), 1);
    const factor = Math.hypot(next.x - other.x, next.y - other.y) / before;
    map.zoomBy(factor, place({ x: (next.x + other.x) / 2, y: (next.y + other.y) / 2 }));
  });
  element.addEventListener('pointerup', (event) => pointers.delete(event.pointerId));
  element.addEventListener('pointercancel', (event) => pointers.delete(event.pointerId));
  element.addEventListener('wheel', (event) => {
    event.preventDefault();
    map.zoomBy(2 ** (-event.deltaY / 300), place({ x: event.clientX, y: event.clientY }));
  }, { passive: false });
  element.addEventListener('keydown', (event) => {
    const action = keys[event.key];
    if (event.target !== element || !action) return;
    event.preventDefault();
    action(map);
  });
}

"""#,
        "page/icons.js": #"""
// @ts-check

/**
 * The markers' icons as SVG, drawn around the point that they mark at their bottom center.
 *
 * @module
 */

import { say } from './words.js';

const namespace = 'http://www.w3.org/2000/svg';

/**
 * Creates an SVG element.
 *
 * @param {string} name @param {Record<string, string | number>} [attributes] @param {(Element | string)[]} children
 * @returns {SVGElement}
 */
export function svg(name, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(namespace, name));
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, String(value));
  element.append(...children);
  return element;
}

/**
 * The size of each icon, for its anchor.
 *
 * @type {Record<string, { width: number, height: number }>}
 */
export const sizes = {
  pickup: { width: 34, height: 44 }, dropoff: { width: 34, height: 44 }, stop: { width: 26, height: 26 },
  car: { width: 44, height: 44 }, van: { width: 44, height: 44 }, eta: { width: 72, height: 48 },
  dot: { width: 18, height: 18 },
};

const pin = 'M17 43 C13 34 2 27 2 17 A15 15 0 0 1 32 17 C32 27 21 34 17 43 Z';

/** Returns the disc of a vehicle's icon, with a tip that shows its heading. */
function disc() {
  return [svg('path', { class: 'tip', d: 'M14 4 L22 -7 L30 4 Z' }), svg('circle', { class: 'disc', cx: 22, cy: 22, r: 20 })];
}

/**
 * Returns an icon with its top left corner at the origin.
 *
 * @param {string} icon @param {string} text What `eta` and `stop` show.
 * @returns {SVGElement}
 */
export function drawIcon(icon, text) {
  switch (icon) {
    case 'pickup': return svg('g', { class: 'pin pickup' },
      svg('path', { d: pin }), svg('circle', { class: 'mark', cx: 17, cy: 12.5, r: 3.6 }),
      svg('path', { class: 'mark', d: 'M10 24 a7 7 0 0 1 14 0 Z' }));
    case 'dropoff': return svg('g', { class: 'pin dropoff' },
      svg('path', { d: pin }), svg('path', { class: 'mark', d: 'M12 9 h2 v16 h-2 Z M14 9 h10 l-3 4 l3 4 h-10 Z' }));
    case 'stop': return svg('g', { class: 'pin stop' },
      svg('circle', { cx: 13, cy: 13, r: 12 }), svg('text', { class: 'mark', x: 13, y: 17.5 }, text));
    case 'eta': return svg('g', { class: 'pin eta' },
      svg('path', { d: 'M8 1 h56 a7 7 0 0 1 7 7 v20 a7 7 0 0 1 -7 7 h-20 l-8 11 l-8 -11 h-20 a7 7 0 0 1 -7 -7 v-20 a7 7 0 0 1 7 -7 Z' }),
      svg('text', { class: 'mark', x: 36, y: 23 }, text || say('eta')));
    case 'dot': return svg('g', { class: 'pin unknown' }, svg('circle', { cx: 9, cy: 9, r: 7 }));
    case 'van': return svg('g', { class: 'vehicle' }, ...disc(),
      svg('rect', { class: 'body', x: 14, y: 8, width: 16, height: 28, rx: 3 }),
      svg('path', { class: 'glass', d: 'M16.5 11 h11 v5 h-11 Z' }));
    default: return svg('g', { class: 'vehicle' }, ...disc(),
      svg('path', { class: 'body', d: 'M22 7 c5 0 7.5 2.5 7.5 8 v14 c0 4 -2.5 6.5 -7.5 6.5 s-7.5 -2.5 -7.5 -6.5 v-14 c0 -5.5 2.5 -8 7.5 -8 Z' }),
      svg('path', { class: 'glass', d: 'M16.8 18.5 c1.6 -2.6 8.8 -2.6 10.4 0 l-1.2 3.5 h-8 Z M18 30.5 h8 l0.8 -3 h-9.6 Z' }));
  }
}

"""#,
        "page/journey-model.js": #"""
// @ts-check

/**
 * What the page shows of a trip or a shipment: the same model for both.
 *
 * @module
 */

import { finalStatuses } from '../trip.js';
import { isOnItsWay, shipmentWords, tripWords } from './state-words.js';
import { direction, say } from './words.js';

/**
 * @typedef {import('../trip.js').LatLng} LatLng
 * @typedef {import('../trip.js').SpeedReadingInterval} SpeedReadingInterval
 * @typedef {import('../trip.js').Trip} Trip
 * @typedef {import('../trip.js').TaskTrackingInfo} TaskTrackingInfo
 * @typedef {import('./map-style.js').MarkerType} MarkerType
 * @typedef {import('./words.js').Words} Words
 * @typedef {{ id: string, type: MarkerType, location: LatLng, name: string, detail: string, eta?: Date, heading?: number,
 *   number?: number, isPast?: boolean }} Marker
 * @typedef {{ path: LatLng[], traffic: SpeedReadingInterval[] }} Route
 * @typedef {'past' | 'here' | 'next' | 'later' | 'failed' | 'canceled' | 'unknown'} StopState
 * @typedef {{ name: string, state: StopState, detail?: string, time?: Date, distanceMeters?: number }} Stop
 * @typedef {object} Journey
 * @property {string} status @property {boolean} isFinal
 * @property {'moving' | 'waiting' | 'done' | 'failed'} tone
 * @property {Date} [eta] @property {string} [etaOf]
 * @property {boolean} isHere Whether the vehicle waits at a stop.
 * @property {Date} [locatedAt] When the vehicle's location was reported.
 * @property {number} [distanceMeters] To the next stop.
 * @property {boolean} [isPickedUp] Whether the rider was picked up; undefined if it is not known.
 * @property {'slowTraffic' | 'trafficJam'} [traffic] The worst on the way to the next stop.
 * @property {Marker[]} markers Along the route, which is the order of the keyboard's focus.
 * @property {Route} activeRoute @property {Route[]} remainingRoutes
 * @property {LatLng[]} finishedRoute The stops of a trip that is complete.
 * @property {Stop[]} stops
 */

/** @type {Record<string, keyof Words>} */
const waypointNames = {
  PICKUP_WAYPOINT_TYPE: 'pickup', DROP_OFF_WAYPOINT_TYPE: 'dropoff', INTERMEDIATE_DESTINATION_WAYPOINT_TYPE: 'nextStopName',
};
const beforePickup = ['NEW', 'ENROUTE_TO_PICKUP', 'ARRIVED_AT_PICKUP'];
const afterPickup = [
  'ENROUTE_TO_INTERMEDIATE_DESTINATION', 'ARRIVED_AT_INTERMEDIATE_DESTINATION', 'ENROUTE_TO_DROPOFF', 'COMPLETE',
];

/**
 * Returns what to show of a trip.
 *
 * @param {Trip} trip
 * @param {Journey} [previous] What was shown last: a canceled trip does not say whether the rider was picked up.
 * @returns {Journey}
 */
export function tripJourney(trip, previous) {
  const isFinal = finalStatuses.includes(trip.status);
  const waypoints = isFinal ? [] : trip.remainingWaypoints;
  const tripId = trip.name.split('/').at(-1);
  const first = waypoints.findIndex((waypoint) => !waypoint.tripId || waypoint.tripId === tripId);
  const own = waypoints.filter((waypoint) => !waypoint.tripId || waypoint.tripId === tripId);
  const isPickedUp = pickedUp(trip, own, previous);
  const isHere = trip.status.startsWith('ARRIVED');
  const next = first < 0 ? undefined : waypoints[first];
  const nextTime = next?.waypointType.startsWith('PICKUP') ? trip.pickupTime
    : next?.waypointType.startsWith('DROP_OFF') ? trip.dropOffTime : undefined;
  return {
    status: tripWords(trip, first > 0),
    isFinal,
    tone: trip.status === 'CANCELED' ? 'failed' : trip.status === 'COMPLETE' ? 'done'
      : trip.status.startsWith('ENROUTE') ? 'moving' : 'waiting',
    isPickedUp,
    // The ETA of the first waypoint is another trip's, if the waypoint is.
    eta: isFinal || isHere || !trip.vehicleId ? undefined : nextTime ?? next?.eta ?? (first > 0 ? undefined : trip.etaToFirstWaypoint),
    etaOf: say(waypointNames[next?.waypointType ?? ''] ?? 'nextStopName'),
    isHere,
    locatedAt: locationTime(isFinal ? undefined : trip.latestVehicleLocationUpdate),
    distanceMeters: isFinal || isHere ? undefined : distanceTo(first, trip),
    traffic: worst(isFinal || isHere ? [] : trip.activeRouteTraffic),
    markers: tripMarkers(trip, isPickedUp, waypoints.slice(0, Math.max(first, 0))),
    activeRoute: { path: isFinal ? [] : trip.activeRoute, traffic: trip.activeRouteTraffic },
    remainingRoutes: waypoints.slice(1).map(({ path, speedReadingIntervals }) => ({ path, traffic: speedReadingIntervals })),
    finishedRoute: trip.status !== 'COMPLETE' ? []
      : [trip.plannedPickupLocation, ...trip.intermediateDestinations, trip.plannedDropOffLocation].flatMap((place) => place ?? []),
    stops: [...otherStops(first), ...tripStops(trip, own, isPickedUp, first > 0)],
  };
}

/** @param {Trip} trip @param {Trip['remainingWaypoints']} own @param {Journey | undefined} previous */
function pickedUp({ status, intermediateDestinationIndex }, own, previous) {
  if (beforePickup.includes(status)) return false;
  if (afterPickup.includes(status)) return true;
  if (own.some(({ waypointType }) => waypointType.startsWith('PICKUP'))) return false;
  return intermediateDestinationIndex > 0 || previous?.isPickedUp;
}

/**
 * Returns the distance to one of the waypoints: the trip's remaining distance is to the vehicle's next.
 *
 * @param {number} index @param {Trip} trip @returns {number | undefined}
 */
function distanceTo(index, { remainingWaypoints, remainingDistanceMeters }) {
  const others = remainingWaypoints.slice(1, Math.max(index, 0) + 1).map(({ distanceMeters }) => distanceMeters);
  return [remainingDistanceMeters, ...others].reduce((sum, leg) => sum === undefined || leg === undefined ? undefined : sum + leg, 0);
}

/** @param {SpeedReadingInterval[]} traffic @returns {Journey['traffic']} */
function worst(traffic) {
  const speeds = traffic.map(({ speed }) => speed);
  return speeds.includes('TRAFFIC_JAM') ? 'trafficJam' : speeds.includes('SLOW') ? 'slowTraffic' : undefined;
}

/** @param {number} count @returns {Stop[]} */
function otherStops(count) {
  return count > 0 ? [{ name: count === 1 ? say('otherStop') : say('otherStops', { count }), state: 'next' }] : [];
}

/**
 * @param {Trip} trip @param {Trip['remainingWaypoints']} own @param {boolean | undefined} isPickedUp
 * @param {boolean} isOtherFirst @returns {Stop[]}
 */
function tripStops(trip, own, isPickedUp, isOtherFirst) {
  const between = own.filter(({ waypointType }) => waypointType.startsWith('INTERMEDIATE'));
  const count = trip.intermediateDestinations.length;
  const dropoff = own.find(({ waypointType }) => waypointType.startsWith('DROP_OFF'));
  const last = dropoff ? trip.remainingWaypoints.indexOf(dropoff) : -1;
  /** @type {(Stop & { isPast: boolean, isHere: boolean })[]} */
  const stops = [
    {
      name: say('pickup'), state: 'later', time: trip.pickupTime ?? undefined,
      isPast: isPickedUp === true, isHere: trip.status === 'ARRIVED_AT_PICKUP',
    },
    ...trip.intermediateDestinations.map((_, index) => ({
      name: say('stop', { number: index + 1 }), state: /** @type {StopState} */ ('later'),
      isPast: isStopPast(trip, isPickedUp, index),
      isHere: trip.status === 'ARRIVED_AT_INTERMEDIATE_DESTINATION' && index === trip.intermediateDestinationIndex,
      // What remains is at the end.
      time: between[index - (count - between.length)]?.eta,
    })),
    {
      name: say('dropoff'), state: 'later', time: trip.dropOffTime ?? dropoff?.eta,
      distanceMeters: last < 0 ? undefined : distanceTo(last, trip),
      isPast: trip.status === 'COMPLETE', isHere: false,
    },
  ];
  const isMoving = Boolean(trip.vehicleId) && !isOtherFirst && isPickedUp !== undefined;
  const next = isMoving && !stops.some(({ isHere }) => isHere) ? stops.find(({ isPast }) => !isPast) : undefined;
  return stops.map((each) => {
    const { isPast, isHere, ...stop } = each;
    if (isPast) return { ...stop, state: 'past' };
    // What was planned for a canceled trip no longer holds; whether the rider was picked up may be unknown.
    const isUnknown = isPickedUp === undefined && each === stops[0];
    if (trip.status === 'CANCELED') return { name: stop.name, state: isUnknown ? 'unknown' : 'canceled' };
    if (isHere) return { ...stop, state: 'here' };
    if (each === next) return { ...stop, state: 'next' };
    return { ...stop, state: isPickedUp === undefined ? 'unknown' : 'later' };
  });
}

/** @param {Trip} trip @param {boolean | undefined} isPickedUp @param {number} index */
function isStopPast({ status, intermediateDestinationIndex }, isPickedUp, index) {
  if (['ENROUTE_TO_DROPOFF', 'COMPLETE'].includes(status)) return true;
  return isPickedUp === true && index < intermediateDestinationIndex;
}

/**
 * @param {Trip} trip @param {boolean | undefined} isPickedUp
 * @param {Trip['remainingWaypoints']} others The stops of other trips before this trip's next.
 * @returns {Marker[]}
 */
function tripMarkers(trip, isPickedUp, others) {
  const isFinal = finalStatuses.includes(trip.status);
  const isCanceled = trip.status === 'CANCELED';
  const isArrived = isFinal || trip.status === 'ARRIVED_AT_PICKUP';
  const begins = isPickedUp ? 'beganHere' : isCanceled ? 'wasToBeginHere' : 'beginsHere';
  const ends = trip.status === 'COMPLETE' ? 'endedHere' : isCanceled ? 'wasToEndHere' : 'endsHere';
  const places = [
    ...place('pickup', 'tripPickupPoint', trip.plannedPickupLocation, 'pickupPoint', begins)
      .map((marker) => ({ ...marker, eta: isArrived || isPickedUp ? undefined : trip.pickupTime ?? undefined, isPast: isPickedUp || isFinal })),
    ...trip.intermediateDestinations.flatMap((location, index) => place(`stop-${index}`, 'intermediateDestination', location, 'stop', 'stopsHere')
      .map((marker) => ({
        ...marker, name: say('stop', { number: index + 1 }), number: index + 1, isPast: isFinal || isStopPast(trip, isPickedUp, index),
      }))),
    ...place('dropoff', 'tripDropoffPoint', trip.plannedDropOffLocation, 'dropoffPoint', ends)
      .map((marker) => ({ ...marker, eta: isFinal ? undefined : trip.dropOffTime ?? undefined, isPast: isFinal })),
  ];
  const driven = isFinal ? [] : vehicle(trip.latestVehicleLocationUpdate, trip.vehicleId);
  const otherPlaces = others.flatMap(({ location }, index) => place(`other-${index}`, 'unknown', location, 'otherStop', 'stopsHere'));
  return [...places.filter(({ isPast }) => isPast), ...driven, ...otherPlaces, ...places.filter(({ isPast }) => !isPast)];
}

/**
 * Returns what to show of a shipment.
 *
 * @param {TaskTrackingInfo} info
 * @returns {Journey}
 */
export function shipmentJourney(info) {
  const isFinal = info.state === 'CLOSED';
  const isDelivered = isFinal && info.taskOutcome === 'SUCCEEDED';
  const eta = isFinal ? undefined : info.estimatedArrivalTime;
  const before = Math.max((info.remainingStopCount ?? 0) - 1, 0);
  return {
    status: shipmentWords(info),
    isFinal,
    tone: isDelivered ? 'done' : (isFinal && info.taskOutcome === 'FAILED') || info.state === undefined ? 'failed'
      : !isFinal && isOnItsWay(info) ? 'moving' : 'waiting',
    eta,
    etaOf: say('delivery'),
    isHere: !isFinal && info.remainingStopCount === 0,
    locatedAt: locationTime(isFinal ? undefined : info.latestVehicleLocationUpdate),
    distanceMeters: isFinal ? undefined : info.remainingDrivingDistanceMeters,
    markers: [
      ...(isFinal ? [] : vehicle(info.latestVehicleLocationUpdate, undefined)),
      ...place('delivery', 'tripDropoffPoint', info.plannedLocation, 'deliveryAddress',
        isDelivered ? 'wasDeliveredHere' : info.taskOutcome === 'FAILED' ? 'wasNotDelivered' : isFinal ? 'wasToBeDelivered' : 'isDeliveredHere')
        .map((marker) => ({ ...marker, eta })),
    ],
    activeRoute: { path: isFinal ? [] : info.routePolylinePoints, traffic: [] },
    remainingRoutes: [],
    finishedRoute: [],
    stops: info.state === undefined ? [] : [{
      name: say('delivery'), state: shipmentState(info), time: info.taskOutcomeTime ?? eta,
      ...(!isFinal && before > 0 && { detail: before === 1 ? say('oneStopBefore') : say('stopsBefore', { count: before }) }),
    }],
  };
}

/** @param {TaskTrackingInfo} info @returns {StopState} */
function shipmentState({ state, taskOutcome, remainingStopCount }) {
  if (state === 'CLOSED') return taskOutcome === 'SUCCEEDED' ? 'past' : taskOutcome === 'FAILED' ? 'failed' : 'unknown';
  if (remainingStopCount === 0) return 'here';
  return remainingStopCount === 1 ? 'next' : 'later';
}

/**
 * @param {string} id @param {MarkerType} type @param {LatLng | undefined} location
 * @param {keyof Words} name @param {keyof Words} detail @returns {Marker[]}
 */
function place(id, type, location, name, detail) {
  return location ? [{ id, type, location, name: say(name), detail: say(detail) }] : [];
}

/** @param {import('../trip.js').VehicleLocationUpdate | undefined} update */
function locationTime(update) {
  return update?.serverTime ?? update?.time;
}

/** A location that is older than this, in milliseconds, says little about where the vehicle is. */
const locationLifetime = 120_000;

/**
 * Returns the age of a journey's location in minutes, if it is too old to be called live.
 *
 * @param {Journey} journey @param {number} now In milliseconds since 1970.
 * @returns {number | undefined}
 */
export function staleMinutes({ locatedAt }, now) {
  const age = locatedAt ? now - locatedAt.getTime() : 0;
  return age > locationLifetime ? Math.floor(age / 60_000) : undefined;
}

/**
 * Returns a journey as it is known from an old location: without the arrival times on the map.
 *
 * @param {Journey} journey @param {number} minutes @returns {Journey}
 */
export function staleJourney(journey, minutes) {
  const age = say('locationAge', { time: say('minutes', { minutes }) });
  return {
    ...journey,
    markers: journey.markers.map(({ eta, ...marker }) => marker.id === 'vehicle' ? { ...marker, detail: age } : marker),
  };
}

/** @param {import('../trip.js').VehicleLocationUpdate | undefined} update @param {string | undefined} id @returns {Marker[]} */
function vehicle(update, id) {
  if (!update) return [];
  const { heading, speed } = update;
  const toward = heading === undefined ? undefined : direction(heading);
  return [{
    id: 'vehicle', type: 'tripVehicle', location: update.location, name: id ? say('vehicleNamed', { id }) : say('vehicle'), heading,
    detail: speed === 0 ? say('standsStill') : toward === undefined ? ''
      : speed === undefined ? say('drives', { direction: toward }) : say('drivesAt', { direction: toward, speed: Math.round(speed * 3.6) }),
  }];
}

"""#,
        "page/map-style.js": #"""
// @ts-check

/**
 * The map's style as data: the options of the guides' style coordinator, with the same names, types and defaults as the
 * Swift type `StyleCoordinator`, whose JSON this reads.
 *
 * @module
 */

import { say } from './words.js';

/**
 * @typedef {'tripPickupPoint' | 'tripDropoffPoint' | 'tripVehicle' | 'intermediateDestination' | 'unknown'} MarkerType
 * @typedef {'activeRoute' | 'remainingRoute'} PolylineType
 * @typedef {'noData' | 'normal' | 'slow' | 'trafficJam'} SpeedType
 * @typedef {{ groundAnchor: { x: number, y: number }, isVisible: boolean, icon: string, iconView: string | null,
 *   zIndex: number, isFlat: boolean }} MarkerStyleOptions A view's name is an icon's on this page, and replaces the icon.
 * @typedef {{ color: string, width: number, isVisible: boolean, zIndex: number, isGeodesic: boolean, isTrafficEnabled: boolean,
 *   trafficColors: Record<SpeedType, string> }} PolylineStyleOptions
 */

const bottom = { x: 0.5, y: 1 };
const center = { x: 0.5, y: 0.5 };
const trafficColors = { noData: '#5F6B7A', normal: '#1A6BE0', slow: '#E8930C', trafficJam: '#D32F2F' };

/** @type {Record<MarkerType, MarkerStyleOptions>} */
const defaultMarkers = {
  tripPickupPoint: { groundAnchor: bottom, isVisible: true, icon: 'pickup', iconView: null, zIndex: 2, isFlat: false },
  tripDropoffPoint: { groundAnchor: bottom, isVisible: true, icon: 'dropoff', iconView: null, zIndex: 2, isFlat: false },
  intermediateDestination: { groundAnchor: center, isVisible: true, icon: 'stop', iconView: null, zIndex: 1, isFlat: false },
  tripVehicle: { groundAnchor: center, isVisible: true, icon: 'car', iconView: null, zIndex: 3, isFlat: true },
  unknown: { groundAnchor: center, isVisible: true, icon: 'dot', iconView: null, zIndex: 0, isFlat: false },
};

/** @type {Record<PolylineType, PolylineStyleOptions>} */
const defaultPolylines = {
  activeRoute: { color: '#1A6BE0', width: 6, isVisible: true, zIndex: 1, isGeodesic: false, isTrafficEnabled: false, trafficColors },
  remainingRoute: { color: '#7B8794', width: 5, isVisible: true, zIndex: 0, isGeodesic: false, isTrafficEnabled: false, trafficColors },
};

/** The icons that the page can draw. */
export const icons = ['pickup', 'dropoff', 'stop', 'car', 'van', 'eta', 'dot'];

/** Keeps the style options for markers and polylines; what is not set has its default. */
export class StyleCoordinator {
  /** @type {Partial<Record<MarkerType, MarkerStyleOptions>>} */ #markers = {};
  /** @type {Partial<Record<PolylineType, PolylineStyleOptions>>} */ #polylines = {};

  /** @param {MarkerType} type @returns {MarkerStyleOptions} */
  markerStyleOptions(type) { return this.#markers[type] ?? defaultMarkers[type]; }

  /** @param {PolylineType} type @returns {PolylineStyleOptions} */
  polylineStyleOptions(type) { return this.#polylines[type] ?? defaultPolylines[type]; }

  /**
   * Sets options; null restores the default.
   *
   * @param {Partial<Omit<MarkerStyleOptions, 'groundAnchor'>> & { groundAnchor?: Partial<MarkerStyleOptions['groundAnchor']> } | null}
   *   options
   * @param {MarkerType} type
   */
  setMarkerStyleOptions(options, type) {
    const defaults = defaultMarkers[type];
    this.#markers[type] = options
      ? { ...defaults, ...options, groundAnchor: { ...defaults.groundAnchor, ...options.groundAnchor } }
      : undefined;
  }

  /**
   * Sets options; null restores the default.
   *
   * @param {Partial<Omit<PolylineStyleOptions, 'trafficColors'>> & { trafficColors?: Partial<Record<SpeedType, string>> } | null}
   *   options
   * @param {PolylineType} type
   */
  setPolylineStyleOptions(options, type) {
    this.#polylines[type] = options
      ? { ...defaultPolylines[type], ...options, trafficColors: { ...trafficColors, ...options.trafficColors } }
      : undefined;
  }

  /**
   * Sets all options that a JSON text contains, and restores the defaults of the others.
   *
   * @param {string} json
   * @throws {Error} If the text is no style, with what is wrong; then nothing changes.
   */
  apply(json) {
    const { markers = {}, polylines = {}, ...others } = readObject(parse(json), say('mapStyle'));
    refuseOthers(others);
    const readMarkers = readTyped(markers, Object.keys(defaultMarkers), 'markers', markerRules);
    const readPolylines = readTyped(polylines, Object.keys(defaultPolylines), 'polylines', polylineRules);
    for (const type of /** @type {MarkerType[]} */ (Object.keys(defaultMarkers))) {
      this.setMarkerStyleOptions(readMarkers[type] ?? null, type);
    }
    for (const type of /** @type {PolylineType[]} */ (Object.keys(defaultPolylines))) {
      this.setPolylineStyleOptions(readPolylines[type] ?? null, type);
    }
  }
}

/** @typedef {Record<string, (value: any) => boolean>} OptionRules */

/** @param {any} value */
const isBoolean = (value) => typeof value === 'boolean';
/** @param {any} value */
const isColor = (value) => typeof value === 'string' && /^#[0-9A-Fa-f]{6}([0-9A-Fa-f]{2})?$/.test(value);
/** @param {any} value */
const isShare = (value) => typeof value === 'number' && value >= 0 && value <= 1;
/** @param {any} value */
const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/** @param {any} value */
const isInt32 = (value) => value === (value | 0);

/** @type {OptionRules} */
const markerRules = {
  groundAnchor: (value) => isObject(value)
    && Object.entries(value).every(([axis, share]) => ['x', 'y'].includes(axis) && isShare(share)),
  isVisible: isBoolean,
  icon: (value) => icons.includes(value),
  iconView: (value) => value === null || icons.includes(value),
  zIndex: isInt32,
  isFlat: isBoolean,
};

/** @type {OptionRules} */
const polylineRules = {
  color: isColor,
  width: (value) => typeof value === 'number' && value >= 0.1 && value <= 40,
  isVisible: isBoolean,
  zIndex: isInt32,
  isGeodesic: isBoolean,
  isTrafficEnabled: isBoolean,
  trafficColors: (value) => isObject(value)
    && Object.entries(value).every(([speed, color]) => Object.hasOwn(trafficColors, speed) && isColor(color)),
};

/** @param {string} json */
function parse(json) {
  try {
    return JSON.parse(json);
  } catch {
    throw new Error(say('styleNotJSON'));
  }
}

/** @param {any} value @param {string} name @returns {Record<string, any>} */
function readObject(value, name) {
  if (!isObject(value)) throw new Error(say('styleNotObject', { name }));
  return value;
}

/** @param {object} others */
function refuseOthers(others) {
  const [option] = Object.keys(others);
  if (option !== undefined) throw new Error(say('styleOtherOption', { option, name: say('mapStyle'), options: 'markers, polylines' }));
}

/** @param {any} value @param {string[]} types @param {string} what @param {OptionRules} rules @returns {Record<string, any>} */
function readTyped(value, types, what, rules) {
  for (const [type, options] of Object.entries(readObject(value, what))) {
    if (!types.includes(type)) throw new Error(say('styleOtherType', { type, name: what, types: types.join(', ') }));
    if (options === null) continue;
    for (const [option, setting] of Object.entries(readObject(options, type))) {
      if (!Object.hasOwn(rules, option)) {
        throw new Error(say('styleOtherOption', { option, name: type, options: Object.keys(rules).join(', ') }));
      }
      if (!rules[option](setting)) throw new Error(say('styleInvalid', { option, type }));
    }
  }
  return value;
}

"""#,
        "page/map-view.js": #"""
// @ts-check

/**
 * The map, drawn from the journey alone: routes, markers, labels, and a camera that follows until it is dragged.
 *
 * @module
 */

import { between, drag, fit, metersPerPixel, zoom } from './camera.js';
import { addGestures } from './gestures.js';
import { svg } from './icons.js';
import { MarkerLayer } from './markers.js';
import { RouteLayer } from './routes.js';
import { TileLayer, attribution } from './tiles.js';
import { distance, say } from './words.js';

/**
 * @typedef {import('./journey-model.js').Journey} Journey
 * @typedef {import('./journey-model.js').Marker} Marker
 * @typedef {import('./camera.js').Camera} Camera
 * @typedef {import('./map-style.js').StyleCoordinator} StyleCoordinator
 * @typedef {import('../trip.js').LatLng} LatLng
 */

/** How long the camera and the vehicle take to move to their next place, in milliseconds. */
const movement = 900;

export class MapView {
  /** Whether the camera follows the journey. */
  isFollowing = true;
  /**
   * Called when a marker is tapped, as the guide's `didTapConsumerMarker`.
   *
   * @type {(marker: Marker) => void}
   */
  onTap = () => {};
  /**
   * Called when the camera begins or ends to follow.
   *
   * @type {() => void}
   */
  onFollowingChange = () => {};
  /**
   * Called when slow traffic is drawn, or no longer.
   *
   * @type {(showsTraffic: boolean) => void}
   */
  onTrafficChange = () => {};
  /** @type {Journey | undefined} */ #journey;
  /** @type {Camera | undefined} */ #camera;
  /** @type {{ camera?: Camera, vehicle?: LatLng, start: number } | undefined} */ #from;
  /** @type {LatLng | undefined} */ #vehicle;
  #routes = new RouteLayer();
  #grid = svg('g', { class: 'grid', 'aria-hidden': 'true' });
  /** @type {TileLayer | undefined} */ #tiles;

  /**
   * Creates a map in an element.
   *
   * @param {HTMLElement} element @param {StyleCoordinator} style
   * @param {{ now?: () => number, prefersStillness?: () => boolean }} [environment]
   */
  constructor(element, style, environment = {}) {
    this.element = element;
    this.style = style;
    this.now = environment.now ?? Date.now;
    this.prefersStillness = environment.prefersStillness
      ?? (() => matchMedia('(prefers-reduced-motion: reduce)').matches);
    this.markers = new MarkerLayer(style, this.now, (marker) => this.onTap(marker));
    this.scaleBar = svg('g', { class: 'scale', 'aria-hidden': 'true' });
    this.canvas = svg('svg', { class: 'canvas', role: 'group', 'aria-label': say('markers') },
      this.#grid, this.#routes.element, this.scaleBar, this.markers.arts, this.markers.targets);
    element.prepend(this.canvas);
    new ResizeObserver(() => this.#resize()).observe(element);
    addGestures(element, this);
  }

  /**
   * Shows streets below the journey.
   *
   * @param {import('./tiles.js').TileSource} source @param {HTMLElement} note Shows their attribution.
   */
  showTiles(source, note) {
    const element = document.createElement('div');
    element.className = 'tiles';
    this.#tiles = new TileLayer(element, source);
    this.element.prepend(element);
    this.element.classList.add('with-tiles');
    note.replaceChildren(attribution(source));
    note.hidden = false;
    this.#place();
  }

  /**
   * Where the visible controls on the lower edge are.
   *
   * @returns {import('./camera.js').Box[]}
   */
  get #controls() {
    const origin = this.canvas.getBoundingClientRect();
    return [...this.element.querySelectorAll('[data-control]')].filter((control) => control.getClientRects().length > 0).map((control) => {
      const { top, right, bottom, left } = control.getBoundingClientRect();
      return { top: top - origin.top, right: right - origin.left, bottom: bottom - origin.top, left: left - origin.left };
    });
  }

  get #size() {
    return { width: this.canvas.clientWidth || 1, height: this.canvas.clientHeight || 1 };
  }

  /**
   * Shows a journey.
   *
   * @param {Journey} journey
   */
  show(journey) {
    const start = performance.now();
    this.#from = { camera: this.#camera, vehicle: this.#vehicle, start };
    this.#journey = journey;
    this.#draw();
    this.#step(start);
  }

  /** Shows nothing any more. */
  clear() {
    this.#journey = undefined;
    this.#camera = undefined;
    this.#vehicle = undefined;
    this.markers.clear();
    this.#routes.clear();
    this.setFollowing(true);
  }

  /** Draws everything again, for another style or another minute. */
  redraw() {
    if (!this.#journey) return;
    this.#draw();
    this.#place();
  }

  /** @param {boolean} isFollowing */
  setFollowing(isFollowing) {
    if (isFollowing === this.isFollowing) return;
    this.isFollowing = isFollowing;
    if (isFollowing && this.#journey) this.show(this.#journey);
    this.onFollowingChange();
  }

  /** @param {number} factor @param {import('./camera.js').Point} [around] */
  zoomBy(factor, around) {
    if (!this.#camera) return;
    this.#moveTo(zoom(this.#camera, factor, this.#size, around));
  }

  /** @param {number} x @param {number} y */
  panBy(x, y) {
    if (!this.#camera) return;
    this.#moveTo(drag(this.#camera, { x, y }));
  }

  /** @param {Camera} camera */
  #moveTo(camera) {
    this.#from = undefined;
    this.#camera = camera;
    this.setFollowing(false);
    this.#place();
  }

  #resize() {
    this.canvas.setAttribute('viewBox', `0 0 ${this.#size.width} ${this.#size.height}`);
    if (this.isFollowing) this.#camera = undefined;
    if (this.#journey) this.show(this.#journey);
  }

  /**
   * Moves camera and vehicle a step towards their places.
   *
   * @param {number} time
   */
  #step(time) {
    const journey = this.#journey;
    if (!journey) return;
    const target = this.isFollowing ? fit(locations(journey), this.#size, this.#controls) : this.#camera;
    const vehicle = journey.markers.find(({ type }) => type === 'tripVehicle')?.location;
    const { camera, vehicle: earlier, start } = this.#from ?? { start: 0 };
    const isStill = !camera || this.prefersStillness();
    const share = isStill ? 1 : Math.min(Math.max((time - start) / movement, 0), 1);
    const eased = share * share * (3 - 2 * share);
    this.#camera = target && camera ? between(camera, target, this.isFollowing ? eased : 1) : target;
    this.#vehicle = vehicle && earlier ? {
      lat: earlier.lat + (vehicle.lat - earlier.lat) * share, lng: earlier.lng + (vehicle.lng - earlier.lng) * share,
    } : vehicle;
    this.#place();
    if (share < 1 && this.#from) requestAnimationFrame((next) => this.#from?.start === start && this.#step(next));
    else this.#from = undefined;
  }

  #draw() {
    const journey = /** @type {Journey} */ (this.#journey);
    this.#routes.draw(journey, this.style);
    this.markers.show(journey.markers);
    this.onTrafficChange(this.#routes.showsTraffic);
  }

  /** Puts everything where the camera shows it. */
  #place() {
    const camera = this.#camera;
    if (!camera || !this.#journey) return;
    const size = this.#size;
    this.#routes.place(camera, size);
    this.markers.place(camera, size, this.#vehicle);
    this.#tiles?.place(camera, size);
    this.#drawGrid(camera);
  }

  /** @param {Camera} camera */
  #drawGrid(camera) {
    const { width, height } = this.#size;
    const meters = metersPerPixel(camera);
    const cell = roundDistance(meters * 90);
    const step = cell / meters;
    const [left, top] = [modulo(width / 2 - camera.x * camera.scale, step), modulo(height / 2 - camera.y * camera.scale, step)];
    let lines = '';
    for (let x = left; x < width; x += step) lines += `M${x.toFixed(1)} 0V${height}`;
    for (let y = top; y < height; y += step) lines += `M0 ${y.toFixed(1)}H${width}`;
    this.#grid.replaceChildren(svg('path', { d: lines }));
    const isMirrored = getComputedStyle(this.element).direction === 'rtl';
    this.scaleBar.setAttribute('transform', `translate(${isMirrored ? width - step - 16 : 16} ${height - 18})`);
    this.scaleBar.replaceChildren(
      svg('path', { d: `M0 -5 v5 h${step.toFixed(1)} v-5` }), svg('text', { x: 4, y: -8 }, distance(cell)));
  }
}

/**
 * What the automatic camera shows: the route ahead, and the next stops.
 *
 * @param {Journey} journey
 */
function locations({ markers, activeRoute, remainingRoutes }) {
  const ahead = markers.filter(({ isPast }) => !isPast);
  return [...(ahead.length ? ahead : markers).map(({ location }) => location), ...activeRoute.path, ...remainingRoutes.flatMap(({ path }) => path)];
}

/** @param {number} value @param {number} divisor */
function modulo(value, divisor) {
  return ((value % divisor) + divisor) % divisor;
}

/**
 * Returns the next round distance: 1, 2 or 5 times a power of ten.
 *
 * @param {number} meters
 */
function roundDistance(meters) {
  const power = 10 ** Math.floor(Math.log10(meters));
  return power * (/** @type {number} */ ([1, 2, 5, 10].find((digit) => digit * power >= meters)));
}

"""#,
        "page/markers.js": #"""
// @ts-check

/**
 * The markers on the map: their pictures in the order that their style says, and what the keyboard and screen readers
 * use, in the order of the route.
 *
 * @module
 */

import { onMap } from './camera.js';
import { drawIcon, sizes, svg } from './icons.js';
import { minutesUntil, say } from './words.js';

/**
 * @typedef {import('../trip.js').LatLng} LatLng
 * @typedef {import('./camera.js').Point} Point
 * @typedef {import('./camera.js').Size} Size
 * @typedef {import('./journey-model.js').Marker} Marker
 * @typedef {import('./map-style.js').StyleCoordinator} StyleCoordinator
 * @typedef {{ marker: Marker, art: SVGElement, target: SVGElement, drawing: string }} Drawn
 */

/** The distance in pixels that a vehicle keeps from a pin, so that both are seen. */
const apart = 38;
const edge = 6;

export class MarkerLayer {
  arts = svg('g', { 'aria-hidden': 'true' });
  targets = svg('g', { class: 'targets' });
  /** @type {Map<string, Drawn>} */ #drawn = new Map();

  /** @param {StyleCoordinator} style @param {() => number} now @param {(marker: Marker) => void} onTap */
  constructor(style, now, onTap) {
    this.style = style;
    this.now = now;
    const tap = (/** @type {Event} */ event) => {
      const element = event.target instanceof Element ? event.target.closest('[data-marker], [data-target]') : undefined;
      const id = element?.getAttribute('data-marker') ?? element?.getAttribute('data-target') ?? '';
      const drawn = this.#drawn.get(id);
      if (drawn) onTap(drawn.marker);
    };
    this.arts.addEventListener('click', tap);
    this.targets.addEventListener('click', tap);
    this.targets.addEventListener('keydown', (event) => {
      if (!(event instanceof KeyboardEvent) || !['Enter', ' '].includes(event.key)) return;
      event.preventDefault();
      tap(event);
    });
  }

  /** @param {Marker[]} markers */
  show(markers) {
    const visible = markers.filter(({ type }) => this.style.markerStyleOptions(type).isVisible);
    for (const [id, { art, target }] of this.#drawn) {
      if (visible.some((marker) => marker.id === id)) continue;
      art.remove();
      target.remove();
      this.#drawn.delete(id);
    }
    const drawn = visible.map((marker) => this.#draw(marker));
    order(this.targets, drawn.map(({ target }) => target));
    const zIndex = (/** @type {Drawn} */ { marker }) => this.style.markerStyleOptions(marker.type).zIndex;
    order(this.arts, [...drawn].sort((one, other) => zIndex(one) - zIndex(other)).map(({ art }) => art));
  }

  /** @param {Marker} marker @returns {Drawn} */
  #draw(marker) {
    const icon = this.#icon(marker);
    const eta = marker.eta && (minutesUntil(marker.eta, this.now()) ?? say('now'));
    const drawing = JSON.stringify([icon, eta, marker.number]);
    const known = this.#drawn.get(marker.id);
    const drawn = {
      marker, drawing,
      art: known?.art ?? svg('g', { class: 'marker', 'data-marker': marker.id }),
      target: known?.target ?? svg('g', { role: 'button', tabindex: 0, 'data-target': marker.id }, svg('rect', { rx: 10 })),
    };
    const { name } = marker;
    drawn.target.setAttribute('aria-label', !marker.eta ? name
      : minutesUntil(marker.eta, this.now()) ? say('markerArrival', { name, time: eta ?? '' }) : say('markerArrivalNow', { name }));
    if (drawing !== known?.drawing) {
      const picture = svg('g', { class: 'art' }, drawIcon(icon, icon === 'eta' ? eta ?? '' : String(marker.number ?? '')));
      drawn.art.replaceChildren(picture, ...(eta && icon !== 'eta' ? [label(eta)] : []));
    }
    this.#drawn.set(marker.id, drawn);
    return drawn;
  }

  /** @param {Marker} marker */
  #icon({ type }) {
    const { icon, iconView } = this.style.markerStyleOptions(type);
    return iconView ?? icon;
  }

  /**
   * Puts the markers where the camera shows them.
   *
   * @param {import('./camera.js').Camera} camera @param {Size} size @param {LatLng | undefined} vehicle
   */
  place(camera, size, vehicle) {
    const all = [...this.#drawn.values()];
    const point = (/** @type {Drawn} */ { marker }) => onMap(marker.id === 'vehicle' ? vehicle ?? marker.location : marker.location, camera, size);
    const pins = all.filter(({ marker }) => marker.id !== 'vehicle').map(point);
    for (const drawn of all) {
      const at = point(drawn);
      this.#placeOne(drawn, drawn.marker.id === 'vehicle' ? beside(at, pins, size) : at, size);
    }
  }

  /** @param {Drawn} drawn @param {Point} at @param {Size} map */
  #placeOne({ marker, art, target }, { x, y }, map) {
    const { groundAnchor, isFlat } = this.style.markerStyleOptions(marker.type);
    const { width, height } = sizes[this.#icon(marker)];
    const [left, top] = [-groundAnchor.x * width, -groundAnchor.y * height];
    for (const element of [art, target]) element.setAttribute('transform', `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    art.dataset.location = `${marker.location.lat},${marker.location.lng}`;
    // A flat marker lies on the map and turns with its heading; others stand upright.
    const turn = isFlat && marker.heading !== undefined ? `rotate(${marker.heading}) ` : '';
    art.firstElementChild?.setAttribute('transform', `${turn}translate(${left} ${top})`);
    const text = art.querySelector('.label');
    text?.setAttribute('transform', inside(text, { x, y }, top, height, map));
    for (const [name, value] of Object.entries({ x: left - 4, y: top - 4, width: width + 8, height: height + 8 })) {
      target.firstElementChild?.setAttribute(name, String(value));
    }
  }

  clear() {
    this.show([]);
  }
}

/** @param {Element} parent @param {Element[]} children */
function order(parent, children) {
  children.forEach((child, index) => {
    // To move an element would take the focus from it.
    if (parent.children[index] !== child) parent.insertBefore(child, parent.children[index] ?? null);
  });
}

/**
 * Returns the place of a vehicle that a pin would cover: on the side of the pin where it is, inside the map.
 *
 * @param {Point} at @param {Point[]} pins @param {Size} map
 * @returns {Point}
 */
export function beside(at, pins, map) {
  const pin = pins.find(({ x, y }) => Math.abs(at.x - x) < apart && at.y - y < 22 && y - at.y < 60);
  if (!pin) return at;
  const side = at.x < pin.x || pin.x + apart + 22 > map.width ? -1 : 1;
  return { x: pin.x + side * apart, y: at.y };
}

/** @param {string} text */
function label(text) {
  // The letters of Chinese are twice as wide.
  const width = [...text].reduce((sum, letter) => sum + (letter > '\u2e7f' ? 13 : 7.2), 16);
  return svg('g', { class: 'label', 'data-width': width },
    svg('rect', { x: -width / 2, y: 0, width, height: 22, rx: 11 }), svg('text', { x: 0, y: 15.5 }, text));
}

/**
 * Returns where a label is, as long as its marker is on the map: above the marker, below it at the upper edge.
 *
 * @param {Element} text @param {Point} at @param {number} top @param {number} height @param {Size} map
 */
function inside(text, { x, y }, top, height, map) {
  const half = Number(text.getAttribute('data-width')) / 2 + edge;
  const isOnMap = x >= 0 && x <= map.width && y >= 0 && y <= map.height;
  const wanted = Math.min(Math.max(x, half), map.width - half);
  const above = top - 28;
  return `translate(${(isOnMap ? wanted - x : 0).toFixed(1)} ${isOnMap && y + above < edge ? top + height + 6 : above})`;
}

"""#,
        "page/page.js": #"""
// @ts-check

/**
 * The journey page: follows the trip or shipment that its URL names, `/?trip=ID` or `/?tracking=ID`, of the emulator's
 * default provider or of `&project=ID`, in the browser's language or `&lang=TAG`.
 *
 * @module
 */

import { ShipmentLocationProvider, TripLocationProvider } from '../journey.js';
import { TokenFetcher } from '../token-fetcher.js';
import { parseClaims } from '../token-response.js';
import { Refusal, faults, setFault } from './faults.js';
import { shipmentJourney, staleJourney, staleMinutes, tripJourney } from './journey-model.js';
import { StyleCoordinator } from './map-style.js';
import { MapView } from './map-view.js';
import { Panel } from './panel.js';
import { chooseLanguage, fillWords, say } from './words.js';

/**
 * @typedef {{ projectId: string, tokenServer: string, fleetEngine: string, controlPlane?: string,
 *   tiles?: import('./tiles.js').TileSource }} PageConfiguration
 * @typedef {import('./journey-model.js').Journey} Journey
 * @typedef {{ trip: import('../trip.js').Trip } | { taskTrackingInfo: import('../trip.js').TaskTrackingInfo }} Update
 */

/** @type {(id: string) => any} */
const part = (id) => document.getElementById(id);
const query = new URLSearchParams(location.search);
const language = query.get('lang');
const { language: tag, direction } = chooseLanguage(language ? [language, ...navigator.languages] : navigator.languages);
Object.assign(document.documentElement, { lang: tag, dir: direction });
fillWords(document);
const panel = new Panel();
const style = new StyleCoordinator();
/** How far Fleet Engine's clock is ahead of this device's, in milliseconds: arrival times are by Fleet Engine's clock. */
let ahead = 0;
const now = () => Date.now() + ahead;
const map = new MapView(part('map'), style, { now });
/** @type {Journey | undefined} */
let journey;
/**
 * The ID of the marker that was tapped last.
 *
 * @type {string | undefined}
 */
let tapped;
/** @type {import('./panel.js').TokenState | undefined} */
let token;

const [kind, id] = query.get('tracking') ? ['tracking', query.get('tracking') ?? ''] : ['trip', query.get('trip') ?? ''];
part('id-kind').value = kind;
part('id').value = id;
Object.assign(part('language'), { value: language ?? '', disabled: !language });
part('title').textContent = id ? say(kind === 'trip' ? 'trip' : 'shipment', { id }) : say('followJourney');
document.title = id ? say('title', { id }) : say('journey');
document.body.dataset.page = id ? 'journey' : 'start';

part('id-kind').addEventListener('change', () => { part('id').name = part('id-kind').value; });
await start();

async function start() {
  setUpMap();
  await setUpStyles();
  if (!id) return part('id').focus();
  const response = await fetch('/page/configuration.json');
  if (!response.ok) {
    part('facts').textContent = say('noConfiguration');
    return;
  }
  /** @type {PageConfiguration} */
  const configuration = await response.json();
  if (configuration.tiles) map.showTiles(configuration.tiles, part('attribution'));
  setUpFaults(configuration.controlPlane);
  follow(configuration);
}

/** @param {PageConfiguration} configuration */
function follow({ projectId, tokenServer, fleetEngine }) {
  const tokens = new TokenFetcher({ server: tokenServer });
  const options = {
    projectId: query.get('project') ?? projectId,
    baseURL: fleetEngine || location.origin,
    authTokenFetcher: watched(tokens.authTokenFetcher),
    invalidateToken: (/** @type {string} */ rejected) => tokens.invalidate(rejected),
  };
  const provider = kind === 'trip' ? new TripLocationProvider(options) : new ShipmentLocationProvider(options);
  provider.addListener('update', (/** @type {Update} */ update) => {
    const { latestVehicleLocationUpdate } = 'trip' in update ? update.trip : update.taskTrackingInfo;
    ahead = Math.max(0, (latestVehicleLocationUpdate?.serverTime?.getTime() ?? 0) - Date.now());
    journey = 'trip' in update ? tripJourney(update.trip, journey) : shipmentJourney(update.taskTrackingInfo);
    panel.showHealthy(journey.isFinal, staleMinutes(journey, now()));
    describe();
  });
  let isServers = false;
  provider.addListener('error', (/** @type {import('../journey.js').ErrorEvent} */ { error, retryInMillis }) => {
    isServers = error.source !== 'Fleet Engine';
    panel.showError(error, kind === 'tracking', retryInMillis && (performance.now() + retryInMillis) / 1000);
  });
  part('retry').addEventListener('click', () => {
    // A denial is kept for half a minute, unless a person wants to know now.
    if (isServers) tokens.removeAll();
    panel.showAttempt();
    provider.refresh();
  });
  if (provider instanceof TripLocationProvider) provider.tripId = id;
  else provider.trackingId = id;
  // What the map and the panel say of time is at most a minute old.
  setInterval(describe, 60_000);
  setInterval(() => {
    panel.showToken(token);
    panel.countDown();
  }, 1000);
}

/**
 * Notes scope and remaining life of each token, and nothing else of it.
 *
 * @param {TokenFetcher['authTokenFetcher']} fetcher
 * @returns {TokenFetcher['authTokenFetcher']}
 */
function watched(fetcher) {
  /** @type {string | undefined} */
  let latest;
  return async (options) => {
    const fetched = await fetcher(options);
    if (fetched.token !== latest) {
      latest = fetched.token;
      const claims = Object.entries(/** @type {object} */ (parseClaims(fetched.token)?.authorization ?? {}));
      token = {
        scope: claims.map(([claim, value]) => `${claim}: ${value}`).join(', '),
        endsAt: performance.now() / 1000 + fetched.expiresInSeconds,
        lifetime: fetched.expiresInSeconds,
        count: (token?.count ?? 0) + 1,
      };
      panel.showToken(token);
    }
    return fetched;
  };
}

function describe() {
  if (!journey) return;
  const minutes = staleMinutes(journey, now());
  const shown = minutes === undefined ? journey : staleJourney(journey, minutes);
  panel.showJourney(journey, now(), minutes);
  // The panel first: it shows the controls that the map's camera avoids.
  map.show(shown);
  panel.showMarker(shown.markers.find((marker) => marker.id === tapped), now());
}

function setUpMap() {
  map.onTap = (marker) => {
    tapped = marker.id;
    panel.showMarker(marker, now());
    panel.announce(say('tapped', { name: marker.name, detail: marker.detail }));
  };
  map.onTrafficChange = (showsTraffic) => { part('legend').hidden = !showsTraffic; };
  map.onFollowingChange = () => { part('recenter').hidden = map.isFollowing; };
  part('recenter').addEventListener('click', () => {
    map.setFollowing(true);
    part('map').focus();
  });
  part('zoom-in').addEventListener('click', () => map.zoomBy(1.5));
  part('zoom-out').addEventListener('click', () => map.zoomBy(1 / 1.5));
  const closeCard = () => {
    /** @type {SVGElement | null} */ (document.querySelector(`[data-target="${CSS.escape(tapped ?? '')}"]`))?.focus();
    tapped = undefined;
    panel.showMarker(undefined, now());
  };
  part('marker-close').addEventListener('click', closeCard);
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && tapped !== undefined) closeCard();
  });
}

/**
 * Returns the styles to choose from; none if they cannot be fetched, since the page works without them.
 *
 * @returns {Promise<{ name: string, style: object }[]>}
 */
async function fetchExamples() {
  try {
    const response = await fetch('/styles/examples.json');
    return response.ok ? await response.json() : [];
  } catch {
    return [];
  }
}

async function setUpStyles() {
  const [select, text] = [part('style-example'), part('style-json')];
  const examples = await fetchExamples();
  select.replaceChildren(...examples.map(({ name }, index) => new Option(name, String(index))));
  const apply = () => {
    const message = part('style-message');
    try {
      style.apply(text.value);
      map.redraw();
      message.textContent = say('applied');
      delete message.dataset.failed;
    } catch (error) {
      message.textContent = error instanceof Error ? error.message : '';
      message.dataset.failed = '';
    }
  };
  const choose = () => {
    text.value = JSON.stringify(examples[Number(select.value)]?.style ?? {}, null, 2);
    apply();
  };
  select.addEventListener('change', choose);
  part('style-apply').addEventListener('click', apply);
  choose();
  part('style-message').textContent = '';
}

/** @param {string | undefined} controlPlane */
function setUpFaults(controlPlane) {
  part('faults').hidden = controlPlane === undefined;
  if (controlPlane === undefined) return;
  const select = part('fault');
  const names = /** @type {(keyof typeof faults)[]} */ (Object.keys(faults));
  select.replaceChildren(...names.map((name) => new Option(say(faults[name].name), name)));
  select.addEventListener('change', async () => {
    const message = part('fault-message');
    try {
      await setFault(controlPlane, select.value);
      message.textContent = say(select.value === 'none' ? 'noFault' : 'injected');
    } catch (error) {
      message.textContent = error instanceof Refusal ? error.message : say('noControlPlane');
    }
  });
}

"""#,
        "page/panel.js": #"""
// @ts-check

/**
 * The text beside the map: status, stops, the token's scope and life, and the last error.
 *
 * @module
 */

import { errorWords } from './state-words.js';
import { distance, minutesUntil, remaining, say, timeOfDay } from './words.js';

/**
 * @typedef {import('./journey-model.js').Journey} Journey
 * @typedef {import('./journey-model.js').Marker} Marker
 * @typedef {import('./journey-model.js').Stop} Stop
 * @typedef {import('../fleet-engine-error.js').FleetEngineError} FleetEngineError
 * @typedef {{ scope: string, endsAt: number, lifetime: number, count: number }} TokenState When it ends, by
 *   `performance.now()` in seconds, and the number of tokens so far.
 */

const stateWords = /** @type {const} */ ({
  past: 'statePast', here: 'stateHere', next: 'stateNext', later: 'stateLater', failed: 'stateFailed', canceled: 'stateCanceled',
  unknown: 'stateUnknown',
});

export class Panel {
  /** @type {string | undefined} */ #status;
  /** @type {string | undefined} */ #error;
  /** @type {number | undefined} */ #nextAttempt;
  #isStale = false;

  constructor(root = document) {
    /** @type {(id: string) => HTMLElement} */
    this.part = (id) => /** @type {HTMLElement} */ (root.getElementById(id));
    this.body = root.body;
  }

  /**
   * Shows a journey.
   *
   * @param {Journey} journey @param {number} now
   * @param {number} [staleMinutes] The age of the location that it is computed from, if that is old.
   */
  showJourney(journey, now, staleMinutes) {
    this.body.dataset.state = 'following';
    this.part('status').textContent = journey.status;
    this.part('journey').dataset.tone = journey.tone;
    const time = journey.eta && minutesUntil(journey.eta, now);
    const stop = journey.etaOf ?? '';
    const arrival = journey.eta && (time ? say('arrivalIn', { stop, time }) : say('arrivalNow', { stop }));
    const facts = [
      arrival && (staleMinutes ? say('oldArrival', { arrival }) : arrival),
      journey.distanceMeters !== undefined && distance(journey.distanceMeters),
      journey.traffic && say(journey.traffic),
    ].filter(Boolean).join(' · ');
    this.part('facts').textContent = facts || say(journey.isFinal ? 'nothingMore' : journey.isHere ? 'vehicleIsHere' : 'noArrivalTime');
    this.part('stops').replaceChildren(...journey.stops.map(stopItem));
    if (journey.status !== this.#status) this.announce(facts ? say('statusAnnouncement', { status: journey.status, facts }) : journey.status);
    this.#status = journey.status;
  }

  /**
   * Shows an error. Before the first response it takes the journey's place.
   *
   * @param {FleetEngineError} error @param {boolean} isShipment
   * @param {number | undefined} nextAttempt By `performance.now()` in seconds.
   */
  showError(error, isShipment, nextAttempt) {
    if (this.body.dataset.state !== 'following') this.body.dataset.state = 'failed';
    const { blamed, meaning, advice } = errorWords(error, isShipment);
    const recovery = say(error.recovers ? 'recovers' : 'needsAction');
    const box = this.part('error');
    box.hidden = false;
    box.dataset.recovers = String(error.recovers);
    box.dataset.source = error.source;
    this.part('error-source').textContent = blamed;
    this.part('error-code').textContent = error.code;
    this.part('error-recovery').textContent = recovery;
    this.part('error-meaning').textContent = meaning;
    this.part('error-advice').textContent = advice;
    this.part('error-detail').textContent = error.message === error.meaning ? '' : error.message;
    this.part('live').dataset.state = 'error';
    this.part('live-text').textContent = say(error.recovers ? 'retrying' : 'interrupted');
    this.#nextAttempt = nextAttempt;
    this.countDown();
    if (error.code !== this.#error) this.announce(say('errorAnnouncement', { meaning, recovery }));
    this.#error = error.code;
  }

  /** Shows how long it is until the next attempt. */
  countDown() {
    const left = (this.#nextAttempt ?? 0) - performance.now() / 1000;
    this.part('error-next').textContent = this.#nextAttempt === undefined ? ''
      : left > 0 ? say('nextAttempt', { time: remaining(Math.ceil(left)) }) : say('attempting');
  }

  /** Shows that an attempt is made. */
  showAttempt() {
    this.#nextAttempt = 0;
    this.countDown();
  }

  /**
   * Shows that Fleet Engine responds.
   *
   * @param {boolean} isFinal @param {number} [staleMinutes] The age of the vehicle's location, if that is old.
   */
  showHealthy(isFinal, staleMinutes) {
    const age = staleMinutes && say('locationAge', { time: say('minutes', { minutes: staleMinutes }) });
    this.part('live').dataset.state = isFinal ? 'idle' : age ? 'stale' : 'live';
    this.part('live-text').textContent = age || say(isFinal ? 'ended' : 'live');
    if (age && !this.#isStale) this.announce(age);
    this.#isStale = Boolean(age);
    if (this.#error === undefined) return;
    this.#error = undefined;
    const box = this.part('error');
    // The focus on "Try now" would be lost with the button.
    if (box.contains(document.activeElement)) this.part('panel').focus();
    box.hidden = true;
    this.announce(say('connectedAgain'));
  }

  /** @param {TokenState | undefined} token */
  showToken(token) {
    const left = token ? token.endsAt - performance.now() / 1000 : 0;
    this.part('token-scope').textContent = token?.scope ?? say('noToken');
    this.part('token-life').textContent = !token ? '–' : left > 0 ? say('timeLeft', { time: remaining(left) }) : say('expired');
    this.part('token-count').textContent = String(token?.count ?? 0);
    const meter = /** @type {HTMLMeterElement} */ (this.part('token-meter'));
    meter.max = token?.lifetime ?? 1;
    meter.value = Math.max(left, 0);
  }

  /** @param {Marker | undefined} marker @param {number} now */
  showMarker(marker, now) {
    const card = this.part('marker-card');
    card.hidden = !marker;
    if (!marker) return;
    const { name, detail, eta } = marker;
    this.part('marker-name').textContent = name;
    this.part('marker-detail').textContent = !eta ? detail
      : minutesUntil(eta, now) ? say('arrivalAt', { time: timeOfDay(eta), detail }) : say('arrivalNowDetail', { detail });
  }

  /**
   * Says something to screen readers.
   *
   * @param {string} text
   */
  announce(text) {
    this.part('announcer').textContent = text;
  }
}

/** @param {Stop} stop */
function stopItem({ name, state, detail, time, distanceMeters }) {
  const details = [
    say(stateWords[state]), detail, distanceMeters && state === 'later' ? distance(distanceMeters) : undefined,
  ].filter(Boolean);
  return element('li', { class: time ? state : `${state} timeless` },
    element('span', { class: 'name' }, name), element('span', { class: 'detail' }, details.join(' · ')),
    ...(time ? [element('time', { datetime: time.toISOString() }, timeOfDay(time))] : []));
}

/** @param {string} name @param {Record<string, string>} attributes @param {(string | Element)[]} children */
function element(name, attributes, ...children) {
  const created = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) created.setAttribute(attribute, value);
  created.append(...children);
  return created;
}

"""#,
        "page/routes.js": #"""
// @ts-check

/**
 * The routes on the map, in the order that their style says.
 *
 * @module
 */

import { geodesic, onMap } from './camera.js';
import { svg } from './icons.js';

/**
 * @typedef {import('../trip.js').LatLng} LatLng
 * @typedef {import('./journey-model.js').Journey} Journey
 * @typedef {import('./journey-model.js').Route} Route
 * @typedef {import('./map-style.js').StyleCoordinator} StyleCoordinator
 * @typedef {import('./map-style.js').PolylineType} PolylineType
 * @typedef {SVGElement & { path: LatLng[] }} Line
 */

/** @type {Record<string, import('./map-style.js').SpeedType>} */
const speedTypes = { NORMAL: 'normal', SLOW: 'slow', TRAFFIC_JAM: 'trafficJam' };

export class RouteLayer {
  element = svg('g', { class: 'routes', 'aria-hidden': 'true' });

  /** Whether slow traffic is drawn, so that a legend is of use. */
  get showsTraffic() {
    return this.element.querySelector('.traffic') !== null;
  }

  /** @param {Journey} journey @param {StyleCoordinator} style */
  draw({ activeRoute, remainingRoutes, finishedRoute }, style) {
    const drawn = /** @type {{ route: Route, type: PolylineType }[]} */ ([
      ...remainingRoutes.map((route) => ({ route, type: 'remainingRoute' })), { route: activeRoute, type: 'activeRoute' },
    ]).sort((one, other) => style.polylineStyleOptions(one.type).zIndex - style.polylineStyleOptions(other.type).zIndex);
    this.element.replaceChildren(
      ...(finishedRoute.length > 1 ? [line(finishedRoute, 'finishedRoute', '', 4)] : []),
      ...drawn.flatMap(({ route, type }) => lines(route, type, style)));
  }

  /** @param {import('./camera.js').Camera} camera @param {import('./camera.js').Size} size */
  place(camera, size) {
    for (const each of /** @type {Iterable<Line>} */ (this.element.children)) {
      each.setAttribute('points', each.path.map((point) => {
        const { x, y } = onMap(point, camera, size);
        return `${x.toFixed(1)},${y.toFixed(1)}`;
      }).join(' '));
    }
  }

  clear() {
    this.element.replaceChildren();
  }
}

/** @param {LatLng[]} path @param {string} kind @param {string} color @param {number} width @returns {Line} */
function line(path, kind, color, width) {
  return Object.assign(svg('polyline', { class: kind, ...(color && { stroke: color }), 'stroke-width': width }), { path });
}

/** @param {Route} route @param {PolylineType} type @param {StyleCoordinator} style @returns {Line[]} */
function lines({ path, traffic }, type, style) {
  const { isVisible, isGeodesic, isTrafficEnabled, color, width, trafficColors } = style.polylineStyleOptions(type);
  if (!isVisible || path.length < 2) return [];
  const shape = isGeodesic ? geodesic : (/** @type {LatLng[]} */ points) => points;
  // Only what is not normal is drawn over the route.
  const slow = isTrafficEnabled ? traffic.filter(({ speed }) => speed !== 'NORMAL') : [];
  return [
    line(shape(path), `${type} casing`, '', width + 4),
    line(shape(path), `${type} line`, color, width),
    ...slow.flatMap(({ startIndex, endIndex, speed }) => {
      const kind = speedTypes[speed] ?? 'noData';
      const stretch = shape(path.slice(startIndex, endIndex + 1));
      return [
        line(stretch, `${type} traffic ${kind}`, trafficColors[kind], width),
        // Marks that need no colour: dashes where it is slow, dots where it is jammed.
        line(stretch, `mark ${kind}`, '', Math.max(width / 3, 1)),
      ];
    }),
  ];
}

"""#,
        "page/start.js": #"""
// @ts-check

/**
 * The emulator's first page: its words, in the browser's language.
 *
 * @module
 */

import { chooseLanguage, fillWords } from './words.js';

const { language, direction } = chooseLanguage(navigator.languages);
Object.assign(document.documentElement, { lang: language, dir: direction });
fillWords(document);
for (const table of document.querySelectorAll('table')) {
  // On a phone, each cell shows its column.
  const [columns, ...rows] = [...table.rows].map((row) => [...row.cells]);
  for (const row of rows) row.forEach((cell, index) => { cell.dataset.column = columns[index].textContent ?? ''; });
}

"""#,
        "page/state-words.js": #"""
// @ts-check

/**
 * The table of states and their words: of trips, of shipments, and of errors.
 *
 * @module
 */

import { say } from './words.js';

/**
 * @typedef {import('../trip.js').Trip} Trip
 * @typedef {import('../trip.js').TaskTrackingInfo} TaskTrackingInfo
 * @typedef {import('../fleet-engine-error.js').FleetEngineError} FleetEngineError
 * @typedef {import('./words.js').Words} Words
 * @typedef {{ blamed: keyof Words, meaning: keyof Words, advice?: keyof Words }} Diagnosis
 */

/** @type {Record<string, keyof Words>} */
const tripStates = {
  NEW: 'new',
  ENROUTE_TO_PICKUP: 'enrouteToPickup',
  ARRIVED_AT_PICKUP: 'arrivedAtPickup',
  ENROUTE_TO_INTERMEDIATE_DESTINATION: 'enrouteToStop',
  ARRIVED_AT_INTERMEDIATE_DESTINATION: 'arrivedAtStop',
  ENROUTE_TO_DROPOFF: 'enrouteToDropoff',
  COMPLETE: 'complete',
  CANCELED: 'canceled',
};

/**
 * Returns a trip's status in words.
 *
 * @param {Pick<Trip, 'status' | 'vehicleId'>} trip
 * @param {boolean} isOtherFirst Whether the vehicle's next stop belongs to another trip.
 */
export function tripWords({ status, vehicleId }, isOtherFirst) {
  if (status === 'NEW' && vehicleId) return say('assigned');
  if (isOtherFirst && status === 'ENROUTE_TO_PICKUP') return say('finishingAnotherTrip');
  if (isOtherFirst && status.startsWith('ENROUTE')) return say('anotherStopFirst');
  return say(tripStates[status] ?? 'unknown');
}

/**
 * Returns a shipment's state in words.
 *
 * @param {TaskTrackingInfo} info
 */
export function shipmentWords(info) {
  const { state, taskOutcome, remainingStopCount } = info;
  if (state === undefined) return say('shipmentNotFound');
  if (state === 'CLOSED') {
    return say(taskOutcome === 'SUCCEEDED' ? 'delivered' : taskOutcome === 'FAILED' ? 'deliveryFailed' : 'shipmentClosed');
  }
  if (state !== 'OPEN') return say('unknown');
  if (remainingStopCount === 0) return say('vehicleArrived');
  if (remainingStopCount === 1) return say('nextStop');
  if (remainingStopCount !== undefined) return say('stopsAway', { count: remainingStopCount });
  return say(isOnItsWay(info) ? 'shipmentOnItsWay' : 'shipmentPlanned');
}

/**
 * Returns whether anything says that a vehicle brings the shipment. All of it can be hidden from recipients.
 *
 * @param {TaskTrackingInfo} info
 */
export function isOnItsWay({ latestVehicleLocationUpdate, remainingStopCount, estimatedArrivalTime, remainingDrivingDistanceMeters }) {
  return [latestVehicleLocationUpdate, remainingStopCount, estimatedArrivalTime, remainingDrivingDistanceMeters]
    .some((part) => part !== undefined);
}

/** @type {Record<FleetEngineError['source'], Record<string, Diagnosis>>} */
const diagnoses = {
  'Fleet Engine': {
    ABORTED: { blamed: 'faultFleetEngine', meaning: 'engineInterrupted' },
    CANCELLED: { blamed: 'faultFleetEngine', meaning: 'engineInterrupted' },
    DEADLINE_EXCEEDED: { blamed: 'faultFleetEngine', meaning: 'engineSlow' },
    UNAVAILABLE: { blamed: 'faultFleetEngine', meaning: 'engineUnavailable' },
    PERMISSION_DENIED: { blamed: 'faultFleetEngine', meaning: 'enginePermission', advice: 'enginePermissionAdvice' },
    UNAUTHENTICATED: { blamed: 'faultFleetEngine', meaning: 'engineUnauthenticated', advice: 'engineUnauthenticatedAdvice' },
    RESOURCE_EXHAUSTED: { blamed: 'faultFleetEngine', meaning: 'engineQuota', advice: 'engineQuotaAdvice' },
    NOT_FOUND: { blamed: 'faultID', meaning: 'tripNotFound', advice: 'checkID' },
    INVALID_ARGUMENT: { blamed: 'faultID', meaning: 'invalidID', advice: 'invalidIDAdvice' },
  },
  'token server': {
    CANCELLED: { blamed: 'faultTokenServer', meaning: 'engineInterrupted' },
    DEADLINE_EXCEEDED: { blamed: 'faultTokenServer', meaning: 'serverSlow' },
    UNAVAILABLE: { blamed: 'faultTokenServer', meaning: 'serverUnavailable' },
    RESOURCE_EXHAUSTED: { blamed: 'faultTokenServer', meaning: 'serverBusy' },
    PERMISSION_DENIED: { blamed: 'faultTokenServer', meaning: 'serverPermission', advice: 'serverPermissionAdvice' },
    UNAUTHENTICATED: { blamed: 'faultTokenServer', meaning: 'serverUnauthenticated', advice: 'serverUnauthenticatedAdvice' },
    NOT_FOUND: { blamed: 'faultTokenServer', meaning: 'serverNotFound', advice: 'serverNotFoundAdvice' },
    INVALID_ARGUMENT: { blamed: 'faultTokenServer', meaning: 'serverInvalid', advice: 'serverInvalidAdvice' },
  },
  app: {},
};

/**
 * Returns an error in words: whose fault it is, what it is, and what to do.
 *
 * @param {FleetEngineError} error @param {boolean} isShipment
 * @returns {{ blamed: string, meaning: string, advice: string }}
 */
export function errorWords(error, isShipment) {
  const { source, code, httpStatus, cause } = error;
  /** @type {Diagnosis} */
  let diagnosis = diagnoses[source][code] ?? (source === 'app'
    ? { blamed: 'faultApp', meaning: 'appFailed', advice: 'appFailedAdvice' }
    : { blamed: source === 'token server' ? 'faultTokenServer' : 'faultFleetEngine', meaning: 'engineFault' });
  // The token server refuses the request itself, of which the page chooses nothing but the ID.
  const isInvalidID = httpStatus === 400 || /** @type {{ code?: string } | undefined} */ (cause)?.code === 'invalidArgument';
  if (source === 'token server' && isInvalidID) diagnosis = { blamed: 'faultID', meaning: 'invalidID', advice: 'invalidIDAdvice' };
  if (diagnosis.meaning === 'tripNotFound' && isShipment) diagnosis = { ...diagnosis, meaning: 'shipmentNotFoundError' };
  return { blamed: say(diagnosis.blamed), meaning: say(diagnosis.meaning), advice: diagnosis.advice ? say(diagnosis.advice) : '' };
}

"""#,
        "page/tiles.js": #"""
// @ts-check

/**
 * Streets below the journey: map tiles of a server that a deployment chooses. Without one, the page requests none.
 *
 * @module
 */

/**
 * @typedef {import('./camera.js').Camera} Camera
 * @typedef {import('./camera.js').Size} Size
 * @typedef {{ url: string, attribution: string, attributionURL?: string, maximumZoom?: number }} TileSource `url` has `{z}`,
 *   `{x}` and `{y}`, as with OpenStreetMap's servers.
 */

const tileSize = 256;

/**
 * Returns the tiles that a camera shows, with their places on the map.
 *
 * @param {Camera} camera @param {Size} size @param {number} [maximumZoom]
 * @returns {{ z: number, x: number, y: number, left: number, top: number, side: number }[]}
 */
export function visibleTiles(camera, size, maximumZoom = 19) {
  const z = Math.min(Math.max(Math.round(Math.log2(camera.scale / tileSize)), 0), maximumZoom);
  const count = 2 ** z;
  const side = camera.scale / count;
  const [left, top] = [camera.x * camera.scale - size.width / 2, camera.y * camera.scale - size.height / 2];
  const tiles = [];
  for (let y = Math.max(Math.floor(top / side), 0); y * side < top + size.height && y < count; y += 1) {
    for (let x = Math.floor(left / side); x * side < left + size.width; x += 1) {
      tiles.push({ z, x: ((x % count) + count) % count, y, left: x * side - left, top: y * side - top, side });
    }
  }
  return tiles;
}

export class TileLayer {
  /** @type {Map<string, HTMLImageElement>} */ #images = new Map();

  /**
   * @param {HTMLElement} element @param {TileSource} source
   * @throws {Error} If the source is no template with an attribution, which every provider of tiles requires.
   */
  constructor(element, source) {
    if (!['{z}', '{x}', '{y}'].every((part) => source.url.includes(part))) throw new Error('The URL of tiles has no {z}, {x} and {y}.');
    if (!source.attribution) throw new Error('The tiles have no attribution.');
    this.element = element;
    this.source = source;
  }

  /** @param {Camera} camera @param {Size} size */
  place(camera, size) {
    const tiles = visibleTiles(camera, size, this.source.maximumZoom);
    const shown = new Set(tiles.map(({ z, x, y, left }) => `${z}/${x}/${y}/${Math.sign(left)}`));
    for (const [key, image] of this.#images) {
      if (shown.has(key)) continue;
      image.remove();
      this.#images.delete(key);
    }
    for (const { z, x, y, left, top, side } of tiles) {
      const key = `${z}/${x}/${y}/${Math.sign(left)}`;
      const image = this.#images.get(key) ?? this.#create(z, x, y);
      this.#images.set(key, image);
      // A pixel more, so that no seam is seen.
      Object.assign(image.style, {
        width: `${Math.ceil(side) + 1}px`, height: `${Math.ceil(side) + 1}px`,
        transform: `translate(${Math.floor(left)}px, ${Math.floor(top)}px)`,
      });
    }
  }

  /** @param {number} z @param {number} x @param {number} y */
  #create(z, x, y) {
    const image = new Image(tileSize, tileSize);
    image.alt = '';
    image.decoding = 'async';
    // A tile that is missing leaves the plain map.
    image.addEventListener('error', () => image.classList.add('missing'));
    image.src = this.source.url.replace('{z}', String(z)).replace('{x}', String(x)).replace('{y}', String(y));
    this.element.append(image);
    return image;
  }
}

/**
 * Returns the source's attribution, a link if it has an address.
 *
 * @param {TileSource} source
 */
export function attribution({ attribution, attributionURL }) {
  if (!attributionURL || !/^https?:/.test(attributionURL)) return attribution;
  return Object.assign(document.createElement('a'), { href: attributionURL, textContent: attribution, rel: 'noopener', target: '_blank' });
}

"""#,
        "page/words-en.js": #"""
// @ts-check

/**
 * All words of the page. A translation is another file with the same names; words in braces are replaced.
 *
 * @module
 */

export default {
  language: 'en',
  name: 'English',
  direction: 'ltr',

  // The page.
  journey: 'Journey',
  trip: 'Trip {id}',
  shipment: 'Shipment {id}',
  followJourney: 'Follow a journey',
  title: '{id} – journey',
  startHelp: 'Follow a trip or a shipment of this emulator.',
  what: 'What',
  tripOption: 'Trip',
  shipmentOption: 'Shipment',
  id: 'ID',
  follow: 'Follow',
  skipMap: 'Skip the map',
  map: 'Map',
  mapHelp: 'Arrow keys move the map, plus and minus zoom, zero follows the vehicle again.',
  markers: 'Places on the map',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  followAgain: 'Follow again',
  close: 'Close',
  legend: 'Traffic on the route',
  legendSlow: 'Slow',
  legendJam: 'Jam',

  // The connection.
  connecting: 'Connecting',
  waitingForResponse: 'Waiting for the first response.',
  live: 'Live',
  ended: 'Ended',
  retrying: 'Retrying',
  interrupted: 'Interrupted',
  connectedAgain: 'Connected again.',
  recovers: 'Recovers by itself',
  needsAction: 'Needs action',
  nextAttempt: 'Next attempt in {time}.',
  attempting: 'Trying now.',
  tryNow: 'Try now',
  noConfiguration: 'The page has no configuration.',
  errorAnnouncement: '{meaning} {recovery}.',

  // A trip's states.
  new: 'Waiting for a vehicle',
  assigned: 'A vehicle is assigned',
  enrouteToPickup: 'On the way to the pickup point',
  finishingAnotherTrip: 'The vehicle finishes another trip first',
  arrivedAtPickup: 'At the pickup point',
  enrouteToStop: 'On the way to the next stop',
  arrivedAtStop: 'At a stop',
  enrouteToDropoff: 'On the way to the drop-off point',
  anotherStopFirst: 'On the way, with a stop for another rider first',
  complete: 'Trip complete',
  canceled: 'Trip canceled',
  unknown: 'Status unknown',

  // A shipment's states.
  shipmentNotFound: 'Shipment not found',
  shipmentPlanned: 'The delivery is planned',
  shipmentOnItsWay: 'On its way',
  stopsAway: '{count} stops away',
  nextStop: 'You are the next stop',
  vehicleArrived: 'The vehicle has arrived',
  delivered: 'Delivered',
  deliveryFailed: 'Delivery failed',
  shipmentClosed: 'The delivery has ended',

  // Stops.
  pickup: 'Pickup',
  stop: 'Stop {number}',
  dropoff: 'Drop-off',
  delivery: 'Delivery',
  nextStopName: 'Next stop',
  otherStop: 'Stop of another trip',
  otherStops: '{count} stops of other trips',
  statePast: 'done',
  stateHere: 'here',
  stateNext: 'next',
  stateLater: '',
  stateFailed: 'failed',
  stateCanceled: 'canceled',
  stateUnknown: '',
  oneStopBefore: 'after 1 other stop',
  stopsBefore: 'after {count} other stops',

  // Facts.
  arrivalIn: '{stop} in {time}',
  arrivalNow: '{stop} now',
  oldArrival: '{arrival}, by an old location',
  locationAge: 'Location from {time} ago',
  slowTraffic: 'slow traffic',
  trafficJam: 'traffic jam',
  nothingMore: 'Nothing more to follow.',
  vehicleIsHere: 'The vehicle is here.',
  noArrivalTime: 'No arrival time yet.',
  statusAnnouncement: '{status}, {facts}',

  // Markers.
  pickupPoint: 'Pickup point',
  dropoffPoint: 'Drop-off point',
  deliveryAddress: 'Delivery address',
  vehicle: 'Vehicle',
  vehicleNamed: 'Vehicle {id}',
  beginsHere: 'The trip begins here.',
  beganHere: 'The trip began here.',
  wasToBeginHere: 'The trip was to begin here.',
  endsHere: 'The trip ends here.',
  endedHere: 'The trip ended here.',
  wasToEndHere: 'The trip was to end here.',
  stopsHere: 'The vehicle stops here on the way.',
  isDeliveredHere: 'The shipment is to be delivered here.',
  wasDeliveredHere: 'The shipment was delivered here.',
  wasNotDelivered: 'The shipment was not delivered here.',
  wasToBeDelivered: 'The shipment was to be delivered here.',
  standsStill: 'The vehicle is not moving.',
  drives: 'The vehicle is heading {direction}.',
  drivesAt: 'The vehicle is heading {direction} at {speed} km/h.',
  markerArrival: '{name}, arrival in {time}',
  markerArrivalNow: '{name}, arrival now',
  arrivalAt: 'Arrival at {time}. {detail}',
  arrivalNowDetail: 'Arrival now. {detail}',
  tapped: '{name}. {detail}',
  eta: 'ETA',
  north: 'north', northeast: 'northeast', east: 'east', southeast: 'southeast',
  south: 'south', southwest: 'southwest', west: 'west', northwest: 'northwest',

  // Times and distances.
  now: 'now',
  minutes: '{minutes} min',
  hours: '{hours} h {minutes} min',
  secondsLeft: '{seconds} s',
  minutesLeft: '{minutes} min {seconds} s',
  meters: '{meters} m',
  kilometers: '{kilometers} km',

  // The token.
  token: 'Token',
  tokenScope: 'Grants access to',
  tokenLife: 'Valid for',
  tokenCount: 'Fetched',
  noToken: 'No token yet',
  timeLeft: '{time} left',
  expired: 'expired',

  // The emulator's first page.
  emulatorHelp: 'It is not Google’s Fleet Engine, and forgets everything when it ends.',
  controlPlane: 'The control plane sets faults, the clock, keys and the state.',
  trips: 'Trips',
  vehicles: 'Vehicles',
  deliveryVehicles: 'Delivery vehicles',
  tasks: 'Tasks',
  task: 'Task',
  trackingID: 'Tracking ID',
  provider: 'Provider',
  state: 'State',
  location: 'Location',
  stops: 'Stops',
  noneYet: 'None yet.',

  // Faults of the emulator.
  injectFaults: 'Inject faults',
  fault: 'Fault',
  faultNone: 'None',
  faultUnavailable: '503 Fleet Engine is not available',
  faultUnauthenticated: '401 Tokens are rejected',
  faultDenied: '403 Permission is denied',
  faultNotFound: '404 The trip does not exist',
  faultQuota: '429 The quota is used up',
  faultSlow: 'Responses take two seconds',
  faultTruncated: 'Responses break off',
  faultLost: 'Connections break',
  noFault: 'No fault is injected.',
  injected: 'Injected into every request from now on.',
  faultRefused: 'The emulator refuses with HTTP status {status}.',
  noControlPlane: 'The emulator\'s control plane cannot be reached.',

  // Map styles.
  mapStyle: 'Map style',
  example: 'Example',
  optionsAsJSON: 'Options as JSON',
  apply: 'Apply',
  applied: 'Applied.',
  styleNotJSON: 'The style is not JSON.',
  styleNotObject: '{name} is not a JSON object.',
  styleOtherOption: '“{option}” is no option of {name}: {options}.',
  styleOtherType: '“{type}” is no type of {name}: {types}.',
  styleInvalid: 'The {option} of {type} is invalid.',

  // Errors, by their source. What recovers by itself needs no advice.
  faultFleetEngine: 'Fleet Engine',
  faultTokenServer: 'Token server',
  faultApp: 'This app',
  faultID: 'The ID',
  engineUnavailable: 'Fleet Engine is not available.',
  engineSlow: 'Fleet Engine did not respond in time.',
  engineInterrupted: 'The request was interrupted.',
  engineFault: 'Fleet Engine has an internal error.',
  enginePermission: 'Permission denied by Fleet Engine.',
  enginePermissionAdvice: 'Check that the token is for this ID, and its account\'s role.',
  engineUnauthenticated: 'Fleet Engine rejected the token.',
  engineUnauthenticatedAdvice: 'Check the token server\'s signing key and clock, and the token\'s claims.',
  engineQuota: 'A quota of Fleet Engine is exhausted.',
  engineQuotaAdvice: 'Follow fewer trips, poll less often, or raise the quota.',
  tripNotFound: 'Trip not found.',
  shipmentNotFoundError: 'Shipment not found.',
  checkID: 'Check the ID: it was never created, or belongs to another project.',
  invalidID: 'The ID is invalid.',
  invalidIDAdvice: 'Check the ID in the page\'s address.',
  serverUnavailable: 'The token server is unavailable.',
  serverSlow: 'The token server did not respond in time.',
  serverBusy: 'Too many requests to the token server.',
  serverPermission: 'Permission denied by the token server.',
  serverPermissionAdvice: 'Check the grants in the token server\'s configuration.',
  serverUnauthenticated: 'Authentication failed at the token server.',
  serverUnauthenticatedAdvice: 'Sign in again, or check the callers in the token server\'s configuration.',
  serverNotFound: 'Not found on the token server.',
  serverNotFoundAdvice: 'Check the URL of the token server.',
  serverInvalid: 'The token server\'s response is invalid.',
  serverInvalidAdvice: 'Check its URL, and the format of its responses.',
  appFailed: 'The app\'s own sign-in failed.',
  appFailedAdvice: 'Sign in, then try again.',
};

"""#,
        "page/words-zh-hant.js": #"""
// @ts-check

/**
 * The page's words in Traditional Chinese.
 *
 * @module
 */

/** @type {import('./words.js').Words} */
export default {
  language: 'zh-Hant',
  name: '繁體中文',
  direction: 'ltr',

  journey: '行程',
  trip: '行程 {id}',
  shipment: '包裹 {id}',
  followJourney: '追蹤行程',
  title: '{id} – 行程',
  startHelp: '追蹤這個模擬器中的行程或包裹。',
  what: '類型',
  tripOption: '行程',
  shipmentOption: '包裹',
  id: 'ID',
  follow: '追蹤',
  skipMap: '略過地圖',
  map: '地圖',
  mapHelp: '方向鍵移動地圖，加號和減號縮放，按零則重新跟隨車輛。',
  markers: '地圖上的地點',
  zoomIn: '放大',
  zoomOut: '縮小',
  followAgain: '重新跟隨',
  close: '關閉',
  legend: '路線交通狀況',
  legendSlow: '緩慢',
  legendJam: '壅塞',

  connecting: '連線中',
  waitingForResponse: '正在等候第一個回應。',
  live: '即時',
  ended: '已結束',
  retrying: '重試中',
  interrupted: '已中斷',
  connectedAgain: '已重新連線。',
  recovers: '會自行恢復',
  needsAction: '需要處理',
  nextAttempt: '{time}後再試。',
  attempting: '正在嘗試。',
  tryNow: '立即重試',
  noConfiguration: '這個頁面沒有設定。',
  errorAnnouncement: '{meaning}{recovery}。',

  new: '正在等候車輛',
  assigned: '已指派車輛',
  enrouteToPickup: '正前往上車地點',
  finishingAnotherTrip: '車輛正在完成另一趟行程',
  arrivedAtPickup: '已抵達上車地點',
  enrouteToStop: '正前往下一個停靠站',
  arrivedAtStop: '已抵達停靠站',
  enrouteToDropoff: '正前往下車地點',
  anotherStopFirst: '行進中，將先為其他乘客停靠',
  complete: '行程已完成',
  canceled: '行程已取消',
  unknown: '狀態不明',

  shipmentNotFound: '找不到包裹',
  shipmentPlanned: '已安排配送',
  shipmentOnItsWay: '配送中',
  stopsAway: '還有 {count} 站',
  nextStop: '下一站就是您',
  vehicleArrived: '車輛已抵達',
  delivered: '已送達',
  deliveryFailed: '配送失敗',
  shipmentClosed: '配送已結束',

  pickup: '上車',
  stop: '停靠站 {number}',
  dropoff: '下車',
  delivery: '送達',
  nextStopName: '下一站',
  otherStop: '其他行程的停靠站',
  otherStops: '其他行程的 {count} 個停靠站',
  statePast: '完成',
  stateHere: '車輛在此',
  stateNext: '下一站',
  stateLater: '',
  stateFailed: '失敗',
  stateCanceled: '已取消',
  stateUnknown: '',
  oneStopBefore: '之前還有 1 站',
  stopsBefore: '之前還有 {count} 站',

  arrivalIn: '{time}後{stop}',
  arrivalNow: '即將{stop}',
  oldArrival: '{arrival}（依舊的位置推算）',
  locationAge: '{time}前的位置',
  slowTraffic: '車流緩慢',
  trafficJam: '交通壅塞',
  nothingMore: '沒有可追蹤的內容了。',
  vehicleIsHere: '車輛在此。',
  noArrivalTime: '尚無抵達時間。',
  statusAnnouncement: '{status}，{facts}',

  pickupPoint: '上車地點',
  dropoffPoint: '下車地點',
  deliveryAddress: '送貨地址',
  vehicle: '車輛',
  vehicleNamed: '車輛 {id}',
  beginsHere: '行程由此開始。',
  beganHere: '行程已由此開始。',
  wasToBeginHere: '行程原訂由此開始。',
  endsHere: '行程在此結束。',
  endedHere: '行程已在此結束。',
  wasToEndHere: '行程原訂在此結束。',
  stopsHere: '車輛途中會在此停靠。',
  isDeliveredHere: '包裹將送到這裡。',
  wasDeliveredHere: '包裹已送到這裡。',
  wasNotDelivered: '包裹未能送到這裡。',
  wasToBeDelivered: '包裹原訂送到這裡。',
  standsStill: '車輛靜止。',
  drives: '車輛正往{direction}行駛。',
  drivesAt: '車輛正以時速 {speed} 公里往{direction}行駛。',
  markerArrival: '{name}，{time}後抵達',
  markerArrivalNow: '{name}，即將抵達',
  arrivalAt: '{time} 抵達。{detail}',
  arrivalNowDetail: '即將抵達。{detail}',
  tapped: '{name}。{detail}',
  eta: '預計抵達',
  north: '北', northeast: '東北', east: '東', southeast: '東南',
  south: '南', southwest: '西南', west: '西', northwest: '西北',

  now: '即將抵達',
  minutes: '{minutes} 分鐘',
  hours: '{hours} 小時 {minutes} 分鐘',
  secondsLeft: '{seconds} 秒',
  minutesLeft: '{minutes} 分 {seconds} 秒',
  meters: '{meters} 公尺',
  kilometers: '{kilometers} 公里',

  token: '權杖',
  tokenScope: '授權範圍',
  tokenLife: '效期',
  tokenCount: '已取得',
  noToken: '尚無權杖',
  timeLeft: '剩餘 {time}',
  expired: '已過期',

  emulatorHelp: '這不是 Google 的 Fleet Engine，結束後不保留任何資料。',
  controlPlane: '控制介面可設定錯誤、時鐘、金鑰和狀態。',
  trips: '行程',
  vehicles: '車輛',
  deliveryVehicles: '配送車輛',
  tasks: '工作',
  task: '工作',
  trackingID: '追蹤 ID',
  provider: '供應商',
  state: '狀態',
  location: '位置',
  stops: '停靠站',
  noneYet: '尚無資料。',

  injectFaults: '注入錯誤',
  fault: '錯誤',
  faultNone: '無',
  faultUnavailable: '503 Fleet Engine 無法使用',
  faultUnauthenticated: '401 權杖遭拒',
  faultDenied: '403 權限不足',
  faultNotFound: '404 行程不存在',
  faultQuota: '429 配額已用盡',
  faultSlow: '回應需時兩秒',
  faultTruncated: '回應中斷',
  faultLost: '連線中斷',
  noFault: '未注入錯誤。',
  injected: '從現在起注入每個要求。',
  faultRefused: '模擬器以 HTTP 狀態 {status} 拒絕。',
  noControlPlane: '無法連上模擬器的控制介面。',

  mapStyle: '地圖樣式',
  example: '範例',
  optionsAsJSON: 'JSON 選項',
  apply: '套用',
  applied: '已套用。',
  styleNotJSON: '樣式不是 JSON。',
  styleNotObject: '{name}不是 JSON 物件。',
  styleOtherOption: '「{option}」不是{name}的選項：{options}。',
  styleOtherType: '「{type}」不是{name}的類型：{types}。',
  styleInvalid: '{type} 的 {option} 無效。',

  faultFleetEngine: 'Fleet Engine',
  faultTokenServer: '權杖伺服器',
  faultApp: '這個應用程式',
  faultID: 'ID',
  engineUnavailable: 'Fleet Engine 無法使用。',
  engineSlow: 'Fleet Engine 回應逾時。',
  engineInterrupted: '要求已中斷。',
  engineFault: 'Fleet Engine 發生錯誤。',
  enginePermission: '權杖不允許這項操作。',
  enginePermissionAdvice: '請確認權杖是為這個 ID 簽發，並檢查帳戶的角色。',
  engineUnauthenticated: 'Fleet Engine 不接受這個權杖。',
  engineUnauthenticatedAdvice: '請檢查權杖伺服器的簽署金鑰與時鐘，以及權杖的宣告。',
  engineQuota: 'Fleet Engine 的配額已用盡。',
  engineQuotaAdvice: '請減少追蹤的行程、降低查詢頻率，或提高配額。',
  tripNotFound: '沒有這個行程。',
  shipmentNotFoundError: '沒有這個包裹。',
  checkID: '請檢查 ID：它從未建立，或屬於其他專案。',
  invalidID: '這不是有效的 ID。',
  invalidIDAdvice: '請檢查網址中的 ID。',
  serverUnavailable: '無法連上權杖伺服器，或伺服器發生錯誤。',
  serverSlow: '權杖伺服器回應逾時。',
  serverBusy: '權杖伺服器收到太多要求。',
  serverPermission: '權杖伺服器不允許簽發這個權杖。',
  serverPermissionAdvice: '請檢查權杖伺服器設定中的授權。',
  serverUnauthenticated: '權杖伺服器不接受使用者的憑證。',
  serverUnauthenticatedAdvice: '請重新登入，或檢查權杖伺服器設定中的呼叫端。',
  serverNotFound: '權杖伺服器在這個網址沒有權杖。',
  serverNotFoundAdvice: '請檢查權杖伺服器的網址。',
  serverInvalid: '無法使用權杖伺服器的回應。',
  serverInvalidAdvice: '請檢查伺服器的網址與回應格式。',
  appFailed: '應用程式本身的登入失敗。',
  appFailedAdvice: '請登入後再試一次。',
};

"""#,
        "page/words.js": #"""
// @ts-check

/**
 * What the page says, in the language of its address (`&lang=zh-Hant`) or of the browser.
 *
 * @module
 */

import english from './words-en.js';
import traditionalChinese from './words-zh-hant.js';

/** @typedef {{ [Name in keyof typeof english]: string }} Words */

/** The translations by the beginnings of the language tags that they serve. */
const translations = /** @type {[RegExp, Words][]} */ ([
  [/^zh-(Hant|TW|HK|MO)\b/i, traditionalChinese],
  [/^en\b/i, english],
]);

/** @type {Words} */
let words = english;
/** The tag with its region, for times. */
let locale = english.language;

/**
 * Chooses the first language that the page has; English if it has none.
 *
 * @param {readonly string[]} languages Language tags, by preference.
 * @returns {Words}
 */
export function chooseLanguage(languages) {
  const known = languages.flatMap((tag) => translations.filter(([tags]) => tags.test(tag)).map(([, each]) => ({ tag, each })));
  words = known[0]?.each ?? english;
  locale = known[0]?.tag ?? english.language;
  return words;
}

/**
 * Returns words with their values.
 *
 * @param {keyof Words} name @param {Record<string, string | number>} [values]
 */
export function say(name, values = {}) {
  return words[name].replace(/\{(\w+)\}/g, (_, value) => isolated(String(values[value])));
}

/**
 * Returns text that does not change the order of what is around it: IDs and names may be of another direction.
 *
 * @param {string} text
 */
function isolated(text) {
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(text) ? `\u2068${text}\u2069` : text;
}

/**
 * Fills the elements that name their words.
 *
 * @param {ParentNode} root
 */
export function fillWords(root) {
  for (const element of /** @type {Iterable<HTMLElement>} */ (root.querySelectorAll('[data-word]'))) {
    element.textContent = say(/** @type {keyof Words} */ (element.dataset.word));
  }
  for (const element of /** @type {Iterable<HTMLElement>} */ (root.querySelectorAll('[data-label]'))) {
    element.setAttribute('aria-label', say(/** @type {keyof Words} */ (element.dataset.label)));
  }
}

/**
 * Returns the minutes until a time, as a label on the map; undefined if it is now.
 *
 * @param {Date} time @param {number} now In milliseconds since 1970.
 * @returns {string | undefined}
 */
export function minutesUntil(time, now) {
  const minutes = Math.round((time.getTime() - now) / 60_000);
  if (minutes < 1) return undefined;
  return minutes < 60 ? say('minutes', { minutes }) : say('hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}

/**
 * Returns the time of day.
 *
 * @param {Date} time
 */
export function timeOfDay(time) {
  return time.toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' });
}

/**
 * Returns a distance, rounded as people say it.
 *
 * @param {number} meters
 */
export function distance(meters) {
  if (meters < 950) return say('meters', { meters: Math.max(10, Math.round(meters / 10) * 10) });
  return say('kilometers', { kilometers: (meters / 1000).toFixed(meters < 9950 ? 1 : 0) });
}

/**
 * Returns a number of seconds as minutes and seconds.
 *
 * @param {number} seconds
 */
export function remaining(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) return say('secondsLeft', { seconds: whole });
  return say('minutesLeft', { minutes: Math.floor(whole / 60), seconds: String(whole % 60).padStart(2, '0') });
}

const directions = /** @type {const} */ (['north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest']);

/**
 * Returns a heading as a direction.
 *
 * @param {number} heading In degrees from north.
 */
export function direction(heading) {
  return say(directions[((Math.round(heading / 45) % 8) + 8) % 8]);
}

"""#,
        "page/page.css": #"""
:root {
  --ground: #eef1f5; --grid: #dde3ea; --surface: #ffffff; --raised: #f5f7fa; --edge: #d5dce4; --border: #7b8794;
  --text: #17202b; --soft: #4d5a69; --accent: #1456c0; --on-accent: #ffffff;
  --good: #16703c; --warn: #8a5200; --bad: #b3261e; --warn-ground: #fff4df; --bad-ground: #fdeceb;
  --pickup: #16703c; --dropoff: #b3261e; --stop: #6d3fb0; --vehicle: #1456c0; --casing: #ffffff;
  --shadow: 0 1px 2px rgb(15 30 50 / 12%), 0 4px 16px rgb(15 30 50 / 10%);
  color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #161c24; --grid: #222b36; --surface: #1b232d; --raised: #242e3a; --edge: #364352; --border: #8392a3;
    --text: #eef2f6; --soft: #aab6c4; --accent: #8ab8ff; --on-accent: #0b1b33;
    --good: #6fd59a; --warn: #f5c069; --bad: #ff9a93; --warn-ground: #33280f; --bad-ground: #3a1c1a;
    --pickup: #2f9e5f; --dropoff: #d9534a; --stop: #9a70dc; --vehicle: #5b9bff; --casing: #0e1319;
    --shadow: 0 1px 2px rgb(0 0 0 / 40%), 0 4px 16px rgb(0 0 0 / 35%);
  }
}
* { box-sizing: border-box; }
html, body { height: 100%; margin: 0; }
body { background: var(--ground); color: var(--text); font: 16px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
h1, h2, p, dl, dd, ol { margin: 0; padding: 0; }
[hidden] { display: none !important; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
button, select, input, textarea { font: inherit; color: inherit; background: var(--surface); border: 1px solid var(--border); border-radius: 10px; }
button { min-height: 44px; padding: 0 16px; cursor: pointer; font-weight: 600; }
button:hover { background: var(--raised); }
button.primary { background: var(--accent); color: var(--on-accent); border-color: var(--accent); }
a { color: var(--accent); }
select, input { min-height: 44px; width: 100%; padding: 0 12px; }
textarea { width: 100%; padding: 10px 12px; font: 13px/1.5 ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", monospace; resize: vertical; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; inset-inline-start: 12px; top: -60px; z-index: 9; padding: 10px 16px; background: var(--surface); color: var(--text); border-radius: 10px; }
.skip:focus { top: 12px; }

main { display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr) 392px; height: 100dvh; }
body[data-page="start"] main { display: block; max-width: 460px; margin: 0 auto; padding-top: 8vh; }
body[data-page="start"] :is(#map, #journey, #token, #live, #styles, #faults, .skip), body[data-page="journey"] #start { display: none; }
body:not([data-state="following"]) :is(.tools, #recenter, #legend), body[data-state="failed"] #journey { display: none; }

#map { position: relative; isolation: isolate; overflow: hidden; touch-action: none; cursor: grab; background: var(--ground); user-select: none; }
#map:active { cursor: grabbing; }
#map:focus-visible { outline-offset: -4px; }
.canvas { display: block; position: absolute; inset: 0; width: 100%; height: 100%; }
.tiles { position: absolute; inset: 0; overflow: hidden; direction: ltr; background: var(--ground); }
.tiles img { position: absolute; left: 0; top: 0; max-width: none; pointer-events: none; }
.tiles .missing { visibility: hidden; }
.with-tiles .grid { display: none; }
.with-tiles .scale { paint-order: stroke; stroke: var(--surface); stroke-width: 3; }
#attribution { position: absolute; inset-inline-end: 0; bottom: 0; padding: 1px 8px; background: var(--surface); color: var(--text); font-size: 12px; }
.with-tiles .tools { bottom: 32px; }
.grid path { stroke: var(--grid); stroke-width: 1; fill: none; }
.scale path { stroke: var(--soft); stroke-width: 2; fill: none; }
.scale text { fill: var(--soft); font-size: 12px; direction: ltr; }
.routes polyline { fill: none; stroke-linecap: round; stroke-linejoin: round; }
.routes .casing { stroke: var(--casing); }
.routes .finishedRoute { stroke: var(--border); stroke-dasharray: 2 9; }
:is(.routes .mark.slow, .slow-mark) { stroke: #17202b; stroke-dasharray: 6 8; stroke-linecap: butt; }
:is(.routes .mark.trafficJam, .jam-mark) { stroke: #ffffff; stroke-dasharray: 0.1 6; stroke-linecap: round; }
.marker { cursor: pointer; }
.targets { pointer-events: none; }
.targets g { outline: none; }
.targets rect { fill: none; }
.targets g:focus-visible rect { stroke: var(--accent); stroke-width: 3; }
.art { filter: drop-shadow(0 2px 3px rgb(0 0 0 / 30%)); }
.pin > :is(path, circle):first-child { stroke: var(--casing); stroke-width: 2; }
.pin .mark { fill: #ffffff; stroke: none; }
.pin text { font-weight: 700; font-size: 13px; text-anchor: middle; }
.pickup > path:first-child, .eta > path:first-child { fill: var(--pickup); }
.dropoff > path:first-child { fill: var(--dropoff); }
.stop > circle:first-child { fill: var(--stop); }
.unknown > circle:first-child { fill: var(--soft); }
.vehicle .tip { fill: var(--vehicle); }
.vehicle .disc { fill: var(--surface); stroke: var(--vehicle); stroke-width: 2.5; }
.vehicle .body { fill: var(--vehicle); }
.vehicle .glass { fill: var(--surface); }
.label rect { fill: var(--surface); stroke: var(--border); }
.label text { fill: var(--text); font-size: 12.5px; font-weight: 650; text-anchor: middle; }
.tools { position: absolute; inset-inline-end: 16px; bottom: 16px; display: grid; box-shadow: var(--shadow); border-radius: 12px; overflow: hidden; }
.tools button { width: 44px; padding: 0; border-radius: 0; font-size: 20px; }
.tools button + button { border-top: 0; }
.tools button:focus-visible { outline-offset: -4px; }
#recenter { position: absolute; left: 50%; bottom: 16px; transform: translateX(-50%); border-radius: 22px; box-shadow: var(--shadow); }
#legend { position: absolute; inset-inline-start: 16px; bottom: 40px; display: flex; gap: 14px; list-style: none; margin: 0; padding: 4px 12px; background: var(--surface); border-radius: 12px; font-size: 13px; }
#legend li { display: flex; gap: 6px; align-items: center; }
#legend svg { width: 36px; height: 8px; direction: ltr; }
#legend path { fill: none; stroke-width: 6; }
#legend .slow { stroke: #e8930c; }
#legend .jam { stroke: #d32f2f; }
#legend :is(.slow-mark, .jam-mark) { stroke-width: 2; }
#marker-card { position: absolute; inset-inline-start: 16px; top: 16px; display: flex; gap: 12px; align-items: start; max-width: min(340px, calc(100% - 32px)); padding-block: 12px; padding-inline: 16px 6px; background: var(--surface); border-radius: 14px; box-shadow: var(--shadow); cursor: auto; }
#marker-detail { color: var(--soft); }
#marker-close { flex: none; min-width: 44px; padding: 0; font-size: 22px; font-weight: 400; color: var(--soft); }

#panel { overflow-y: auto; padding: 20px; display: flex; flex-direction: column; gap: 14px; background: var(--surface); border-inline-start: 1px solid var(--edge); outline: none; }
body[data-page="start"] #panel { border: 1px solid var(--edge); border-radius: 18px; margin: 0 16px; }
#panel header { display: flex; align-items: center; justify-content: space-between; gap: 12px; }
h1 { font-size: 17px; font-weight: 650; color: var(--soft); overflow-wrap: anywhere; }
h2 { font-size: 16px; font-weight: 650; }
#live { display: flex; align-items: center; gap: 8px; flex: none; padding: 3px 12px; border-radius: 20px; background: var(--raised); font-size: 14px; font-weight: 600; color: var(--soft); }
.dot { width: 9px; height: 9px; border-radius: 50%; background: currentcolor; }
#live[data-state="live"] { color: var(--good); }
#live[data-state="error"] { color: var(--bad); }
#live[data-state="stale"] { color: var(--warn); }
.card { background: var(--raised); border-radius: 16px; padding: 16px 18px; }
#journey h2 { font-size: 23px; text-wrap: balance; line-height: 1.25; letter-spacing: -0.01em; }
#journey[data-tone="done"] h2 { color: var(--good); }
#journey[data-tone="failed"] h2 { color: var(--bad); }
#facts { margin-top: 4px; color: var(--soft); font-size: 17px; }
#stops { list-style: none; margin-top: 16px; }
#stops li { position: relative; display: grid; grid-template-columns: 1fr auto auto; gap: 12px; align-items: baseline; padding-block: 7px; padding-inline: 28px 0; }
#stops li::before { content: ""; position: absolute; inset-inline-start: 3px; top: 13px; width: 11px; height: 11px; box-sizing: content-box; margin: -2.5px; border-radius: 50%; border: 2.5px solid var(--soft); background: var(--raised); z-index: 1; }
#stops li + li::after { content: ""; position: absolute; inset-inline-start: 7.5px; top: -22px; height: 36px; width: 2px; background: var(--edge); }
#stops :is(.next, .here) { font-weight: 650; }
#stops :is(.next, .here)::before { border-color: var(--accent); background: var(--accent); }
#stops .past::before { border-color: var(--good); background: var(--good); }
#stops .failed::before { border-color: var(--bad); background: linear-gradient(45deg, transparent 42%, var(--surface) 42% 58%, transparent 58%), linear-gradient(-45deg, var(--bad) 42%, var(--surface) 42% 58%, var(--bad) 58%); }
#stops .failed .detail { color: var(--bad); font-weight: 650; }
#stops .canceled .name { text-decoration: line-through; }
#stops .canceled::before { border-style: dashed; }
#stops .detail, #stops .past { color: var(--soft); font-weight: 400; }
#stops .timeless .detail { grid-column: 2 / -1; }
#stops time { font-variant-numeric: tabular-nums; }
#error { border-radius: 16px; padding: 14px 18px; background: var(--bad-ground); }
#error h2 { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; justify-content: space-between; font-size: 15px; color: var(--bad); overflow-wrap: anywhere; }
#error[data-recovers="true"] { background: var(--warn-ground); }
#error[data-recovers="true"] h2 { color: var(--warn); }
.badge { padding: 2px 10px; border-radius: 20px; background: var(--surface); color: var(--text); font-size: 13px; }
#error p { margin-top: 4px; }
#error .row { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; justify-content: space-between; margin-top: 10px; }
#error .row p { margin: 0; font-variant-numeric: tabular-nums; }
code { font: 13px ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", monospace; }
#error p:empty { display: none; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 4px 16px; margin-top: 8px; }
dt { color: var(--soft); }
dd { overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
meter { display: block; width: 100%; height: 10px; margin-top: 12px; border: 1px solid var(--border); border-radius: 4px; background: var(--edge); overflow: hidden; appearance: none; }
meter::-webkit-meter-inner-element { display: grid; height: 8px; }
meter::-webkit-meter-bar { grid-row: 1 / -1; height: 8px; border: 0; border-radius: 4px; background: var(--edge); }
meter::-webkit-meter-optimum-value { height: 8px; background: var(--good); border-radius: 4px; }
meter::-moz-meter-bar { background: var(--good); }
summary { min-height: 28px; cursor: pointer; font-weight: 650; border-radius: 8px; }
details label, form label { display: block; margin: 12px 0 4px; color: var(--soft); font-size: 14px; }
details button, form button { margin-top: 12px; }
.note { margin-top: 8px; color: var(--soft); font-size: 14px; }
.note[data-failed] { color: var(--bad); }

/* Each text has the direction of its first letter, and its place from the page's. */
:is(#title, #status, #facts, #stops span, #stops time, dd, .label text, #marker-name, #marker-detail, #error p, #error-source) { unicode-bidi: plaintext; }
:is(#title, #status, #facts, #stops span, #stops time, #marker-name, #marker-detail, #error p) { text-align: left; }
dd { text-align: right; }
[dir="rtl"] :is(#title, #status, #facts, #stops span, #stops time, #marker-name, #marker-detail, #error p) { text-align: right; }
[dir="rtl"] dd { text-align: left; }
@media (prefers-color-scheme: dark) {
  .tiles img { filter: invert(1) hue-rotate(180deg) brightness(0.85) contrast(0.9); }
}

@media (max-width: 760px) {
  main { grid-template: minmax(260px, 52dvh) auto / minmax(0, 1fr); height: auto; min-height: 100dvh; }
  #panel { overflow: visible; border-inline-start: 0; border-radius: 20px 20px 0 0; margin-top: -18px; position: relative; padding: 18px 16px 28px; box-shadow: var(--shadow); }
  .canvas { height: calc(100% - 18px); }
  .tools, #recenter, .with-tiles .tools { bottom: 34px; }
  body[data-state="failed"] main { grid-template: auto / minmax(0, 1fr); align-content: start; }
  body[data-state="failed"] #map { display: none; }
  body[data-state="failed"] #panel { margin-top: 0; border-radius: 0; min-height: 100dvh; }
  #legend { bottom: 62px; }
  #attribution { bottom: 18px; }
}
@media (prefers-reduced-motion: no-preference) {
  #live[data-state="live"] .dot { animation: pulse 2.4s ease-in-out infinite; }
  @keyframes pulse { 50% { opacity: 0.35; } }
}
@media (forced-colors: active) {
  .dot { forced-color-adjust: none; }
}

"""#,
        "page/start.css": #"""
/* The emulator's first page, which lists what there is; page.css has its colors. */
.start { max-width: 60rem; margin: 0 auto; padding: 20px 16px; height: auto; display: flex; flex-direction: column; gap: 14px; }
.start form { display: flex; gap: 8px; align-items: end; max-width: 460px; }
.start label { flex: 1; font-weight: 600; }
.start h2 small { color: var(--soft); font-weight: 400; }
.start table { width: 100%; margin-top: 8px; border-collapse: collapse; }
.start :is(th, td) { padding: 10px 12px 10px 0; text-align: start; border-top: 1px solid var(--edge); overflow-wrap: anywhere; }
.start th { border-top: 0; color: var(--soft); font-size: 14px; }
@media (max-width: 600px) {
  .start tr:has(th) { display: none; }
  .start tr { display: block; padding-block: 6px; border-top: 1px solid var(--edge); }
  .start td { display: flex; gap: 12px; padding: 4px 0; border: 0; }
  .start td::before { content: attr(data-column); flex: 0 0 8em; color: var(--soft); }
}

"""#,
        "page/icon.svg": #"""
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 34 44"><path fill="#1a6be0" d="M17 43C13 34 2 27 2 17a15 15 0 0 1 30 0c0 10-11 17-15 26Z"/><circle cx="17" cy="17" r="6" fill="#fff"/></svg>

"""#,
        "styles/examples.json": #"""
[
  {
    "name": "This page: traffic on both routes",
    "style": { "polylines": { "activeRoute": { "isTrafficEnabled": true }, "remainingRoute": { "isTrafficEnabled": true } } }
  },
  { "name": "Defaults of the guide", "style": {} },
  {
    "name": "Guide: a vehicle marker of one's own",
    "style": {
      "markers": {
        "tripVehicle": { "groundAnchor": { "x": 0.5, "y": 1 }, "icon": "van", "zIndex": 100, "isFlat": false, "isVisible": true }
      }
    }
  },
  {
    "name": "Guide: the pickup marker shows the arrival time",
    "style": {
      "markers": {
        "tripPickupPoint": { "groundAnchor": { "x": 0.5, "y": 1 }, "icon": "eta", "zIndex": 100, "isFlat": false, "isVisible": true }
      }
    }
  },
  { "name": "Guide: a route with default options", "style": { "polylines": { "activeRoute": {} } } },
  {
    "name": "Guide: traffic in yellow and purple",
    "style": {
      "polylines": {
        "activeRoute": {
          "isVisible": true, "isTrafficEnabled": true, "trafficColors": { "slow": "#FFFF00", "trafficJam": "#800080" }
        }
      }
    }
  },
  {
    "name": "Guide: back to the defaults",
    "style": { "markers": { "tripVehicle": null }, "polylines": { "activeRoute": null } }
  },
  {
    "name": "No stops, a thin green route",
    "style": {
      "markers": { "intermediateDestination": { "isVisible": false } },
      "polylines": { "activeRoute": { "color": "#16703C", "width": 3 }, "remainingRoute": { "isVisible": false } }
    }
  }
]

"""#,
    ]
}
