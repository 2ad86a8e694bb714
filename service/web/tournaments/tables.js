/** The matches of a tournament: those of the latest round as they are played, and those of earlier rounds. */

import { attempt, guest, redraw } from '../app.js';
import { h, isolated, listed, markedName } from '../dom.js';
import { tournamentTexts } from '../languages/ratings.js';
import { halves } from './standings.js';
import { tournaments } from './tournaments.js';

/** @import { FollowedTournament, PairedTable } from '../../schema.d.ts' */

const { tables: WORDS } = tournamentTexts;

/** How many matches are read at a time. */
const PAGE = '50';

export class TableList {
  /** @param {string} id of the tournament */
  constructor(id) {
    this.id = id;
    /** The earlier round that is shown; null for the latest one. @type {number | null} */
    this.round = null;
    /**
     * The matches of earlier rounds that have been read, by round; in an arena all under 0.
     * @type {Map<number, PairedTable[]>}
     */
    this.earlier = new Map();
    /** The cursor of more matches of an arena. @type {number | null} */
    this.next = null;
  }

  /**
   * Show a round; its matches are read if it is not the latest one.
   * @param {number | null} round
   */
  async show(round) {
    this.round = round;
    redraw();
    if (round !== null) await attempt(() => this.load(round));
    redraw();
  }

  /**
   * Read all matches of a round. Throws `TurnstreamError`.
   * @param {number} round
   */
  async load(round) {
    /** @type {PairedTable[]} */
    const found = [];
    /** @type {number | null} */
    let next = 0;
    while (next !== null) {
      /** @type {Record<string, string>} */
      const query = { round: String(round), limit: PAGE, ...(next ? { cursor: String(next) } : {}) };
      const page = await tournaments.tables(this.id, query);
      found.push(...page.tables);
      next = page.next;
    }
    this.earlier.set(round, found);
  }

  /** Read more matches of an arena, the latest first. */
  async loadMore() {
    await attempt(async () => {
      const query = { limit: PAGE, ...(this.next === null ? {} : { cursor: String(this.next) }) };
      const page = await tournaments.tables(this.id, query);
      const found = new Map(this.earlier.get(0)?.map((table) => [table.number, table]));
      for (const table of page.tables) found.set(table.number, table);
      this.earlier.set(0, [...found.values()]);
      this.next = page.next;
    });
    redraw();
  }

  /** @param {FollowedTournament} followed */
  view(followed) {
    const { tournament } = followed;
    if (!tournament.round) return null;
    return h(
      'section',
      { class: 'tournament-part', key: 'tables', 'aria-labelledby': 'tables-title' },
      h('h2', { id: 'tables-title' }, WORDS.title),
      tournament.format === 'arena' ? this.arena(followed) : this.rounds(followed),
    );
  }

  /** @param {FollowedTournament} followed */
  rounds(followed) {
    const { tournament } = followed;
    const round = this.round ?? tournament.round;
    const isLatest = round === tournament.round;
    const tables = isLatest ? Object.values(followed.tables) : this.earlier.get(round);
    const numbers = Array.from({ length: tournament.round }, (_, index) => index + 1);
    return [
      tournament.round > 1
        ? h(
            'div',
            { class: 'round-choice', key: 'rounds', role: 'group', 'aria-label': WORDS.rounds },
            numbers.map((number) => this.roundButton(number, tournament.round, round)),
          )
        : null,
      tables ? list(tables, tournament.format) : h('p', { key: 'missing', class: 'soft' }, WORDS.missing),
      isLatest ? byes(followed, WORDS.byes) : null,
    ];
  }

  /**
   * @param {number} number
   * @param {number} latest
   * @param {number} shown
   */
  roundButton(number, latest, shown) {
    const props = {
      key: number,
      type: 'button',
      class: 'small-button',
      'aria-pressed': String(number === shown),
      'aria-label': tournamentTexts.round(number),
      onclick: () => void this.show(number === latest ? null : number),
    };
    return h('button', props, number);
  }

  /** @param {FollowedTournament} followed */
  arena(followed) {
    const { tournament } = followed;
    const live = Object.values(followed.tables);
    const known = new Set(live.map(({ number }) => number));
    const more = (this.earlier.get(0) ?? []).filter(({ number }) => !known.has(number));
    const canHaveMore = live.length >= 20 && (!this.earlier.has(0) || this.next !== null);
    return [
      list([...live, ...more].sort(runningFirst), tournament.format),
      tournament.status === 'playing' ? byes(followed, WORDS.waiting) : null,
      canHaveMore
        ? h('button', { type: 'button', key: 'more', onclick: () => void this.loadMore() }, WORDS.more)
        : null,
    ];
  }
}

/**
 * @param {PairedTable} one
 * @param {PairedTable} other
 */
function runningFirst(one, other) {
  return Number(one.places !== null) - Number(other.places !== null) || other.number - one.number;
}

/**
 * @param {FollowedTournament} followed
 * @param {(names: string) => string} words
 */
function byes({ byes: players, standings }, words) {
  if (!players.length) return null;
  const names = players.map((player) => isolated(standings[player]?.nickname ?? player));
  return h('p', { class: 'soft small', key: 'byes' }, words(listed(names)));
}

/**
 * @param {PairedTable[]} tables
 * @param {string} format
 */
function list(tables, format) {
  const shown = format === 'arena' ? tables : [...tables].sort((one, other) => one.number - other.number);
  return h('ul', { class: 'table-list', key: 'list' }, shown.map(line));
}

/** @param {PairedTable} table */
function line(table) {
  const { number, players, places, absent } = table;
  const points = places ? pointsOf(places) : null;
  const isOwn = players.some(({ player }) => player === guest.id);
  return h(
    'li',
    { key: number, class: isOwn ? 'table-line mine' : 'table-line' },
    h(
      'span',
      { class: 'table-players' },
      players.map(({ player, nickname, bot }, seat) =>
        h(
          'span',
          { key: player, class: places?.[seat] === 1 ? 'table-player first' : 'table-player' },
          h('span', { class: 'table-name' }, markedName({ nickname, bot })),
          absent.includes(seat) ? h('span', { class: 'tag' }, WORDS.absent) : null,
          points ? h('b', null, halves(points[seat] ?? 0)) : null,
        ),
      ),
    ),
    link(table, isOwn),
  );
}

/**
 * Where a match can be seen.
 * @param {PairedTable} table
 * @param {boolean} isOwn
 */
function link({ room, match_id: match, places, players }, isOwn) {
  const label = (/** @type {string} */ text) => `${text}: ${players.map(({ nickname }) => nickname).join(' – ')}`;
  if (places && match) {
    const props = { class: 'go', href: `/m/${encodeURIComponent(match)}`, 'aria-label': label(WORDS.review) };
    return h('a', props, WORDS.review);
  }
  if (places) return h('span', { class: 'soft' }, WORDS.closed);
  if (!room) return h('span', { class: 'soft' }, WORDS.soon);
  const text = isOwn ? WORDS.open : WORDS.watch;
  return h('a', { class: 'go', href: `/r/${encodeURIComponent(room)}`, 'aria-label': label(text) }, text);
}

/**
 * The points of a match by seat: those who share places share their points.
 * @param {number[]} places
 */
function pointsOf(places) {
  const most = places.length - 1;
  return places.map((place) => most - (place - 1) - (places.filter((other) => other === place).length - 1) / 2);
}
