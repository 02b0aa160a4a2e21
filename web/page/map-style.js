// @ts-check

/**
 * The map's style as data: the options of the guides' style coordinator, with the same names, types and defaults as the
 * Swift type `StyleCoordinator`, whose JSON this reads.
 *
 * @module
 */

/**
 * @typedef {'tripPickupPoint' | 'tripDropoffPoint' | 'tripVehicle' | 'intermediateDestination'} MarkerType
 * @typedef {'activeRoute' | 'remainingRoute'} PolylineType
 * @typedef {'noData' | 'normal' | 'slow' | 'trafficJam'} SpeedType
 * @typedef {{ groundAnchor: { x: number, y: number }, isVisible: boolean, icon: string, zIndex: number, isFlat: boolean }}
 *   MarkerStyleOptions
 * @typedef {{ color: string, width: number, isVisible: boolean, isTrafficEnabled: boolean,
 *   trafficColors: Record<SpeedType, string> }} PolylineStyleOptions
 */

const bottom = { x: 0.5, y: 1 };
const center = { x: 0.5, y: 0.5 };
const trafficColors = { noData: '#5F6B7A', normal: '#1A6BE0', slow: '#E8930C', trafficJam: '#D32F2F' };

/** @type {Record<MarkerType, MarkerStyleOptions>} */
const defaultMarkers = {
  tripPickupPoint: { groundAnchor: bottom, isVisible: true, icon: 'pickup', zIndex: 2, isFlat: false },
  tripDropoffPoint: { groundAnchor: bottom, isVisible: true, icon: 'dropoff', zIndex: 2, isFlat: false },
  intermediateDestination: { groundAnchor: center, isVisible: true, icon: 'stop', zIndex: 1, isFlat: false },
  tripVehicle: { groundAnchor: center, isVisible: true, icon: 'car', zIndex: 3, isFlat: true },
};

/** @type {Record<PolylineType, PolylineStyleOptions>} */
const defaultPolylines = {
  activeRoute: { color: '#1A6BE0', width: 6, isVisible: true, isTrafficEnabled: false, trafficColors },
  remainingRoute: { color: '#7B8794', width: 5, isVisible: true, isTrafficEnabled: false, trafficColors },
};

/** The icons that the page can draw. */
export const icons = ['pickup', 'dropoff', 'stop', 'car', 'van', 'eta'];

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
    const { markers = {}, polylines = {}, ...others } = readObject(parse(json), 'The style');
    refuseOthers(others, 'the style');
    const readMarkers = readTyped(markers, Object.keys(defaultMarkers), 'marker', markerRules);
    const readPolylines = readTyped(polylines, Object.keys(defaultPolylines), 'polyline', polylineRules);
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

/** @type {OptionRules} */
const markerRules = {
  groundAnchor: (value) => isObject(value)
    && Object.entries(value).every(([axis, share]) => ['x', 'y'].includes(axis) && isShare(share)),
  isVisible: isBoolean,
  icon: (value) => icons.includes(value),
  // 32 bits with a sign.
  zIndex: (value) => value === (value | 0),
  isFlat: isBoolean,
};

/** @type {OptionRules} */
const polylineRules = {
  color: isColor,
  width: (value) => typeof value === 'number' && value >= 0.1 && value <= 40,
  isVisible: isBoolean,
  isTrafficEnabled: isBoolean,
  trafficColors: (value) => isObject(value)
    && Object.entries(value).every(([speed, color]) => Object.hasOwn(trafficColors, speed) && isColor(color)),
};

/** @param {string} json */
function parse(json) {
  try {
    return JSON.parse(json);
  } catch {
    throw new Error('The style is not JSON.');
  }
}

/** @param {any} value @param {string} name @returns {Record<string, any>} */
function readObject(value, name) {
  if (!isObject(value)) throw new Error(`${name} is not a JSON object.`);
  return value;
}

/** @param {object} others @param {string} name */
function refuseOthers(others, name) {
  const [other] = Object.keys(others);
  if (other !== undefined) throw new Error(`“${other}” is no option of ${name}.`);
}

/** @param {any} value @param {string[]} types @param {string} what @param {OptionRules} rules @returns {Record<string, any>} */
function readTyped(value, types, what, rules) {
  for (const [type, options] of Object.entries(readObject(value, `${what}s`))) {
    if (!types.includes(type)) throw new Error(`“${type}” is no type of ${what}: ${types.join(', ')}.`);
    if (options === null) continue;
    for (const [option, setting] of Object.entries(readObject(options, type))) {
      if (!Object.hasOwn(rules, option)) throw new Error(`“${option}” is no option of ${type}: ${Object.keys(rules).join(', ')}.`);
      if (!rules[option](setting)) throw new Error(`The ${option} of ${type} is invalid.`);
    }
  }
  return value;
}
