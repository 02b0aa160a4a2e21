// @ts-check

/**
 * Moving the map: by drag, pinch, wheel and keys.
 *
 * @module
 */

/** @typedef {import('./map-view.js').MapView} MapView */

/** @type {Record<string, (map: MapView) => void>} */
const keys = {
  ArrowLeft: (map) => map.panBy(60, 0), ArrowRight: (map) => map.panBy(-60, 0),
  ArrowUp: (map) => map.panBy(0, 60), ArrowDown: (map) => map.panBy(0, -60),
  '+': (map) => map.zoomBy(1.5), '=': (map) => map.zoomBy(1.5), '-': (map) => map.zoomBy(1 / 1.5), 0: (map) => map.setFollowing(true),
};

/**
 * Lets gestures in an element move a map.
 *
 * @param {HTMLElement} element @param {MapView} map
 */
export function addGestures(element, map) {
  /** @type {Map<number, { x: number, y: number }>} */
  const pointers = new Map();
  const place = (/** @type {{ x: number, y: number }} */ { x, y }) => {
    const { left, top } = element.getBoundingClientRect();
    return { x: x - left, y: y - top };
  };
  element.addEventListener('pointerdown', (event) => {
    if (event.target instanceof Element && event.target.closest('button, .marker')) return;
    element.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  element.addEventListener('pointermove', (event) => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const next = { x: event.clientX, y: event.clientY };
    const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    pointers.set(event.pointerId, next);
    map.panBy((next.x - last.x) / pointers.size, (next.y - last.y) / pointers.size);
    if (!other) return;
    const before = Math.max(Math.hypot(last.x - other.x, last.y - other.y), 1);
    const factor = Math.hypot(next.x - other.x, next.y - other.y) / before;
    map.zoomBy(factor, place({ x: (next.x + other.x) / 2, y: (next.y + other.y) / 2 }));
  });
  element.addEventListener('pointerup', (event) => pointers.delete(event.pointerId));
  element.addEventListener('pointercancel', (event) => pointers.delete(event.pointerId));
  element.addEventListener('wheel', (event) => {
    event.preventDefault();
    map.zoomBy(2 ** (-event.deltaY / 300), place({ x: event.clientX, y: event.clientY }));
  }, { passive: false });
  element.addEventListener('keydown', (event) => {
    const action = keys[event.key];
    if (event.target !== element || !action) return;
    event.preventDefault();
    action(map);
  });
}
