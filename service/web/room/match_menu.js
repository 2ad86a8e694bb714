/** A menu for actions that end the match and begin another one, with a confirmation if moves would be lost. */

import { redraw } from '../app.js';
import { h } from '../dom.js';
import { roomTexts } from '../languages/room.js';

/** @import { Room } from './room.js' */
/** @typedef {'request_restart' | 'request_new'} Request */

/** The buttons' labels: at first, and for confirmation. @type {Record<Request, {label: string, confirm: string}>} */
const TEXTS = {
  request_restart: { label: roomTexts.actions.restart, confirm: roomTexts.actions.yesRestart },
  request_new: { label: roomTexts.actions.newMatch, confirm: roomTexts.actions.yesNewMatch },
};

/**
 * @param {Room} room
 * @param {boolean} isAtOnce whether nobody else has to agree
 */
export function matchMenu(room, isAtOnce) {
  const { uiState } = room;
  const isOpen = uiState.menu !== undefined;
  const onkeydown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== 'Escape' || !isOpen) return;
    event.stopPropagation();
    setMenu(room, undefined);
    queueMicrotask(() => document.getElementById('match-menu-button')?.focus());
  };
  const toggle = () => setMenu(room, isOpen ? undefined : 'open');
  const button = { type: 'button', id: 'match-menu-button', 'aria-expanded': String(isOpen), onclick: toggle };
  return h(
    'div',
    { key: 'menu', class: 'match-menu', onkeydown },
    h('button', { key: 'button', ...button }, roomTexts.actions.match),
    isOpen
      ? h(
          'div',
          { key: 'items', class: 'match-menu-items', role: 'group', 'aria-label': roomTexts.actions.matchMenu },
          items(room, isAtOnce),
        )
      : null,
  );
}

/**
 * @param {Room} room
 * @param {boolean} isAtOnce
 */
function items(room, isAtOnce) {
  const asked = room.uiState.menu;
  if (asked === 'request_restart' || asked === 'request_new') return confirmation(room, asked);
  const losesMoves = isAtOnce && room.history.liveCount > 1;
  return Object.entries(TEXTS).map(([type, { label }]) => {
    const request = /** @type {Request} */ (type);
    const onclick = () => (losesMoves ? setMenu(room, request) : send(room, request));
    return h('button', { key: type, type: 'button', onclick }, label);
  });
}

/**
 * @param {Room} room
 * @param {Request} request
 */
function confirmation(room, request) {
  const focus = (/** @type {HTMLElement} */ element) => element.focus();
  const yes = { key: 'yes', type: 'button', class: 'danger primary', onclick: () => send(room, request) };
  const no = { key: 'no', type: 'button', created: focus, onclick: () => setMenu(room, undefined) };
  return [
    h('p', { key: 'question', class: 'small' }, roomTexts.actions.endsWithoutResult),
    h('button', no, roomTexts.actions.playOn),
    h('button', yes, TEXTS[request].confirm),
  ];
}

/**
 * @param {Room} room
 * @param {Request} request
 */
function send(room, request) {
  setMenu(room, undefined);
  void room.command({ type: request });
}

/**
 * @param {Room} room
 * @param {'open' | Request | undefined} menu
 */
function setMenu({ uiState }, menu) {
  uiState.menu = menu;
  redraw();
}
