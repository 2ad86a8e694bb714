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
/** The room around a board that is drawn by `place`, in cells. */
const EDGE = 0.62;

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
 * Three points after each other on a straight line of a graph.
 * @param {Geometry} geometry
 * @returns {string[][]}
 */
export function straightLines(geometry) {
  const spots = spotsOf(geometry);
  const directed = geometry.edges.flatMap(([one = '', other = '']) => [
    [one, other],
    [other, one],
  ]);
  return directed.flatMap(([first = '', middle = '']) => {
    const [a, b] = [spots.get(first), spots.get(middle)];
    return directed
      .filter(([from, last = '']) => {
        const c = spots.get(last);
        if (from !== middle || !(first < last) || !a || !b || !c) return false;
        return (b.x - a.x) * (c.y - b.y) === (b.y - a.y) * (c.x - b.x);
      })
      .map(([, last = '']) => [first, middle, last]);
  });
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
 * @param {Placement} plan
 * @param {Map<string, Spot>} spots
 * @param {number} edge the room for letters
 * @param {boolean} [isUpright]
 */
export function frame(plan, spots, edge, isUpright = false) {
  const { left, top, width, height } = box(plan, spots, edge, isUpright);
  const inner = { x: left + 0.5, y: top + 0.5, width: width - 1, height: height - 1 };
  return {
    props: { viewBox: `${left} ${top} ${width} ${height}`, '--ratio': (width / height).toFixed(4) },
    backdrop: h('rect', { key: 'backdrop', class: 'backdrop', ...inner, rx: 6 }),
  };
}

/**
 * @param {Placement} plan
 * @param {Map<string, Spot>} spots
 * @param {number} edge
 * @param {boolean} isUpright
 */
function box({ geometry, place }, spots, edge, isUpright) {
  if (place) {
    const [xs, ys] = [[...spots.values()].map(({ x }) => x), [...spots.values()].map(({ y }) => y)];
    const [left, top] = [Math.min(...xs) - UNIT * EDGE, Math.min(...ys) - UNIT * EDGE];
    return { left, top, width: Math.max(...xs) + UNIT * EDGE - left, height: Math.max(...ys) + UNIT * EDGE - top };
  }
  const [width, height] = isUpright ? [geometry.height, geometry.width] : [geometry.width, geometry.height];
  const before = Math.max(edge, 4);
  return { left: -before, top: -4, width: width * UNIT + before + 4, height: height * UNIT + edge + 8 };
}
