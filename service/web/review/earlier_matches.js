/** The earlier matches of a room: their times, players and results. Each can be opened. */

import { attempt, client, redraw } from '../app.js';
import { badge } from '../boards/pieces.js';
import { dateAndTime, h } from '../dom.js';
import { gameTexts } from '../languages/games.js';
import { describeResult, headline } from '../room/results.js';

/** @import { History } from './history.js' */
/** @import { Room } from '../room/room.js' */
/** @import { Level, MatchPage, MatchSummary, Result, RoomView, Seat } from '../types.d.ts' */

const PAGE = 20;
const MAX_PAGE = 100;

export class EarlierMatches {
  /** @param {Room} room */
  constructor(room) {
    this.room = room;
    /** Newest first. @type {MatchSummary[]} */
    this.matches = [];
    this.isOpen = false;
    /** The number of the newest match that has been requested. */
    this.newest = 0;
    /** The cursor of the next page. @type {number | null} */
    this.next = null;
  }

  /** How many there are. */
  get count() {
    return Math.max(0, (this.room.view.match?.number ?? 0) - 1);
  }

  toggle() {
    this.isOpen = !this.isOpen;
    this.refresh();
    redraw();
  }

  /** Load the list if it is open and not up to date. After a failure it is loaded when it is opened again. */
  refresh() {
    if (!this.isOpen || this.newest === this.count) return;
    this.newest = this.count;
    void this.load(this.newest, []);
  }

  /**
   * Load a page of the list.
   * @param {number} cursor the newest match of the page
   * @param {MatchSummary[]} before the list before the page
   */
  async load(cursor, before) {
    const limit = Math.min(MAX_PAGE, Math.max(PAGE, this.matches.length + 1 - before.length));
    /** @type {MatchPage | undefined} */
    const page = await attempt(() => client.get(`${this.room.path}/matches?cursor=${cursor}&limit=${limit}`));
    if (page) [this.matches, this.next] = [[...before, ...page.matches], page.next];
    else this.newest = 0;
    redraw();
  }
}

/** @param {EarlierMatches} earlier */
export function earlierPanel(earlier) {
  const { room, count, matches, next } = earlier;
  if (!count) return null;
  const onclick = (/** @type {Event} */ event) => {
    event.preventDefault();
    earlier.toggle();
  };
  const more = {
    key: 'more',
    type: 'button',
    class: 'small-button',
    onclick: () => void earlier.load(next ?? 0, matches),
  };
  return h(
    'details',
    { class: 'earlier', key: 'earlier', open: earlier.isOpen },
    h('summary', { onclick }, gameTexts.history.earlier(count)),
    h(
      'ol',
      { class: 'matches' },
      matches.map((match) => line(room, match)),
    ),
    next ? h('button', more, gameTexts.history.more) : null,
  );
}

/**
 * @param {Room} room
 * @param {MatchSummary} match
 */
function line(room, match) {
  const then = room.withView(viewOf(room, match));
  const isShown = room.history.earlier?.number === match.number;
  const players = then.view.seats.map(({ seat, colour, player }) =>
    h('span', { key: seat }, badge(colour), ' ', then.nicknameOf(player) || gameTexts.history.unknownPlayer, ' '),
  );
  return h(
    'li',
    { key: match.id },
    h(
      'button',
      {
        type: 'button',
        class: 'match',
        'aria-current': isShown ? 'true' : null,
        onclick: () => void room.history.openMatch(match, then.view),
      },
      h('span', { class: 'match-when' }, gameTexts.history.match(match.number, dateAndTime(match.started))),
      h('span', { class: 'match-who' }, players),
      h(
        'span',
        { class: 'match-result' },
        match.result ? describeResult(countedResult(match.result, match.counts), then) : '',
      ),
    ),
  );
}

/**
 * The room's view, with the players of an earlier match.
 * @param {Room} room
 * @param {MatchSummary} match
 * @returns {RoomView}
 */
export function viewOf({ view, game }, { players }) {
  const colours = new Map(game.seats.flatMap(({ seats }) => seats).map(({ seat, colour }) => [seat, colour]));
  const names = new Map(players.map(({ player, nickname }) => [player, nickname]));
  /** @type {(player: string | null) => Level | null} */
  const levelOf = (player) => game.bots.find((level) => names.get(player)?.endsWith(` (${level})`)) ?? null;
  /** @type {(seat: number, player: string | null) => Seat} */
  const seatOf = (seat, player) => ({
    ...{ seat, player, colour: colours.get(seat) ?? '' },
    ...{ ready: false, bot: levelOf(player), claimable_at: null },
  });
  return {
    ...view,
    seats: players.map(({ seat, player }) => seatOf(seat, player)),
    players: players.flatMap(({ player, nickname, bot: isBot }) => {
      const [as, external] = /** @type {const} */ (['player', 'external']);
      const bot = isBot && !levelOf(player) ? external : null;
      return player && nickname ? [{ id: player, nickname, as, bot, muted: false, presence: null }] : [];
    }),
  };
}

/**
 * A result as it is shown later: nobody has won a match that does not count.
 * @param {Result} result
 * @param {boolean | null} counts
 * @returns {Result}
 */
export function countedResult(result, counts) {
  return counts === false ? { ...result, winners: [] } : result;
}

/**
 * The result of the match before the latest, which can be opened.
 * @param {Room} room
 * @param {MatchSummary} match
 */
export function previousOf(room, match) {
  const { number, result, counts } = match;
  return result && { number, text: headline(countedResult(result, counts), room.withView(viewOf(room, match))) };
}

/** @param {History} history */
export function previousResult(history) {
  const { previous } = history;
  if (!previous || history.earlier) return null;
  const { number, text } = previous;
  const onclick = () => void history.openNumber(number);
  return h(
    'p',
    { class: 'previous small', key: 'previous' },
    h('span', { class: 'soft' }, gameTexts.history.previous(number)),
    `${text}. `,
    h(
      'button',
      { type: 'button', class: 'link', 'aria-label': gameTexts.history.reviewMatch(number), onclick },
      gameTexts.history.review,
    ),
  );
}
