/** Where the cells of a board are drawn, and how they follow each other. */

import { h } from '../dom.js';

/** @import { Cell, Geometry } from '../types.d.ts' */
/**
 * What places the cells: the geometry, unless `place` does.
 * @typedef {{geometry: Geometry, place?: (cell: Cell) => Spot}} Placement
 */
/** A point of the picture, y downwards. @typedef {{x: number, y: number}} Spot */

/** The size of a cell. */
export const UNIT = 40;
/** The room for letters at the edge, in cells. */
export const EDGE = 0.62;

/**
 * Where each cell is drawn.
 * @param {Geometry} geometry
 * @param {boolean} [isUpright]
 * @returns {Map<string, Spot>}
 */
export function spotsOf(geometry, isUpright = false) {
  return new Map(
    geometry.cells.map(({ name, x, y }) => [
      name,
      isUpright ? { x: y * UNIT, y: x * UNIT } : { x: x * UNIT, y: (geometry.height - y) * UNIT },
    ]),
  );
}

/**
 * @param {Placement} plan
 * @param {boolean} [isUpright]
 */
export function placed({ geometry, place }, isUpright) {
  return place ? new Map(geometry.cells.map((cell) => [cell.name, place(cell)])) : spotsOf(geometry, isUpright);
}

/**
 * The next cell in a direction: a near one, and rather straight ahead than to the side.
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
export function letters({ width, height, cells }, isUpright = false) {
  /** @type {Map<string, Spot>} */
  const named = new Map();
  for (const { name, x, y } of cells) {
    const below = { x: (isUpright ? y : x) * UNIT, y: ((isUpright ? width : height) + EDGE / 2) * UNIT };
    const aside = { x: (-EDGE / 2) * UNIT, y: (isUpright ? x : height - y) * UNIT };
    named.set(name.replace(/\d+$/, ''), isUpright ? aside : below);
    named.set(name.replace(/^\D+/, ''), isUpright ? below : aside);
  }
  return [...named].map(([text, { x, y }]) => h('text', { x, y, key: text }, text));
}

/**
 * @param {Placement} plan
 * @param {Map<string, Spot>} spots
 * @param {number} edge the room for letters
 * @param {boolean} [isUpright]
 */
export function viewBox({ geometry, place }, spots, edge, isUpright = false) {
  if (place) {
    const [xs, ys] = [[...spots.values()].map(({ x }) => x), [...spots.values()].map(({ y }) => y)];
    const [left, top] = [Math.min(...xs) - UNIT * EDGE, Math.min(...ys) - UNIT * EDGE];
    return `${left} ${top} ${Math.max(...xs) + UNIT * EDGE - left} ${Math.max(...ys) + UNIT * EDGE - top}`;
  }
  const [width, height] = isUpright ? [geometry.height, geometry.width] : [geometry.width, geometry.height];
  return `${-edge} -4 ${width * UNIT + edge + 4} ${height * UNIT + edge + 8}`;
}
