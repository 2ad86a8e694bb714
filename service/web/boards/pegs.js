/** The two-sided pegs of Tic-Tac-Rainbow, on the board and in hand. */

import { h } from '../dom.js';
import { badge, outline } from './pieces.js';

/** @import { Room } from '../room/room.js' */
/** @import { Peg, RainbowState } from '../types.d.ts' */

/** Colours by their letter. @type {Record<string, string>} */
export const COLOURS = {
  R: 'red',
  O: 'orange',
  Y: 'yellow',
  G: 'green',
  B: 'blue',
  V: 'violet',
  W: 'white',
  K: 'black',
};

/**
 * The other side of a peg.
 * @param {string} peg
 * @param {string} side
 */
export function otherSide(peg, side) {
  return peg.replace(side, '');
}

/**
 * A peg on the board, with its other side at the edge.
 * @param {Peg} peg
 */
export function drawPeg({ owner, peg, up }) {
  const down = otherSide(peg, up);
  return [
    h('path', { class: `piece side-${up}`, d: outline(owner, 15.5) }),
    h('text', { class: `peg-letter on-${up}`, y: 0.5 }, up),
    h('circle', { class: `under-side side-${down}`, cx: 10.5, cy: 10.5, r: 6 }),
    h('text', { class: `under-letter on-${down}`, x: 10.5, y: 11 }, down),
  ];
}

/**
 * The pegs that a seat has not placed yet. For the player to move each side is a button.
 * @param {Room} room
 * @param {number} seat
 */
export function rack(room, seat) {
  const owner = room.colourOf(seat);
  const pegs = /** @type {RainbowState} */ (room.state).off_board[owner] ?? [];
  const isOwn = room.actingSeat === seat;
  const side = (/** @type {string} */ peg, /** @type {string} */ up) =>
    isOwn ? sideButton(room, owner, peg, up) : sidePicture(owner, up);
  return h(
    'div',
    { class: `rack ${isOwn ? 'own' : ''}`, key: owner, role: 'group', 'aria-label': `Pegs of ${owner} in hand` },
    h('span', { class: 'rack-name' }, badge(owner)),
    pegs.length ? null : h('span', { class: 'soft small' }, 'all on the board'),
    pegs.map((peg) =>
      h(
        'span',
        { key: peg, class: 'rack-peg' },
        [...peg].map((up) => side(peg, up)),
      ),
    ),
  );
}

/**
 * @param {Room} room
 * @param {string} owner
 * @param {string} peg
 * @param {string} up
 */
function sideButton(room, owner, peg, up) {
  const isUsable = room.legalMoves.some((move) => move.type === 'place' && move.peg === peg && move.side === up);
  const isPicked = room.picks.map(({ value }) => value).join('') === peg + up;
  const isHinted = room.hinted.has(peg) && room.hinted.has(up);
  const [first = '', second = ''] = [...peg].map((side) => COLOURS[side]);
  return h(
    'button',
    {
      key: up,
      type: 'button',
      class: isHinted ? 'rack-side hinted' : 'rack-side',
      disabled: !isUsable,
      'aria-pressed': String(isPicked),
      'aria-label': `Peg ${first} and ${second}, ${COLOURS[up]} up`,
      onclick: () => room.pick({ kind: 'peg', value: peg }, { kind: 'side', value: up }),
    },
    half(owner, up),
  );
}

/**
 * @param {string} owner
 * @param {string} up
 */
function sidePicture(owner, up) {
  return h('span', { key: up, class: 'rack-side', role: 'img', 'aria-label': COLOURS[up] }, half(owner, up));
}

/**
 * @param {string} owner
 * @param {string} side
 */
function half(owner, side) {
  return h(
    'svg',
    { viewBox: '-18 -18 36 36', 'aria-hidden': 'true', focusable: 'false' },
    h('path', { class: `piece side-${side}`, d: outline(owner, 15) }),
    h('text', { class: `peg-letter on-${side}`, y: 0.5 }, side),
  );
}
