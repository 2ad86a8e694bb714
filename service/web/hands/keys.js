/** The keys of a room, and the dialog that lists them. */

import { h } from '../dom.js';
import { modal } from '../forms/fields.js';

/** @import { Room } from '../room/room.js' */

/** What the keys do. */
const KEYS = [
  ['Tab', 'to the board and to each button'],
  ['Arrow keys', 'from cell to cell'],
  ['Enter, space bar', 'choose a cell'],
  ['Escape', 'put back, cancel a premove, or return from an earlier position'],
  [', and .', 'step back and forward through the match'],
  ['Arrow keys, Home, End', 'on the graph of a review: from move to move'],
  ['?', 'show these keys'],
];
/** What a mouse or a finger does. */
const GESTURES = [
  ['Drag', 'move a man or a peg'],
  ['Point, or press long', 'see what a move would do'],
  ['Choose while others move', 'enter a premove; it is sent when your turn comes'],
  ['Right button', 'draw an arrow or a ring; a click wipes them'],
];

/**
 * React to a key that is pressed anywhere in a room.
 * @param {KeyboardEvent} event
 * @param {Room} room
 * @param {() => void} showKeys
 */
export function onRoomKey(event, room, showKeys) {
  const isTyping = event.target instanceof Element && event.target.closest('input, select, textarea, dialog');
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !room.loadedView) return;
  const { history } = room;
  if (event.key === ',') void history.step(-1);
  else if (event.key === '.') void history.step(1);
  else if (event.key === '?') showKeys();
  else if (event.key !== 'Escape') return;
  else if (room.premove.steps.length) room.premove.drop();
  else if (history.past) history.returnToNow();
  else return;
  event.preventDefault();
}

/** @param {() => void} onclick */
export function keysButton(onclick) {
  const label = 'Keys and gestures';
  return h('button', { key: 'keys', class: 'quiet', type: 'button', 'aria-label': label, title: label, onclick }, '?');
}

/** @param {() => void} close */
export function keysDialog(close) {
  const onclick = (/** @type {Event} */ event) => /** @type {Element} */ (event.target).closest('dialog')?.close();
  return h(
    'dialog',
    modal('keys dialog', 'keys-title', close),
    h(
      'div',
      { class: 'keys' },
      h('h2', { id: 'keys-title' }, 'Keys and gestures'),
      list(KEYS),
      list(GESTURES),
      h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'primary', onclick }, 'Close')),
    ),
  );
}

/** @param {string[][]} lines */
function list(lines) {
  return h(
    'dl',
    null,
    lines.map(([name = '', text = '']) => h('div', { key: name }, h('dt', null, name), h('dd', null, text))),
  );
}
