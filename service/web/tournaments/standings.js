/** The standings of a tournament, in pages. */

import { app, guest, redraw } from '../app.js';
import { h, isolated, texts } from '../dom.js';
import { tournamentTexts } from '../languages/ratings.js';

/** @import { StandingView } from '../../schema.d.ts' */
/** @import { Content } from '../types.d.ts' */
/** @typedef {keyof typeof WORDS.tieBreaks} TieBreak */

const { standings: WORDS, left: LEFT } = tournamentTexts;

/** How many rows a page has. */
const PAGE = 50;

export class StandingsTable {
  /** @param {(row: StandingView) => Content} action what can be done with a player */
  constructor(action) {
    this.action = action;
    /** The index of the first row that is shown. */
    this.first = 0;
  }

  /** @param {number} first */
  turn(first) {
    this.first = first;
    redraw();
  }

  /**
   * @param {StandingView[]} rows the best first
   * @param {boolean} hasBegun
   */
  view(rows, hasBegun) {
    const first = Math.min(this.first, Math.max(0, Math.ceil(rows.length / PAGE) - 1) * PAGE);
    const tieBreaks = /** @type {TieBreak[]} */ (Object.keys(rows[0]?.tie_breaks ?? {}));
    const ties = tieBreaks.map((name) => headCell(WORDS.tieBreaks[name], 'tie'));
    const heads = hasBegun
      ? [headCell(WORDS.rank), headCell(WORDS.player), headCell(WORDS.points), ties, headCell(WORDS.played)]
      : [headCell(WORDS.player), headCell(WORDS.rating)];
    const title = hasBegun ? WORDS.title : WORDS.entered;
    return h(
      'section',
      { class: 'tournament-part', key: 'standings', 'aria-labelledby': 'standings-title' },
      h('h2', { id: 'standings-title' }, title),
      rows.length
        ? h(
            'div',
            { class: 'table-scroll' },
            h(
              'table',
              { class: `standings ${hasBegun ? 'ranked' : ''}` },
              h('thead', null, h('tr', null, heads)),
              h(
                'tbody',
                null,
                rows.slice(first, first + PAGE).map((row) => this.row(row, tieBreaks, hasBegun)),
              ),
            ),
          )
        : h('p', { class: 'soft' }, WORDS.nobody),
      this.pages(rows, first),
    );
  }

  /**
   * @param {StandingView} row
   * @param {TieBreak[]} tieBreaks
   * @param {boolean} hasBegun
   */
  row(row, tieBreaks, hasBegun) {
    const { player, rank, rating, points, tie_breaks: values, played, left } = row;
    return h(
      'tr',
      { key: player, class: player === guest.id ? 'mine' : left ? 'gone' : null },
      hasBegun ? h('td', null, rank) : null,
      h('th', { scope: 'row' }, nameOf(row), tags(row, hasBegun), this.action(row)),
      hasBegun
        ? [
            h('td', { key: 'points' }, h('strong', null, halves(points))),
            tieBreaks.map((name) => h('td', { key: name, class: 'tie' }, halves(values[name] ?? 0))),
            h('td', { key: 'played' }, played),
          ]
        : h('td', { key: 'rating' }, rating),
    );
  }

  /**
   * @param {StandingView[]} rows
   * @param {number} first
   */
  pages(rows, first) {
    if (rows.length <= PAGE) return null;
    const own = rows.findIndex(({ player }) => player === guest.id);
    const last = Math.min(rows.length, first + PAGE);
    const isOwnShown = own >= first && own < last;
    return h(
      'nav',
      { class: 'tournament-pages', 'aria-label': WORDS.pages },
      h('span', { class: 'soft' }, WORDS.shown(first + 1, last, rows.length)),
      this.button(WORDS.top, first > 0, 0),
      this.button(WORDS.before, first > 0, first - PAGE),
      this.button(WORDS.after, last < rows.length, first + PAGE),
      own < 0 ? null : this.button(WORDS.around, !isOwnShown, Math.floor(own / PAGE) * PAGE),
    );
  }

  /**
   * @param {string} text
   * @param {boolean} isPossible
   * @param {number} first
   */
  button(text, isPossible, first) {
    return h('button', { key: text, type: 'button', disabled: !isPossible, onclick: () => this.turn(first) }, text);
  }
}

/**
 * The rows of the standings, the best first.
 * @param {Record<string, StandingView>} standings
 */
export function ordered(standings) {
  return Object.values(standings).sort(
    (one, other) => one.rank - other.rank || one.nickname.localeCompare(other.nickname),
  );
}

/**
 * @param {string} text
 * @param {string | null} [look]
 */
function headCell(text, look = null) {
  return h('th', { scope: 'col', key: text, class: look }, text);
}

/**
 * A number with its halves or quarters: `3½`.
 * @param {number} number
 */
export function halves(number) {
  const whole = Math.floor(number);
  const fraction = { 25: '¼', 50: '½', 75: '¾' }[Math.round((number - whole) * 100)] ?? '';
  return fraction && !whole ? fraction : `${whole}${fraction}`;
}

/**
 * What distinguishes a player.
 * @param {StandingView} row
 * @param {boolean} hasBegun
 */
function tags({ player, bot, left, table }, hasBegun) {
  const found = [
    player === guest.id ? h('span', { class: 'tag free', key: 'you' }, WORDS.you) : null,
    bot ? h('span', { class: 'tag', key: 'bot' }, WORDS.bot) : null,
    left ? h('span', { class: 'tag', key: 'left' }, LEFT[left]) : null,
    hasBegun && table !== null ? h('span', { class: 'tag turn', key: 'playing' }, WORDS.isPlaying) : null,
  ];
  return found.map((tag) => (tag ? [' ', tag] : null));
}

/**
 * The name of a player, for others a button that shows what can be done with them.
 * @param {{player: string, nickname: string}} player
 */
export function nameOf({ player, nickname }) {
  if (player === guest.id) return h('span', { class: 'own-name' }, isolated(nickname));
  const onclick = () => app.showPerson(player, nickname);
  return h(
    'button',
    { type: 'button', class: 'person', 'aria-label': texts.chat.person(nickname), onclick },
    isolated(nickname),
  );
}
