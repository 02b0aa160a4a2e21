// @ts-check

/**
 * The map, drawn from the journey alone: routes, markers, labels, and a camera that follows until it is dragged.
 *
 * @module
 */

import { between, drag, fit, metersPerPixel, onMap, zoom } from './camera.js';
import { addGestures } from './gestures.js';
import { drawIcon, sizes, svg } from './icons.js';
import { distance, minutesUntil } from './words.js';

/**
 * @typedef {import('./journey-model.js').Journey} Journey
 * @typedef {import('./journey-model.js').Marker} Marker
 * @typedef {import('./journey-model.js').Route} Route
 * @typedef {import('./camera.js').Camera} Camera
 * @typedef {import('./map-style.js').StyleCoordinator} StyleCoordinator
 * @typedef {import('./map-style.js').PolylineType} PolylineType
 * @typedef {import('../trip.js').LatLng} LatLng
 */

/** How long the camera and the vehicle take to move to their next place, in milliseconds. */
const movement = 900;

/** @type {Record<string, import('./map-style.js').SpeedType>} */
const speedTypes = { NORMAL: 'normal', SLOW: 'slow', TRAFFIC_JAM: 'trafficJam' };

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
   * Called when the camera begins or ends to follow.
   *
   * @type {() => void}
   */
  onFollowingChange = () => {};
  /** @type {Journey | undefined} */ #journey;
  /** @type {Camera | undefined} */ #camera;
  /** @type {{ camera?: Camera, vehicle?: LatLng, start: number } | undefined} */ #from;
  /** @type {LatLng | undefined} */ #vehicle;
  /** @type {Map<string, { element: SVGElement, drawing: string }>} */ #markers = new Map();
  #routes = svg('g', { class: 'routes' });
  #grid = svg('g', { class: 'grid', 'aria-hidden': 'true' });
  #markerLayer = svg('g');

  /**
   * Creates a map in an element.
   *
   * @param {HTMLElement} element @param {StyleCoordinator} style
   * @param {{ now?: () => number, prefersStillness?: () => boolean }} [environment]
   */
  constructor(element, style, environment = {}) {
    this.element = element;
    this.style = style;
    this.now = environment.now ?? Date.now;
    this.prefersStillness = environment.prefersStillness
      ?? (() => matchMedia('(prefers-reduced-motion: reduce)').matches);
    this.scaleBar = svg('g', { class: 'scale', 'aria-hidden': 'true' });
    this.canvas = svg('svg', { class: 'canvas', role: 'group', 'aria-label': 'Markers on the map' },
      this.#grid, this.#routes, this.scaleBar, this.#markerLayer);
    element.prepend(this.canvas);
    new ResizeObserver(() => this.#resize()).observe(element);
    addGestures(element, this);
    this.#markerLayer.addEventListener('click', (event) => this.#tap(event));
    this.#markerLayer.addEventListener('keydown', (event) => {
      if (!(event instanceof KeyboardEvent) || !['Enter', ' '].includes(event.key)) return;
      event.preventDefault();
      this.#tap(event);
    });
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
    this.#drawRoutes();
    this.#updateMarkers();
    this.#step(start);
  }

  /** Shows nothing any more. */
  clear() {
    this.#journey = undefined;
    this.#camera = undefined;
    this.#vehicle = undefined;
    for (const { element } of this.#markers.values()) element.remove();
    this.#markers.clear();
    this.#routes.replaceChildren();
    this.setFollowing(true);
  }

  /** Draws everything again, for another style or another minute. */
  redraw() {
    if (!this.#journey) return;
    this.#drawRoutes();
    this.#updateMarkers();
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
    const isStill = !camera || this.prefersStillness();
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

  #drawRoutes() {
    const { activeRoute, remainingRoutes } = /** @type {Journey} */ (this.#journey);
    this.#routes.replaceChildren(
      ...remainingRoutes.flatMap((route) => this.#drawRoute(route, 'remainingRoute')),
      ...this.#drawRoute(activeRoute, 'activeRoute'),
    );
  }

  /** @param {Route} route @param {PolylineType} type @returns {SVGElement[]} */
  #drawRoute({ path, traffic }, type) {
    const options = this.style.polylineStyleOptions(type);
    if (!options.isVisible || path.length < 2) return [];
    /** @type {(points: LatLng[], color: string, kind: string, width: number) => SVGElement} */
    const line = (points, color, kind, width) => Object.assign(
      svg('polyline', { class: `${type} ${kind}`, stroke: color, 'stroke-width': width }), { path: points });
    const slow = options.isTrafficEnabled ? traffic.filter(({ speed }) => speed !== 'NORMAL') : [];
    return [
      line(path, '', 'casing', options.width + 4),
      line(path, options.color, 'line', options.width),
      // Only what is not normal is drawn over the route.
      ...slow.map(({ startIndex, endIndex, speed }) => {
        const kind = speedTypes[speed] ?? 'noData';
        return line(path.slice(startIndex, endIndex + 1), options.trafficColors[kind], `traffic ${kind}`, options.width);
      }),
    ];
  }

  #updateMarkers() {
    const { markers } = /** @type {Journey} */ (this.#journey);
    const visible = markers.filter(({ type }) => this.style.markerStyleOptions(type).isVisible)
      .sort((one, other) => this.style.markerStyleOptions(one.type).zIndex - this.style.markerStyleOptions(other.type).zIndex);
    for (const [id, { element }] of this.#markers) {
      if (visible.some((marker) => marker.id === id)) continue;
      element.remove();
      this.#markers.delete(id);
    }
    visible.forEach((marker, index) => {
      const { element } = this.#draw(marker);
      // To move an element would take the focus from it.
      if (this.#markerLayer.children[index] !== element) this.#markerLayer.insertBefore(element, this.#markerLayer.children[index] ?? null);
    });
  }

  /** @param {Marker} marker */
  #draw(marker) {
    const { icon } = this.style.markerStyleOptions(marker.type);
    const eta = marker.eta && minutesUntil(marker.eta, this.now());
    const drawing = JSON.stringify([icon, eta, marker.number]);
    const known = this.#markers.get(marker.id);
    const element = known?.element ?? svg('g', { class: 'marker', role: 'button', tabindex: 0, 'data-marker': marker.id });
    element.setAttribute('aria-label', `${marker.name}${eta ? `, arrival ${eta === 'now' ? 'now' : `in ${eta}`}` : ''}`);
    if (drawing !== known?.drawing) {
      const text = icon === 'eta' ? eta ?? '' : String(marker.number ?? '');
      const art = svg('g', { class: 'art' }, drawIcon(icon, text));
      element.replaceChildren(art, ...(eta && icon !== 'eta' ? [label(eta, sizes[icon].height)] : []));
    }
    const drawn = { element, drawing };
    this.#markers.set(marker.id, drawn);
    return drawn;
  }

  /** Puts everything where the camera shows it. */
  #place() {
    const camera = this.#camera;
    if (!camera || !this.#journey) return;
    const size = this.#size;
    for (const line of /** @type {Iterable<SVGElement & { path: LatLng[] }>} */ (this.#routes.children)) {
      line.setAttribute('points', line.path.map((point) => {
        const { x, y } = onMap(point, camera, size);
        return `${x.toFixed(1)},${y.toFixed(1)}`;
      }).join(' '));
    }
    for (const marker of this.#journey.markers) {
      const drawn = this.#markers.get(marker.id);
      if (drawn) this.#placeMarker(marker, drawn.element, camera);
    }
    this.#drawGrid(camera);
  }

  /** @param {Marker} marker @param {SVGElement} element @param {Camera} camera */
  #placeMarker(marker, element, camera) {
    const { groundAnchor, icon, isFlat } = this.style.markerStyleOptions(marker.type);
    const location = marker.id === 'vehicle' ? this.#vehicle ?? marker.location : marker.location;
    const { x, y } = onMap(location, camera, this.#size);
    const { width, height } = sizes[icon];
    element.setAttribute('transform', `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    element.dataset.location = `${marker.location.lat},${marker.location.lng}`;
    // A flat marker lies on the map and turns with its heading; others stand upright.
    const turn = isFlat && marker.heading !== undefined ? `rotate(${marker.heading}) ` : '';
    element.firstElementChild?.setAttribute('transform', `${turn}translate(${-groundAnchor.x * width} ${-groundAnchor.y * height})`);
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
    this.scaleBar.setAttribute('transform', `translate(16 ${height - 18})`);
    this.scaleBar.replaceChildren(
      svg('path', { d: `M0 -5 v5 h${step.toFixed(1)} v-5` }), svg('text', { x: 4, y: -8 }, distance(cell)));
  }

  /** @param {Event} event */
  #tap(event) {
    const id = event.target instanceof Element ? event.target.closest('[data-marker]')?.getAttribute('data-marker') : undefined;
    const marker = this.#journey?.markers.find((candidate) => candidate.id === id);
    if (marker) this.onTap(marker);
  }
}

/**
 * What the automatic camera shows: the route ahead, and the next stops.
 *
 * @param {Journey} journey
 */
function locations({ markers, activeRoute, remainingRoutes }) {
  const ahead = markers.filter(({ isPast }) => !isPast);
  return [...(ahead.length ? ahead : markers).map(({ location }) => location), ...activeRoute.path, ...remainingRoutes.flatMap(({ path }) => path)];
}

/** @param {string} text @param {number} above */
function label(text, above) {
  const width = text.length * 7.2 + 16;
  return svg('g', { class: 'label', 'aria-hidden': 'true', transform: `translate(0 ${-above - 28})` },
    svg('rect', { x: -width / 2, y: 0, width, height: 22, rx: 11 }), svg('text', { x: 0, y: 15.5 }, text));
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
