/** The matches that were played at a table before: when, who against whom and how it ended; each can be looked at. */

import { ask } from '../api.js';
import { attempt, changed } from '../app.js';
import { badge } from '../boards/pieces.js';
import { h } from '../dom.js';
import { outcome } from './describe.js';
import { moment } from '../times.js';

/** @typedef {import('./room.js').Table} Table */

const PAGE = 20;
const MOST = 100;

export class EarlierMatches {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    /** @type {any[]} newest first */
    this.cards = [];
    this.isOpen = false;
    /** The newest that has been asked for. */
    this.newest = 0;
    /** @type {number | null} the cursor of those before */
    this.next = null;
  }

  /** How many there are. */
  get count() {
    return Math.max(0, (this.table.view.match?.number ?? 0) - 1);
  }

  toggle() {
    this.isOpen = !this.isOpen;
    this.refresh();
    changed();
  }

  /** Ask for those that were played since; if they don't come, opening the list again asks again. */
  refresh() {
    if (!this.isOpen || this.newest === this.count) return;
    this.newest = this.count;
    void this.read(this.newest, []);
  }

  /** @param {number} cursor the newest to read @param {any[]} before what the list begins with */
  async read(cursor, before) {
    const limit = Math.min(MOST, Math.max(PAGE, this.cards.length + 1 - before.length));
    const page = await attempt(() => ask(`${this.table.path}/matches?cursor=${cursor}&limit=${limit}`));
    if (page) [this.cards, this.next] = [[...before, ...page.matches], page.next];
    else this.newest = 0;
    changed();
  }
}

/** @param {EarlierMatches} earlier */
export function earlierPanel(earlier) {
  const { count, cards, next } = earlier;
  if (!count) return null;
  return h(
    'details',
    { class: 'earlier', key: 'earlier', open: earlier.isOpen },
    h(
      'summary',
      {
        onclick: (/** @type {Event} */ event) => {
          event.preventDefault();
          earlier.toggle();
        },
      },
      `Earlier matches (${count})`,
    ),
    h(
      'ol',
      { class: 'matches' },
      cards.map((card) => line(earlier.table, card)),
    ),
    next
      ? h(
          'button',
          { key: 'more', type: 'button', class: 'small-button', onclick: () => void earlier.read(next, cards) },
          'Still earlier',
        )
      : null,
  );
}

/** @param {Table} table @param {any} card */
function line(table, card) {
  const then = table.asOf(viewOf(table, card));
  const isLookedAt = table.history.earlier?.number === card.number;
  const result = card.result ? outcome(card.result, then) : '';
  return h(
    'li',
    { key: card.id },
    h(
      'button',
      {
        type: 'button',
        class: 'match',
        'aria-current': isLookedAt ? 'true' : null,
        onclick: () => void table.history.visit(card, then.view),
      },
      h('span', { class: 'match-when' }, `Match ${card.number} · ${moment(card.started)}`),
      h(
        'span',
        { class: 'match-who' },
        then.view.seats.map((/** @type {any} */ seat) =>
          h('span', { key: seat.seat }, badge(seat.colour), ' ', then.nameOf(seat.player) || 'somebody', ' '),
        ),
      ),
      h('span', { class: 'match-result' }, result),
    ),
  );
}

/** The table's view with those at it who played then. @param {Table} table @param {any} card */
function viewOf({ view, game }, card) {
  const colours = new Map(game?.seats.flatMap(({ seats }) => seats).map(({ seat, colour }) => [seat, colour]));
  return {
    ...view,
    seats: card.players.map((/** @type {any} */ { seat, player }) => ({ seat, player, colour: colours.get(seat) })),
    players: card.players.map((/** @type {any} */ { player, nickname }) => ({ id: player, nickname })),
  };
}
