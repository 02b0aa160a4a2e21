// @ts-check

/**
 * The markers' icons as SVG, drawn around the point that they mark at their bottom center.
 *
 * @module
 */

const namespace = 'http://www.w3.org/2000/svg';

/**
 * Creates an SVG element.
 *
 * @param {string} name @param {Record<string, string | number>} [attributes] @param {(Element | string)[]} children
 * @returns {SVGElement}
 */
export function svg(name, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(namespace, name));
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, String(value));
  element.append(...children);
  return element;
}

/**
 * The size of each icon, for its anchor.
 *
 * @type {Record<string, { width: number, height: number }>}
 */
export const sizes = {
  pickup: { width: 34, height: 44 }, dropoff: { width: 34, height: 44 }, stop: { width: 26, height: 26 },
  car: { width: 44, height: 44 }, van: { width: 44, height: 44 }, eta: { width: 72, height: 48 },
  dot: { width: 18, height: 18 },
};

const pin = 'M17 43 C13 34 2 27 2 17 A15 15 0 0 1 32 17 C32 27 21 34 17 43 Z';

/** Returns the disc of a vehicle's icon, with a tip that shows its heading. */
function disc() {
  return [svg('path', { class: 'tip', d: 'M14 4 L22 -7 L30 4 Z' }), svg('circle', { class: 'disc', cx: 22, cy: 22, r: 20 })];
}

/**
 * Returns an icon with its top left corner at the origin.
 *
 * @param {string} icon @param {string} text What `eta` and `stop` show.
 * @returns {SVGElement}
 */
export function drawIcon(icon, text) {
  switch (icon) {
    case 'pickup': return svg('g', { class: 'pin pickup' },
      svg('path', { d: pin }), svg('circle', { class: 'mark', cx: 17, cy: 12.5, r: 3.6 }),
      svg('path', { class: 'mark', d: 'M10 24 a7 7 0 0 1 14 0 Z' }));
    case 'dropoff': return svg('g', { class: 'pin dropoff' },
      svg('path', { d: pin }), svg('path', { class: 'mark', d: 'M12 9 h2 v16 h-2 Z M14 9 h10 l-3 4 l3 4 h-10 Z' }));
    case 'stop': return svg('g', { class: 'pin stop' },
      svg('circle', { cx: 13, cy: 13, r: 12 }), svg('text', { class: 'mark', x: 13, y: 17.5 }, text));
    case 'eta': return svg('g', { class: 'pin eta' },
      svg('path', { d: 'M8 1 h56 a7 7 0 0 1 7 7 v20 a7 7 0 0 1 -7 7 h-20 l-8 11 l-8 -11 h-20 a7 7 0 0 1 -7 -7 v-20 a7 7 0 0 1 7 -7 Z' }),
      svg('text', { class: 'mark', x: 36, y: 23 }, text || 'ETA'));
    case 'dot': return svg('g', { class: 'pin unknown' }, svg('circle', { cx: 9, cy: 9, r: 7 }));
    case 'van': return svg('g', { class: 'vehicle' }, ...disc(),
      svg('rect', { class: 'body', x: 14, y: 8, width: 16, height: 28, rx: 3 }),
      svg('path', { class: 'glass', d: 'M16.5 11 h11 v5 h-11 Z' }));
    default: return svg('g', { class: 'vehicle' }, ...disc(),
      svg('path', { class: 'body', d: 'M22 7 c5 0 7.5 2.5 7.5 8 v14 c0 4 -2.5 6.5 -7.5 6.5 s-7.5 -2.5 -7.5 -6.5 v-14 c0 -5.5 2.5 -8 7.5 -8 Z' }),
      svg('path', { class: 'glass', d: 'M16.8 18.5 c1.6 -2.6 8.8 -2.6 10.4 0 l-1.2 3.5 h-8 Z M18 30.5 h8 l0.8 -3 h-9.6 Z' }));
  }
}
