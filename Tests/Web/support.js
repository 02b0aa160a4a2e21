// Tests with a time limit, a clock that tests move, and a token server that answers as they say.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { availableParallelism, loadavg } from 'node:os';
import { test as nodeTest } from 'node:test';

/** Registers a test with a time limit: ten seconds, or up to a minute on a machine that has other work. */
export function test(name, body) {
  if (typeof body !== 'function') throw new TypeError(`'${name}' has no body.`);
  const timeout = 10_000 * Math.min(6, Math.max(1, loadavg()[0] / availableParallelism()));
  nodeTest(name, { timeout }, body);
}

/** The table of kinds: requests, and the claims that they must lead to. */
export const kinds = JSON.parse(readFileSync(new URL('../TokenCases/kinds.json', import.meta.url), 'utf8')).cases;

/** A JWT with these claims and an invalid signature. */
export function jwt(claims, serial = 0) {
  const encode = (text) => Buffer.from(text).toString('base64url');
  return [JSON.stringify({ alg: 'RS256', typ: 'JWT' }), JSON.stringify(claims), `signature ${serial}`].map(encode).join('.');
}

/** Two clocks that move only when a test says so. */
export class TestClock {
  #continuous = 1000;
  #wall = 1_795_211_460;

  continuous = () => this.#continuous;
  wall = () => this.#wall;

  advance(seconds) {
    this.#continuous += seconds;
    this.#wall += seconds;
  }

  setWallClock(change) {
    this.#wall += change;
  }
}

/** A `fetch` that answers with tokens in the formats of `tokend` and of Google's samples at once. */
export class TokenServer {
  requests = [];
  /** The tokens by the number of their request, from 1. */
  issued = [];
  status = 200;
  /** Those of the next responses, before `status` counts. */
  nextStatuses = [];
  /** Other statuses, by the request's `Authorization`. */
  statuses = {};
  lifetime = 3540;
  retryAfter = undefined;
  /** Those of the next responses, before `retryAfter` counts. */
  retryAfters = [];
  /** The only credentials that are accepted; undefined for all. */
  accepted = undefined;
  /** Refuses connections. */
  isUnreachable = false;
  /** Whether responses wait for `releaseWave`. */
  holds = false;
  #held = [];

  constructor(clock) {
    this.clock = clock;
  }

  /** Releases the responses of all requests that have come, and returns their number. */
  async releaseWave() {
    await new Promise((resolve) => setImmediate(resolve));
    const wave = this.#held.splice(0);
    for (const release of wave) release();
    await new Promise((resolve) => setImmediate(resolve));
    return wave.length;
  }

  /** Releases the response of the request that came first. */
  async releaseOne() {
    await new Promise((resolve) => setImmediate(resolve));
    this.#held.shift()();
  }

  /** Releases responses until no more requests come, and returns the size of each wave. */
  async releaseInWaves() {
    const waves = [];
    for (let size = await this.releaseWave(); size > 0; size = await this.releaseWave()) waves.push(size);
    return waves;
  }

  fetch = async (url, options) => {
    const headers = new Headers(options.headers);
    this.requests.push({ url, headers });
    if (this.holds) await new Promise((resolve) => this.#held.push(resolve));
    if (this.isUnreachable) throw new TypeError('fetch failed');
    const now = this.clock.wall();
    const fields = { Date: new Date(now * 1000).toUTCString() };
    if (this.accepted !== undefined && headers.get('Authorization') !== this.accepted) return new Response('{}', { status: 401 });
    const status = this.statuses[headers.get('Authorization')] ?? this.nextStatuses.shift() ?? this.status;
    if (status !== 200) {
      const retryAfter = this.retryAfters.shift() ?? this.retryAfter;
      if (retryAfter !== undefined) fields['Retry-After'] = String(retryAfter);
      return new Response('{}', { status, headers: fields });
    }
    const exp = Math.floor(now) + this.lifetime;
    const token = jwt({ iat: exp - 3600, exp, authorization: this.#scope(url) }, this.requests.length);
    this.issued[this.requests.length] = token;
    return new Response(JSON.stringify({
      token, jwt: token, expiresInSeconds: this.lifetime, expirationTimestamp: exp * 1000, expiration_timestamp_ms: exp * 1000,
    }), { headers: fields });
  };

  #scope(url) {
    const { pathname, searchParams } = new URL(url, 'https://x.example');
    const [kind, id] = pathname.split('/').slice(-2).map(decodeURIComponent);
    const whole = kinds.find((row) => row.privileged && pathname.endsWith(row.path));
    if (whole) return whole.claims;
    const [claim] = Object.keys(kinds.find((row) => row.kind === kind).claims);
    const task = searchParams.get('taskId');
    return { [claim]: id, ...(task && { taskid: task }) };
  }
}

/** A server on a real socket that redirects to another, or answers 200. */
export class Redirector {
  requests = [];

  static async start(status, target) {
    const redirector = new Redirector();
    redirector.server = createServer((request, response) => {
      redirector.requests.push(request);
      response.writeHead(target ? status : 200, target && { Location: target + request.url });
      response.end('{}');
    });
    await new Promise((resolve) => redirector.server.listen(0, '127.0.0.1', resolve));
    redirector.url = `http://127.0.0.1:${redirector.server.address().port}`;
    return redirector;
  }

  stop() {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(resolve));
  }
}
