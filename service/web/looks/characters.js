/** The bots as characters: an animal for each level, drawn in the page. Their names are in `dom.js`. */

import { h } from '../dom.js';

/** @import { Content } from '../types.d.ts' */

const DARK = '#2b2320';

/** The colours behind the first of a room, and behind its sibling. @type {Record<string, [string, string]>} */
const GROUNDS = {
  easy: ['#3f7d4e', '#5b6fa8'],
  casual: ['#b5654a', '#4f7f86'],
  medium: ['#8fb7cf', '#c9bf8f'],
  skilled: ['#2f6d5e', '#5a4b80'],
  hard: ['#dccda6', '#a9c7b4'],
  expert: ['#2c2b4b', '#5c2237'],
};

/** @type {Record<string, () => Content>} */
const ANIMALS = {
  easy: () => [
    path('M0 -8 Q-4 -12 -1 -14 Q1 -11 3 -14 Q4 -11 0 -7 Z', '#f4cf4e'),
    circle(0, 2, 10, '#f4cf4e'),
    eyes(4, -1),
    path('M-3 3 H3 L0 7 Z', '#e8862e'),
  ],
  casual: () => [
    path('M-10 -1 L-9 -13 L-1 -7 Z M10 -1 L9 -13 L1 -7 Z', '#a9b4bf'),
    circle(0, 2, 10, '#a9b4bf'),
    eyes(4, 0),
    path('M-1.8 4 H1.8 L0 5.8 Z', '#d9737f'),
    line('M0 5.8 Q-2 8.5 -3.5 7 M0 5.8 Q2 8.5 3.5 7', DARK, 1),
    line('M-5 5 L-12 4 M-5 7 L-12 8 M5 5 L12 4 M5 7 L12 8', '#fff', 0.8),
  ],
  medium: () => [
    circle(-8, -7, 4, '#8a5a34'),
    circle(8, -7, 4, '#8a5a34'),
    circle(0, 1, 10.5, '#8a5a34'),
    circle(0, 5, 4.8, '#dcb88f'),
    eyes(4.3, -1.5),
    circle(0, 3.2, 1.7, DARK),
    line('M0 5 V6.4 M-2 7 Q0 8.6 2 7', DARK, 1),
  ],
  skilled: () => [
    path('M-11 -1 L-10 -13 L-1 -7 Z M11 -1 L10 -13 L1 -7 Z', '#d9662b'),
    path('M-11 -3 Q0 -11 11 -3 Q10 6 0 12 Q-10 6 -11 -3 Z', '#d9662b'),
    path('M-11 -3 Q-4 2 0 12 Q-10 6 -11 -3 Z M11 -3 Q4 2 0 12 Q10 6 11 -3 Z', '#fbeee0'),
    eyes(4, -1.5),
    circle(0, 10.4, 1.8, DARK),
  ],
  hard: () => [
    path('M-10 -12 Q0 -6 10 -12 Q13 4 8 11 Q0 14 -8 11 Q-13 4 -10 -12 Z', '#6b5b7b'),
    circle(-4.6, -1.5, 4.8, '#fff'),
    circle(4.6, -1.5, 4.8, '#fff'),
    circle(-4.2, -1.5, 2.3, DARK),
    circle(4.2, -1.5, 2.3, DARK),
    line('M-10 -8 L-1 -5.5 M10 -8 L1 -5.5', '#463a52', 2),
    path('M-1.9 1.5 H1.9 L0 5.5 Z', '#e8a33c'),
  ],
  expert: () => [
    circle(0, 1, 12.6, '#b0641f'),
    circle(0, 2, 8.8, '#e9b65a'),
    eyes(3.6, 0),
    path('M-2.2 3.4 H2.2 L0 5.8 Z', DARK),
    line('M0 5.8 V7 M-3 7.4 Q0 9.6 3 7.4', DARK, 1),
    path('M-6 -7.5 L-6.5 -13.5 L-2.8 -10.8 L0 -14.5 L2.8 -10.8 L6.5 -13.5 L6 -7.5 Z', '#f8e08a'),
  ],
};

/**
 * The portrait of a bot, within 16 units around the centre.
 * @param {string} level
 * @param {boolean} [isSibling] whether it is the second one of a room
 */
export function portrait(level, isSibling = false) {
  const [first, second] = GROUNDS[level] ?? ['#4a5560', '#4a5560'];
  const ground = h('rect', { x: -16, y: -16, width: 32, height: 32, rx: 9, fill: isSibling ? second : first });
  return [ground, (ANIMALS[level] ?? ANIMALS.medium)?.()];
}

/**
 * @param {number} cx
 * @param {number} cy
 * @param {number} r
 * @param {string} fill
 */
function circle(cx, cy, r, fill) {
  return h('circle', { cx, cy, r, fill });
}

/**
 * @param {number} x of the right one
 * @param {number} y
 */
function eyes(x, y) {
  return [circle(-x, y, 1.6, DARK), circle(x, y, 1.6, DARK)];
}

/**
 * @param {string} d
 * @param {string} fill
 */
function path(d, fill) {
  return h('path', { d, fill });
}

/**
 * @param {string} d
 * @param {string} stroke
 * @param {number} width
 */
function line(d, stroke, width) {
  return h('path', { d, stroke, fill: 'none', 'stroke-width': width, 'stroke-linecap': 'round' });
}
