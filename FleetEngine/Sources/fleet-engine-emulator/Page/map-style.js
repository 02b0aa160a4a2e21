// @ts-check

/**
 * The map's style as data: the options of the style coordinator in Google's guide.
 *
 * @module
 */

/**
 * @typedef {'tripPickupPoint' | 'tripDropoffPoint' | 'tripVehicle' | 'intermediateDestination' | 'unknown'} MarkerType
 * @typedef {'activeRoute' | 'remainingRoute'} PolylineType
 * @typedef {{ groundAnchor: { x: number, y: number }, isVisible: boolean, icon: string, zIndex: number,
 *   isFlat: boolean }} MarkerStyleOptions
 * @typedef {{ color: string, width: number, isVisible: boolean, zIndex: number }} PolylineStyleOptions
 * @typedef {{ markers?: Partial<Record<MarkerType, Partial<MarkerStyleOptions>>>,
 *   polylines?: Partial<Record<PolylineType, Partial<PolylineStyleOptions>>> }} Style
 */

const bottom = { x: 0.5, y: 1 };
const center = { x: 0.5, y: 0.5 };

/** @type {Record<MarkerType, MarkerStyleOptions>} */
const defaultMarkers = {
  tripPickupPoint: { groundAnchor: bottom, isVisible: true, icon: 'pickup', zIndex: 2, isFlat: false },
  tripDropoffPoint: { groundAnchor: bottom, isVisible: true, icon: 'dropoff', zIndex: 2, isFlat: false },
  intermediateDestination: { groundAnchor: center, isVisible: true, icon: 'stop', zIndex: 1, isFlat: false },
  tripVehicle: { groundAnchor: center, isVisible: true, icon: 'car', zIndex: 3, isFlat: true },
  unknown: { groundAnchor: center, isVisible: true, icon: 'dot', zIndex: 0, isFlat: false },
};

/** @type {Record<PolylineType, PolylineStyleOptions>} */
const defaultPolylines = {
  activeRoute: { color: '#1A6BE0', width: 6, isVisible: true, zIndex: 1 },
  remainingRoute: { color: '#7B8794', width: 5, isVisible: true, zIndex: 0 },
};

/**
 * Styles to choose from.
 *
 * @type {{ name: string, style: Style }[]}
 */
export const examples = [
  { name: 'Defaults', style: {} },
  {
    name: 'Guide: a vehicle marker of one\'s own',
    style: { markers: { tripVehicle: { groundAnchor: bottom, icon: 'van', zIndex: 100, isFlat: false } } },
  },
  {
    name: 'Guide: the pickup marker shows the arrival time',
    style: { markers: { tripPickupPoint: { groundAnchor: bottom, icon: 'eta', zIndex: 100 } } },
  },
  {
    name: 'No stops, a thin green route',
    style: {
      markers: { intermediateDestination: { isVisible: false } },
      polylines: { activeRoute: { color: '#16703C', width: 3 }, remainingRoute: { isVisible: false } },
    },
  },
];

/** Keeps the style options for markers and polylines; what is not set has its default. */
export class StyleCoordinator {
  /** @type {Style} */ #style = {};

  /** @param {Style} style */
  set(style) { this.#style = style; }

  /** @param {MarkerType} type @returns {MarkerStyleOptions} */
  markerStyleOptions(type) { return { ...defaultMarkers[type], ...this.#style.markers?.[type] }; }

  /** @param {PolylineType} type @returns {PolylineStyleOptions} */
  polylineStyleOptions(type) { return { ...defaultPolylines[type], ...this.#style.polylines?.[type] }; }
}
