// @ts-check

/**
 * The journey page: follows the trip or shipment that its URL names, `/?trip=ID` or `/?tracking=ID`, of the emulator's
 * default provider or of `&project=ID`.
 *
 * @module
 */

import { ShipmentLocationProvider, TripLocationProvider } from '../journey.js';
import { TokenFetcher } from '../token-fetcher.js';
import { parseClaims } from '../token-response.js';
import { Refusal, faults, setFault } from './faults.js';
import { shipmentJourney, tripJourney } from './journey-model.js';
import { StyleCoordinator } from './map-style.js';
import { MapView } from './map-view.js';
import { Panel } from './panel.js';

/**
 * @typedef {{ projectId: string, tokenServer: string, fleetEngine: string, controlPlane?: string }} PageConfiguration
 * @typedef {import('./journey-model.js').Journey} Journey
 * @typedef {{ trip: import('../trip.js').Trip } | { taskTrackingInfo: import('../trip.js').TaskTrackingInfo }} Update
 */

/** @type {(id: string) => any} */
const part = (id) => document.getElementById(id);
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

const query = new URLSearchParams(location.search);
const [kind, id] = query.get('tracking') ? ['tracking', query.get('tracking') ?? ''] : ['trip', query.get('trip') ?? ''];
part('id-kind').value = kind;
part('id').value = id;
part('title').textContent = id ? `${kind === 'trip' ? 'Trip' : 'Shipment'} ${id}` : 'Follow a journey';
if (id) document.title = `${id} – journey`;
document.body.dataset.page = id ? 'journey' : 'start';

part('id-kind').addEventListener('change', () => { part('id').name = part('id-kind').value; });
await start();

async function start() {
  setUpMap();
  await setUpStyles();
  if (!id) return part('id').focus();
  const answer = await fetch('/page/configuration.json');
  if (!answer.ok) return panel.announce('The page has no configuration.');
  /** @type {PageConfiguration} */
  const configuration = await answer.json();
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
    journey = 'trip' in update ? tripJourney(update.trip) : shipmentJourney(update.taskTrackingInfo);
    map.show(journey);
    panel.showHealthy(journey.isFinal);
    describe();
  });
  provider.addListener('error', ({ error }) => panel.showError(error));
  if (provider instanceof TripLocationProvider) provider.tripId = id;
  else provider.trackingId = id;
  // What the map and the panel say of time is at most a minute old.
  setInterval(() => {
    map.redraw();
    describe();
  }, 60_000);
  setInterval(() => panel.showToken(token), 1000);
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
    const answer = await fetcher(options);
    if (answer.token !== latest) {
      latest = answer.token;
      const claims = Object.entries(/** @type {object} */ (parseClaims(answer.token)?.authorization ?? {}));
      token = {
        scope: claims.map(([claim, value]) => `${claim}: ${value}`).join(', '),
        endsAt: performance.now() / 1000 + answer.expiresInSeconds,
        lifetime: answer.expiresInSeconds,
        count: (token?.count ?? 0) + 1,
      };
      panel.showToken(token);
    }
    return answer;
  };
}

function describe() {
  if (!journey) return;
  panel.showJourney(journey, now());
  panel.showMarker(journey.markers.find((marker) => marker.id === tapped), now());
}

function setUpMap() {
  map.onTap = (marker) => {
    tapped = marker.id;
    panel.showMarker(marker, now());
    panel.announce(`${marker.name}. ${marker.detail}`);
  };
  map.onFollowingChange = () => { part('recenter').hidden = map.isFollowing; };
  part('recenter').addEventListener('click', () => {
    map.setFollowing(true);
    part('map').focus();
  });
  part('zoom-in').addEventListener('click', () => map.zoomBy(1.5));
  part('zoom-out').addEventListener('click', () => map.zoomBy(1 / 1.5));
  part('marker-close').addEventListener('click', () => {
    /** @type {SVGElement | null} */ (document.querySelector(`[data-marker="${CSS.escape(tapped ?? '')}"]`))?.focus();
    tapped = undefined;
    panel.showMarker(undefined, now());
  });
}

/**
 * Returns the styles to choose from; none if they cannot be fetched, since the page works without them.
 *
 * @returns {Promise<{ name: string, style: object }[]>}
 */
async function fetchExamples() {
  try {
    const answer = await fetch('/styles/examples.json');
    return answer.ok ? await answer.json() : [];
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
      message.textContent = 'Applied.';
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
  select.replaceChildren(...names.map((name) => new Option(faults[name].name, name)));
  select.addEventListener('change', async () => {
    const message = part('fault-message');
    try {
      await setFault(controlPlane, select.value);
      message.textContent = select.value === 'none' ? 'No fault is injected.' : 'Injected into every request from now on.';
    } catch (error) {
      message.textContent = error instanceof Refusal ? error.message : 'The emulator\'s control plane cannot be reached.';
    }
  });
}
