/** The rooms of the lobby: one's own, all that are open, and a form to join one by its name. */

import { app } from '../app.js';
import { h } from '../dom.js';
import { submitted } from '../forms/fields.js';
import { counted } from '../text.js';
import { ago } from '../times.js';

/** @import { LobbyEntry } from '../../schema.d.ts' */
/** @import { Content, MyRoom } from '../types.d.ts' */

/**
 * Rooms with a free seat first, otherwise in the same order.
 * @param {LobbyEntry[]} rooms
 */
export function joinableFirst(rooms) {
  return [...rooms].sort((one, other) => Number(isJoinable(other)) - Number(isJoinable(one)));
}

/**
 * Whether a seat is free and no match is running.
 * @param {LobbyEntry} room
 */
function isJoinable(room) {
  return room.status !== 'playing' && room.seats > room.seats_taken;
}

/** @param {LobbyEntry} room */
export function openRoom(room) {
  const free = room.seats - room.seats_taken;
  const state = room.status === 'playing' ? 'playing' : free ? `${counted(free, 'seat')} free` : 'full';
  return line(`${room.room} ${room.epoch}`, room, [
    tag(state, isJoinable(room)),
    h('span', { class: 'soft small' }, ago(room.opened, Date.now())),
  ]);
}

/** @param {MyRoom} room */
export function ownRoom(room) {
  return line(room.room, room, tag(room.my_turn ? 'your turn' : room.status, room.my_turn));
}

/**
 * @param {string} key
 * @param {{room: string, title: string, game: string}} room
 * @param {Content} more
 */
function line(key, { room, title, game }, more) {
  return h(
    'li',
    { key },
    h(
      'a',
      { href: `/r/${room}`, class: 'room-line' },
      h('span', { class: 'room-title' }, title),
      h('span', { class: 'soft' }, app.games.get(game)?.title ?? game),
      more,
    ),
  );
}

/**
 * @param {string} text
 * @param {boolean} isHighlighted
 */
function tag(text, isHighlighted) {
  return h('span', { class: isHighlighted ? 'tag free' : 'tag' }, text);
}

export function joinForm() {
  const onsubmit = (/** @type {SubmitEvent} */ event) => {
    const name = submitted(event)('room')?.trim();
    if (name) app.go(`/r/${encodeURIComponent(name.toLowerCase().replace(/\s+/g, '-'))}`);
  };
  const input = { name: 'room', required: true, maxlength: 60, autocomplete: 'off', placeholder: 'friday-night' };
  return h(
    'form',
    { class: 'join-form', key: 'join', onsubmit },
    h('label', { for: 'join-room' }, 'Join a room by its name'),
    h('span', { class: 'row' }, h('input', { id: 'join-room', ...input }), h('button', { type: 'submit' }, 'Go')),
  );
}
