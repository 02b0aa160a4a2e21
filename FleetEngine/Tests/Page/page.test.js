// The page's rules that need no browser: the camera, the words, the model and the styles.

import assert from 'node:assert/strict';

import { between, drag, fit, onMap, zoom } from '../../Sources/fleet-engine-emulator/Page/camera.js';
import { EngineClock } from '../../Sources/fleet-engine-emulator/Page/engine-clock.js';
import { shipmentJourney, staleJourney, staleMinutes, tripJourney } from '../../Sources/fleet-engine-emulator/Page/journey-model.js';
import { StyleCoordinator, examples } from '../../Sources/fleet-engine-emulator/Page/map-style.js';
import { errorWords } from '../../Sources/fleet-engine-emulator/Page/state-words.js';
import { FleetEngineError } from '../../Sources/fleet-engine-emulator/Page/fleet-engine-error.js';
import { distance, minutesUntil, remaining } from '../../Sources/fleet-engine-emulator/Page/words.js';
import { readTaskTrackingInfo, readTrip } from '../../Sources/fleet-engine-emulator/Page/trip.js';
import { test } from '../../../Tests/Web/support.js';

const size = { width: 800, height: 600 };
const places = [{ lat: 25.0462, lng: 121.5129 }, { lat: 25.0372, lng: 121.5435 }, { lat: 25.05, lng: 121.52 }];

test('The camera shows all places, with room for markers', () => {
  for (const set of [places, places.slice(0, 1), [{ lat: 0, lng: 0 }], [{ lat: 85, lng: 179 }, { lat: -85, lng: -179 }]]) {
    const camera = fit(set, size);
    for (const place of set) {
      const { x, y } = onMap(place, camera, size);
      assert.ok(x >= 55 && x <= 745 && y >= 75 && y <= 537, `${JSON.stringify(place)} at ${x}, ${y}`);
    }
  }
  assert.equal(fit([], size), undefined);
});

test('A zoom keeps the point under the pointer, and a drag moves by as many pixels', () => {
  const camera = fit(places, size);
  const around = onMap(places[1], camera, size);
  const closer = onMap(places[1], zoom(camera, 2, size, around), size);
  assert.ok(Math.hypot(closer.x - around.x, closer.y - around.y) < 0.01);
  const moved = onMap(places[1], drag(camera, { x: 30, y: -20 }), size);
  assert.ok(Math.hypot(moved.x - around.x - 30, moved.y - around.y + 20) < 0.01);
  assert.deepEqual(between(camera, closer, 0), camera);
});

test('Words for times and distances', () => {
  const now = 1_795_211_460_000;
  for (const [seconds, text] of [[-100, undefined], [0, undefined], [29, undefined], [31, '1 min'], [190, '3 min'], [3540, '59 min'],
    [3600, '1 h 0 min'], [3900, '1 h 5 min']]) {
    assert.equal(minutesUntil(new Date(now + seconds * 1000), now), text);
  }
  assert.deepEqual([3, 169, 944, 951, 2100, 12_400].map(distance), ['10 m', '170 m', '940 m', '1.0 km', '2.1 km', '12 km']);
  assert.deepEqual([-1, 59.9, 60, 3539].map(remaining), ['0 s', '59 s', '1 min 00 s', '58 min 59 s']);
});

// The table of states and their words.

const at = (latitude, longitude) => ({ point: { latitude, longitude } });
const [start, end, between1, between2] = [at(25.01, 121.5), at(25.05, 121.5), at(25.02, 121.5), at(25.03, 121.5)];
const waypoint = (waypointType, location, more = {}) =>
  ({ waypointType: `${waypointType}_WAYPOINT_TYPE`, location, tripId: 'mine', distanceMeters: 1000, ...more });
const [toPickup, toStop1, toStop2, toDropoff] = [
  waypoint('PICKUP', start), waypoint('INTERMEDIATE_DESTINATION', between1, { eta: '2026-11-20T10:20:00Z' }),
  waypoint('INTERMEDIATE_DESTINATION', between2, { eta: '2026-11-20T10:30:00Z' }), waypoint('DROP_OFF', end),
];
const another = waypoint('DROP_OFF', at(25, 121.5), { tripId: 'other', eta: '2026-11-20T10:00:00Z' });
const base = {
  name: 'providers/p/trips/mine', vehicleId: 'v', pickupPoint: start, dropoffPoint: end,
  intermediateDestinations: [between1, between2], pickupTime: '2026-11-20T10:10:00Z', dropoffTime: '2026-11-20T10:40:00Z',
  etaToFirstWaypoint: '2026-11-20T10:00:00Z', remainingDistanceMeters: 300,
};
const trips = [
  ['just created', { tripStatus: 'NEW', vehicleId: undefined, remainingWaypoints: [] },
    'Waiting for a vehicle', 'waiting', 'later later later later'],
  ['assigned to a vehicle', { tripStatus: 'NEW', remainingWaypoints: [toPickup, toStop1, toStop2, toDropoff] },
    'A vehicle is assigned', 'waiting', 'next later later later', 'Pickup 10:10 300'],
  ['on the way to the pickup', { tripStatus: 'ENROUTE_TO_PICKUP', remainingWaypoints: [toPickup, toStop1, toStop2, toDropoff] },
    'On the way to the pickup point', 'moving', 'next later later later', 'Pickup 10:10 300'],
  ['back-to-back, behind one stop of another trip',
    { tripStatus: 'ENROUTE_TO_PICKUP', remainingWaypoints: [another, toPickup, toStop1, toStop2, toDropoff] },
    'The vehicle finishes another trip first', 'moving', 'next later later later later', 'Pickup 10:10 1300'],
  ['back-to-back, behind two stops, and without times',
    { tripStatus: 'ENROUTE_TO_PICKUP', pickupTime: undefined,
      remainingWaypoints: [another, { ...another, distanceMeters: undefined }, toPickup, toStop1, toStop2, toDropoff] },
    'The vehicle finishes another trip first', 'moving', 'next later later later later', 'Pickup – –'],
  ['at the pickup', { tripStatus: 'ARRIVED_AT_PICKUP', remainingWaypoints: [toPickup, toStop1, toStop2, toDropoff] },
    'At the pickup point', 'waiting', 'here later later later', 'Pickup – –'],
  ['on the way to the first stop', { tripStatus: 'ENROUTE_TO_INTERMEDIATE_DESTINATION', remainingWaypoints: [toStop1, toStop2, toDropoff] },
    'On the way to the next stop', 'moving', 'past next later later', 'Next stop 10:20 300'],
  ['at the first stop', { tripStatus: 'ARRIVED_AT_INTERMEDIATE_DESTINATION', remainingWaypoints: [toStop1, toStop2, toDropoff] },
    'At a stop', 'waiting', 'past here later later', 'Next stop – –'],
  ['on the way to the second stop',
    { tripStatus: 'ENROUTE_TO_INTERMEDIATE_DESTINATION', intermediateDestinationIndex: 1, remainingWaypoints: [toStop2, toDropoff] },
    'On the way to the next stop', 'moving', 'past past next later', 'Next stop 10:30 300'],
  ['on the way to the drop-off', { tripStatus: 'ENROUTE_TO_DROPOFF', intermediateDestinationIndex: 1, remainingWaypoints: [toDropoff] },
    'On the way to the drop-off point', 'moving', 'past past past next', 'Drop-off 10:40 300'],
  ['shared, with a stop of another rider first',
    { tripStatus: 'ENROUTE_TO_DROPOFF', intermediateDestinationIndex: 1, remainingWaypoints: [another, toDropoff] },
    'On the way, with a stop for another rider first', 'moving', 'next past past past later', 'Drop-off 10:40 1300'],
  ['complete', { tripStatus: 'COMPLETE', intermediateDestinationIndex: 1 }, 'Trip complete', 'done', 'past past past past'],
  ['canceled, before or after the pickup', { tripStatus: 'CANCELED' }, 'Trip canceled', 'failed', 'unknown canceled canceled canceled'],
  ['canceled after a stop', { tripStatus: 'CANCELED', intermediateDestinationIndex: 1 },
    'Trip canceled', 'failed', 'past past canceled canceled'],
  ['of a status added later', { tripStatus: 'LATER_ADDED' }, 'Status unknown', 'waiting', 'unknown unknown unknown unknown'],
  ['of a status added later, before the pickup', { tripStatus: 'LATER_ADDED', remainingWaypoints: [toPickup, toStop1, toStop2, toDropoff] },
    'Status unknown', 'waiting', 'next later later later', 'Pickup 10:10 300'],
  ['of no status', { tripStatus: undefined }, 'Status unknown', 'waiting', 'unknown unknown unknown unknown'],
];
for (const [what, changes, status, tone, states, facts] of trips) {
  test(`A trip that is ${what}: ${status}`, () => {
    const journey = tripJourney(readTrip({ ...base, ...changes }));
    assert.equal(journey.status, status);
    assert.equal(journey.tone, tone);
    assert.equal(journey.stops.map(({ state }) => state).join(' '), states);
    if (!facts) return;
    const time = journey.eta?.toISOString().slice(11, 16) ?? '–';
    assert.equal(`${journey.etaOf} ${time} ${journey.distanceMeters ?? '–'}`, facts);
  });
}

test('The stops of other trips come first, with markers of an unknown type', () => {
  const journey = tripJourney(readTrip({ ...base, tripStatus: 'ENROUTE_TO_PICKUP', remainingWaypoints: [another, toPickup, toStop1, toStop2, toDropoff] }));
  assert.deepEqual(journey.stops.map(({ name }) => name), ['Stop of another trip', 'Pickup', 'Stop 1', 'Stop 2', 'Drop-off']);
  assert.equal(journey.stops.at(-1)?.distanceMeters, 4300, 'the whole distance, as the time is');
  assert.deepEqual(journey.stops.map(({ time }) => time?.toISOString().slice(11, 16)), [undefined, '10:10', '10:20', '10:30', '10:40']);
  assert.deepEqual(journey.markers.map(({ id, type }) => `${id} ${type}`), [
    'other-0 unknown', 'pickup tripPickupPoint', 'stop-0 intermediateDestination', 'stop-1 intermediateDestination',
    'dropoff tripDropoffPoint',
  ]);
});

test('A location is old after two minutes, by Fleet Engine\'s time of it', () => {
  const located = Date.parse('2026-11-20T10:00:00Z');
  const lastLocation = {
    location: { latitude: 25, longitude: 121.5 }, updateTime: '2026-11-20T09:00:00Z', serverTime: '2026-11-20T10:00:00Z',
  };
  const journey = tripJourney(readTrip({ ...base, tripStatus: 'ENROUTE_TO_PICKUP', lastLocation }));
  for (const [seconds, minutes] of [[-60, undefined], [0, undefined], [120, undefined], [121, 2], [1200, 20]]) {
    assert.equal(staleMinutes(journey, located + seconds * 1000), minutes, `${seconds} s`);
  }
  assert.equal(staleMinutes(tripJourney(readTrip({ ...base, tripStatus: 'ENROUTE_TO_PICKUP' })), located), undefined);
  assert.equal(staleMinutes(tripJourney(readTrip({ ...base, tripStatus: 'COMPLETE', lastLocation })), located + 1e9), undefined);
  const [vehicle, pickup] = staleJourney(journey, 20).markers;
  assert.deepEqual([vehicle.detail, pickup.id, pickup.eta], ['Location from 20 min ago', 'pickup', undefined]);
});

test('The age of a location is right on a device whose clock is behind', () => {
  const minute = 60_000;
  const serverTime = new Date('2026-11-20T10:00:00Z');
  const lastLocation = { location: { latitude: 25, longitude: 121.5 }, serverTime: serverTime.toISOString() };
  const journey = tripJourney(readTrip({ ...base, tripStatus: 'ENROUTE_TO_PICKUP', lastLocation }));
  let device = serverTime.getTime() - 10 * minute;
  const clock = new EngineClock(() => device);
  const ages = [0, 1, 3, 11].map((minutes) => {
    device = serverTime.getTime() + (minutes - 10) * minute;
    clock.learn(journey.locatedAt);
    return staleMinutes(journey, clock.now());
  });
  assert.deepEqual(ages, [undefined, undefined, 3, 11]);
});

test('A location that is old already does not set back a clock that is right', () => {
  const clock = new EngineClock(() => 1_000_000);
  for (const serverTime of [undefined, new Date(0), new Date(999_999)]) clock.learn(serverTime);
  assert.equal(clock.now(), 1_000_000);
});

const location = { vehicleLocation: { location: { latitude: 25, longitude: 121 } } };
const shipments = [
  ['unknown', {}, 'Shipment not found', 'failed', ''],
  ['planned, without a vehicle', { state: 'OPEN' }, 'The delivery is planned', 'waiting', 'later '],
  ['on a vehicle', { state: 'OPEN', ...location }, 'On its way', 'moving', 'later '],
  ['expected at a time', { state: 'OPEN', estimatedArrivalTime: '2026-11-20T10:00:00Z' }, 'On its way', 'moving', 'later '],
  ['three stops away', { state: 'OPEN', remainingStopCount: 3 }, '3 stops away', 'moving', 'later after 2 other stops'],
  ['two stops away', { state: 'OPEN', remainingStopCount: 2 }, '2 stops away', 'moving', 'later after 1 other stop'],
  ['next', { state: 'OPEN', remainingStopCount: 1 }, 'You are the next stop', 'moving', 'next '],
  ['there', { state: 'OPEN', remainingStopCount: 0 }, 'The vehicle has arrived', 'moving', 'here '],
  ['delivered', { state: 'CLOSED', taskOutcome: 'SUCCEEDED' }, 'Delivered', 'done', 'past '],
  ['not delivered', { state: 'CLOSED', taskOutcome: 'FAILED' }, 'Delivery failed', 'failed', 'failed '],
  ['closed without an outcome', { state: 'CLOSED' }, 'The delivery has ended', 'waiting', 'unknown '],
  ['of a state added later', { state: 'LATER_ADDED' }, 'Status unknown', 'waiting', 'later '],
];
for (const [what, json, status, tone, stop] of shipments) {
  test(`A shipment that is ${what}: ${status}`, () => {
    const journey = shipmentJourney(readTaskTrackingInfo({ plannedLocation: end, ...json }));
    assert.equal(journey.status, status);
    assert.equal(journey.tone, tone);
    assert.equal(journey.stops.map(({ state, detail }) => `${state} ${detail ?? ''}`).join(), stop);
    assert.ok(journey.stops.every(({ time }) => json.state !== 'CLOSED' || !time));
  });
}

const failed = (code, details = {}) => new FleetEngineError(code, { source: 'token server', ...details });
const errors = [
  [new FleetEngineError('UNAVAILABLE'), 'Fleet Engine', 'Fleet Engine is not available.', ''],
  [new FleetEngineError('INTERNAL'), 'Fleet Engine', 'Fleet Engine has an internal error.', ''],
  [new FleetEngineError('DEADLINE_EXCEEDED'), 'Fleet Engine', 'Fleet Engine did not respond in time.', ''],
  [new FleetEngineError('PERMISSION_DENIED'), 'Fleet Engine', 'Permission denied by Fleet Engine.', 'Check that the token is for this ID, and its account\'s role.'],
  [new FleetEngineError('UNAUTHENTICATED'), 'Fleet Engine', 'Fleet Engine rejected the token.', 'Check the token server\'s signing key and clock, and the token\'s claims.'],
  [new FleetEngineError('RESOURCE_EXHAUSTED'), 'Fleet Engine', 'A quota of Fleet Engine is exhausted.', 'Follow fewer trips, poll less often, or raise the quota.'],
  [new FleetEngineError('NOT_FOUND'), 'The ID', 'Trip not found.', 'Check the ID: it was never created, or belongs to another project.'],
  [new FleetEngineError('INVALID_ARGUMENT'), 'The ID', 'The ID is invalid.', 'Check the ID in the page\'s address.'],
  [failed('UNAVAILABLE'), 'Token server', 'The token server is unavailable.', ''],
  [failed('DEADLINE_EXCEEDED'), 'Token server', 'The token server did not respond in time.', ''],
  [failed('RESOURCE_EXHAUSTED'), 'Token server', 'Too many requests to the token server.', ''],
  [failed('PERMISSION_DENIED'), 'Token server', 'Permission denied by the token server.', 'Check the grants in the token server\'s configuration.'],
  [failed('UNAUTHENTICATED'), 'Token server', 'Authentication failed at the token server.', 'Sign in again, or check the callers in the token server\'s configuration.'],
  [failed('NOT_FOUND'), 'Token server', 'Not found on the token server.', 'Check the URL of the token server.'],
  [failed('INVALID_ARGUMENT'), 'Token server', 'The token server\'s response is invalid.', 'Check its URL, and the format of its responses.'],
  [failed('INVALID_ARGUMENT', { httpStatus: 400 }), 'The ID', 'The ID is invalid.', 'Check the ID in the page\'s address.'],
];
for (const [error, blamed, meaning, advice] of errors) {
  test(`${error.source}: ${error.code} is the fault of ${blamed}: ${meaning}`, () => {
    assert.deepEqual(errorWords(error, false), { blamed, meaning, advice });
    assert.equal(error.recovers, advice === '');
  });
}

// The map.

test('A style changes the options that it has, and another restores the defaults of the rest', () => {
  const style = new StyleCoordinator();
  const [marker, route] = [style.markerStyleOptions('tripVehicle'), style.polylineStyleOptions('activeRoute')];
  style.set({ markers: { tripVehicle: { zIndex: 100 } }, polylines: { activeRoute: { width: 3 } } });
  assert.deepEqual(style.markerStyleOptions('tripVehicle'), { ...marker, zIndex: 100 });
  assert.deepEqual(style.polylineStyleOptions('activeRoute'), { ...route, width: 3 });
  style.set(examples[0].style);
  assert.deepEqual(style.markerStyleOptions('tripVehicle'), marker);
  assert.deepEqual(style.polylineStyleOptions('activeRoute'), route);
});

test('A point on the equator or the prime meridian is one, though JSON leaves out its zeros', () => {
  const location = (point) => readTrip({ tripStatus: 'NEW', pickupPoint: { point } }).plannedPickupLocation;
  assert.deepEqual([{ latitude: 5 }, { longitude: 6 }, {}].map(location), [{ lat: 5, lng: 0 }, { lat: 0, lng: 6 }, { lat: 0, lng: 0 }]);
});
