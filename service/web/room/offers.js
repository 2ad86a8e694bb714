/** What somebody asks of the others: a draw, a takeback, a new match. */

import { h } from '../dom.js';
import { guest } from '../guest.js';
import { humane } from './moves.js';

/** @type {Record<string, string>} */
export const WISHES = {
  draw: 'offers a draw',
  takeback: 'would like to take a turn back',
  restart: 'would like to begin this match again',
  new: 'would like a new match',
  kick: 'would like a player to leave',
};

/** @type {Record<string, string>} */
const ASKED = {
  draw: 'a draw',
  takeback: 'to take a turn back',
  restart: 'to begin this match again',
  new: 'a new match',
  kick: 'that a player leaves',
};

/** @param {import('./room.js').Table} table */
export function offers(table) {
  const open = table.view.offers ?? [];
  if (!open.length) return null;
  return h(
    'ul',
    { class: 'offers', key: 'offers', 'aria-label': 'Offers' },
    open.map((/** @type {any} */ offer) => line(table, offer)),
  );
}

/** @param {import('./room.js').Table} table @param {any} offer */
function line(table, offer) {
  const { id, type: kind, by } = offer;
  const answer = (/** @type {boolean} */ accept) => () => void table.command({ type: 'answer', offer: id, accept });
  const mayAnswer = offer.awaits.includes(guest.id);
  const waits = `Waiting for ${offer.awaits.map((/** @type {string} */ player) => table.nameOf(player)).join(' and ')}.`;
  return h(
    'li',
    { key: id, class: 'offer' },
    h(
      'span',
      null,
      h('strong', null, by === guest.id ? 'You' : table.nameOf(by)),
      ' ',
      by === guest.id
        ? `asked: ${ASKED[kind] ?? humane(kind).toLowerCase()}. ${waits}`
        : `${WISHES[kind] ?? humane(kind).toLowerCase()}.`,
    ),
    h(
      'span',
      { class: 'buttons' },
      mayAnswer
        ? [
            h('button', { key: 'yes', type: 'button', class: 'primary', onclick: answer(true) }, 'Accept'),
            h('button', { key: 'no', type: 'button', onclick: answer(false) }, 'Decline'),
          ]
        : null,
      by === guest.id
        ? h(
            'button',
            { key: 'withdraw', type: 'button', onclick: () => void table.command({ type: 'withdraw', offer: id }) },
            'Withdraw',
          )
        : null,
    ),
  );
}
