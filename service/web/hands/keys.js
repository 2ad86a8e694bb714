/** The keys of a room, and the dialog that lists them. */

import { redraw } from '../app.js';
import { h } from '../dom.js';
import { modal } from '../forms/fields.js';
import { gameTexts } from '../languages/games.js';

/** @import { Room } from '../room/room.js' */

/** The keys of a room while its page is open, and whether the dialog that lists them is shown. */
export class RoomKeys {
  /** @param {Room} room */
  constructor(room) {
    this.room = room;
    this.isShown = false;
    /** Goes to the next room that waits for the player. */
    this.goOn = () => {};
  }

  enter() {
    addEventListener('keydown', this);
  }

  leave() {
    removeEventListener('keydown', this);
  }

  /**
   * React to a key that is pressed anywhere in the room.
   * @param {KeyboardEvent} event
   */
  handleEvent(event) {
    const { room } = this;
    const isTyping = event.target instanceof Element && event.target.closest('input, select, textarea, dialog');
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !room.loadedView) return;
    const { history } = room;
    if (event.key === ',') void history.step(-1);
    else if (event.key === '.') void history.step(1);
    else if (event.key === '?') this.show(true);
    else if (event.key === 'n') this.goOn();
    else if (event.key !== 'Escape') return;
    else if (room.premove.steps.length) room.premove.drop();
    else if (history.past) history.returnToNow();
    else return;
    event.preventDefault();
  }

  /** @param {boolean} isShown */
  show(isShown) {
    this.isShown = isShown;
    redraw();
  }

  /** The button that shows the dialog. */
  button() {
    const title = gameTexts.keys.title;
    const onclick = () => this.show(true);
    return h('button', { key: 'keys', class: 'quiet', type: 'button', 'aria-label': title, title, onclick }, '?');
  }

  /** The dialog, while it is shown. */
  dialog() {
    return this.isShown ? keysDialog(() => this.show(false)) : null;
  }
}

/** @param {() => void} close */
function keysDialog(close) {
  const onclick = (/** @type {Event} */ event) => /** @type {Element} */ (event.target).closest('dialog')?.close();
  return h(
    'dialog',
    modal('keys dialog', 'keys-title', close),
    h(
      'div',
      { class: 'keys' },
      h('h2', { id: 'keys-title' }, gameTexts.keys.title),
      list(gameTexts.keys.keys),
      list(gameTexts.keys.gestures),
      h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'primary', onclick }, gameTexts.keys.close)),
    ),
  );
}

/** @param {Record<string, string[]>} lines a key or gesture, and what it does */
function list(lines) {
  return h(
    'dl',
    null,
    Object.entries(lines).map(([key, [name, text]]) => h('div', { key }, h('dt', null, name), h('dd', null, text))),
  );
}
