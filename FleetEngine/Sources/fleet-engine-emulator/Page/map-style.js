// @ts-check

/**
 * The map's style as data: the options of the guides' style coordinator, with the same names, types and defaults as the
 * Swift type `StyleCoordinator`, whose JSON this reads.
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
    const { markers = {}, polylines = {}, ...others } = readObject(parse(json), say('mapStyle'));
    refuseOthers(others);
    const readMarkers = readTyped(markers, Object.keys(defaultMarkers), 'markers', markerRules);
    const readPolylines = readTyped(polylines, Object.keys(defaultPolylines), 'polylines', polylineRules);
    for (const type of /** @type {MarkerType[]} */ (Object.keys(defaultMarkers))) {
      this.setMarkerStyleOptions(readMarkers[type] ?? null, type);
    }
    for (const type of /** @type {PolylineType[]} */ (Object.keys(defaultPolylines))) {
      this.setPolylineStyleOptions(readPolylines[type] ?? null, type);
    }
  }
}

/** @typedef {Record<string, (value: any) => boolean>} OptionRules */

/** @param {any} value */
const isBoolean = (value) => typeof value === 'boolean';
/** @param {any} value */
const isColor = (value) => typeof value === 'string' && /^#[0-9A-Fa-f]{6}([0-9A-Fa-f]{2})?$/.test(value);
/** @param {any} value */
const isShare = (value) => typeof value === 'number' && value >= 0 && value <= 1;
/** @param {any} value */
const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/** @param {any} value */
const isInt32 = (value) => value === (value | 0);

/** @type {OptionRules} */
const markerRules = {
  groundAnchor: (value) => isObject(value)
    && Object.entries(value).every(([axis, share]) => ['x', 'y'].includes(axis) && isShare(share)),
  isVisible: isBoolean,
  icon: (value) => icons.includes(value),
  iconView: (value) => value === null || icons.includes(value),
  zIndex: isInt32,
  isFlat: isBoolean,
};

/** @type {OptionRules} */
const polylineRules = {
  color: isColor,
  width: (value) => typeof value === 'number' && value >= 0.1 && value <= 40,
  isVisible: isBoolean,
  zIndex: isInt32,
  isGeodesic: isBoolean,
  isTrafficEnabled: isBoolean,
  trafficColors: (value) => isObject(value)
    && Object.entries(value).every(([speed, color]) => Object.hasOwn(trafficColors, speed) && isColor(color)),
};

/** @param {string} json */
function parse(json) {
  try {
    return JSON.parse(json);
  } catch {
    throw new Error(say('styleNotJSON'));
  }
}

/** @param {any} value @param {string} name @returns {Record<string, any>} */
function readObject(value, name) {
  if (!isObject(value)) throw new Error(say('styleNotObject', { name }));
  return value;
}

/** @param {object} others */
function refuseOthers(others) {
  const [option] = Object.keys(others);
  if (option !== undefined) throw new Error(say('styleOtherOption', { option, name: say('mapStyle'), options: 'markers, polylines' }));
}

/** @param {any} value @param {string[]} types @param {string} what @param {OptionRules} rules @returns {Record<string, any>} */
function readTyped(value, types, what, rules) {
  for (const [type, options] of Object.entries(readObject(value, what))) {
    if (!types.includes(type)) throw new Error(say('styleOtherType', { type, name: what, types: types.join(', ') }));
    if (options === null) continue;
    for (const [option, setting] of Object.entries(readObject(options, type))) {
      if (!Object.hasOwn(rules, option)) {
        throw new Error(say('styleOtherOption', { option, name: type, options: Object.keys(rules).join(', ') }));
      }
      if (!rules[option](setting)) throw new Error(say('styleInvalid', { option, type }));
    }
  }
  return value;
}
