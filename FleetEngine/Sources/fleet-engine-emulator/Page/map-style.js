// @ts-check

/**
 * The map's style as data: the options of the guides' style coordinator.
 *
 * @module
 */

import { say } from './words.js';

/**
 * @typedef {'tripPickupPoint' | 'tripDropoffPoint' | 'tripVehicle' | 'intermediateDestination' | 'unknown'} MarkerType
 * @typedef {'activeRoute' | 'remainingRoute'} PolylineType
 * @typedef {'noData' | 'normal' | 'slow' | 'trafficJam'} SpeedType
 * @typedef {{ groundAnchor: { x: number, y: number }, isVisible: boolean, icon: string, iconView: string | null,
 *   zIndex: number, isFlat: boolean }} MarkerStyleOptions A view's name is an icon's on this page, and replaces the icon.
 * @typedef {{ color: string, width: number, isVisible: boolean, zIndex: number, isGeodesic: boolean, isTrafficEnabled: boolean,
 *   trafficColors: Record<SpeedType, string> }} PolylineStyleOptions
 */

const bottom = { x: 0.5, y: 1 };
const center = { x: 0.5, y: 0.5 };
const trafficColors = { noData: '#5F6B7A', normal: '#1A6BE0', slow: '#E8930C', trafficJam: '#D32F2F' };

/** @type {Record<MarkerType, MarkerStyleOptions>} */
const defaultMarkers = {
  tripPickupPoint: { groundAnchor: bottom, isVisible: true, icon: 'pickup', iconView: null, zIndex: 2, isFlat: false },
  tripDropoffPoint: { groundAnchor: bottom, isVisible: true, icon: 'dropoff', iconView: null, zIndex: 2, isFlat: false },
  intermediateDestination: { groundAnchor: center, isVisible: true, icon: 'stop', iconView: null, zIndex: 1, isFlat: false },
  tripVehicle: { groundAnchor: center, isVisible: true, icon: 'car', iconView: null, zIndex: 3, isFlat: true },
  unknown: { groundAnchor: center, isVisible: true, icon: 'dot', iconView: null, zIndex: 0, isFlat: false },
};

/** @type {Record<PolylineType, PolylineStyleOptions>} */
const defaultPolylines = {
  activeRoute: { color: '#1A6BE0', width: 6, isVisible: true, zIndex: 1, isGeodesic: false, isTrafficEnabled: false, trafficColors },
  remainingRoute: { color: '#7B8794', width: 5, isVisible: true, zIndex: 0, isGeodesic: false, isTrafficEnabled: false, trafficColors },
};

/** The icons that the page can draw. */
export const icons = ['pickup', 'dropoff', 'stop', 'car', 'van', 'eta', 'dot'];

/** Keeps the style options for markers and polylines; what is not set has its default. */
export class StyleCoordinator {
  /** @type {Partial<Record<MarkerType, MarkerStyleOptions>>} */ #markers = {};
  /** @type {Partial<Record<PolylineType, PolylineStyleOptions>>} */ #polylines = {};

  /** @param {MarkerType} type @returns {MarkerStyleOptions} */
  markerStyleOptions(type) { return this.#markers[type] ?? defaultMarkers[type]; }

  /** @param {PolylineType} type @returns {PolylineStyleOptions} */
  polylineStyleOptions(type) { return this.#polylines[type] ?? defaultPolylines[type]; }

  /**
   * Sets options; null restores the default.
   *
   * @param {Partial<Omit<MarkerStyleOptions, 'groundAnchor'>> & { groundAnchor?: Partial<MarkerStyleOptions['groundAnchor']> } | null}
   *   options
   * @param {MarkerType} type
   */
  setMarkerStyleOptions(options, type) {
    const defaults = defaultMarkers[type];
    this.#markers[type] = options
      ? { ...defaults, ...options, groundAnchor: { ...defaults.groundAnchor, ...options.groundAnchor } }
      : undefined;
  }

  /**
   * Sets options; null restores the default.
   *
   * @param {Partial<Omit<PolylineStyleOptions, 'trafficColors'>> & { trafficColors?: Partial<Record<SpeedType, string>> } | null}
   *   options
   * @param {PolylineType} type
   */
  setPolylineStyleOptions(options, type) {
    this.#polylines[type] = options
      ? { ...defaultPolylines[type], ...options, trafficColors: { ...trafficColors, ...options.trafficColors } }
      : undefined;
  }

  /**
   * Sets all options that a JSON text contains, and restores the defaults of the others.
   *
   * @param {string} json
   * @throws {Error} If the text is no style, with what is wrong; then nothing changes.
   */
  apply(json) {
    const { markers = {}, polylines = {} } = readObject(parse(json), say('mapStyle'), { markers: {}, polylines: {} });
    const readMarkers = readTyped(markers, 'markers', defaultMarkers);
    const readPolylines = readTyped(polylines, 'polylines', defaultPolylines);
    for (const type of /** @type {MarkerType[]} */ (Object.keys(defaultMarkers))) {
      this.setMarkerStyleOptions(readMarkers[type] ?? null, type);
    }
    for (const type of /** @type {PolylineType[]} */ (Object.keys(defaultPolylines))) {
      this.setPolylineStyleOptions(readPolylines[type] ?? null, type);
    }
  }
}

/** @param {any} value */
const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/**
 * Returns whether a value can stand for a default: of the same type, and a color or an icon where that is one.
 *
 * @param {any} value @param {any} byDefault @returns {boolean}
 */
function suits(value, byDefault) {
  if (byDefault === null) return value === null || icons.includes(value);
  if (typeof byDefault === 'object') {
    return isObject(value) && Object.entries(value).every(([name, each]) => Object.hasOwn(byDefault, name) && suits(each, byDefault[name]));
  }
  if (typeof byDefault !== 'string') return typeof value === typeof byDefault;
  return byDefault.startsWith('#') ? /^#[0-9A-Fa-f]{6}([0-9A-Fa-f]{2})?$/.test(value) : icons.includes(value);
}

/** @param {string} json */
function parse(json) {
  try {
    return JSON.parse(json);
  } catch {
    throw new Error(say('styleNotJSON'));
  }
}

/**
 * Reads an object whose members are some of those of another.
 *
 * @param {any} value @param {string} name @param {object} known @returns {Record<string, any>}
 */
function readObject(value, name, known) {
  if (!isObject(value)) throw new Error(say('styleNotObject', { name }));
  const option = Object.keys(value).find((each) => !Object.hasOwn(known, each));
  if (option !== undefined) throw new Error(say('styleOtherOption', { option, name, options: Object.keys(known).join(', ') }));
  return value;
}

/** @param {any} value @param {string} what @param {Record<string, object>} defaults @returns {Record<string, any>} */
function readTyped(value, what, defaults) {
  for (const [type, options] of Object.entries(readObject(value, what, defaults))) {
    if (options === null) continue;
    for (const [option, setting] of Object.entries(readObject(options, type, defaults[type]))) {
      if (!suits(setting, /** @type {any} */ (defaults[type])[option])) throw new Error(say('styleInvalid', { option, type }));
    }
  }
  return value;
}
