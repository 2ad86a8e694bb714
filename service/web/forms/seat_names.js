/** The names of the players who share this device; the service knows only who holds their seats. */

import { redraw } from '../app.js';
import { h, isolated, recallObject, store } from '../dom.js';
import { roomTexts } from '../languages/room.js';
import { submitted } from './fields.js';

/** @import { Room } from '../room/room.js' */

const MAX_LENGTH = 24;

export class SeatNames {
  /** @param {string} key that of the room, in the browser's storage */
  constructor(key) {
    this.key = `turnstream.names.${key}`;
    /** By seat. @type {Record<number, string>} */
    this.names = recallObject(this.key);
  }

  /** @param {number} seat */
  get(seat) {
    return isolated(this.names[seat] ?? '');
  }

  /**
   * @param {number} seat
   * @param {string} name
   */
  set(seat, name) {
    this.names[seat] = name.trim().slice(0, MAX_LENGTH);
    store(this.key, JSON.stringify(this.names));
  }
}

/**
 * A button that becomes a form for the name of a player on this device.
 * @param {Room} room
 * @param {number} seat
 */
export function nameButton(room, seat) {
  const { uiState } = room;
  const setNaming = (/** @type {number | undefined} */ naming) => {
    uiState.naming = naming;
    redraw();
  };
  const label = roomTexts.forms.nameOfPlayer(room.colourName(seat));
  if (uiState.naming !== seat) {
    const onclick = () => setNaming(seat);
    return h(
      'button',
      { key: 'name', type: 'button', class: 'small-button name-button', 'aria-label': label, onclick },
      roomTexts.forms.name,
    );
  }
  const onsubmit = (/** @type {SubmitEvent} */ event) => {
    room.seatNames.set(seat, submitted(event)('name') ?? '');
    setNaming(undefined);
  };
  const created = (/** @type {HTMLInputElement} */ input) => {
    input.value = room.seatNames.names[seat] ?? '';
    queueMicrotask(() => input.focus());
  };
  const input = { name: 'name', 'aria-label': label, maxlength: MAX_LENGTH, autocomplete: 'off', created };
  return h(
    'form',
    { key: 'naming', class: 'row', onsubmit },
    h('input', input),
    h('button', { type: 'submit', class: 'small-button' }, roomTexts.forms.save),
  );
}
