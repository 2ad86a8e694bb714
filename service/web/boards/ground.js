/** What is drawn below the pieces, and positions given as rows of text. */

import { h } from '../dom.js';
import { spotsOf, UNIT } from './geometry.js';
import { hexagon } from './pieces.js';

/** @import { Spot } from './geometry.js' */
/** @import { Geometry } from '../types.d.ts' */

/** The outline of a hexagonal cell. */
export const HEXAGON = hexagon(24, 30, 2);

/**
 * The squares of a grid, and over them what they are made of: the bevel of tiles, or the fibres of felt.
 * @param {Geometry} geometry
 */
export function squares({ cells, width, height }) {
  const grounds = cells.map(({ name, x, y }) =>
    h('rect', {
      key: `ground ${name}`,
      class: `ground ${(Math.floor(x) + Math.floor(y)) % 2 ? 'odd' : 'even'}`,
      x: (x - 0.5) * UNIT,
      y: (height - y - 0.5) * UNIT,
      width: UNIT,
      height: UNIT,
    }),
  );
  return [...grounds, h('rect', { key: 'texture', class: 'texture', width: width * UNIT, height: height * UNIT })];
}

/**
 * The cells of a board of hexagons.
 * @param {Geometry} geometry
 */
export function hexagons(geometry) {
  return [...spotsOf(geometry)].map(([name, { x, y }]) =>
    h('path', { key: `ground ${name}`, class: 'ground', d: HEXAGON, transform: `translate(${x} ${y})` }),
  );
}

/**
 * The edges of a graph.
 * @param {Geometry} geometry
 */
export function edges(geometry) {
  return geometry.edges.map((points) => line('edge', points, spotsOf(geometry)));
}

/**
 * A line through points, drawn between the outer two.
 * @param {string} look
 * @param {string[]} points
 * @param {Map<string, Spot>} spots
 */
export function line(look, points, spots) {
  const ends = points
    .map((name) => spots.get(name) ?? { x: 0, y: 0 })
    .sort((one, other) => one.x - other.x || one.y - other.y);
  const [from, to] = [ends.at(0), ends.at(-1)];
  return h('line', { key: `${look} ${points.join(' ')}`, class: look, x1: from?.x, y1: from?.y, x2: to?.x, y2: to?.y });
}

/**
 * The mark of a cell in rows of text, of which the first is the top row.
 * @param {string[]} lines
 * @param {string} name
 */
export function markAt(lines, name) {
  const column = name.charCodeAt(0) - 97;
  return lines[lines.length - Number(name.slice(1))]?.[column] ?? '.';
}

/**
 * Rows of text with some marks replaced.
 * @param {string[]} lines
 * @param {Record<string, string>} marks by cell
 * @returns {string[]}
 */
export function withMarks(lines, marks) {
  return lines.map((text, index) =>
    [...text]
      .map((mark, column) => marks[`${String.fromCharCode(97 + column)}${lines.length - index}`] ?? mark)
      .join(''),
  );
}
