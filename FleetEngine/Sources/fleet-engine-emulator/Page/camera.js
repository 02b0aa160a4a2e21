// @ts-check

/**
 * The map's camera: a Web Mercator projection that fits what it is given.
 *
 * @module
 */

/**
 * @typedef {import('./trip.js').LatLng} LatLng
 * @typedef {{ x: number, y: number }} Point In pixels from the map's top left corner, or in the world from 0 to 1.
 * @typedef {{ width: number, height: number }} Size
 * @typedef {{ x: number, y: number, scale: number }} Camera Its center in the world, and the world's size in pixels.
 */

/** The edge that stays free of what is fitted, for markers and labels. */
const padding = { top: 76, right: 56, bottom: 64, left: 56 };
/** The world's size in pixels at which a street fills the map; nothing is fitted closer. */
const closest = 256 * 2 ** 17;
const farthest = 256;

/**
 * Projects a location into the world.
 *
 * @param {LatLng} location
 * @returns {Point}
 */
export function project({ lat, lng }) {
  const sine = Math.min(Math.max(Math.sin(lat * Math.PI / 180), -0.9999), 0.9999);
  return { x: (lng + 180) / 360, y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI) };
}

/**
 * Returns where a location appears on the map.
 *
 * @param {LatLng} location @param {Camera} camera @param {Size} size
 * @returns {Point}
 */
export function onMap(location, camera, size) {
  const world = project(location);
  return {
    x: (world.x - camera.x) * camera.scale + size.width / 2,
    y: (world.y - camera.y) * camera.scale + size.height / 2,
  };
}

/**
 * Returns the camera that shows all locations; undefined for none.
 *
 * @param {LatLng[]} locations @param {Size} size
 * @returns {Camera | undefined}
 */
export function fit(locations, size) {
  if (locations.length === 0) return undefined;
  const points = locations.map(project);
  const [left, right] = extent(points.map(({ x }) => x));
  const [top, bottom] = extent(points.map(({ y }) => y));
  const room = {
    width: Math.max(size.width - padding.left - padding.right, 40), height: Math.max(size.height - padding.top - padding.bottom, 40),
  };
  const scale = clamp(Math.min(room.width / (right - left), room.height / (bottom - top)));
  // What is fitted lies in the middle of what is free, not of the map.
  return {
    x: (left + right) / 2 - (padding.left - padding.right) / 2 / scale,
    y: (top + bottom) / 2 - (padding.top - padding.bottom) / 2 / scale, scale,
  };
}

/**
 * Returns the camera after a drag, in pixels.
 *
 * @param {Camera} camera @param {Point} distance
 * @returns {Camera}
 */
export function drag(camera, { x, y }) {
  return { ...camera, x: camera.x - x / camera.scale, y: camera.y - y / camera.scale };
}

/**
 * Returns the camera after zooming by a factor around a point of the map.
 *
 * @param {Camera} camera @param {number} factor @param {Size} size @param {Point} [around] The center by default.
 * @returns {Camera}
 */
export function zoom(camera, factor, size, around = { x: size.width / 2, y: size.height / 2 }) {
  const scale = clamp(camera.scale * factor);
  const offset = { x: around.x - size.width / 2, y: around.y - size.height / 2 };
  const change = 1 / camera.scale - 1 / scale;
  return { x: camera.x + offset.x * change, y: camera.y + offset.y * change, scale };
}

/**
 * Returns the camera between two, for `share` from 0 to 1.
 *
 * @param {Camera} from @param {Camera} to @param {number} share
 * @returns {Camera}
 */
export function between(from, to, share) {
  return {
    x: from.x + (to.x - from.x) * share,
    y: from.y + (to.y - from.y) * share,
    scale: from.scale * (to.scale / from.scale) ** share,
  };
}

/**
 * Returns the number of meters that a pixel shows at the center.
 *
 * @param {Camera} camera
 */
export function metersPerPixel(camera) {
  const latitude = Math.atan(Math.sinh(Math.PI * (1 - 2 * camera.y)));
  return 40_075_017 * Math.cos(latitude) / camera.scale;
}

/** @param {number[]} values */
function extent(values) {
  // A long route has more points than a call may have arguments.
  return values.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [Infinity, -Infinity]);
}

/** @param {number} scale */
function clamp(scale) {
  return Math.min(Math.max(scale, farthest), closest);
}
