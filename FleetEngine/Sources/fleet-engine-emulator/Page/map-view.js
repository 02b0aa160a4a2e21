// @ts-check

/**
 * The map, drawn from the journey alone: routes, markers, labels, and a camera that follows until it is dragged.
 *
 * @module
 */

import { between, drag, fit, metersPerPixel, zoom } from './camera.js';
import { addGestures } from './gestures.js';
import { svg } from './icons.js';
import { MarkerLayer } from './markers.js';
import { RouteLayer } from './routes.js';
import { distance } from './words.js';

/**
 * @typedef {import('./journey-model.js').Journey} Journey
 * @typedef {import('./journey-model.js').Marker} Marker
 * @typedef {import('./camera.js').Camera} Camera
 * @typedef {import('./map-style.js').StyleCoordinator} StyleCoordinator
 * @typedef {import('./trip.js').LatLng} LatLng
 */

/** How long the camera and the vehicle take to move to their next place, in milliseconds. */
const movement = 900;

export class MapView {
  /** Whether the camera follows the journey. */
  isFollowing = true;
  /**
   * Called when a marker is tapped, as the guide's `didTapConsumerMarker`.
   *
   * @type {(marker: Marker) => void}
   */
  onTap = () => {};
  /**
   * Called when the camera starts or stops following.
   *
   * @type {() => void}
   */
  onFollowingChange = () => {};
  /** @type {Journey | undefined} */ #journey;
  /** @type {Camera | undefined} */ #camera;
  /** @type {{ camera?: Camera, vehicle?: LatLng, start: number } | undefined} */ #from;
  /** @type {LatLng | undefined} */ #vehicle;
  #routes = new RouteLayer();
  #grid = svg('g', { class: 'grid', 'aria-hidden': 'true' });

  /**
   * Creates a map in an element.
   *
   * @param {HTMLElement} element @param {StyleCoordinator} style @param {() => number} now
   */
  constructor(element, style, now) {
    this.element = element;
    this.style = style;
    this.markers = new MarkerLayer(style, now, (marker) => this.onTap(marker));
    this.scaleBar = svg('g', { class: 'scale', 'aria-hidden': 'true' });
    this.canvas = svg('svg', { class: 'canvas', role: 'group', 'aria-label': 'Places on the map' },
      this.#grid, this.#routes.element, this.scaleBar, this.markers.arts, this.markers.targets);
    element.prepend(this.canvas);
    new ResizeObserver(() => this.#resize()).observe(element);
    addGestures(element, this);
  }

  get #size() {
    return { width: this.canvas.clientWidth || 1, height: this.canvas.clientHeight || 1 };
  }

  /**
   * Shows a journey.
   *
   * @param {Journey} journey
   */
  show(journey) {
    const start = performance.now();
    this.#from = { camera: this.#camera, vehicle: this.#vehicle, start };
    this.#journey = journey;
    this.#draw();
    this.#step(start);
  }

  /** Draws everything again, for another style or another minute. */
  redraw() {
    if (!this.#journey) return;
    this.#draw();
    this.#place();
  }

  /** @param {boolean} isFollowing */
  setFollowing(isFollowing) {
    if (isFollowing === this.isFollowing) return;
    this.isFollowing = isFollowing;
    if (isFollowing && this.#journey) this.show(this.#journey);
    this.onFollowingChange();
  }

  /** @param {number} factor @param {import('./camera.js').Point} [around] */
  zoomBy(factor, around) {
    if (!this.#camera) return;
    this.#moveTo(zoom(this.#camera, factor, this.#size, around));
  }

  /** @param {number} x @param {number} y */
  panBy(x, y) {
    if (!this.#camera) return;
    this.#moveTo(drag(this.#camera, { x, y }));
  }

  /** @param {Camera} camera */
  #moveTo(camera) {
    this.#from = undefined;
    this.#camera = camera;
    this.setFollowing(false);
    this.#place();
  }

  #resize() {
    this.canvas.setAttribute('viewBox', `0 0 ${this.#size.width} ${this.#size.height}`);
    if (this.isFollowing) this.#camera = undefined;
    if (this.#journey) this.show(this.#journey);
  }

  /**
   * Moves camera and vehicle a step towards their places.
   *
   * @param {number} time
   */
  #step(time) {
    const journey = this.#journey;
    if (!journey) return;
    const target = this.isFollowing ? fit(locations(journey), this.#size) : this.#camera;
    const vehicle = journey.markers.find(({ type }) => type === 'tripVehicle')?.location;
    const { camera, vehicle: earlier, start } = this.#from ?? { start: 0 };
    const isStill = !camera || matchMedia('(prefers-reduced-motion: reduce)').matches;
    const share = isStill ? 1 : Math.min(Math.max((time - start) / movement, 0), 1);
    const eased = share * share * (3 - 2 * share);
    this.#camera = target && camera ? between(camera, target, this.isFollowing ? eased : 1) : target;
    this.#vehicle = vehicle && earlier ? {
      lat: earlier.lat + (vehicle.lat - earlier.lat) * share, lng: earlier.lng + (vehicle.lng - earlier.lng) * share,
    } : vehicle;
    this.#place();
    if (share < 1 && this.#from) requestAnimationFrame((next) => this.#from?.start === start && this.#step(next));
    else this.#from = undefined;
  }

  #draw() {
    const journey = /** @type {Journey} */ (this.#journey);
    this.#routes.draw(journey, this.style);
    this.markers.show(journey.markers);
  }

  /** Puts everything where the camera shows it. */
  #place() {
    const camera = this.#camera;
    if (!camera || !this.#journey) return;
    const size = this.#size;
    this.#routes.place(camera, size);
    this.markers.place(camera, size, this.#vehicle);
    this.#drawGrid(camera);
  }

  /** @param {Camera} camera */
  #drawGrid(camera) {
    const { width, height } = this.#size;
    const meters = metersPerPixel(camera);
    const cell = roundDistance(meters * 90);
    const step = cell / meters;
    const [left, top] = [modulo(width / 2 - camera.x * camera.scale, step), modulo(height / 2 - camera.y * camera.scale, step)];
    let lines = '';
    for (let x = left; x < width; x += step) lines += `M${x.toFixed(1)} 0V${height}`;
    for (let y = top; y < height; y += step) lines += `M0 ${y.toFixed(1)}H${width}`;
    this.#grid.replaceChildren(svg('path', { d: lines }));
    const isMirrored = getComputedStyle(this.element).direction === 'rtl';
    this.scaleBar.setAttribute('transform', `translate(${isMirrored ? width - step - 16 : 16} ${height - 18})`);
    this.scaleBar.replaceChildren(
      svg('path', { d: `M0 -5 v5 h${step.toFixed(1)} v-5` }), svg('text', { x: 4, y: -8 }, distance(cell)));
  }
}

/**
 * What the automatic camera shows: the route ahead, and the next stops.
 *
 * @param {Journey} journey
 */
function locations({ markers, activeRoute, remainingRoutes }) {
  const ahead = markers.filter(({ isPast }) => !isPast);
  return [...(ahead.length ? ahead : markers).map(({ location }) => location), ...activeRoute, ...remainingRoutes.flat()];
}

/** @param {number} value @param {number} divisor */
function modulo(value, divisor) {
  return ((value % divisor) + divisor) % divisor;
}

/**
 * Returns the next round distance: 1, 2 or 5 times a power of ten.
 *
 * @param {number} meters
 */
function roundDistance(meters) {
  const power = 10 ** Math.floor(Math.log10(meters));
  return power * (/** @type {number} */ ([1, 2, 5, 10].find((digit) => digit * power >= meters)));
}
