/** What a move would do, shown while the pointer is on its cell, a finger rests there, or a key leads there. */

import { setHover, swallowClick } from './drag.js';

/** @import { Room } from '../room/room.js' */
/** @import { Content } from '../types.d.ts' */
/**
 * The piece that would come to a cell, and the cells that would turn over or form a line with it.
 * @typedef {{piece: Content, affected: string[]}} Preview
 */

const LONG_PRESS_MS = 400;
const SLACK = 10;

/**
 * The handlers of a cell.
 * @param {Room} room
 * @param {string} name
 */
export function previewHandlers(room, name) {
  return {
    onpointerenter: (/** @type {PointerEvent} */ event) => {
      if (event.pointerType === 'mouse' && !event.buttons) setHover(room, name);
    },
    onpointerleave: (/** @type {PointerEvent} */ event) => {
      if (event.pointerType === 'mouse' && !event.buttons && room.uiState.hover === name) setHover(room, undefined);
    },
  };
}

/**
 * A finger that rests on a cell shows what a move there would do, and plays nothing.
 * @param {PointerEvent} event
 * @param {Room} room
 * @param {string} name
 */
export function startLongPress({ pointerType, clientX, clientY }, room, name) {
  if (pointerType === 'mouse') return;
  const stop = new AbortController();
  const timer = setTimeout(() => setHover(room, name), LONG_PRESS_MS);
  const end = () => {
    clearTimeout(timer);
    stop.abort();
    if (room.uiState.hover !== name) return;
    setHover(room, undefined);
    swallowClick();
  };
  const onMove = (/** @type {PointerEvent} */ move) => {
    if (Math.hypot(move.clientX - clientX, move.clientY - clientY) > SLACK) clearTimeout(timer);
  };
  addEventListener('pointermove', onMove, { signal: stop.signal });
  for (const type of ['pointerup', 'pointercancel']) addEventListener(type, end, { signal: stop.signal });
}
