/** What players offer or request: a draw, a takeback, a new match. */

import { guest } from '../app.js';
import { filled, h, listed } from '../dom.js';
import { roomTexts } from '../languages/room.js';

/** @import { Room } from './room.js' */
/** @import { Offer } from '../types.d.ts' */

/** @param {Room} room */
export function offers(room) {
  const { offers: open } = room.view;
  if (!open.length) return null;
  const items = open.map((offer) =>
    h('li', { key: offer.id, class: 'offer' }, text(room, offer), buttons(room, offer)),
  );
  return h('ul', { class: 'offers', key: 'offers', 'aria-label': roomTexts.offers.label }, items);
}

/**
 * @param {Room} room
 * @param {Offer} offer
 */
function text(room, { type, by, awaits }) {
  const { made, own, you, waitingFor } = roomTexts.offers;
  if (by !== guest.id) return h('span', null, filled(made[type], h('strong', null, room.nicknameOf(by))));
  const others = listed(awaits.map((player) => room.nicknameOf(player)));
  return h('span', null, filled(own[type], h('strong', null, you)), ' ', waitingFor(others));
}

/**
 * @param {Room} room
 * @param {Offer} offer
 */
function buttons(room, { id, by, awaits }) {
  const answer = (/** @type {boolean} */ accept) => () => void room.command({ type: 'answer', offer: id, accept });
  const withdraw = () => void room.command({ type: 'withdraw', offer: id });
  return h(
    'span',
    { class: 'buttons' },
    guest.id && awaits.includes(guest.id)
      ? [
          h('button', { key: 'yes', type: 'button', class: 'primary', onclick: answer(true) }, roomTexts.offers.accept),
          h('button', { key: 'no', type: 'button', onclick: answer(false) }, roomTexts.offers.decline),
        ]
      : null,
    by === guest.id
      ? h('button', { key: 'withdraw', type: 'button', onclick: withdraw }, roomTexts.offers.withdraw)
      : null,
  );
}
