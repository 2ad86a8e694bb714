/** What players offer or request: a draw, a takeback, a new match. */

import { guest } from '../app.js';
import { h } from '../dom.js';

/** @import { Room } from './room.js' */
/** @import { Offer, OfferKind } from '../types.d.ts' */

/** What another player does. @type {Record<OfferKind, string>} */
export const OFFER_TEXTS = {
  draw: 'offers a draw',
  takeback: 'would like to take a move back',
  restart: 'would like to restart the match',
  new: 'would like a new match',
  kick: 'would like to remove a player',
};

/** What this player has done. @type {Record<OfferKind, string>} */
const OWN_TEXTS = {
  draw: 'have offered a draw',
  takeback: 'have asked to take a move back',
  restart: 'have asked to restart the match',
  new: 'have asked for a new match',
  kick: 'have asked to remove a player',
};

/** @param {Room} room */
export function offers(room) {
  const { offers: open } = room.view;
  if (!open.length) return null;
  const items = open.map((offer) =>
    h('li', { key: offer.id, class: 'offer' }, text(room, offer), buttons(room, offer)),
  );
  return h('ul', { class: 'offers', key: 'offers', 'aria-label': 'Offers' }, items);
}

/**
 * @param {Room} room
 * @param {Offer} offer
 */
function text(room, { type, by, awaits }) {
  if (by !== guest.id) {
    return h('span', null, h('strong', null, room.nicknameOf(by)), ` ${OFFER_TEXTS[type]}.`);
  }
  const others = awaits.map((player) => room.nicknameOf(player)).join(' and ');
  return h('span', null, h('strong', null, 'You'), ` ${OWN_TEXTS[type]}. Waiting for ${others}.`);
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
          h('button', { key: 'yes', type: 'button', class: 'primary', onclick: answer(true) }, 'Accept'),
          h('button', { key: 'no', type: 'button', onclick: answer(false) }, 'Decline'),
        ]
      : null,
    by === guest.id ? h('button', { key: 'withdraw', type: 'button', onclick: withdraw }, 'Withdraw') : null,
  );
}
