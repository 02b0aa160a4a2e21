// @ts-check

/**
 * Streets below the journey: map tiles of a server that a deployment chooses. Without one, the page requests none.
 *
 * @module
 */

/**
 * @typedef {import('./camera.js').Camera} Camera
 * @typedef {import('./camera.js').Size} Size
 * @typedef {{ url: string, attribution: string, attributionURL?: string, maximumZoom?: number }} TileSource `url` has `{z}`,
 *   `{x}` and `{y}`, as with OpenStreetMap's servers.
 */

const tileSize = 256;

/**
 * Returns the tiles that a camera shows, with their places on the map.
 *
 * @param {Camera} camera @param {Size} size @param {number} [maximumZoom]
 * @returns {{ z: number, x: number, y: number, left: number, top: number, side: number }[]}
 */
export function visibleTiles(camera, size, maximumZoom = 19) {
  const z = Math.min(Math.max(Math.round(Math.log2(camera.scale / tileSize)), 0), maximumZoom);
  const count = 2 ** z;
  const side = camera.scale / count;
  const [left, top] = [camera.x * camera.scale - size.width / 2, camera.y * camera.scale - size.height / 2];
  const tiles = [];
  for (let y = Math.max(Math.floor(top / side), 0); y * side < top + size.height && y < count; y += 1) {
    for (let x = Math.floor(left / side); x * side < left + size.width; x += 1) {
      tiles.push({ z, x: ((x % count) + count) % count, y, left: x * side - left, top: y * side - top, side });
    }
  }
  return tiles;
}

export class TileLayer {
  /** @type {Map<string, HTMLImageElement>} */ #images = new Map();

  /**
   * @param {HTMLElement} element @param {TileSource} source
   * @throws {Error} If the source is no template with an attribution, which every provider of tiles requires.
   */
  constructor(element, source) {
    if (!['{z}', '{x}', '{y}'].every((part) => source.url.includes(part))) throw new Error('The URL of tiles has no {z}, {x} and {y}.');
    if (!source.attribution) throw new Error('The tiles have no attribution.');
    this.element = element;
    this.source = source;
  }

  /** @param {Camera} camera @param {Size} size */
  place(camera, size) {
    const tiles = visibleTiles(camera, size, this.source.maximumZoom);
    const shown = new Set(tiles.map(({ z, x, y, left }) => `${z}/${x}/${y}/${Math.sign(left)}`));
    for (const [key, image] of this.#images) {
      if (shown.has(key)) continue;
      image.remove();
      this.#images.delete(key);
    }
    for (const { z, x, y, left, top, side } of tiles) {
      const key = `${z}/${x}/${y}/${Math.sign(left)}`;
      const image = this.#images.get(key) ?? this.#create(z, x, y);
      this.#images.set(key, image);
      // A pixel more, so that no seam is seen.
      Object.assign(image.style, {
        width: `${Math.ceil(side) + 1}px`, height: `${Math.ceil(side) + 1}px`,
        transform: `translate(${Math.floor(left)}px, ${Math.floor(top)}px)`,
      });
    }
  }

  /** @param {number} z @param {number} x @param {number} y */
  #create(z, x, y) {
    const image = new Image(tileSize, tileSize);
    image.alt = '';
    image.decoding = 'async';
    // A tile that is missing leaves the plain map.
    image.addEventListener('error', () => image.classList.add('missing'));
    image.src = this.source.url.replace('{z}', String(z)).replace('{x}', String(x)).replace('{y}', String(y));
    this.element.append(image);
    return image;
  }
}

/**
 * Returns the source's attribution, a link if it has an address.
 *
 * @param {TileSource} source
 */
export function attribution({ attribution, attributionURL }) {
  if (!attributionURL || !/^https?:/.test(attributionURL)) return attribution;
  return Object.assign(document.createElement('a'), { href: attributionURL, textContent: attribution, rel: 'noopener', target: '_blank' });
}
