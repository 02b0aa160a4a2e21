// @ts-check

/**
 * The text beside the map: status, stops, the token's scope and life, and the last error.
 *
 * @module
 */

import { errorWords } from './state-words.js';
import { locationAge } from './journey-model.js';
import { distance, minutesUntil, remaining, timeOfDay } from './words.js';

/**
 * @typedef {import('./journey-model.js').Journey} Journey
 * @typedef {import('./journey-model.js').Marker} Marker
 * @typedef {import('./journey-model.js').Stop} Stop
 * @typedef {import('./fleet-engine-error.js').FleetEngineError} FleetEngineError
 * @typedef {import('./token-source.js').TokenState} TokenState
 */

/** @type {Record<import('./journey-model.js').StopState, string>} */
const stopStates = { past: 'done', here: 'here', next: 'next', later: '', failed: 'failed', canceled: 'canceled', unknown: '' };

/** @type {(id: string) => HTMLElement} */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

export class Panel {
  /** @type {string | undefined} */ #status;
  /** @type {string | undefined} */ #error;
  /** @type {number | undefined} */ #nextAttempt;
  #isStale = false;

  /**
   * Shows a journey.
   *
   * @param {Journey} journey @param {number} now
   * @param {number} [staleMinutes] The age of the location that it is computed from, if that is old.
   */
  showJourney(journey, now, staleMinutes) {
    document.body.dataset.state = 'following';
    part('status').textContent = journey.status;
    part('journey').dataset.tone = journey.tone;
    const time = journey.eta && minutesUntil(journey.eta, now);
    const stop = journey.etaOf ?? '';
    const arrival = journey.eta && (time ? `${stop} in ${time}` : `${stop} now`);
    const facts = [
      arrival && (staleMinutes ? `${arrival}, by an old location` : arrival),
      journey.distanceMeters !== undefined && distance(journey.distanceMeters),
    ].filter(Boolean).join(' · ');
    part('facts').textContent = facts
      || (journey.isFinal ? 'Nothing more to follow.' : journey.isHere ? 'The vehicle is here.' : 'No arrival time yet.');
    part('stops').replaceChildren(...journey.stops.map(stopItem));
    if (journey.status !== this.#status) this.announce(facts ? `${journey.status}, ${facts}` : journey.status);
    this.#status = journey.status;
  }

  /**
   * Shows an error. Before the first response it takes the journey's place.
   *
   * @param {FleetEngineError} error @param {boolean} isShipment
   * @param {number | undefined} nextAttempt By `performance.now()` in seconds.
   */
  showError(error, isShipment, nextAttempt) {
    if (document.body.dataset.state !== 'following') document.body.dataset.state = 'failed';
    const { blamed, meaning, advice } = errorWords(error, isShipment);
    const recovery = error.recovers ? 'Recovers by itself' : 'Needs action';
    const box = part('error');
    box.hidden = false;
    box.dataset.recovers = String(error.recovers);
    box.dataset.source = error.source;
    part('error-source').textContent = blamed;
    part('error-code').textContent = error.code;
    part('error-recovery').textContent = recovery;
    part('error-meaning').textContent = meaning;
    part('error-advice').textContent = advice;
    part('error-detail').textContent = error.message === error.code ? '' : error.message;
    part('live').dataset.state = 'error';
    part('live-text').textContent = error.recovers ? 'Retrying' : 'Interrupted';
    this.#nextAttempt = nextAttempt;
    this.countDown();
    if (error.code !== this.#error) this.announce(`${meaning} ${recovery}.`);
    this.#error = error.code;
  }

  /** Shows how long it is until the next attempt. */
  countDown() {
    const left = (this.#nextAttempt ?? 0) - performance.now() / 1000;
    part('error-next').textContent = this.#nextAttempt === undefined ? ''
      : left > 0 ? `Next attempt in ${remaining(Math.ceil(left))}.` : 'Trying now.';
  }

  /** Shows that an attempt is made. */
  showAttempt() {
    this.#nextAttempt = 0;
    this.countDown();
  }

  /**
   * Shows that Fleet Engine responds.
   *
   * @param {boolean} isFinal @param {number} [staleMinutes] The age of the vehicle's location, if that is old.
   */
  showHealthy(isFinal, staleMinutes) {
    const age = staleMinutes && locationAge(staleMinutes);
    part('live').dataset.state = isFinal ? 'idle' : age ? 'stale' : 'live';
    part('live-text').textContent = age || (isFinal ? 'Ended' : 'Live');
    if (age && !this.#isStale) this.announce(age);
    this.#isStale = Boolean(age);
    if (this.#error === undefined) return;
    this.#error = undefined;
    const box = part('error');
    // The focus on "Try now" would be lost with the button.
    if (box.contains(document.activeElement)) part('panel').focus();
    box.hidden = true;
    this.announce('Connected again.');
  }

  /** @param {TokenState | undefined} token */
  showToken(token) {
    const left = token ? token.endsAt - performance.now() / 1000 : 0;
    part('token-scope').textContent = token?.scope ?? 'No token yet';
    part('token-life').textContent = !token ? '–' : left > 0 ? `${remaining(left)} left` : 'expired';
    part('token-count').textContent = String(token?.count ?? 0);
    const meter = /** @type {HTMLMeterElement} */ (part('token-meter'));
    meter.max = token?.lifetime ?? 1;
    meter.value = Math.max(left, 0);
  }

  /** @param {Marker | undefined} marker @param {number} now */
  showMarker(marker, now) {
    const card = part('marker-card');
    card.hidden = !marker;
    if (!marker) return;
    const { name, detail, eta } = marker;
    part('marker-name').textContent = name;
    part('marker-detail').textContent = !eta ? detail
      : minutesUntil(eta, now) ? `Arrival at ${timeOfDay(eta)}. ${detail}` : `Arrival now. ${detail}`;
  }

  /**
   * Announces a text to screen readers.
   *
   * @param {string} text
   */
  announce(text) {
    part('announcer').textContent = text;
  }
}

/** @param {Stop} stop */
function stopItem({ name, state, detail, time, distanceMeters }) {
  const details = [
    stopStates[state], detail, distanceMeters && state === 'later' ? distance(distanceMeters) : undefined,
  ].filter(Boolean);
  return element('li', { class: time ? state : `${state} timeless` },
    element('span', { class: 'name' }, name), element('span', { class: 'detail' }, details.join(' · ')),
    ...(time ? [element('time', { datetime: time.toISOString() }, timeOfDay(time))] : []));
}

/** @param {string} name @param {Record<string, string>} attributes @param {(string | Element)[]} children */
function element(name, attributes, ...children) {
  const created = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) created.setAttribute(attribute, value);
  created.append(...children);
  return created;
}
