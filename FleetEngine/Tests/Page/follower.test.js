// Following: polling, tokens and errors.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { Follower } from '../../Sources/fleet-engine-emulator/Page/follower.js';
import { TokenSource } from '../../Sources/fleet-engine-emulator/Page/token-source.js';

import { Redirector, TokenServer, test } from '../../../Tests/Web/support.js';
import { TimerClock } from './support.js';

const polls = JSON.parse(readFileSync(new URL('../PollCases/cases.json', import.meta.url), 'utf8'));
const cases = JSON.parse(readFileSync(new URL('../../../Tests/TokenCases/cases.json', import.meta.url), 'utf8'));

const origin = { latitude: 25.046, longitude: 121.515 };
const pickup = { latitude: 25.0478, longitude: 121.517 };
const dropoff = { latitude: 25.0339, longitude: 121.5645 };
const trip = {
  name: 'providers/demo-fleet/trips/trip-1', tripStatus: 'ENROUTE_TO_PICKUP', vehicleId: 'vehicle-1', numberOfPassengers: 2,
  pickupPoint: { point: pickup }, dropoffPoint: { point: dropoff }, pickupTime: '2026-11-20T21:53:25.081Z',
  lastLocation: { location: origin, heading: 42, speed: 7.4, updateTime: '2026-11-20T21:52:31.2Z' },
  remainingDistanceMeters: 169, route: [origin, pickup],
  remainingWaypoints: [
    { location: { point: pickup }, tripId: 'trip-1', waypointType: 'PICKUP_WAYPOINT_TYPE' },
    { location: { point: dropoff }, tripId: 'trip-1', waypointType: 'DROP_OFF_WAYPOINT_TYPE', distanceMeters: 5120,
      duration: '1126.5s', pathToWaypoint: [pickup, dropoff] },
  ],
};

/** A Fleet Engine that responds as the test says, and a page that follows a trip or shipment. */
class Journey {
  requests = [];
  log = [];
  respond = () => Response.json(trip);
  clock = new TimerClock();
  tokenServer = new TokenServer(this.clock);

  constructor({ kind = 'trip', id = 'trip-1', respond, server, ...options } = {}) {
    this.respond = respond ?? this.respond;
    Object.assign(this.tokenServer, server);
    const url = `/token/${kind === 'trip' ? 'consumer' : 'delivery_consumer'}/${encodeURIComponent(id)}`;
    const environment = { fetch: this.tokenServer.fetch, now: () => this.clock.continuous() * 1000 };
    this.tokens = [];
    this.follower = new Follower({
      kind, id, project: 'demo-fleet', origin: 'https://engine.example', timers: this.clock, random: () => 0,
      tokens: new TokenSource(url, (state) => this.tokens.push(state), environment),
      fetch: async (url, options) => {
        this.requests.push({ url: new URL(url), token: options.headers.Authorization, options });
        return this.respond(this.requests.length);
      },
      onUpdate: (update) => this.log.push(update),
      onError: (error) => this.log.push(`${error.code} ${error.recovers ? 'recovers' : 'action'}`),
      ...options,
    });
  }

  async after(seconds) {
    this.clock.advance(seconds);
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    return this.log.splice(0);
  }
}

/** A journey of a trip after its first request, and what that led to. */
async function followed(respond) {
  const journey = new Journey({ respond });
  return [journey, await journey.after(0)];
}

const refusal = (code, status, fields = {}) => () =>
  Response.json({ error: { code, status, message: `Test: ${status}` } }, { status: code, headers: fields });

test('A trip is read with the token for it', async () => {
  const [journey, [seen]] = await followed();
  assert.equal(seen.status, 'ENROUTE_TO_PICKUP');
  assert.equal(seen.pickupTime.toISOString(), '2026-11-20T21:53:25.081Z');
  assert.equal(seen.dropOffTime, null);
  assert.deepEqual(seen.plannedPickupLocation, { lat: 25.0478, lng: 121.517 });
  assert.equal(seen.latestVehicleLocationUpdate.heading, 42);
  assert.equal(seen.activeRoute.length, 2);
  assert.equal(seen.remainingWaypoints[1].path.length, 2);
  const [{ url, token }] = journey.requests;
  assert.equal(url.href, 'https://engine.example/v1/providers/demo-fleet/trips/trip-1');
  assert.equal(token, `Bearer ${journey.tokenServer.issued[1]}`);
  assert.deepEqual(journey.tokens.map(({ scope, lifetime, count }) => [scope, lifetime, count]), [['tripid: trip-1', 3540, 1]]);
});

test('The next request waits for the last one', async () => {
  const journey = new Journey();
  let finish;
  journey.respond = () => new Promise((resolve) => { finish = resolve; });
  await journey.after(0);
  await journey.after(9);
  journey.follower.refresh();
  assert.equal(journey.requests.length, 1);
  finish(Response.json(trip));
  await journey.after(4.9);
  assert.equal(journey.requests.length, 1);
  await journey.after(5);
  assert.equal(journey.requests.length, 2);
});

test('A trip that has ended is shown once more, without its route, and polling ends', async () => {
  for (const tripStatus of ['COMPLETE', 'CANCELED']) {
    const [journey] = await followed();
    journey.respond = () => Response.json({ name: trip.name, tripStatus });
    const [seen] = await journey.after(5);
    assert.equal(seen.status, tripStatus);
    assert.deepEqual(seen.activeRoute, []);
    journey.follower.refresh();
    await journey.after(1000);
    assert.equal(journey.requests.length, 2);
    assert.deepEqual(journey.clock.timers, []);
  }
});

test('A rejected token is replaced and the request repeated once', async () => {
  const journey = new Journey();
  journey.respond = (number) => number === 1 ? refusal(401, 'UNAUTHENTICATED')() : Response.json(trip);
  const [seen] = await journey.after(0);
  assert.ok(seen);
  assert.deepEqual(journey.tokenServer.requests.map(({ headers }) => headers.get('Fleet-Token-Reuse')), [null, 'no']);
  assert.deepEqual(journey.requests.map(({ token }) => token), journey.tokenServer.issued.slice(1).map((token) => `Bearer ${token}`));
});

test('A second rejected token is discarded too', async () => {
  const journey = new Journey();
  journey.respond = (number) => number < 3 ? refusal(401, 'UNAUTHENTICATED')() : Response.json(trip);
  for (let second = 0; second < 30 && journey.requests.length < 3; second += 1) await journey.after(1);
  assert.equal(new Set(journey.requests.map(({ token }) => token)).size, 3);
});

test('A request sends neither cookies nor the page\'s address, and the browser stores no response', async () => {
  const [journey] = await followed();
  const [{ options: { credentials, cache, redirect, referrerPolicy } }] = journey.requests;
  assert.deepEqual([credentials, cache, redirect, referrerPolicy], ['omit', 'no-store', 'error', 'no-referrer']);
});

test('Tokens that are rejected again and again are an error, without a storm of requests', async () => {
  const [journey, log] = await followed(refusal(401, 'UNAUTHENTICATED'));
  assert.deepEqual(log, ['UNAUTHENTICATED action']);
  for (let second = 0; second < 120; second += 1) await journey.after(1);
  assert.ok(journey.requests.length <= 10, `${journey.requests.length} requests`);
  assert.ok(journey.tokenServer.requests.length <= 10);
});

for (const { status, name, code, recovers } of polls.responses) {
  test(`A ${status} ${name ?? 'without a name'} is ${code}, which ${recovers ? 'recovers' : 'needs action'}`, async () => {
    const [, log] = await followed(refusal(status, name));
    assert.deepEqual(log, [`${code} ${recovers ? 'recovers' : 'action'}`]);
  });
}

for (const { what, statuses, retryAfter, random = 0, pauses } of polls.pauses) {
  test(what, async () => {
    const headers = retryAfter ? { 'Retry-After': String(retryAfter) } : {};
    const responses = statuses.flatMap((status) => {
      const respond = () => status === 200 ? Response.json(trip) : new Response('', { status, headers });
      // A rejected token is replaced, and the request is sent once more.
      return status === 401 ? [respond, respond] : [respond];
    });
    const journey = new Journey({ random: () => random, respond: (number) => responses[number - 1]() });
    for (const [index, pause] of pauses.entries()) {
      await journey.after(pauses[index - 1] ?? 0);
      assert.deepEqual(journey.clock.timers, [pause]);
    }
  });
}

for (const status of cases.redirects.statuses) {
  test(`A ${status} of Fleet Engine is not followed, and the token stays`, async (t) => {
    const other = await Redirector.start();
    const engine = await Redirector.start(status, other.url);
    t.after(() => Promise.all([engine, other].map((each) => each.stop())));
    const error = await new Promise((resolve) => {
      const tokens = { token: async () => 'TOKEN', invalidate: () => {} };
      new Follower({
        kind: 'trip', id: 'trip-1', project: 'demo-fleet', origin: engine.url, tokens, timers: new TimerClock(),
        onUpdate: resolve, onError: resolve,
      });
    });
    assert.deepEqual([error.code, error.source], ['UNAVAILABLE', 'Fleet Engine']);
    assert.ok(error.cause instanceof TypeError);
    assert.deepEqual([engine.requests.length, other.requests.length], [1, 0]);
  });
}

test('A request that hangs ends after fifteen seconds, and following continues', async () => {
  const journey = new Journey({
    fetch: (url, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  });
  await journey.after(0);
  assert.deepEqual(await journey.after(15), ['DEADLINE_EXCEEDED recovers']);
  assert.deepEqual(journey.clock.timers, [5]);
});

test('An error holds no token, even if Fleet Engine\'s message does', async () => {
  let error;
  const journey = new Journey({ onError: (each) => { error = each; } });
  journey.respond = () => {
    const [token] = journey.tokenServer.issued.slice(-1);
    return Response.json({ error: { status: 'PERMISSION_DENIED', message: `Not permitted: ${token}` } }, { status: 403 });
  };
  await journey.after(0);
  assert.equal(error.message, 'PERMISSION_DENIED');
});

test('Broken responses and a broken network pass', async () => {
  for (const respond of [() => new Response('{"name":'), () => new Response('[]'), () => { throw new TypeError('network'); }]) {
    const [journey, log] = await followed(respond);
    assert.deepEqual(log, ['UNAVAILABLE recovers']);
  }
});

test('A failure of the token server is reported as its own, and is waited for as long as it says', async () => {
  for (const [status, line] of [[403, 'PERMISSION_DENIED action'], [503, 'UNAVAILABLE recovers']]) {
    const journey = new Journey({ server: { status, retryAfter: 30 } });
    assert.deepEqual(await journey.after(0), [line]);
    assert.equal(journey.requests.length, 0);
    assert.deepEqual(journey.clock.timers, [30]);
  }
});

test('A shipment is followed by its tracking ID until it is closed', async () => {
  const journey = new Journey({ kind: 'tracking', id: 'parcel 1' });
  const info = { name: 'x', trackingId: 'parcel 1', state: 'OPEN', remainingStopCount: 2, vehicleLocation: { location: origin },
    routePolylinePoints: [origin, dropoff], plannedLocation: { point: dropoff } };
  journey.respond = () => Response.json(info);
  const [taskTrackingInfo] = await journey.after(0);
  assert.equal(taskTrackingInfo.remainingStopCount, 2);
  assert.equal(taskTrackingInfo.routePolylinePoints.length, 2);
  assert.equal(journey.requests[0].url.pathname, '/v1/providers/demo-fleet/taskTrackingInfo/parcel%201');
  assert.equal(journey.tokenServer.requests[0].url, '/token/delivery_consumer/parcel%201');
  journey.respond = () => Response.json({ ...info, state: 'CLOSED', taskOutcome: 'SUCCEEDED' });
  const [last] = await journey.after(5);
  assert.equal(last.taskOutcome, 'SUCCEEDED');
  assert.deepEqual(journey.clock.timers, []);
});
