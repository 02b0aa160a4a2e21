// @ts-check

/**
 * The text beside the map: status, stops, the token's scope and life, and the last error.
 *
 * @module
 */

import { errorWords } from './state-words.js';
import { distance, minutesUntil, remaining, say, timeOfDay } from './words.js';

/**
 * @typedef {import('./journey-model.js').Journey} Journey
 * @typedef {import('./journey-model.js').Marker} Marker
 * @typedef {import('./journey-model.js').Stop} Stop
 * @typedef {import('./fleet-engine-error.js').FleetEngineError} FleetEngineError
 * @typedef {import('./token-source.js').TokenState} TokenState
 */

const stateWords = /** @type {const} */ ({
  past: 'statePast', here: 'stateHere', next: 'stateNext', later: 'stateLater', failed: 'stateFailed', canceled: 'stateCanceled',
  unknown: 'stateUnknown',
});

export class Panel {
  /** @type {string | undefined} */ #status;
  /** @type {string | undefined} */ #error;
  /** @type {number | undefined} */ #nextAttempt;
  #isStale = false;

  constructor(root = document) {
    /** @type {(id: string) => HTMLElement} */
    this.part = (id) => /** @type {HTMLElement} */ (root.getElementById(id));
    this.body = root.body;
  }

  /**
   * Shows a journey.
   *
   * @param {Journey} journey @param {number} now
   * @param {number} [staleMinutes] The age of the location that it is computed from, if that is old.
   */
  showJourney(journey, now, staleMinutes) {
    this.body.dataset.state = 'following';
    this.part('status').textContent = journey.status;
    this.part('journey').dataset.tone = journey.tone;
    const time = journey.eta && minutesUntil(journey.eta, now);
    const stop = journey.etaOf ?? '';
    const arrival = journey.eta && (time ? say('arrivalIn', { stop, time }) : say('arrivalNow', { stop }));
    const facts = [
      arrival && (staleMinutes ? say('oldArrival', { arrival }) : arrival),
      journey.distanceMeters !== undefined && distance(journey.distanceMeters),
      journey.traffic && say(journey.traffic),
    ].filter(Boolean).join(' · ');
    this.part('facts').textContent = facts || say(journey.isFinal ? 'nothingMore' : journey.isHere ? 'vehicleIsHere' : 'noArrivalTime');
    this.part('stops').replaceChildren(...journey.stops.map(stopItem));
    if (journey.status !== this.#status) this.announce(facts ? say('statusAnnouncement', { status: journey.status, facts }) : journey.status);
    this.#status = journey.status;
  }

  /**
   * Shows an error. Before the first response it takes the journey's place.
   *
   * @param {FleetEngineError} error @param {boolean} isShipment
   * @param {number | undefined} nextAttempt By `performance.now()` in seconds.
   */
  showError(error, isShipment, nextAttempt) {
    if (this.body.dataset.state !== 'following') this.body.dataset.state = 'failed';
    const { blamed, meaning, advice } = errorWords(error, isShipment);
    const recovery = say(error.recovers ? 'recovers' : 'needsAction');
    const box = this.part('error');
    box.hidden = false;
    box.dataset.recovers = String(error.recovers);
    box.dataset.source = error.source;
    this.part('error-source').textContent = blamed;
    this.part('error-code').textContent = error.code;
    this.part('error-recovery').textContent = recovery;
    this.part('error-meaning').textContent = meaning;
    this.part('error-advice').textContent = advice;
    this.part('error-detail').textContent = error.message === error.code ? '' : error.message;
    this.part('live').dataset.state = 'error';
    this.part('live-text').textContent = say(error.recovers ? 'retrying' : 'interrupted');
    this.#nextAttempt = nextAttempt;
    this.countDown();
    if (error.code !== this.#error) this.announce(say('errorAnnouncement', { meaning, recovery }));
    this.#error = error.code;
  }

  /** Shows how long it is until the next attempt. */
  countDown() {
    const left = (this.#nextAttempt ?? 0) - performance.now() / 1000;
    this.part('error-next').textContent = this.#nextAttempt === undefined ? ''
      : left > 0 ? say('nextAttempt', { time: remaining(Math.ceil(left)) }) : say('attempting');
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
    const age = staleMinutes && say('locationAge', { time: say('minutes', { minutes: staleMinutes }) });
    this.part('live').dataset.state = isFinal ? 'idle' : age ? 'stale' : 'live';
    this.part('live-text').textContent = age || say(isFinal ? 'ended' : 'live');
    if (age && !this.#isStale) this.announce(age);
    this.#isStale = Boolean(age);
    if (this.#error === undefined) return;
    this.#error = undefined;
    const box = this.part('error');
    // The focus on "Try now" would be lost with the button.
    if (box.contains(document.activeElement)) this.part('panel').focus();
    box.hidden = true;
    this.announce(say('connectedAgain'));
  }

  /** @param {TokenState | undefined} token */
  showToken(token) {
    const left = token ? token.endsAt - performance.now() / 1000 : 0;
    this.part('token-scope').textContent = token?.scope ?? say('noToken');
    this.part('token-life').textContent = !token ? '–' : left > 0 ? say('timeLeft', { time: remaining(left) }) : say('expired');
    this.part('token-count').textContent = String(token?.count ?? 0);
    const meter = /** @type {HTMLMeterElement} */ (this.part('token-meter'));
    meter.max = token?.lifetime ?? 1;
    meter.value = Math.max(left, 0);
  }

  /** @param {Marker | undefined} marker @param {number} now */
  showMarker(marker, now) {
    const card = this.part('marker-card');
    card.hidden = !marker;
    if (!marker) return;
    const { name, detail, eta } = marker;
    this.part('marker-name').textContent = name;
    this.part('marker-detail').textContent = !eta ? detail
      : minutesUntil(eta, now) ? say('arrivalAt', { time: timeOfDay(eta), detail }) : say('arrivalNowDetail', { detail });
  }

  /**
   * Says something to screen readers.
   *
   * @param {string} text
   */
  announce(text) {
    this.part('announcer').textContent = text;
  }
}

/** @param {Stop} stop */
function stopItem({ name, state, detail, time, distanceMeters }) {
  const details = [
    say(stateWords[state]), detail, distanceMeters && state === 'later' ? distance(distanceMeters) : undefined,
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
