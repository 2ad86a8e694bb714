/** What Ternio and Triboard have in common: three colours, boards as rows of text, and captures. */

import { drop, turnOver } from '../motion/motion.js';
import { PENDING } from '../motion/changes.js';
import { markAt, withMarks } from './ground.js';

/** @import { Changes } from '../motion/changes.js' */
/** @import { Room } from '../room/room.js' */
/** @import { Preview } from '../hands/preview.js' */
/** @import { Step } from '../room/moves.js' */
/** @import { ColourState, Content, GameState, Move } from '../types.d.ts' */

/** To the right and up, in cells. */
const DIRECTIONS = /** @type {const} */ ([
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [-1, -1],
  [0, -1],
  [1, -1],
]);

/** Colours by their mark. @type {Record<string, string>} */
export const COLOURS = { r: 'red', g: 'green', b: 'blue' };

/**
 * How many cells a seat has.
 * @param {Room} room
 * @param {number} seat
 */
export function countOf(room, seat) {
  const score = /** @type {Partial<ColourState>} */ (room.state).scores?.[room.colourOf(seat)];
  return score === undefined ? null : String(score);
}

/**
 * Whether a seat has nothing left in the latest position: it only passes from then on.
 * @param {Room} room
 * @param {number} seat
 */
export function isOut(room, seat) {
  return /** @type {Partial<ColourState>} */ (room.match.state).scores?.[room.colourOf(seat)] === 0;
}

/**
 * The position with the new piece; its captures arrive with the service's answer.
 * @param {GameState} state
 * @param {Move} move
 * @param {string} colour
 * @returns {GameState}
 */
export function previewPlace(state, move, colour) {
  const { board } = /** @type {ColourState} */ (state);
  const marks = move.at ? { [move.at]: colour.charAt(0) } : {};
  const placed = { type: 'placed', at: move.at, version: PENDING, time: '' };
  return { ...state, board: withMarks(board, marks), last: [placed] };
}

/**
 * What was placed last and what it captured.
 * @param {GameState} state
 */
export function latestPlaced(state) {
  const placed = (state.last ?? []).findLast((event) => event.type === 'placed');
  return { at: placed?.at ?? null, captured: new Set(placed?.captured), version: placed?.version ?? 0 };
}

/**
 * The props of a piece: whether it was placed or has turned over.
 * @param {ReturnType<typeof latestPlaced>} latest
 * @param {string} name
 * @param {Changes} changes
 */
export function pieceProps({ at, captured, version }, name, { isNew, before }) {
  if (at === name) return { key: 'placed', created: isNew(version) ? drop() : null };
  if (!captured.has(name)) return { key: 'piece' };
  const colour = COLOURS[markAt(/** @type {Partial<ColourState>} */ (before).board ?? [], name)];
  const isTurning = isNew(version) && colour && at;
  return { key: `turned ${version}`, created: isTurning ? turnOver(`var(--${colour})`, distance(at, name)) : null };
}

/**
 * The distance between two cells, in steps of a king.
 * @param {string} one
 * @param {string} other
 */
export function distance(one, other) {
  const columns = Math.abs(one.charCodeAt(0) - other.charCodeAt(0));
  return Math.max(columns, Math.abs(Number(one.slice(1)) - Number(other.slice(1))));
}

/**
 * What a piece at an empty cell would capture: in each direction the run of one other colour before an own piece.
 * @param {string[]} lines
 * @param {string} at
 * @param {string} colour
 */
export function capturesFrom(lines, at, colour) {
  const own = colour.charAt(0);
  return DIRECTIONS.flatMap(([right, up]) => {
    const run = [];
    for (let [column, row] = [at.charCodeAt(0), Number(at.slice(1))]; ;) {
      [column, row] = [column + right, row + up];
      const name = `${String.fromCharCode(column)}${row}`;
      const mark = markAt(lines, name);
      if (mark === own) return run;
      if (!COLOURS[mark] || (run[0] && markAt(lines, run[0]) !== mark)) return [];
      run.push(name);
    }
  });
}

/**
 * Whether a colour has a legal move.
 * @param {string[]} lines
 * @param {string} colour
 */
export function canCapture(lines, colour) {
  return lines.some((text, index) =>
    [...text].some((mark, column) => {
      const name = `${String.fromCharCode(97 + column)}${lines.length - index}`;
      return mark === '.' && capturesFrom(lines, name, colour).length > 0;
    }),
  );
}

/**
 * What a move to a cell would do.
 * @param {Room} room
 * @param {string} at
 * @param {Content} piece
 * @returns {Preview}
 */
export function previewOf({ state, actingColour }, at, piece) {
  const { board } = /** @type {ColourState} */ (state);
  return { piece, affected: capturesFrom(board, at, actingColour) };
}

/**
 * Any empty cell can be a premove.
 * @param {Room} room
 * @param {Step[]} steps
 */
export function premoveOf({ state }, steps) {
  const [step] = steps;
  const { board } = /** @type {ColourState} */ (state);
  return steps.length === 1 && step?.kind === 'cell' && markAt(board, step.value) === '.' ? 'complete' : 'none';
}
