// TripLocationProvider and ShipmentLocationProvider: polling, deltas, tokens and errors.

import assert from 'node:assert/strict';

import { ShipmentLocationProvider, TripLocationProvider } from '../../Sources/fleet-engine-emulator/Page/journey.js';
import { TokenFetcher } from '../../../web/token-fetcher.js';
import { readFileSync } from 'node:fs';

import { Redirector, TestClock, TokenServer, test } from '../../../Tests/Web/support.js';

const cases = JSON.parse(readFileSync(new URL('../../../Tests/TokenCases/cases.json', import.meta.url), 'utf8'));

const origin = { latitude: 25.046, longitude: 121.515 };
const pickup = { latitude: 25.0478, longitude: 121.517 };
const dropoff = { latitude: 25.0339, longitude: 121.5645 };
const trip = {
  name: 'providers/demo-fleet/trips/trip-1', tripStatus: 'ENROUTE_TO_PICKUP', vehicleId: 'vehicle-1', numberOfPassengers: 2,
  pickupPoint: { point: pickup }, dropoffPoint: { point: dropoff }, pickupTime: '2026-11-20T21:53:25.081Z',
  lastLocation: { location: origin, heading: 42, speed: 7.4, updateTime: '2026-11-20T21:52:31.2Z' },
  remainingDistanceMeters: 169, route: [origin, pickup], currentRouteSegmentVersion: 'route-1',
  currentRouteSegmentTraffic: { speedReadingInterval: [{ endPolylinePointIndex: 1, speed: 'SLOW' }] },
  currentRouteSegmentTrafficVersion: 'traffic-1', remainingWaypointsRouteVersion: 'rest-1',
  remainingWaypoints: [
    { location: { point: pickup }, tripId: 'trip-1', waypointType: 'PICKUP_WAYPOINT_TYPE' },
    { location: { point: dropoff }, tripId: 'trip-1', waypointType: 'DROP_OFF_WAYPOINT_TYPE', distanceMeters: 5120,
      duration: '1126.5s', pathToWaypoint: [pickup, dropoff] },
  ],
};

/** A Fleet Engine that answers what the test says, and a provider that follows it. */
class Journey {
  requests = [];
  log = [];
  answer = () => Response.json(trip);
  clock = new TestClock();
  tokenServer = new TokenServer(this.clock);

  constructor(options = {}) {
    const tokens = new TokenFetcher({ fetch: this.tokenServer.fetch, clock: this.clock, random: () => 0 });
    const common = {
      projectId: 'demo-fleet', baseURL: 'https://engine.example', authTokenFetcher: tokens.authTokenFetcher,
      invalidateToken: (token) => tokens.invalidate(token), timers: this.clock, random: () => 0,
      fetch: async (url, options) => {
        this.requests.push({ url: new URL(url), token: options.headers.Authorization, options });
        return this.answer(this.requests.length);
      },
      ...options,
    };
    this.provider = options.trackingId ? new ShipmentLocationProvider(common) : new TripLocationProvider(common);
    this.provider.addListener('update', (event) => this.log.push(event));
    this.provider.addListener('error', ({ error }) => this.log.push(`${error.code} ${error.recovers ? 'recovers' : 'action'}`));
    this.provider.addListener('ispollingchange', () => this.log.push(this.provider.isPolling ? 'polling' : 'idle'));
  }

  async after(seconds) {
    this.clock.advance(seconds);
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    return this.log.splice(0);
  }
}

/** A journey of a trip after its first request, and what that led to. */
async function followed(options, answer) {
  const journey = new Journey({ tripId: 'trip-1', ...options });
  journey.answer = answer ?? journey.answer;
  return [journey, await journey.after(0)];
}

const refusal = (code, status, fields = {}) => () =>
  Response.json({ error: { code, status, message: `Test: ${status}` } }, { status: code, headers: fields });

test('A trip reads as Google\'s SDK presents it', async () => {
  const [journey, [{ trip: seen }]] = await followed();
  assert.equal(seen.status, 'ENROUTE_TO_PICKUP');
  assert.equal(seen.passengerCount, 2);
  assert.equal(seen.pickupTime.toISOString(), '2026-11-20T21:53:25.081Z');
  assert.equal(seen.dropOffTime, null);
  assert.deepEqual(seen.plannedPickupLocation, { lat: 25.0478, lng: 121.517 });
  assert.equal(seen.latestVehicleLocationUpdate.heading, 42);
  assert.equal(seen.remainingWaypoints[1].durationMillis, 1_126_500);
  assert.deepEqual(seen.activeRouteTraffic, [{ startIndex: 0, endIndex: 1, speed: 'SLOW' }]);
  const [{ url, token }] = journey.requests;
  assert.equal(url.href, 'https://engine.example/v1/providers/demo-fleet/trips/trip-1');
  assert.equal(token, `Bearer ${journey.tokenServer.issued[1]}`);
});

test('The interval is five seconds, a lower one is raised, and 0 does not poll', async () => {
  for (const [given, interval] of [[undefined, 5000], [3000, 5000], [1, 5000], [8000, 8000], [0, 0]]) {
    const [journey] = await followed({ pollingIntervalMillis: given });
    assert.equal(journey.provider.pollingIntervalMillis, interval);
    assert.equal(journey.provider.isPolling, interval > 0);
    await journey.after(interval / 1000 - 0.001);
    assert.equal(journey.requests.length, 1);
    await journey.after(0.002);
    assert.equal(journey.requests.length, interval ? 2 : 1);
    if (interval) continue;
    journey.provider.refresh();
    await journey.after(0);
    assert.equal(journey.requests.length, 2);
  }
});

test('The next request waits for the last one', async () => {
  const journey = new Journey({ tripId: 'trip-1' });
  let finish;
  journey.answer = () => new Promise((resolve) => { finish = resolve; });
  await journey.after(0);
  await journey.after(9);
  journey.provider.refresh();
  assert.equal(journey.requests.length, 1);
  finish(Response.json(trip));
  await journey.after(4.9);
  assert.equal(journey.requests.length, 1);
  await journey.after(5);
  assert.equal(journey.requests.length, 2);
});

test('What Fleet Engine leaves out has not changed', async () => {
  const [journey] = await followed();
  const { route, currentRouteSegmentTraffic, ...rest } = trip;
  const remainingWaypoints = trip.remainingWaypoints.map(({ pathToWaypoint, ...waypoint }) => waypoint);
  journey.answer = () => Response.json({ ...rest, remainingWaypoints });
  await journey.after(5);
  const [{ trip: seen }] = await journey.after(5);
  assert.deepEqual(Object.fromEntries(journey.requests[1].url.searchParams), {
    currentRouteSegmentVersion: 'route-1', currentRouteSegmentTrafficVersion: 'traffic-1', remainingWaypointsRouteVersion: 'rest-1',
  });
  assert.equal(seen.activeRoute.length, 2);
  assert.equal(seen.activeRouteTraffic.length, 1);
  assert.equal(seen.remainingWaypoints[1].path.length, 2);
});

test('A route of another version, or to another waypoint, replaces the last one', async () => {
  const { route, currentRouteSegmentTraffic, ...rest } = trip;
  const changes = [{ currentRouteSegmentVersion: 'route-2' }, { currentRouteSegmentVersion: undefined }, { remainingWaypoints: trip.remainingWaypoints.slice(1) }];
  for (const change of changes) {
    const [journey] = await followed();
    journey.answer = () => Response.json({ ...rest, ...change });
    const [{ trip: seen }] = await journey.after(5);
    assert.deepEqual(seen.activeRoute, []);
    assert.deepEqual(seen.activeRouteTraffic, []);
  }
});

test('The paths between waypoints are kept only while their version is the same', async () => {
  const remainingWaypoints = trip.remainingWaypoints.map(({ pathToWaypoint, ...waypoint }) => waypoint);
  for (const [remainingWaypointsRouteVersion, points] of [['rest-1', 2], ['rest-2', 0], [undefined, 0]]) {
    const [journey] = await followed();
    journey.answer = () => Response.json({ ...trip, remainingWaypoints, remainingWaypointsRouteVersion });
    const [{ trip: seen }] = await journey.after(5);
    assert.equal(seen.remainingWaypoints[1].path.length, points);
  }
});

test('A trip that has ended is shown once more, without its route, and polling ends', async () => {
  for (const tripStatus of ['COMPLETE', 'CANCELED']) {
    const [journey] = await followed();
    journey.answer = () => Response.json({ name: trip.name, tripStatus });
    const [{ trip: seen }, state] = await journey.after(5);
    assert.equal(seen.status, tripStatus);
    assert.deepEqual(seen.activeRoute, []);
    assert.equal(state, 'idle');
    journey.provider.refresh();
    await journey.after(1000);
    assert.equal(journey.requests.length, 2);
    assert.deepEqual(journey.clock.timers, []);
  }
});

test('A rejected token is replaced and the request repeated once', async () => {
  const journey = new Journey({ tripId: 'trip-1' });
  journey.answer = (number) => number === 1 ? refusal(401, 'UNAUTHENTICATED')() : Response.json(trip);
  const [{ trip: seen }] = await journey.after(0);
  assert.ok(seen);
  assert.deepEqual(journey.requests.map(({ token }) => token), journey.tokenServer.issued.slice(1).map((token) => `Bearer ${token}`));
});

test('A second rejected token is discarded too', async () => {
  const journey = new Journey({ tripId: 'trip-1' });
  journey.answer = (number) => number < 3 ? refusal(401, 'UNAUTHENTICATED')() : Response.json(trip);
  for (let second = 0; second < 30 && journey.requests.length < 3; second += 1) await journey.after(1);
  assert.equal(new Set(journey.requests.map(({ token }) => token)).size, 3);
});

test('A request sends neither cookies nor the page\'s address, and the browser stores no response', async () => {
  const [journey] = await followed();
  const [{ options: { credentials, cache, redirect, referrerPolicy } }] = journey.requests;
  assert.deepEqual([credentials, cache, redirect, referrerPolicy], ['omit', 'no-store', 'error', 'no-referrer']);
});

test('Tokens that are rejected again and again are an error, without a storm of requests', async () => {
  const [journey, log] = await followed({}, refusal(401, 'UNAUTHENTICATED'));
  assert.deepEqual(log, ['UNAUTHENTICATED action']);
  for (let second = 0; second < 120; second += 1) await journey.after(1);
  assert.ok(journey.requests.length <= 10, `${journey.requests.length} requests`);
  assert.ok(journey.tokenServer.requests.length <= 10);
});

for (const [code, status] of [[400, 'INVALID_ARGUMENT'], [403, 'PERMISSION_DENIED'], [404, 'NOT_FOUND'], [429, 'RESOURCE_EXHAUSTED']]) {
  test(`${status} needs action and is tried ever less often`, async () => {
    const [journey, log] = await followed({}, refusal(code, status));
    assert.deepEqual(log, [`${status} action`]);
    for (let second = 0; second < 300; second += 1) await journey.after(1);
    assert.ok(journey.requests.length >= 4 && journey.requests.length <= 9, `${journey.requests.length} requests`);
    journey.answer = () => Response.json(trip);
    await journey.after(61);
    assert.equal(journey.provider.isPolling, true);
    journey.log.splice(0);
    const [{ trip: seen }] = await journey.after(5);
    assert.ok(seen);
  });
}

for (const [code, status] of [[409, 'ABORTED'], [499, 'CANCELLED'], [500, 'INTERNAL'], [503, 'UNAVAILABLE'], [504, 'DEADLINE_EXCEEDED']]) {
  test(`${status} recovers by itself`, async () => {
    const [journey, log] = await followed({}, refusal(code, status));
    assert.deepEqual(log, [`${status} recovers`]);
    journey.answer = () => Response.json(trip);
    const [{ trip: seen }] = await journey.after(5);
    assert.ok(seen);
  });
}

test('Retry-After is honored', async () => {
  const [journey] = await followed({}, refusal(503, 'UNAVAILABLE', { 'Retry-After': '30' }));
  await journey.after(29);
  assert.equal(journey.requests.length, 1);
  await journey.after(2);
  assert.equal(journey.requests.length, 2);
});

test('Another interval counts from now, and ends no pause that a server requested', async () => {
  const [journey] = await followed();
  journey.provider.pollingIntervalMillis = 60_000;
  await journey.after(59);
  assert.equal(journey.requests.length, 1);
  journey.answer = refusal(503, 'UNAVAILABLE', { 'Retry-After': '90' });
  await journey.after(2);
  journey.provider.pollingIntervalMillis = 5000;
  await journey.after(85);
  assert.equal(journey.requests.length, 2);
  await journey.after(6);
  assert.equal(journey.requests.length, 3);
});

test('While an error needs action, the pauses double up to a minute', async () => {
  const journey = new Journey({ tripId: 'trip-1' });
  journey.answer = refusal(403, 'PERMISSION_DENIED');
  const pauses = [];
  for (let call = 0; call < 7; call += 1) {
    await journey.after(pauses.at(-1) ?? 0);
    pauses.push(Math.max(...journey.clock.timers));
  }
  assert.deepEqual(pauses.slice(0, 6), [10, 20, 40, 60, 60, 60]);
});

test('Pages that are told the same second return spread over an interval', async () => {
  const journey = new Journey({ tripId: 'trip-1', random: () => 0.5 });
  journey.answer = refusal(503, 'UNAVAILABLE', { 'Retry-After': '30' });
  await journey.after(0);
  assert.deepEqual(journey.clock.timers, [32.5]);
});

for (const status of cases.redirects.statuses) {
  test(`A ${status} of Fleet Engine is not followed, and the token stays`, async (t) => {
    const other = await Redirector.start();
    const engine = await Redirector.start(status, other.url);
    t.after(() => Promise.all([engine, other].map((each) => each.stop())));
    const provider = new TripLocationProvider({
      projectId: 'demo-fleet', baseURL: engine.url, pollingIntervalMillis: 0,
      authTokenFetcher: async () => ({ token: 'TOKEN', expiresInSeconds: 60 }),
    });
    const failure = new Promise((resolve) => provider.addListener('error', resolve));
    provider.tripId = 'trip-1';
    const { error, retryInMillis } = await failure;
    assert.deepEqual([error.code, error.source, retryInMillis], ['UNAVAILABLE', 'Fleet Engine', undefined]);
    assert.ok(error.cause instanceof TypeError);
    assert.deepEqual([engine.requests.length, other.requests.length], [1, 0]);
  });
}

test('A failure of the app\'s own functions is told apart from the servers\'', async () => {
  const failure = new Error('Not signed in.');
  const tokens = new TokenFetcher({ server: 'https://tokens.example', credentials: () => { throw failure; } });
  const journey = new Journey({ authTokenFetcher: tokens.authTokenFetcher });
  const errors = [];
  journey.provider.addListener('error', (event) => errors.push(event));
  journey.provider.tripId = 'trip-1';
  await journey.after(0);
  const [{ error, retryInMillis }] = errors;
  assert.deepEqual([error.source, error.code, error.recovers, error.cause], ['app', 'UNAUTHENTICATED', false, failure]);
  assert.equal(retryInMillis, 10_000);
});

const wrongFetchers = {
  'resolves nothing': async () => {}, 'resolves a text': async () => 'SECRET', 'resolves {}': async () => ({}),
  'resolves a token that is undefined': async () => ({ token: undefined }), 'resolves an empty token': async () => ({ token: '' }),
  'resolves a token with a line break': async () => ({ token: 'SECRET\r\n' }), 'returns nothing': () => {},
  'throws at once': () => { throw new Error('SECRET'); },
};
for (const [what, authTokenFetcher] of Object.entries(wrongFetchers)) {
  test(`An authTokenFetcher that ${what} is the app's mistake, and nothing is sent`, async () => {
    const journey = new Journey({ authTokenFetcher });
    const errors = [];
    journey.provider.addListener('error', ({ error }) => errors.push(error));
    journey.provider.tripId = 'trip-1';
    await journey.after(0);
    const [error] = errors;
    assert.deepEqual([error.code, error.source, error.recovers], ['INVALID_ARGUMENT', 'app', false]);
    assert.match(error.message, /^The app's `authTokenFetcher` /);
    assert.doesNotMatch(error.message, /SECRET/);
    assert.equal(journey.requests.length, 0);
  });
}

test('A request that hangs ends after fifteen seconds, and following continues', async () => {
  const journey = new Journey({
    tripId: 'trip-1',
    fetch: (url, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  });
  await journey.after(0);
  assert.deepEqual(await journey.after(15), ['DEADLINE_EXCEEDED recovers']);
  assert.equal(journey.provider.isPolling, true);
});

test('A listener that fails is reported as such, and following continues', async (context) => {
  const reported = [];
  context.mock.method(globalThis, 'queueMicrotask', (action) => {
    try {
      action();
    } catch (error) {
      reported.push(error.message);
    }
  });
  for (const answer of [() => Response.json(trip), refusal(503, 'UNAVAILABLE')]) {
    const journey = new Journey();
    journey.answer = answer;
    const fail = () => { throw new Error('The page fails.'); };
    journey.provider.addListener('update', fail);
    journey.provider.addListener('error', fail);
    journey.provider.tripId = 'trip-1';
    const [, event, ...others] = await journey.after(0);
    assert.ok(event.trip || event === 'UNAVAILABLE recovers');
    assert.deepEqual(others, []);
    await journey.after(5);
    assert.equal(journey.requests.length, 2);
  }
  assert.deepEqual(reported, Array(4).fill('The page fails.'));
});

test('An error holds no token, even if Fleet Engine\'s message does', async () => {
  const journey = new Journey();
  const errors = [];
  journey.provider.addListener('error', ({ error }) => errors.push(error));
  journey.answer = () => {
    const [token] = journey.tokenServer.issued.slice(-1);
    return Response.json({ error: { status: 'PERMISSION_DENIED', message: `Not permitted: ${token}` } }, { status: 403 });
  };
  journey.provider.tripId = 'trip-1';
  await journey.after(0);
  assert.equal(errors[0].message, 'PERMISSION_DENIED');
});

test('Broken answers and a broken network pass', async () => {
  for (const answer of [() => new Response('{"name":'), () => new Response('[]'), () => { throw new TypeError('network'); }]) {
    const [journey, log] = await followed({}, answer);
    assert.deepEqual(log, ['UNAVAILABLE recovers']);
  }
});

test('A failure of the token server is told as what it is, and is waited for as long as it says', async () => {
  for (const [status, line] of [[403, 'PERMISSION_DENIED action'], [503, 'UNAVAILABLE recovers']]) {
    const journey = new Journey({ tripId: 'trip-1' });
    Object.assign(journey.tokenServer, { status, retryAfter: 30 });
    assert.deepEqual(await journey.after(0), [line]);
    assert.equal(journey.requests.length, 0);
    // Half of half a second comes on top.
    assert.deepEqual(journey.clock.timers, [30.25]);
  }
});

test('Another ID ends the last one\'s request, and none ends following', async () => {
  const journey = new Journey({ tripId: 'trip-1' });
  let finish;
  journey.answer = () => new Promise((resolve) => { finish = resolve; });
  await journey.after(0);
  const late = finish;
  journey.provider.tripId = 'trip-2';
  await journey.after(0);
  late(Response.json(trip));
  assert.deepEqual(await journey.after(0), []);
  assert.equal(journey.requests[1].url.pathname, '/v1/providers/demo-fleet/trips/trip-2');
  journey.provider.tripId = '';
  assert.deepEqual(await journey.after(100), ['idle']);
  assert.equal(journey.requests.length, 2);
});

test('Another trip is followed anew: without the versions of the last one, and although that has ended', async () => {
  const [journey] = await followed({}, () => Response.json({ ...trip, tripStatus: 'COMPLETE' }));
  journey.answer = refusal(503, 'UNAVAILABLE');
  journey.provider.tripId = 'trip-2';
  await journey.after(0);
  assert.equal(journey.requests[1].url.search, '');
  await journey.after(5);
  assert.equal(journey.requests.length, 3);
});

test('A shipment is followed by its tracking ID until it is closed', async () => {
  const journey = new Journey({ trackingId: 'parcel 1' });
  const info = { name: 'x', trackingId: 'parcel 1', state: 'OPEN', remainingStopCount: 2, vehicleLocation: { location: origin },
    routePolylinePoints: [origin, dropoff], plannedLocation: { point: dropoff } };
  journey.answer = () => Response.json(info);
  const [{ taskTrackingInfo }] = await journey.after(0);
  assert.equal(taskTrackingInfo.remainingStopCount, 2);
  assert.equal(taskTrackingInfo.routePolylinePoints.length, 2);
  assert.equal(journey.requests[0].url.pathname, '/v1/providers/demo-fleet/taskTrackingInfo/parcel%201');
  assert.equal(journey.tokenServer.requests[0].url, '/token/delivery_consumer/parcel%201');
  journey.answer = () => Response.json({ ...info, state: 'CLOSED', taskOutcome: 'SUCCEEDED' });
  const [last, state] = await journey.after(5);
  assert.equal(last.taskTrackingInfo.taskOutcome, 'SUCCEEDED');
  assert.equal(state, 'idle');
});
