// The page's rules that need no browser: the camera, the words, the model and the styles.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { between, drag, fit, metersPerPixel, onMap, zoom } from '../../web/page/camera.js';
import { shipmentJourney, tripJourney } from '../../web/page/journey-model.js';
import { StyleCoordinator } from '../../web/page/map-style.js';
import { distance, minutesUntil, remaining, shipmentWords, statusWords } from '../../web/page/words.js';
import { readTaskTrackingInfo, readTrip } from '../../web/trip.js';

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

test('A route of any length is shown', () => {
  const route = Array.from({ length: 200_000 }, (_, index) => places[index % places.length]);
  assert.deepEqual(fit(route, size), fit(places, size));
});

test('North is up and east is right', () => {
  const camera = fit(places, size);
  const [west, east] = places.map((place) => onMap(place, camera, size));
  assert.ok(west.x < east.x && west.y < east.y);
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

test('The scale is right: a degree of latitude has 111 km', () => {
  const camera = fit([{ lat: 0, lng: 0 }, { lat: 1, lng: 0 }], size);
  const [south, north] = [0, 1].map((lat) => onMap({ lat, lng: 0 }, camera, size).y);
  assert.ok(Math.abs((south - north) * metersPerPixel(camera) - 111_320) < 300);
});

test('Words for times and distances', () => {
  const now = 1_795_211_460_000;
  // The same examples as in the tests of ArrivalText.
  for (const [seconds, text] of [[-100, 'now'], [0, 'now'], [29, 'now'], [31, '1 min'], [190, '3 min'], [3540, '59 min'],
    [3600, '1 h 0 min'], [3900, '1 h 5 min']]) {
    assert.equal(minutesUntil(new Date(now + seconds * 1000), now), text);
  }
  assert.deepEqual([3, 169, 944, 951, 2100, 12_400].map(distance), ['10 m', '170 m', '940 m', '1.0 km', '2.1 km', '12 km']);
  assert.deepEqual([-1, 59.9, 60, 3539].map(remaining), ['0 s', '59 s', '1 min 00 s', '58 min 59 s']);
});

test('Each status of the API has words', () => {
  const proto = ['NEW', 'ENROUTE_TO_PICKUP', 'ARRIVED_AT_PICKUP', 'ENROUTE_TO_DROPOFF', 'COMPLETE', 'CANCELED',
    'ARRIVED_AT_INTERMEDIATE_DESTINATION', 'ENROUTE_TO_INTERMEDIATE_DESTINATION'];
  assert.equal(new Set(proto.map(statusWords)).size, 8);
  assert.equal(statusWords('LATER_ADDED'), 'Status unknown');
  assert.deepEqual([{}, { state: 'OPEN' }, { state: 'OPEN', remainingStopCount: 1 }, { state: 'CLOSED', taskOutcome: 'FAILED' }]
    .map(shipmentWords), ['Shipment not found', 'On its way', 'You are the next stop', 'Delivery failed']);
});

test('A trip with little in it, as it is when it was just created, is shown', () => {
  const journey = tripJourney(readTrip({ name: 'providers/p/trips/t', tripStatus: 'NEW', pickupPoint: { point: { latitude: 1 } } }));
  assert.deepEqual(journey.markers.map(({ id, location }) => [id, location]), [['pickup', { lat: 1, lng: 0 }]]);
  assert.equal(journey.eta, undefined);
  assert.deepEqual(journey.stops.map(({ state }) => state), ['later', 'later']);
  assert.deepEqual(tripJourney(readTrip({})).markers, []);
});

test('The next waypoint of another trip is not this trip\'s stop', () => {
  const point = { latitude: 1, longitude: 2 };
  const journey = tripJourney(readTrip({
    name: 'providers/p/trips/mine', tripStatus: 'ENROUTE_TO_PICKUP', vehicleId: 'v', pickupTime: '2026-11-20T21:53:25Z',
    remainingWaypoints: [
      { location: { point }, tripId: 'other', waypointType: 'DROP_OFF_WAYPOINT_TYPE', eta: '2026-11-20T21:50:00Z' },
      { location: { point }, tripId: 'mine', waypointType: 'PICKUP_WAYPOINT_TYPE' },
    ],
  }));
  assert.equal(journey.etaOf, 'Pickup');
  assert.equal(journey.eta.toISOString(), '2026-11-20T21:53:25.000Z');
});

test('Stops are past, next and later', () => {
  const trip = { name: 'x/t', vehicleId: 'v', intermediateDestinations: [{ point: {} }, { point: {} }] };
  const states = (tripStatus, intermediateDestinationIndex) =>
    tripJourney(readTrip({ ...trip, tripStatus, intermediateDestinationIndex })).stops.map(({ state }) => state).join(' ');
  assert.equal(states('ENROUTE_TO_PICKUP'), 'next later later later');
  assert.equal(states('ENROUTE_TO_INTERMEDIATE_DESTINATION'), 'past next later later');
  assert.equal(states('ENROUTE_TO_INTERMEDIATE_DESTINATION', 1), 'past past next later');
  assert.equal(states('ENROUTE_TO_DROPOFF', 1), 'past past past next');
  assert.equal(states('COMPLETE', 1), 'past past past past');
});

test('A shipment whose details are hidden is shown all the same', () => {
  const journey = shipmentJourney(readTaskTrackingInfo({ state: 'OPEN' }));
  assert.equal(journey.status, 'On its way');
  assert.deepEqual(journey.markers, []);
});

test('Null restores a style\'s defaults, and a wrong style changes nothing', () => {
  const style = new StyleCoordinator();
  const defaults = style.markerStyleOptions('tripVehicle');
  style.setMarkerStyleOptions({ zIndex: 100 }, 'tripVehicle');
  assert.deepEqual(style.markerStyleOptions('tripVehicle'), { ...defaults, zIndex: 100 });
  assert.throws(() => style.apply('{"markers": {"tripVehicle": null}, "polylines": {"activeRoute": {"width": 0}}}'), /width/);
  assert.equal(style.markerStyleOptions('tripVehicle').zIndex, 100);
  style.setMarkerStyleOptions(null, 'tripVehicle');
  assert.deepEqual(style.markerStyleOptions('tripVehicle'), defaults);
});

test('A style\'s options have the bounds of the Swift library', () => {
  const marker = (options) => JSON.stringify({ markers: { tripVehicle: options } });
  const polyline = (options) => JSON.stringify({ polylines: { activeRoute: options } });
  const valid = [
    polyline({ width: 0.1 }), polyline({ width: 40 }), marker({ zIndex: -(2 ** 31) }), marker({ zIndex: 2 ** 31 - 1 }),
    marker({ groundAnchor: { x: 0 } }), marker({ groundAnchor: {} }),
  ];
  const invalid = [
    polyline({ width: 0.09 }), polyline({ width: 41 }), marker({ zIndex: 2 ** 31 }), marker({ zIndex: 0.5 }),
    marker({ groundAnchor: { z: 0 } }), marker({ groundAnchor: { y: 2 } }), marker({ groundAnchor: [] }),
    marker({ constructor: true }), polyline({ trafficColors: { constructor: '#000000' } }), polyline({ trafficColors: [] }),
  ];
  for (const json of valid) new StyleCoordinator().apply(json);
  for (const json of invalid) assert.throws(() => new StyleCoordinator().apply(json), Error, json);
  const style = new StyleCoordinator();
  style.apply(marker({ groundAnchor: { x: 0 } }));
  assert.deepEqual(style.markerStyleOptions('tripVehicle').groundAnchor, { x: 0, y: 0.5 });
});

test('Every example is a style', () => {
  const examples = JSON.parse(readFileSync(new URL('../../web/styles/examples.json', import.meta.url), 'utf8'));
  assert.ok(examples.length >= 6);
  for (const { style } of examples) new StyleCoordinator().apply(JSON.stringify(style));
});
