// @ts-check

/**
 * The text beside the map: status, stops, the token's scope and life, and the last error.
 *
 * @module
 */

import { distance, minutesUntil, remaining, timeOfDay } from './words.js';

/**
 * @typedef {import('./journey-model.js').Journey} Journey
 * @typedef {import('./journey-model.js').Marker} Marker
 * @typedef {import('../fleet-engine-error.js').FleetEngineError} FleetEngineError
 * @typedef {{ scope: string, endsAt: number, lifetime: number, count: number }} TokenState When it ends, by
 *   `performance.now()` in seconds, and the number of tokens so far.
 */

export class Panel {
  /** @type {string | undefined} */ #status;
  /** @type {string | undefined} */ #error;

  constructor(root = document) {
    /** @type {(id: string) => HTMLElement} */
    this.part = (id) => /** @type {HTMLElement} */ (root.getElementById(id));
  }

  /** @param {Journey} journey @param {number} now */
  showJourney(journey, now) {
    this.part('status').textContent = journey.status;
    this.part('journey').dataset.tone = journey.tone;
    const eta = journey.eta && minutesUntil(journey.eta, now);
    const facts = [
      eta && `${journey.etaOf} ${eta === 'now' ? 'now' : `in ${eta}`}`,
      journey.distanceMeters !== undefined && distance(journey.distanceMeters),
    ].filter(Boolean).join(' · ');
    this.part('facts').textContent = facts || (journey.isFinal ? 'Nothing more to follow.' : 'No arrival time yet.');
    this.part('stops').replaceChildren(...journey.stops.map((stop) => {
      const item = element('li', { class: stop.state });
      const time = stop.time && element('time', { datetime: stop.time.toISOString() }, timeOfDay(stop.time));
      const state = { past: 'done', next: 'next', later: '' }[stop.state];
      const details = [state, stop.distanceMeters && stop.state === 'later' ? distance(stop.distanceMeters) : ''].filter(Boolean);
      item.append(element('span', { class: 'name' }, stop.name), element('span', { class: 'detail' }, details.join(' · ')),
        time ?? element('span', { class: 'detail' }, '–'));
      return item;
    }));
    if (journey.status !== this.#status) this.announce(journey.status + (facts ? `, ${facts}` : ''));
    this.#status = journey.status;
  }

  /** @param {FleetEngineError} error */
  showError(error) {
    const box = this.part('error');
    box.hidden = false;
    box.dataset.recovers = String(error.recovers);
    this.part('error-code').textContent = error.code;
    this.part('error-recovery').textContent = error.recovers ? 'Recovers by itself' : 'Needs action';
    this.part('error-meaning').textContent = error.meaning;
    this.part('error-advice').textContent = error.advice;
    this.part('error-detail').textContent = error.message === error.meaning ? '' : `${error.source}: ${error.message}`;
    this.part('live').dataset.state = 'error';
    this.part('live-text').textContent = error.recovers ? 'Retrying' : 'Interrupted';
    if (error.code !== this.#error) this.announce(`${error.code}. ${error.recovers ? 'Recovers by itself.' : 'Needs action.'}`);
    this.#error = error.code;
  }

  /** @param {boolean} isFinal */
  showHealthy(isFinal) {
    this.part('live').dataset.state = isFinal ? 'idle' : 'live';
    this.part('live-text').textContent = isFinal ? 'Ended' : 'Live';
    if (this.#error === undefined) return;
    this.#error = undefined;
    this.part('error').hidden = true;
    this.announce('Connected again.');
  }

  /** @param {TokenState | undefined} token */
  showToken(token) {
    const left = token ? token.endsAt - performance.now() / 1000 : 0;
    this.part('token-scope').textContent = token?.scope ?? 'No token yet';
    this.part('token-life').textContent = token ? (left > 0 ? `${remaining(left)} left` : 'expired') : '–';
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
    this.part('marker-name').textContent = marker.name;
    const eta = marker.eta && `Arrival ${minutesUntil(marker.eta, now) === 'now' ? 'now' : `at ${timeOfDay(marker.eta)}`}. `;
    this.part('marker-detail').textContent = `${eta ?? ''}${marker.detail}`;
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

/** @param {string} name @param {Record<string, string>} attributes @param {string[]} children */
function element(name, attributes, ...children) {
  const created = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) created.setAttribute(attribute, value);
  created.append(...children);
  return created;
}
