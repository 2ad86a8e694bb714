/**
 * Motion that explains a move: pieces slide, fly, drop and turn over. The page itself always shows the final position.
 * Moving pieces are drawn above it, for at most 300 ms per move; quick moves wait for each other. A click or a key
 * ends all motion, and nothing moves for people who prefer that.
 */

import { draw } from '../dom.js';

/** @import { Content } from '../types.d.ts' */
/** @import { Spot } from '../boards/geometry.js' */

/** How long a move takes, in milliseconds. */
export const MOVE_MS = 300;
/** What turns over begins later the farther away it is, up to this. */
const LATEST_MS = 140;
const TURN_MS = 160;
const SLIDE_MS = 220;
const DROP_MS = 150;
/** If moves would have to wait longer than this, the running motion is ended. */
const PATIENCE_MS = 900;
const EASING = 'cubic-bezier(.3, .05, .3, 1)';
const SVG = 'http://www.w3.org/2000/svg';

const still = matchMedia('(prefers-reduced-motion: reduce)');

/** Whether nothing moves, as people have chosen. */
export function isStill() {
  return still.matches;
}

/** The running animations, and what is done when they end. @type {Map<Animation, () => void>} */
const running = new Map();
/** The motion that starts once the page has been drawn. @type {((delay: number) => void)[]} */
const planned = [];
/** When the last move ends, in milliseconds since the page was opened. */
let busyUntil = 0;
/** Whether the next move is not shown, because the player has moved the piece by hand. */
let isSkipped = false;

/** End all motion: the page shows the final position. */
export function endMotion() {
  for (const [animation, end] of [...running]) {
    animation.finish();
    end();
  }
  busyUntil = 0;
}

/** Do not show the next move, which the player has made by dragging. */
export function skipNextMotion() {
  isSkipped = true;
  setTimeout(() => (isSkipped = false));
}

/**
 * Move something once the page has been drawn.
 * @param {(delay: number) => void} action
 */
function plan(action) {
  if (!planned.length) queueMicrotask(begin);
  planned.push(action);
}

function begin() {
  const actions = planned.splice(0);
  if (still.matches || document.hidden || isSkipped) return;
  const now = performance.now();
  if (busyUntil - now > PATIENCE_MS) endMotion();
  const delay = Math.max(0, busyUntil - now);
  for (const action of actions) action(delay);
}

/**
 * @param {Element} element
 * @param {Keyframe[]} keyframes
 * @param {number} delay
 * @param {number} duration
 * @param {() => void} [after]
 */
function run(element, keyframes, delay, duration, after) {
  const animation = element.animate(keyframes, { delay, duration, easing: EASING, fill: 'backwards' });
  const end = () => {
    if (running.delete(animation)) after?.();
  };
  running.set(animation, end);
  busyUntil = Math.max(busyUntil, performance.now() + delay + duration);
  animation.onfinish = end;
  animation.oncancel = end;
}

// The motion of a piece when it is drawn: functions for the prop `created`.

/** A piece is put down. */
export function drop() {
  return (/** @type {Element} */ piece) =>
    plan((delay) =>
      run(
        piece,
        [
          { opacity: 0, transform: 'scale(1.35)' },
          { opacity: 1, transform: 'scale(1)' },
        ],
        delay,
        DROP_MS,
      ),
    );
}

/**
 * A piece turns over, from another colour.
 * @param {string} before the fill of its other side
 * @param {number} distance from where the turning begins, in cells
 */
export function turnOver(before, distance) {
  const wait = Math.min(LATEST_MS, 28 * distance);
  return (/** @type {Element} */ piece) =>
    plan((delay) => {
      const turn = [{ transform: 'scaleX(1)' }, { transform: 'scaleX(.04)' }, { transform: 'scaleX(1)' }];
      run(piece, turn, delay + wait, TURN_MS);
      const body = piece.querySelector('.piece');
      const other = [{ fill: before }, { fill: before, offset: 0.5, easing: 'steps(1, start)' }, { offset: 1 }];
      if (body) run(body, other, delay + wait, TURN_MS);
      for (const mark of piece.querySelectorAll('.emblem, text, .under-side')) {
        run(mark, [{ opacity: 0 }, { opacity: 0, offset: 0.5 }, { opacity: 1, offset: 0.55 }], delay + wait, TURN_MS);
      }
    });
}

/**
 * A piece comes from another place of the board.
 * @param {Spot} by how far away that is
 */
export function slide({ x, y }) {
  return (/** @type {SVGGraphicsElement} */ piece) =>
    plan((delay) => {
      const to = placeOf(piece);
      if (to) fly(piece, to.translate(x, y), to, delay);
    });
}

/**
 * A piece comes from beside the board.
 * @param {string} selector of what it comes from
 */
export function comeFrom(selector) {
  return (/** @type {SVGGraphicsElement} */ piece) =>
    plan((delay) => {
      const to = placeOf(piece);
      const from = to && centred(to, selector);
      if (from) fly(piece, from, to, delay);
    });
}

/**
 * A piece that has left the board moves beside it.
 * @param {Content} drawing
 * @param {string} selector of where it goes
 */
export function goTo(drawing, selector) {
  return (/** @type {SVGGraphicsElement} */ place) =>
    plan((delay) => {
      const from = placeOf(place);
      const to = from && centred(from, selector);
      if (!to) return;
      const piece = layer().appendChild(document.createElementNS(SVG, 'g'));
      draw(piece, drawing);
      travel(piece, from, to, delay);
    });
}

/** A die rolls. */
export function roll() {
  return (/** @type {Element} */ die) =>
    plan((delay) => {
      const turns = [0, 1].map((offset) => ({
        transform: `translateX(${-34 * (1 - offset)}px) rotate(${-540 * (1 - offset)}deg)`,
      }));
      run(die, turns, delay, MOVE_MS);
    });
}

// Pieces above the page.

/** The layer above the page, in pixels. */
function layer() {
  const found = document.querySelector('.flights');
  if (found) return found;
  const made = document.createElementNS(SVG, 'svg');
  made.setAttribute('class', 'flights');
  made.setAttribute('aria-hidden', 'true');
  return document.body.appendChild(made);
}

/**
 * Where an element of a board is on the screen.
 * @param {SVGGraphicsElement} element
 */
function placeOf(element) {
  const found = element.getScreenCTM();
  return found && new DOMMatrix([found.a, found.b, found.c, found.d, found.e, found.f]);
}

/**
 * The place of a piece in the middle of an element, at the element's own size.
 * @param {DOMMatrix} matrix that of the piece on the board
 * @param {string} selector
 */
function centred(matrix, selector) {
  const box = document.querySelector(selector)?.getBoundingClientRect();
  if (!box?.width) return null;
  const scale = Math.min(matrix.a, Math.min(box.height, 60) / 36);
  return new DOMMatrix([scale, 0, 0, scale, box.left + box.width / 2, box.top + box.height / 2]);
}

/**
 * Show a copy of a piece on its way, and the piece itself when the copy has arrived.
 * @param {SVGGraphicsElement} piece
 * @param {DOMMatrix} from
 * @param {DOMMatrix} to
 * @param {number} delay
 */
function fly(piece, from, to, delay) {
  const copy = layer().appendChild(/** @type {SVGElement} */ (piece.cloneNode(true)));
  travel(copy, from, to, delay);
  run(piece, [{ opacity: 0 }, { opacity: 0 }], delay, SLIDE_MS);
}

/**
 * @param {SVGElement} piece in the layer
 * @param {DOMMatrix} from
 * @param {DOMMatrix} to
 * @param {number} delay
 */
function travel(piece, from, to, delay) {
  run(piece, [{ transform: `${from}` }, { transform: `${to}` }], delay, SLIDE_MS, () => piece.remove());
}

/**
 * A copy of a piece that follows the pointer, as large as the pieces on the board.
 * @param {SVGGraphicsElement} piece
 */
export function carry(piece) {
  const cell = document.querySelector('.boards .cell');
  const scale = 1.1 * (cell instanceof SVGGraphicsElement ? (cell.getScreenCTM()?.a ?? 1) : 1);
  const copy = layer().appendChild(/** @type {SVGElement} */ (piece.cloneNode(true)));
  copy.removeAttribute('transform');
  return {
    /** @type {(x: number, y: number) => void} */
    moveTo: (x, y) => copy.setAttribute('transform', `translate(${x} ${y}) scale(${scale})`),
    remove: () => copy.remove(),
  };
}

for (const type of ['pointerdown', 'keydown']) addEventListener(type, endMotion, { capture: true });
