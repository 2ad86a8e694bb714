/** The two-sided pegs of Tic-Tac-Rainbow, on the board and in hand. */

import { colourName } from '../app.js';
import { h } from '../dom.js';
import { startDrag } from '../hands/drag.js';
import { gameTexts } from '../languages/games.js';
import { outline } from './pieces.js';

/** @import { Room } from '../room/room.js' */
/** @import { Peg, RainbowState } from '../types.d.ts' */

const { rainbow: WORDS } = gameTexts;

/** The width of a peg beside the board. */
const HELD = 27;

/**
 * The name of a colour.
 * @param {string} letter
 */
export function colourOf(letter) {
  return WORDS.colours[/** @type {keyof typeof WORDS.colours} */ (letter)] ?? letter;
}

/**
 * What a peg shows for a colour.
 * @param {string} letter that of the API
 */
export function letterOf(letter) {
  return WORDS.letters[/** @type {keyof typeof WORDS.letters} */ (letter)] ?? letter;
}

/**
 * The letter of a colour on a peg.
 * @param {string} look
 * @param {string} side
 * @param {number} x
 * @param {number} y
 */
export function drawLetter(look, side, x = 0, y = 0.5) {
  const text = letterOf(side);
  return h('text', { class: `${look} on-${side}${text.length > 1 ? ' long' : ''}`, x, y }, text);
}

/**
 * The other side of a peg.
 * @param {string} peg
 * @param {string} side
 */
export function otherSide(peg, side) {
  return peg.replace(side, '');
}

/**
 * The other cells of the lines that a colour at a cell would form. White counts as every colour, black as none.
 * @param {string[][]} lines those of the board
 * @param {Record<string, Peg>} pegs
 * @param {string} at
 * @param {string} colour
 */
export function lineCells(lines, pegs, at, colour) {
  const sideAt = (/** @type {string} */ cell) => (cell === at ? colour : (pegs[cell]?.up ?? 'K'));
  const isLine = (/** @type {string[]} */ cells) => {
    const sides = new Set(cells.map(sideAt));
    sides.delete('W');
    return sides.size < 2 && !sides.has('K');
  };
  return lines
    .filter((cells) => cells.includes(at) && isLine(cells))
    .flatMap((cells) => cells.filter((cell) => cell !== at));
}

/**
 * A peg on the board, with its other side at the edge.
 * @param {Peg} peg
 */
export function drawPeg({ owner, peg, up }) {
  const down = otherSide(peg, up);
  return [
    h('circle', { class: 'shade', r: 18.4, cy: 1.6 }),
    h('path', { class: `piece side-${up}`, d: outline(owner, 15.5) }),
    h('path', { class: 'gloss', d: outline(owner, 15.5) }),
    drawLetter('peg-letter', up),
    h('circle', { class: `under-side side-${down}`, cx: 10.5, cy: 10.5, r: 6 }),
    drawLetter('under-letter', down, 10.5, 11),
  ];
}

/**
 * The pegs that a player on this device has not placed yet. Each side is a button.
 * @param {Room} room
 * @param {number} seat
 */
export function rack(room, seat) {
  const owner = room.colourOf(seat);
  const pegs = /** @type {RainbowState} */ (room.state).off_board[owner] ?? [];
  return h(
    'div',
    { class: `rack of-${owner}`, key: owner, role: 'group', 'aria-label': WORDS.rack(colourName('rainbow', owner)) },
    pegs.length ? null : h('span', { class: 'soft small' }, WORDS.allPlaced),
    pegs.map((peg) =>
      h(
        'span',
        { key: peg, class: 'rack-peg' },
        [...peg].map((up) => sideButton(room, owner, peg, up)),
      ),
    ),
  );
}

/**
 * The pegs that another seat has not placed yet.
 * @param {RainbowState} state
 * @param {string} owner
 */
export function heldPegs({ off_board: offBoard }, owner) {
  const pegs = offBoard[owner] ?? [];
  const label = pegs.length ? WORDS.inHand(pegs.map(namesOf).join(', ')) : WORDS.allPlaced;
  const width = Math.max(1, pegs.length) * HELD;
  const frame = { viewBox: `0 0 ${width} 20`, '--pegs': pegs.length, role: 'img', 'aria-label': label };
  return h(
    'svg',
    { class: `held-pegs of-${owner}`, ...frame },
    pegs.map((peg, index) =>
      h(
        'g',
        { key: peg, transform: `translate(${(index + 0.5) * HELD} 10)` },
        heldSide(peg.charAt(0), -1),
        heldSide(peg.charAt(1), 1),
      ),
    ),
  );
}

/**
 * Both colours of a peg.
 * @param {string} peg
 */
function namesOf(peg) {
  return WORDS.twoColours(colourOf(peg.charAt(0)), colourOf(peg.charAt(1)));
}

/**
 * A half of a peg beside the board.
 * @param {string} side
 * @param {-1 | 1} direction to the left or to the right
 */
function heldSide(side, direction) {
  const outer = 12 * direction;
  const d = `M0 -9 H${outer * 0.6} Q${outer} -9 ${outer} -4 V4 Q${outer} 9 ${outer * 0.6} 9 H0 Z`;
  return [h('path', { class: `piece side-${side}`, d }), drawLetter('held-letter', side, 6 * direction)];
}

/**
 * @param {Room} room
 * @param {string} owner
 * @param {string} peg
 * @param {string} up
 */
function sideButton(room, owner, peg, up) {
  const isUsable = room.legalMoves.some((move) => move.type === 'place' && move.peg === peg && move.side === up);
  const picked = [room.picks, room.premove.steps].map((steps) =>
    steps
      .slice(0, 2)
      .map(({ value }) => value)
      .join(''),
  );
  const isPicked = picked.includes(peg + up);
  const steps = [
    { kind: 'peg', value: peg },
    { kind: 'side', value: up },
  ];
  const isHinted = room.hinted.has(peg) && room.hinted.has(up);
  return h(
    'button',
    {
      key: up,
      type: 'button',
      class: isHinted ? 'rack-side hinted' : 'rack-side',
      disabled: !isUsable && !room.premove.isPossible(room),
      'aria-pressed': String(isPicked),
      'aria-label': WORDS.side(namesOf(peg), colourOf(up)),
      onclick: () => room.pick(...steps),
      onpointerdown: (/** @type {PointerEvent} */ event) => {
        const piece = /** @type {Element} */ (event.currentTarget).querySelector('g');
        if (isUsable) startDrag(event, room, piece, steps);
      },
    },
    half(owner, up),
  );
}

/**
 * @param {string} owner
 * @param {string} side
 */
function half(owner, side) {
  return h(
    'svg',
    { viewBox: '-18 -18 36 36', 'aria-hidden': 'true', focusable: 'false' },
    h(
      'g',
      null,
      h('path', { class: `piece side-${side}`, d: outline(owner, 15) }),
      h('path', { class: 'gloss', d: outline(owner, 15) }),
      drawLetter('peg-letter', side),
    ),
  );
}
