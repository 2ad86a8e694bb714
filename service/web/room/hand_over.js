/** At one device, for a game with secrets: nobody's selection is on the screen until its owner says "it's me". */

import { badge } from '../boards/pieces.js';
import { h } from '../dom.js';

/** @typedef {import('./room.js').Table} Table */

/** Whether the device has to go from hand to hand. @param {Table} table */
function isPassedAround(table) {
  return Boolean(
    table.game?.simultaneous && table.isShared && table.view.match?.status === 'playing' && !table.history.past,
  );
}

/** @param {Table} table */
export function handOver(table) {
  if (!isPassedAround(table) || table.stages.length) return null;
  const { to_move: awaited } = table.view.match;
  if (table.eyes !== null) {
    if (!awaited.includes(table.eyes) && !table.pending) queueMicrotask(() => table.eyes !== null && table.look(null));
    return null;
  }
  const next = table.mySeats.find((seat) => awaited.includes(seat));
  if (next === undefined) return null;
  const name = table.seatName(next);
  return h(
    'div',
    { class: 'hand-over', key: 'hand over' },
    h('p', null, badge(table.colourOf(next)), ` Hand the device to ${name}. The others look away.`),
    h('button', { type: 'button', class: 'primary', onclick: () => table.look(next) }, `I am ${name}`),
  );
}
