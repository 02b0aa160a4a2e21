// @ts-check

/**
 * The page's tokens, from `tokend dev`: each is kept until five minutes before its end.
 *
 * @module
 */

/** How long before its end a token is replaced, in milliseconds. */
const margin = 300_000;

/**
 * @typedef {{ tripId?: string, trackingId?: string }} TokenContext
 * @typedef {{ serviceType: string, context: TokenContext }} AuthTokenFetcherOptions
 * @typedef {{ token: string, expiresInSeconds: number }} AuthToken
 */

export class TokenSource {
  /** @type {Map<string, AuthToken & { end: number }>} */ #tokens = new Map();
  #server;

  /** @param {string} server The origin of the token server. */
  constructor(server) {
    this.#server = server;
  }

  /**
   * Returns a token for a context, as Google's SDK requests it.
   *
   * @param {AuthTokenFetcherOptions} options @returns {Promise<AuthToken>}
   */
  authTokenFetcher = async ({ context }) => {
    const path = context.tripId ? `consumer/${encodeURIComponent(context.tripId)}`
      : `delivery_consumer/${encodeURIComponent(context.trackingId ?? '')}`;
    const kept = this.#tokens.get(path);
    if (kept && kept.end - margin > performance.now()) return kept;
    const response = await fetch(`${this.#server}/token/${path}`, { cache: 'no-store', credentials: 'omit', redirect: 'error' });
    if (!response.ok) throw await refusal(response);
    const { token, expiresInSeconds } = await response.json();
    const fetched = { token, expiresInSeconds, end: performance.now() + expiresInSeconds * 1000 };
    this.#tokens.set(path, fetched);
    return fetched;
  };

  /**
   * Forgets a token that Fleet Engine rejected.
   *
   * @param {string} rejected
   */
  invalidate(rejected) {
    for (const [path, { token }] of this.#tokens) if (token === rejected) this.#tokens.delete(path);
  }
}

/** @param {Response} response */
async function refusal(response) {
  const codes = { 401: 'unauthenticated', 403: 'permissionDenied', 404: 'notFound', 429: 'resourceExhausted' };
  const body = await response.json().catch(() => undefined);
  return Object.assign(new Error(body?.error?.message ?? `HTTP status ${response.status}.`), {
    code: codes[/** @type {keyof codes} */ (response.status)] ?? 'unavailable', httpStatus: response.status,
  });
}

/**
 * Returns the claims of a token.
 *
 * @param {string} token @returns {{ authorization?: object } | undefined}
 */
export function parseClaims(token) {
  try {
    const part = token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/');
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(part), (byte) => byte.charCodeAt(0))));
  } catch {
    return undefined;
  }
}
