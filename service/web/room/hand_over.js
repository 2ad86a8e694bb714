/** In a game with secrets on a shared device: hides the boards until the next player has taken the device. */

import { badge } from '../boards/pieces.js';
import { h } from '../dom.js';
import { roomTexts } from '../languages/room.js';

/** @import { Room } from './room.js' */

/** @param {Room} room */
export function handOver(room) {
  const isNeeded = room.game.simultaneous && room.isShared && room.isPlaying && !room.history.past;
  if (!isNeeded || room.animationSteps.length) return null;
  const { to_move: awaited } = room.match;
  const seat = room.viewerSeat;
  if (seat !== null) {
    if (!awaited.includes(seat) && !room.pending) queueMicrotask(() => leave(room));
    return null;
  }
  const next = room.mySeats.find((one) => awaited.includes(one));
  if (next === undefined) return null;
  const name = room.seatName(next);
  return h(
    'div',
    { class: 'hand-over', key: 'hand over' },
    h('p', null, badge(room.colourOf(next)), ' ', roomTexts.room.handOver(name)),
    h('button', { type: 'button', class: 'primary', onclick: () => room.viewAs(next) }, roomTexts.room.iAm(name)),
  );
}

/** @param {Room} room */
function leave(room) {
  if (room.viewerSeat !== null) room.viewAs(null);
}
