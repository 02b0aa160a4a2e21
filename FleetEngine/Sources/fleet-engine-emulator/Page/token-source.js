// @ts-check

/**
 * The page's token, from `tokend dev`: it is kept until five minutes before its end.
 *
 * @module
 */

import { FleetEngineError, readError } from './fleet-engine-error.js';

/** How long before its end a token is replaced, in milliseconds. */
const margin = 300_000;

/**
 * @typedef {{ scope: string, endsAt: number, lifetime: number, count: number }} TokenState When it ends, by
 *   `performance.now()` in seconds, and the number of tokens so far.
 */

export class TokenSource {
  /** @type {{ token: string, end: number } | undefined} */ #kept;
  #url;
  #onToken;
  #environment;
  #count = 0;
  /** Whether Fleet Engine rejected the last token, so that the token server must not return it again. */
  #mustBeNew = false;

  /**
   * @param {string} url @param {(state: TokenState) => void} onToken Gets scope and life of each token, and nothing else of it.
   * @param {{ fetch?: typeof globalThis.fetch, now?: () => number }} [environment]
   */
  constructor(url, onToken, environment = {}) {
    this.#url = url;
    this.#onToken = onToken;
    this.#environment = { fetch: globalThis.fetch.bind(globalThis), now: () => performance.now(), ...environment };
  }

  /** @param {AbortSignal} signal */
  async token(signal) {
    const { fetch, now } = this.#environment;
    if (this.#kept && this.#kept.end - margin > now()) return this.#kept.token;
    /** @type {Record<string, string>} */
    const headers = this.#mustBeNew ? { 'Fleet-Token-Reuse': 'no' } : {};
    const response = await fetch(this.#url, { headers, signal, cache: 'no-store', credentials: 'omit', redirect: 'error' })
      .catch((cause) => { throw new FleetEngineError('UNAVAILABLE', { source: 'token server', cause }); });
    if (!response.ok) throw await readError(response, 'token server');
    const { token, expiresInSeconds } = await response.json().catch(() => ({}));
    const claims = parseClaims(token);
    if (!claims || !/^[\x21-\x7e]+$/.test(token)) throw new FleetEngineError('INVALID_ARGUMENT', { source: 'token server' });
    this.#kept = { token, end: now() + expiresInSeconds * 1000 };
    this.#mustBeNew = false;
    this.#count += 1;
    this.#onToken({
      scope: Object.entries(claims.authorization ?? {}).map(([claim, value]) => `${claim}: ${value}`).join(', '),
      endsAt: this.#kept.end / 1000, lifetime: expiresInSeconds, count: this.#count,
    });
    return token;
  }

  /**
   * Forgets a token that Fleet Engine rejected.
   *
   * @param {string} rejected
   */
  invalidate(rejected) {
    if (this.#kept?.token !== rejected) return;
    this.#kept = undefined;
    this.#mustBeNew = true;
  }
}

/** @param {string} token @returns {{ authorization?: object } | undefined} The claims; undefined if it is no token. */
function parseClaims(token) {
  try {
    const part = token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/');
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(part), (byte) => byte.charCodeAt(0))));
  } catch {
    return undefined;
  }
}
