/** Pieces that are dragged with the mouse, a finger or a pen: from the board, from a rack, or from the hand. */

import { redraw } from '../app.js';
import { carry, skipNextMotion } from '../motion/motion.js';

/** @import { Room } from '../room/room.js' */
/** @import { Step } from '../room/moves.js' */

/** How far a pointer moves before a piece is dragged, in pixels. */
const SLACK = 6;

/**
 * Follow the pointer that has been pressed on a piece: it is dragged once the pointer moves.
 * @param {PointerEvent} event
 * @param {Room} room
 * @param {Element | null | undefined} piece what is dragged
 * @param {Step[]} steps what is picked by lifting it
 */
export function startDrag(event, room, piece, steps) {
  if (event.button !== 0 || !event.isPrimary || !(piece instanceof SVGGraphicsElement)) return;
  const { pointerId, clientX, clientY } = event;
  /** @type {ReturnType<typeof carry> | null} */
  let carried = null;
  const onMove = (/** @type {PointerEvent} */ move) => {
    if (move.pointerId !== pointerId) return;
    const isFar = Math.hypot(move.clientX - clientX, move.clientY - clientY) > SLACK;
    if (!carried && isFar) {
      carried = carry(piece);
      lift(room, steps);
    }
    carried?.moveTo(move.clientX, move.clientY);
    if (carried) setHover(room, cellAt(move));
  };
  const onEnd = (/** @type {PointerEvent} */ end) => {
    if (end.pointerId !== pointerId) return;
    stop.abort();
    if (!carried) return;
    carried.remove();
    delete room.uiState.dragged;
    setHover(room, undefined);
    swallowClick();
    putDown(room, end.type === 'pointerup' ? cellAt(end) : undefined);
  };
  const stop = new AbortController();
  addEventListener('pointermove', onMove, { signal: stop.signal });
  addEventListener('dragstart', (start) => start.preventDefault(), { signal: stop.signal });
  for (const type of /** @type {const} */ (['pointerup', 'pointercancel'])) {
    addEventListener(type, onEnd, { signal: stop.signal });
  }
}

/**
 * @param {Room} room
 * @param {Step[]} steps
 */
function lift(room, steps) {
  const isPicked = steps.every(({ value }, index) => room.picks[index]?.value === value);
  if (steps.length && !(isPicked && room.picks.length === steps.length)) {
    room.picks = [];
    room.pick(...steps);
  }
  const last = steps.at(-1);
  if (last?.kind === 'cell') room.uiState.dragged = last.value;
  redraw();
}

/**
 * Drop the dragged piece: it is played if it can go there, otherwise put back.
 * @param {Room} room
 * @param {string | undefined} cell
 */
function putDown(room, cell) {
  if (cell !== undefined && room.picking.targets.has(cell) && !room.picking.pickedCells.includes(cell)) {
    skipNextMotion();
    room.pick({ kind: 'cell', value: cell });
  } else room.clearPicks();
  redraw();
}

/** @param {PointerEvent} event */
function cellAt({ clientX, clientY }) {
  const cell = document.elementFromPoint(clientX, clientY)?.closest('[data-cell]');
  return cell?.getAttribute('data-cell') ?? undefined;
}

/**
 * Show what a move to a cell would do.
 * @param {Room} room
 * @param {string | undefined} cell
 */
export function setHover({ uiState }, cell) {
  if (uiState.hover === cell) return;
  uiState.hover = cell;
  redraw();
}

/** The click that ends a drag or a long press does not count as one. */
export function swallowClick() {
  const stop = (/** @type {Event} */ event) => event.stopPropagation();
  addEventListener('click', stop, { capture: true, once: true });
  setTimeout(() => removeEventListener('click', stop, { capture: true }));
}
