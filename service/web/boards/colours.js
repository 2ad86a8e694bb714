/** What Ternio and Triboard have in common: three colours, boards as rows of text, and captures. */

import { withMarks } from './ground.js';

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
  return { ...state, board: withMarks(board, marks), last: [] };
}

/**
 * What was placed last and what it captured.
 * @param {GameState} state
 */
export function latestPlaced(state) {
  const placed = (state.last ?? []).findLast((event) => event.type === 'placed');
  return { at: placed?.at ?? null, captured: new Set(placed?.captured), version: placed?.version ?? 0 };
}
