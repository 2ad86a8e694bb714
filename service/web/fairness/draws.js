/** What each game draws: the layout or the roll to which a numbered draw leads, by the rules of the game. */

import { canCapture } from '../boards/colours.js';

/** @import { Draw } from './chance.js' */
/** @import { Values } from '../types.d.ts' */

/** The cells of a board, a1 along the rows. */
const cellsOf = (/** @type {string} */ columns, /** @type {number} */ rows) =>
  Array.from({ length: rows }, (_, row) => [...columns].map((column) => `${column}${row + 1}`)).flat();

/**
 * A board as rows of text, the top row first.
 * @param {string} columns
 * @param {number} rows
 * @param {(cell: string) => string} markOf
 */
function rowsOf(columns, rows, markOf) {
  return Array.from({ length: rows }, (_, index) =>
    [...columns].map((column) => markOf(`${column}${rows - index}`)).join(''),
  );
}

const TRIBOARD = { columns: 'abcdefghijklmnop', rows: 11 };
const TURNCOAT = { columns: 'abcdefgh', rows: 8 };
/** The colours in turn order, then walls. */
const TRIBOARD_MARKS = 'brg#';

/**
 * What a draw leads to, by game and type of event. `isSetup` says that it belongs to the layout and the first player,
 * which a restarted match takes from the match before.
 * @typedef {object} Recomputation
 * @property {boolean} isSetup
 * @property {(draw: Draw, options: Values) => Promise<Record<string, unknown>>} fields of the event
 */
/** @type {Record<string, Record<string, Recomputation>>} */
const DRAWS = {
  triboard: { laid_out: { isSetup: true, fields: triboardLayout } },
  turncoat: { laid_out: { isSetup: true, fields: turncoatLayout } },
  morris: { rolled: { isSetup: true, fields: async (draw) => ({ value: 1 + (await draw.below(6)) }) } },
  rainbow: { rolled: { isSetup: false, fields: async (draw) => ({ value: 'ROYGBV'[await draw.below(6)] }) } },
};

/**
 * How to recompute what chance has decided in an event; undefined for an event without chance.
 * @param {string} game
 * @param {string} type
 */
export function recomputationOf(game, type) {
  return DRAWS[game]?.[type];
}

/**
 * @param {Draw} draw
 * @param {Values} options
 */
async function triboardLayout(draw, { first }) {
  const { columns, rows } = TRIBOARD;
  for (;;) {
    const drawn = await draw.sample(cellsOf(columns, rows), 48);
    const marks = new Map(drawn.map((cell, index) => [cell, TRIBOARD_MARKS.charAt(Math.floor(index / 12))]));
    const board = rowsOf(columns, rows, (cell) => marks.get(cell) ?? '.');
    if (!['blue', 'red', 'green'].every((colour) => canCapture(board, colour))) continue;
    return { board, first: first === 'random' ? await draw.below(3) : 0 };
  }
}

/** @param {Draw} draw */
async function turncoatLayout(draw) {
  const { columns, rows } = TURNCOAT;
  const blacks = 2 + (await draw.below(5));
  const blanks = await draw.below(4);
  const drawn = await draw.sample(cellsOf(columns, rows), blacks + blanks);
  const marks = new Map(drawn.map((cell, index) => [cell, index < blacks ? 'B' : '.']));
  return { board: rowsOf(columns, rows, (cell) => marks.get(cell) ?? 'W') };
}
