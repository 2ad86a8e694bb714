/** What is new on the screen: the events since the position that was drawn before, and that position. */

/** @import { Room } from '../room/room.js' */
/** @import { GameState } from '../types.d.ts' */
/**
 * @typedef {object} Changes
 * @property {(version: number) => boolean} isNew whether an event was not on the screen before
 * @property {GameState} before the position that was on the screen
 */

/** The version of a move that has been sent and is not stored yet. */
export const PENDING = Infinity;

/** For pictures, which never change. @type {Changes} */
export const NO_CHANGES = { isNew: () => false, before: {} };

/**
 * What is new in the position that is being drawn. Nothing is new when a match is shown for the first time, or when an
 * earlier position is shown.
 * @param {Room} room
 * @returns {Changes}
 */
export function changesOf({ uiState, state }) {
  const { drawn } = uiState;
  const version = state.last?.findLast((event) => event.version !== PENDING)?.version ?? drawn?.version ?? 0;
  queueMicrotask(() => (uiState.drawn = { state, version }));
  if (!drawn) return NO_CHANGES;
  return { isNew: (event) => event > drawn.version, before: drawn.state };
}
