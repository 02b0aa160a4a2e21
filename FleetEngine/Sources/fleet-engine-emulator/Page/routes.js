// @ts-check

/**
 * The routes on the map, in the order that their style says.
 *
 * @module
 */

import { geodesic, onMap } from './camera.js';
import { svg } from './icons.js';

/**
 * @typedef {import('./trip.js').LatLng} LatLng
 * @typedef {import('./journey-model.js').Journey} Journey
 * @typedef {import('./journey-model.js').Route} Route
 * @typedef {import('./map-style.js').StyleCoordinator} StyleCoordinator
 * @typedef {import('./map-style.js').PolylineType} PolylineType
 * @typedef {SVGElement & { path: LatLng[] }} Line
 */

/** @type {Record<string, import('./map-style.js').SpeedType>} */
const speedTypes = { NORMAL: 'normal', SLOW: 'slow', TRAFFIC_JAM: 'trafficJam' };

export class RouteLayer {
  element = svg('g', { class: 'routes', 'aria-hidden': 'true' });

  /** Whether slow traffic is drawn, so that a legend is of use. */
  get showsTraffic() {
    return this.element.querySelector('.traffic') !== null;
  }

  /** @param {Journey} journey @param {StyleCoordinator} style */
  draw({ activeRoute, remainingRoutes, finishedRoute }, style) {
    const drawn = /** @type {{ route: Route, type: PolylineType }[]} */ ([
      ...remainingRoutes.map((route) => ({ route, type: 'remainingRoute' })), { route: activeRoute, type: 'activeRoute' },
    ]).sort((one, other) => style.polylineStyleOptions(one.type).zIndex - style.polylineStyleOptions(other.type).zIndex);
    this.element.replaceChildren(
      ...(finishedRoute.length > 1 ? [line(finishedRoute, 'finishedRoute', '', 4)] : []),
      ...drawn.flatMap(({ route, type }) => lines(route, type, style)));
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

/** @param {Route} route @param {PolylineType} type @param {StyleCoordinator} style @returns {Line[]} */
function lines({ path, traffic }, type, style) {
  const { isVisible, isGeodesic, isTrafficEnabled, color, width, trafficColors } = style.polylineStyleOptions(type);
  if (!isVisible || path.length < 2) return [];
  const shape = isGeodesic ? geodesic : (/** @type {LatLng[]} */ points) => points;
  // Only what is not normal is drawn over the route.
  const slow = isTrafficEnabled ? traffic.filter(({ speed }) => speed !== 'NORMAL') : [];
  return [
    line(shape(path), `${type} casing`, '', width + 4),
    line(shape(path), `${type} line`, color, width),
    ...slow.flatMap(({ startIndex, endIndex, speed }) => {
      const kind = speedTypes[speed] ?? 'noData';
      const stretch = shape(path.slice(startIndex, endIndex + 1));
      return [
        line(stretch, `${type} traffic ${kind}`, trafficColors[kind], width),
        // Marks that need no colour: dashes where it is slow, dots where it is jammed.
        line(stretch, `mark ${kind}`, '', Math.max(width / 3, 1)),
      ];
    }),
  ];
}
