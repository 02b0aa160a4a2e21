// @ts-check

/**
 * The routes on the map, in the order that their style says.
 *
 * @module
 */

import { onMap } from './camera.js';
import { svg } from './icons.js';

/**
 * @typedef {import('./trip.js').LatLng} LatLng
 * @typedef {import('./journey-model.js').Journey} Journey
 * @typedef {import('./map-style.js').StyleCoordinator} StyleCoordinator
 * @typedef {import('./map-style.js').PolylineType} PolylineType
 * @typedef {SVGElement & { path: LatLng[] }} Line
 */

export class RouteLayer {
  element = svg('g', { class: 'routes', 'aria-hidden': 'true' });

  /** @param {Journey} journey @param {StyleCoordinator} style */
  draw({ activeRoute, remainingRoutes, finishedRoute }, style) {
    const drawn = /** @type {{ path: LatLng[], type: PolylineType }[]} */ ([
      ...remainingRoutes.map((path) => ({ path, type: 'remainingRoute' })), { path: activeRoute, type: 'activeRoute' },
    ]).sort((one, other) => style.polylineStyleOptions(one.type).zIndex - style.polylineStyleOptions(other.type).zIndex);
    this.element.replaceChildren(
      ...(finishedRoute.length > 1 ? [line(finishedRoute, 'finishedRoute', '', 4)] : []),
      ...drawn.flatMap(({ path, type }) => lines(path, type, style)));
  }

  /** @param {import('./camera.js').Camera} camera @param {import('./camera.js').Size} size */
  place(camera, size) {
    for (const each of /** @type {Iterable<Line>} */ (this.element.children)) {
      each.setAttribute('points', each.path.map((point) => {
        const { x, y } = onMap(point, camera, size);
        return `${x.toFixed(1)},${y.toFixed(1)}`;
      }).join(' '));
    }
  }
}

/** @param {LatLng[]} path @param {string} kind @param {string} color @param {number} width @returns {Line} */
function line(path, kind, color, width) {
  return Object.assign(svg('polyline', { class: kind, ...(color && { stroke: color }), 'stroke-width': width }), { path });
}

/** @param {LatLng[]} path @param {PolylineType} type @param {StyleCoordinator} style @returns {Line[]} */
function lines(path, type, style) {
  const { isVisible, color, width } = style.polylineStyleOptions(type);
  if (!isVisible || path.length < 2) return [];
  return [line(path, `${type} casing`, '', width + 4), line(path, `${type} line`, color, width)];
}
