// @ts-check

/**
 * The markers on the map: their pictures in the order that their style says, and what the keyboard and screen readers
 * use, in the order of the route.
 *
 * @module
 */

import { onMap } from './camera.js';
import { drawIcon, sizes, svg } from './icons.js';
import { minutesUntil } from './words.js';

/**
 * @typedef {import('./trip.js').LatLng} LatLng
 * @typedef {import('./camera.js').Point} Point
 * @typedef {import('./camera.js').Size} Size
 * @typedef {import('./journey-model.js').Marker} Marker
 * @typedef {import('./map-style.js').StyleCoordinator} StyleCoordinator
 * @typedef {{ marker: Marker, art: SVGElement, target: SVGElement, drawing: string }} Drawn
 */

/** The distance in pixels that a label keeps from the map's edge. */
const edge = 6;

export class MarkerLayer {
  arts = svg('g', { 'aria-hidden': 'true' });
  targets = svg('g', { class: 'targets' });
  /** @type {Map<string, Drawn>} */ #drawn = new Map();

  /** @param {StyleCoordinator} style @param {() => number} now @param {(marker: Marker) => void} onTap */
  constructor(style, now, onTap) {
    this.style = style;
    this.now = now;
    const tap = (/** @type {Event} */ event) => {
      const element = event.target instanceof Element ? event.target.closest('[data-marker], [data-target]') : undefined;
      const id = element?.getAttribute('data-marker') ?? element?.getAttribute('data-target') ?? '';
      const drawn = this.#drawn.get(id);
      if (drawn) onTap(drawn.marker);
    };
    this.arts.addEventListener('click', tap);
    this.targets.addEventListener('click', tap);
    this.targets.addEventListener('keydown', (event) => {
      if (!(event instanceof KeyboardEvent) || !['Enter', ' '].includes(event.key)) return;
      event.preventDefault();
      tap(event);
    });
  }

  /** @param {Marker[]} markers */
  show(markers) {
    const visible = markers.filter(({ type }) => this.style.markerStyleOptions(type).isVisible);
    for (const [id, { art, target }] of this.#drawn) {
      if (visible.some((marker) => marker.id === id)) continue;
      art.remove();
      target.remove();
      this.#drawn.delete(id);
    }
    const drawn = visible.map((marker) => this.#draw(marker));
    order(this.targets, drawn.map(({ target }) => target));
    const zIndex = (/** @type {Drawn} */ { marker }) => this.style.markerStyleOptions(marker.type).zIndex;
    order(this.arts, [...drawn].sort((one, other) => zIndex(one) - zIndex(other)).map(({ art }) => art));
  }

  /** @param {Marker} marker @returns {Drawn} */
  #draw(marker) {
    const { icon } = this.style.markerStyleOptions(marker.type);
    const eta = marker.eta && (minutesUntil(marker.eta, this.now()) ?? 'now');
    const drawing = JSON.stringify([icon, eta, marker.number]);
    const known = this.#drawn.get(marker.id);
    const drawn = {
      marker, drawing,
      art: known?.art ?? svg('g', { class: 'marker', 'data-marker': marker.id }),
      target: known?.target ?? svg('g', { role: 'button', tabindex: 0, 'data-target': marker.id }, svg('rect', { rx: 10 })),
    };
    const { name } = marker;
    drawn.target.setAttribute('aria-label', !marker.eta ? name
      : minutesUntil(marker.eta, this.now()) ? `${name}, arrival in ${eta}` : `${name}, arrival now`);
    if (drawing !== known?.drawing) {
      const picture = svg('g', { class: 'art' }, drawIcon(icon, icon === 'eta' ? eta ?? '' : String(marker.number ?? '')));
      drawn.art.replaceChildren(picture, ...(eta && icon !== 'eta' ? [label(eta)] : []));
    }
    this.#drawn.set(marker.id, drawn);
    return drawn;
  }

  /**
   * Puts the markers where the camera shows them.
   *
   * @param {import('./camera.js').Camera} camera @param {Size} size @param {LatLng | undefined} vehicle
   */
  place(camera, size, vehicle) {
    for (const drawn of this.#drawn.values()) {
      const { id, location } = drawn.marker;
      this.#placeOne(drawn, onMap(id === 'vehicle' ? vehicle ?? location : location, camera, size), size);
    }
  }

  /** @param {Drawn} drawn @param {Point} at @param {Size} map */
  #placeOne({ marker, art, target }, { x, y }, map) {
    const { icon, groundAnchor, isFlat } = this.style.markerStyleOptions(marker.type);
    const { width, height } = sizes[icon];
    const [left, top] = [-groundAnchor.x * width, -groundAnchor.y * height];
    for (const element of [art, target]) element.setAttribute('transform', `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    art.dataset.location = `${marker.location.lat},${marker.location.lng}`;
    // A flat marker lies on the map and turns with its heading; others stand upright.
    const turn = isFlat && marker.heading !== undefined ? `rotate(${marker.heading}) ` : '';
    art.firstElementChild?.setAttribute('transform', `${turn}translate(${left} ${top})`);
    const text = art.querySelector('.label');
    text?.setAttribute('transform', inside(text, { x, y }, top, height, map));
    for (const [name, value] of Object.entries({ x: left - 4, y: top - 4, width: width + 8, height: height + 8 })) {
      target.firstElementChild?.setAttribute(name, String(value));
    }
  }
}

/** @param {Element} parent @param {Element[]} children */
function order(parent, children) {
  children.forEach((child, index) => {
    // To move an element would take the focus from it.
    if (parent.children[index] !== child) parent.insertBefore(child, parent.children[index] ?? null);
  });
}

/** @param {string} text */
function label(text) {
  const width = 16 + 7.2 * text.length;
  return svg('g', { class: 'label', 'data-width': width },
    svg('rect', { x: -width / 2, y: 0, width, height: 22, rx: 11 }), svg('text', { x: 0, y: 15.5 }, text));
}

/**
 * Returns where a label is, as long as its marker is on the map: above the marker, below it at the upper edge.
 *
 * @param {Element} text @param {Point} at @param {number} top @param {number} height @param {Size} map
 */
function inside(text, { x, y }, top, height, map) {
  const half = Number(text.getAttribute('data-width')) / 2 + edge;
  const isOnMap = x >= 0 && x <= map.width && y >= 0 && y <= map.height;
  const wanted = Math.min(Math.max(x, half), map.width - half);
  const above = top - 28;
  return `translate(${(isOnMap ? wanted - x : 0).toFixed(1)} ${isOnMap && y + above < edge ? top + height + 6 : above})`;
}
