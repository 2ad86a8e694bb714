/** How boards look: three choices for each game. The choice is remembered on the device. */

import { redraw } from '../app.js';
import { h, recallObject, store } from '../dom.js';
import { gameTexts } from '../languages/games.js';

/** @import { Room } from '../room/room.js' */

const STORAGE_KEY = 'turnstream.boards';
const MENU = 'board-look';

const { label: LABEL, looks: LOOKS } = gameTexts.look;

/** Whether the menu is open: its pictures are drawn only then. */
let isOpen = false;

/** The choices by game. @type {Record<string, string>} */
const chosen = recallObject(STORAGE_KEY);

/**
 * The look of a game's boards.
 * @param {string} game
 */
export function boardLook(game) {
  const look = chosen[game] ?? '';
  return look in LOOKS ? look : 'classic';
}

/**
 * @param {string} game
 * @param {string} look
 */
function choose(game, look) {
  chosen[game] = look;
  store(STORAGE_KEY, JSON.stringify(chosen));
  redraw();
}

/** @param {Event} event */
function onToggle(event) {
  isOpen = /** @type {ToggleEvent} */ (event).newState === 'open';
  redraw();
}

/**
 * The button that opens the menu, and the menu with a picture of each look.
 * @param {Room} room
 */
export function lookMenu(room) {
  const { slug } = room.game;
  const icon = h(
    'svg',
    { class: 'icon', viewBox: '-10 -10 20 20', 'aria-hidden': 'true' },
    h('path', { d: 'M-8 -8 H8 V8 H-8 Z M0 -8 V8 M-8 0 H8', fill: 'none' }),
  );
  const labels = { role: 'radiogroup', 'aria-label': LABEL };
  const button = { type: 'button', class: 'quiet', popovertarget: MENU, 'aria-label': LABEL };
  return [
    h('button', { key: 'look', ...button, title: LABEL }, icon),
    h(
      'div',
      { key: 'look menu', id: MENU, class: 'menu', popover: '', ontoggle: onToggle, ...labels },
      isOpen ? Object.entries(LOOKS).map(([look, label]) => choice(room, slug, look, label)) : null,
    ),
  ];
}

/**
 * @param {Room} room
 * @param {string} game
 * @param {string} look
 * @param {string} label
 */
function choice(room, game, look, label) {
  const input = { type: 'radio', name: 'board-look', value: look, checked: boardLook(game) === look };
  const onchange = () => choose(game, look);
  return h(
    'label',
    { key: look, class: 'look', 'data-board': look },
    h('span', { class: 'look-picture', 'aria-hidden': 'true' }, room.gameView.picture(room.game)),
    h('span', { class: 'row' }, h('input', { ...input, onchange }), label),
  );
}
