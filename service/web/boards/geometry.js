/** Where the cells of a board are drawn, and how they follow each other. */

import { h } from '../dom.js';

/** @import { Geometry } from '../types.d.ts' */
/** A point of the picture, y downwards. @typedef {{x: number, y: number}} Spot */

/** The size of a cell. */
export const UNIT = 40;
/** The size of a hexagon, chosen so that as much fits into it as into a square. */
const HEXAGON = 1.12 * UNIT;
/** The room around the middles of hexagons, in squares. */
const EDGE = 0.7;

/**
 * The room for letters at the edge, which are larger on a board of many cells.
 * @param {Geometry} geometry
 */
export function edgeOf({ width }) {
  return (0.28 + 0.024 * width) * UNIT;
}

/**
 * Where each cell is drawn.
 * @param {Geometry} geometry
 * @param {boolean} [isUpright]
 * @returns {Map<string, Spot>}
 */
export function spotsOf({ kind, cells, height }, isUpright = false) {
  const size = kind === 'hexagons' ? HEXAGON : UNIT;
  return new Map(
    cells.map(({ name, x, y }) => [
      name,
      isUpright ? { x: y * size, y: x * size } : { x: x * size, y: (height - y) * size },
    ]),
  );
}

/**
 * The next cell in a direction: a near one, preferably straight ahead.
 * @param {Map<string, Spot>} spots
 * @param {Spot} from
 * @param {Spot} direction
 */
export function nearest(spots, from, direction) {
  let best = '';
  let leastCost = Infinity;
  for (const [name, spot] of spots) {
    const [right, down] = [spot.x - from.x, spot.y - from.y];
    const ahead = right * direction.x + down * direction.y;
    const aside = Math.abs(right * direction.y) + Math.abs(down * direction.x);
    const cost = ahead + 2.5 * aside;
    if (ahead > UNIT / 4 && aside <= 2 * ahead && cost < leastCost) [best, leastCost] = [name, cost];
  }
  return best;
}

/**
 * Cells by their row from the top, each row from the left.
 * @param {Map<string, Spot>} spots
 * @returns {[number, [string, Spot][]][]}
 */
export function rows(spots) {
  /** @type {Map<number, [string, Spot][]>} */
  const found = new Map();
  const sorted = [...spots].sort(([, one], [, other]) => Math.round(one.y - other.y) || one.x - other.x);
  for (const entry of sorted) {
    const row = Math.round(entry[1].y);
    found.set(row, [...(found.get(row) ?? []), entry]);
  }
  return [...found];
}

/**
 * The names of columns and rows, at the left and below.
 * @param {Geometry} geometry
 * @param {boolean} [isUpright]
 */
export function letters(geometry, isUpright = false) {
  const { width, height, cells } = geometry;
  const edge = edgeOf(geometry);
  /** @type {Map<string, Spot>} */
  const named = new Map();
  for (const { name, x, y } of cells) {
    const below = { x: (isUpright ? y : x) * UNIT, y: (isUpright ? width : height) * UNIT + edge / 2 };
    const aside = { x: -edge / 2, y: (isUpright ? x : height - y) * UNIT };
    named.set(name.replace(/\d+$/, ''), isUpright ? aside : below);
    named.set(name.replace(/^\D+/, ''), isUpright ? below : aside);
  }
  const texts = [...named].map(([text, { x, y }]) => h('text', { x, y, key: text }, text));
  return h('g', { class: 'letters', 'aria-hidden': 'true', 'font-size': edge * 0.6 }, texts);
}

/**
 * The view box of a board's picture, its width divided by its height, and what lies below everything else.
 * @param {Geometry} geometry
 * @param {Map<string, Spot>} spots
 * @param {number} edge the room for letters
 * @param {boolean} [isUpright]
 * @param {string} [title] what the upper edge says
 */
export function frame(geometry, spots, edge, isUpright = false, title = '') {
  const { left, top: under, width, height: below } = box(geometry, spots, edge, isUpright);
  const band = title ? edge : 0;
  const [top, height] = [under - band, below + band];
  const middle = { x: left + width / 2, y: top + band / 2 + 2, 'font-size': edge * 0.55, 'aria-hidden': 'true' };
  const inner = { x: left + 0.5, y: top + 0.5, width: width - 1, height: height - 1 };
  const seam = { x: left + 2, y: top + 2, width: width - 4, height: height - 4 };
  const [across, down] = isUpright ? [geometry.height, geometry.width] : [geometry.width, geometry.height];
  return {
    props: { viewBox: `${left} ${top} ${width} ${height}`, '--ratio': (width / height).toFixed(4) },
    backdrop: [
      h('rect', { key: 'backdrop', class: 'backdrop', ...inner, rx: 6 }),
      h('rect', { key: 'seam', class: 'seam', ...seam, rx: 4.5 }),
      geometry.kind === 'hexagons'
        ? null
        : h('rect', { key: 'bed', class: 'bed', width: across * UNIT, height: down * UNIT, rx: 2 }),
      title ? h('text', { key: 'title', class: 'board-title', ...middle }, title) : null,
    ],
  };
}

/**
 * @param {Geometry} geometry
 * @param {Map<string, Spot>} spots
 * @param {number} edge
 * @param {boolean} isUpright
 */
function box(geometry, spots, edge, isUpright) {
  if (geometry.kind === 'hexagons') {
    const [xs, ys] = [[...spots.values()].map(({ x }) => x), [...spots.values()].map(({ y }) => y)];
    const [left, top] = [Math.min(...xs) - UNIT * EDGE, Math.min(...ys) - UNIT * EDGE];
    return { left, top, width: Math.max(...xs) + UNIT * EDGE - left, height: Math.max(...ys) + UNIT * EDGE - top };
  }
  const [width, height] = isUpright ? [geometry.height, geometry.width] : [geometry.width, geometry.height];
  const before = Math.max(edge, 4);
  return { left: -before, top: -4, width: width * UNIT + before + 4, height: height * UNIT + edge + 8 };
}
