/** Joining a room: forms to take a seat, to watch, and to enter a private room. */

import { attempt, clearErrors, ensureGuest, guest, rename } from '../app.js';
import { h } from '../dom.js';
import { roomTexts } from '../languages/room.js';
import { NICKNAME, submitted } from './fields.js';

/** @import { Room } from '../room/room.js' */

/**
 * Whether somebody could take a seat.
 * @param {Room} room
 */
export function hasFreeSeat({ view, freeSeats }) {
  return view.status !== 'closed' && freeSeats.length > 0;
}

/**
 * For people who are not in the room: buttons to take a seat and to watch. A name is generated if none is entered.
 * @param {Room} room
 */
export function joinForm(room) {
  const button = { type: 'submit', name: 'as' };
  return h(
    'form',
    { class: 'join', key: 'join', onsubmit: (/** @type {SubmitEvent} */ event) => submitJoin(event, room) },
    nicknameField(),
    h(
      'span',
      { class: 'row' },
      hasFreeSeat(room)
        ? h('button', { ...button, key: 'join', class: 'primary large', value: 'player' }, roomTexts.join.join)
        : null,
      h('button', { ...button, key: 'watch', value: 'spectator' }, roomTexts.join.watch),
    ),
  );
}

function nicknameField() {
  if (guest.token) return null;
  const input = { ...NICKNAME, required: false, placeholder: roomTexts.join.madeUp };
  return [
    h('label', { for: 'join-nickname', key: 'label' }, roomTexts.join.name),
    h('input', { id: 'join-nickname', key: 'field', ...input }),
  ];
}

/**
 * @param {SubmitEvent} event
 * @param {Room} room
 */
function submitJoin(event, room) {
  const text = submitted(event);
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  const as = button?.value === 'spectator' ? 'spectator' : 'player';
  void attempt(() => join(room, text('nickname') || guest.nickname, { as }));
}

/**
 * For spectators while a seat is free.
 * @param {Room} room
 */
export function seatButton(room) {
  const [free] = room.freeSeats;
  if (room.member?.as !== 'spectator' || room.mySeats.length || !free) return null;
  const onclick = () => void room.command({ type: 'take_seat', seat: free.seat });
  return h('button', { key: 'take', type: 'button', class: 'primary', onclick }, roomTexts.join.takeSeat);
}

/**
 * A form to enter a private room.
 * @param {Room} room
 */
export function passwordForm(room) {
  const onsubmit = (/** @type {SubmitEvent} */ event) => {
    const text = submitted(event);
    void attempt(async () => {
      await join(room, text('nickname') || guest.nickname, { password: text('password') ?? '' });
      clearErrors();
      await room.open();
    });
  };
  const input = { id: 'password', name: 'password', type: 'password', required: true, autocomplete: 'off' };
  return h(
    'form',
    { class: 'name-form', onsubmit },
    nicknameField(),
    h('label', { for: 'password' }, roomTexts.join.password),
    h('span', { class: 'row' }, h('input', input), h('button', { type: 'submit' }, roomTexts.join.enter)),
  );
}

/**
 * Join a room, as a guest of this nickname if there is none yet. Throws `TurnstreamError`.
 * @param {Room} room
 * @param {string} nickname
 * @param {{as?: 'player' | 'spectator', password?: string}} options
 */
async function join(room, nickname, options) {
  await ensureGuest(nickname);
  if (nickname) rename(nickname);
  await room.send({ type: 'join', ...(guest.nickname ? { nickname: guest.nickname } : {}), ...options });
  if (room.loadedView) room.viewAs(null);
}
