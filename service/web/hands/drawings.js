/** Arrows and rings on a board: those that a player draws with the right mouse button, and those of a review. */

import { redraw } from '../app.js';
import { h } from '../dom.js';

/** @import { Spot } from '../boards/geometry.js' */
/** @import { Room } from '../room/room.js' */
/**
 * An arrow, or a ring if both ends are the same; in a review, the classes of a best move or of one that was played.
 * @typedef {{from: string, to: string, kind?: string}} Drawing
 */

const HEAD = 9;

/**
 * Follow the right button from one cell to another.
 * @param {PointerEvent} event
 * @param {Room} room
 * @param {string} board
 * @param {string} from
 */
export function startDrawing(event, room, board, from) {
  if (event.button !== 2) return;
  const end = (/** @type {PointerEvent} */ { clientX, clientY }) => {
    const target = document.elementFromPoint(clientX, clientY)?.closest('[data-cell]');
    const to = target?.getAttribute('data-cell');
    if (to) toggle(room, board, { from, to });
  };
  addEventListener('pointerup', end, { once: true });
}

/**
 * @param {Room} room
 * @param {string} board
 * @param {Drawing} drawing
 */
function toggle({ uiState }, board, drawing) {
  const all = (uiState.drawings ??= {});
  const drawn = all[board] ?? [];
  const others = drawn.filter(({ from, to }) => from !== drawing.from || to !== drawing.to);
  all[board] = others.length < drawn.length ? others : [...drawn, drawing];
  redraw();
}

/**
 * Clear a board, and return whether anything was drawn on it.
 * @param {Room} room
 * @param {string} board
 */
export function wipe({ uiState }, board) {
  if (!uiState.drawings?.[board]?.length) return false;
  uiState.drawings[board] = [];
  redraw();
  return true;
}

/**
 * @param {Room} room
 * @param {string} board
 * @param {Map<string, Spot>} spots
 */
export function drawings({ uiState, history }, board, spots) {
  const drawn = [...history.analysis.drawings(board), ...(uiState.drawings?.[board] ?? [])];
  const shapes = drawn.map(({ from, to, kind = '' }) => {
    const [start, end] = [spots.get(from), spots.get(to)];
    if (!start || !end) return null;
    const key = `${from} ${to} ${kind}`;
    if (from === to) return h('circle', { key, class: `ring ${kind}`, cx: start.x, cy: start.y, r: 18 });
    return h('path', { key, class: `arrow ${kind}`, d: arrow(start, end) });
  });
  return h('g', { key: 'drawings', class: 'drawings', role: 'none', 'aria-hidden': 'true' }, shapes);
}

/**
 * @param {Spot} start
 * @param {Spot} end
 */
function arrow(start, end) {
  const [right, down] = [end.x - start.x, end.y - start.y];
  const length = Math.hypot(right, down);
  const [x, y] = [right / length, down / length];
  const tip = { x: end.x - x * 7, y: end.y - y * 7 };
  const neck = { x: tip.x - x * HEAD, y: tip.y - y * HEAD };
  const [left, other] = [
    { x: neck.x - y * HEAD * 0.7, y: neck.y + x * HEAD * 0.7 },
    { x: neck.x + y * HEAD * 0.7, y: neck.y - x * HEAD * 0.7 },
  ];
  const points = [left, tip, other].map((point) => `${point.x.toFixed(1)} ${point.y.toFixed(1)}`);
  const from = `${(start.x + x * 12).toFixed(1)} ${(start.y + y * 12).toFixed(1)}`;
  return `M${from} L${neck.x.toFixed(1)} ${neck.y.toFixed(1)} M${points.join(' L')} Z`;
}
