/** What Ternio and Triboard have in common: three colours, boards as rows of text, and captures. */

import { drop, turnOver } from '../motion/motion.js';
import { PENDING } from '../motion/changes.js';
import { markAt, withMarks } from './ground.js';

/** @import { Changes } from '../motion/changes.js' */
/** @import { Room } from '../room/room.js' */
/** @import { ColourState, GameState, Move } from '../types.d.ts' */

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
 * The position with the new piece; what it captures comes with the service's answer.
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
 * How far away two cells are, in steps of a king.
 * @param {string} one
 * @param {string} other
 */
export function distance(one, other) {
  const columns = Math.abs(one.charCodeAt(0) - other.charCodeAt(0));
  return Math.max(columns, Math.abs(Number(one.slice(1)) - Number(other.slice(1))));
}
