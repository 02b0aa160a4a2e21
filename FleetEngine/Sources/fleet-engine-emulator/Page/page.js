// @ts-check

/**
 * The journey page: follows the trip or shipment that its URL names, `/?trip=ID` or `/?tracking=ID`, of the emulator's
 * default provider or of `&project=ID`; with `&dir=rtl` from right to left.
 *
 * @module
 */

import { EngineClock } from './engine-clock.js';
import { Follower } from './follower.js';
import { TokenSource } from './token-source.js';
import { shipmentJourney, staleJourney, staleMinutes, tripJourney } from './journey-model.js';
import { StyleCoordinator, examples } from './map-style.js';
import { MapView } from './map-view.js';
import { Panel } from './panel.js';

/**
 * @typedef {{ projectId: string, tokenServer: string }} PageConfiguration
 * @typedef {import('./journey-model.js').Journey} Journey
 */

/** @type {(id: string) => any} */
const part = (id) => document.getElementById(id);
const query = new URLSearchParams(location.search);
document.documentElement.dir = query.get('dir') ?? 'ltr';
const panel = new Panel();
const style = new StyleCoordinator();
const clock = new EngineClock();
const map = new MapView(part('map'), style, clock.now);
/** @type {Journey | undefined} */
let journey;
/**
 * The ID of the marker that was tapped last.
 *
 * @type {string | undefined}
 */
let tapped;
/** @type {import('./token-source.js').TokenState | undefined} */
let token;

const [kind, id] = /** @type {['trip' | 'tracking', string]} */ (query.get('tracking') ? ['tracking', query.get('tracking') ?? ''] : ['trip', query.get('trip') ?? '']);
part('id-kind').value = kind;
part('id').value = id;
part('title').textContent = id ? `${kind === 'trip' ? 'Trip' : 'Shipment'} ${id}` : 'Follow a journey';
document.title = id ? `${id} – journey` : 'Journey';
document.body.dataset.page = id ? 'journey' : 'start';

part('id-kind').addEventListener('change', () => { part('id').name = part('id-kind').value; });
await start();

async function start() {
  setUpMap();
  setUpStyles();
  if (!id) return part('id').focus();
  const response = await fetch('/page/configuration.json');
  if (!response.ok) {
    part('facts').textContent = 'The page has no configuration.';
    return;
  }
  /** @type {PageConfiguration} */
  const configuration = await response.json();
  follow(configuration);
}

/** @param {PageConfiguration} configuration */
function follow({ projectId, tokenServer }) {
  const path = `${kind === 'trip' ? 'consumer' : 'delivery_consumer'}/${encodeURIComponent(id)}`;
  const tokens = new TokenSource(`${tokenServer}/token/${path}`, (state) => {
    token = state;
    panel.showToken(token);
  });
  const follower = new Follower({
    kind, id, project: query.get('project') ?? projectId, tokens,
    onUpdate: (/** @type {any} */ update) => {
      clock.learn(update.latestVehicleLocationUpdate?.serverTime);
      journey = kind === 'trip' ? tripJourney(update, journey) : shipmentJourney(update);
      panel.showHealthy(journey.isFinal, staleMinutes(journey, clock.now()));
      describe();
    },
    onError: (error, retryInMillis) => panel.showError(error, kind === 'tracking', (performance.now() + retryInMillis) / 1000),
  });
  part('retry').addEventListener('click', () => {
    panel.showAttempt();
    follower.refresh();
  });
  // What the map and the panel say of time is at most a minute old.
  setInterval(describe, 60_000);
  setInterval(() => {
    panel.showToken(token);
    panel.countDown();
  }, 1000);
}

function describe() {
  if (!journey) return;
  const minutes = staleMinutes(journey, clock.now());
  const shown = minutes === undefined ? journey : staleJourney(journey, minutes);
  panel.showJourney(journey, clock.now(), minutes);
  map.show(shown);
  panel.showMarker(shown.markers.find((marker) => marker.id === tapped), clock.now());
}

function setUpMap() {
  map.onTap = (marker) => {
    tapped = marker.id;
    panel.showMarker(marker, clock.now());
    panel.announce(`${marker.name}. ${marker.detail}`);
  };
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
    panel.showMarker(undefined, clock.now());
  };
  part('marker-close').addEventListener('click', closeCard);
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && tapped !== undefined) closeCard();
  });
}

function setUpStyles() {
  const select = part('style-example');
  select.replaceChildren(...examples.map(({ name }, index) => new Option(name, String(index))));
  select.addEventListener('change', () => {
    style.set(examples[Number(select.value)].style);
    map.redraw();
  });
}
