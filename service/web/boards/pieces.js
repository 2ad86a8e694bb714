/** Pieces and badges. Each colour also has its own shape, so that nobody has to distinguish colours. */

import { capitalized, h } from '../dom.js';
import '../looks/materials.js';
import { roll } from '../motion/motion.js';

/** Marks by colour, within about 7 units around the centre. @type {Record<string, string>} */
const SHAPES = {
  red: 'M0 -7.5 L7.5 0 L0 7.5 L-7.5 0 Z',
  green: 'M0 -7 L7.4 5.6 L-7.4 5.6 Z',
  blue: 'M-5.6 -5.6 H5.6 V5.6 H-5.6 Z',
  yellow: 'M-7 -2 H-2 V-7 H2 V-2 H7 V2 H2 V7 H-2 V2 H-7 Z',
};

/** @type {Record<string, string>} */
const NUMERALS = { one: '1', two: '2', three: '3' };

/** The corners of a selected square. */
export const CORNERS = 'M-18 -9 V-18 H-9 M9 -18 H18 V-9 M18 9 V18 H9 M-9 18 H-18 V9';

/** A cross where a disc can be placed. */
export const CROSS = 'M-7 -7 L7 7 M-7 7 L7 -7';

/**
 * The mark of a colour.
 * @param {string} colour
 */
export function emblem(colour) {
  if (SHAPES[colour]) return h('path', { class: 'emblem', d: SHAPES[colour] });
  if (NUMERALS[colour]) return h('text', { class: 'emblem' }, NUMERALS[colour]);
  return h('text', { class: 'emblem' }, colour === 'white' || colour === 'black' ? '' : capitalized(colour).charAt(0));
}

/**
 * A round piece with the mark of its colour.
 * @param {string} colour
 * @param {number} [radius]
 */
export function disc(colour, radius = 16) {
  return [...plainDisc(colour, radius, radius * 0.8), emblem(colour)];
}

/**
 * A round piece without a mark.
 * @param {string} colour
 * @param {number} radius
 * @param {number} rim
 */
export function plainDisc(colour, radius, rim) {
  return [
    h('circle', { class: 'shade', r: radius * 1.14, cy: radius * 0.1 }),
    h('circle', { class: `piece ${colour}`, r: radius }),
    h('circle', { class: 'gloss', r: radius }),
    h('circle', { class: 'rim', r: rim }),
  ];
}

/**
 * The sign beside the name of a seat.
 * @param {string} colour
 */
export function badge(colour) {
  return h(
    'svg',
    { class: 'badge', viewBox: '-18 -18 36 36', 'aria-hidden': 'true', focusable: 'false' },
    colour in NUMERALS ? [h('path', { class: `piece ${colour}`, d: outline(colour) }), emblem(colour)] : disc(colour),
  );
}

/** Where a die has pips, by its value, in three rows of three. @type {Record<string, number[]>} */
const PIPS = { 1: [4], 2: [2, 6], 3: [2, 4, 6], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

/**
 * A die of a seat that shows a number from one to six.
 * @param {number | string} value
 * @param {string} colour
 */
export function dieFace(value, colour) {
  return h(
    'svg',
    { class: 'pip-die', viewBox: '-16 -16 32 32', 'aria-hidden': 'true', created: roll() },
    h('rect', { class: `die-body ${colour}`, x: -14, y: -14, width: 28, height: 28, rx: 6 }),
    PIPS[value]?.map((n) =>
      h('circle', { class: 'pip', cx: 8 * ((n % 3) - 1), cy: 8 * (Math.floor(n / 3) - 1), r: 2.7 }),
    ),
  );
}

/**
 * The outline of an owner's pegs, which differs from that of the others: a square, a hexagon or a circle.
 * @param {string} owner
 * @param {number} [size]
 */
export function outline(owner, size = 16) {
  if (owner === 'two') return roundedSquare(size * 0.92, 5);
  if (owner === 'three') return hexagon(size + 1, 0, 1);
  return `M${-size} 0 A${size} ${size} 0 1 1 ${size} 0 A${size} ${size} 0 1 1 ${-size} 0 Z`;
}

/**
 * @param {number} half of a side
 * @param {number} radius of the corners
 */
function roundedSquare(half, radius) {
  const inner = half - radius;
  const [right, bottom] = [
    `H${inner} Q${half} ${-half} ${half} ${-inner}`,
    `V${inner} Q${half} ${half} ${inner} ${half}`,
  ];
  const [left, top] = [
    `H${-inner} Q${-half} ${half} ${-half} ${inner}`,
    `V${-inner} Q${-half} ${-half} ${-inner} ${-half}`,
  ];
  return `M${-inner} ${-half} ${right} ${bottom} ${left} ${top} Z`;
}

/**
 * @param {number} radius
 * @param {number} turn of the first corner, in degrees
 * @param {number} digits after the decimal point
 */
export function hexagon(radius, turn, digits) {
  const corners = [0, 1, 2, 3, 4, 5].map((corner) => {
    const angle = ((turn + 60 * corner) * Math.PI) / 180;
    return `${(Math.cos(angle) * radius).toFixed(digits)} ${(Math.sin(angle) * radius).toFixed(digits)}`;
  });
  return `M${corners.join(' L')} Z`;
}
