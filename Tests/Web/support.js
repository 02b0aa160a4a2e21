// A clock that tests move, and a token server that answers as they say.

/** A JWT with these claims, whose signature verifies nowhere. */
export function jwt(claims, serial = 0) {
  const encode = (text) => Buffer.from(text).toString('base64url');
  return [JSON.stringify({ alg: 'RS256', typ: 'JWT' }), JSON.stringify(claims), `signature ${serial}`].map(encode).join('.');
}

/** Two clocks and timers that move only when a test says so. */
export class TestClock {
  #continuous = 1000;
  #wall = 1_795_211_460;
  #timers = new Map();
  #lastTimer = 0;

  continuous = () => this.#continuous;
  wall = () => this.#wall;
  setTimeout = (action, milliseconds) => {
    this.#timers.set(this.#lastTimer += 1, { due: this.#continuous + milliseconds / 1000, action });
    return this.#lastTimer;
  };
  clearTimeout = (id) => this.#timers.delete(id);

  get timers() {
    return [...this.#timers.values()].map(({ due }) => due - this.#continuous);
  }

  advance(seconds) {
    this.#continuous += seconds;
    this.#wall += seconds;
    for (const [id, { due, action }] of [...this.#timers]) {
      if (due > this.#continuous) continue;
      this.#timers.delete(id);
      action();
    }
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
  lifetime = 3540;
  retryAfter = undefined;
  /** The only credentials that are accepted; undefined for all. */
  accepted = undefined;

  constructor(clock, { authorization } = {}) {
    this.clock = clock;
    this.authorization = authorization;
  }

  fetch = async (url, { headers }) => {
    this.requests.push({ url, headers });
    const now = this.clock.wall();
    const fields = { Date: new Date(now * 1000).toUTCString() };
    if (this.accepted !== undefined && headers.Authorization !== this.accepted) return new Response('{}', { status: 401 });
    if (this.status !== 200) {
      if (this.retryAfter !== undefined) fields['Retry-After'] = String(this.retryAfter);
      return new Response('{}', { status: this.status, headers: fields });
    }
    const exp = Math.floor(now) + this.lifetime;
    const authorization = this.authorization !== undefined ? this.authorization : this.#scope(url);
    const token = jwt({ iat: exp - 3600, exp, authorization }, this.requests.length);
    this.issued[this.requests.length] = token;
    return new Response(JSON.stringify({
      token, jwt: token, expiresInSeconds: this.lifetime, expirationTimestamp: exp * 1000, expiration_timestamp_ms: exp * 1000,
    }), { headers: fields });
  };

  #scope(url) {
    const { pathname, searchParams } = new URL(url, 'https://x.example');
    const [kind, id] = pathname.split('/').slice(-2).map(decodeURIComponent);
    const claim = {
      consumer: 'tripid', driver: 'vehicleid', delivery_driver: 'deliveryvehicleid', trusted_delivery_driver: 'deliveryvehicleid',
      delivery_consumer: 'trackingid', delivery_task: 'taskid',
    }[kind];
    const task = searchParams.get('taskId');
    return { [claim]: id, ...(task && { taskid: task }) };
  }
}
