/** A match as a list of moves, and looking at earlier positions while the room continues. */

import { readMatchText } from '../../client/matches.js';
import { announce, attempt, client, notify, redraw } from '../app.js';
import { gameTexts } from '../languages/games.js';
import { is, pliesOf } from '../room/describe.js';
import { describeResult, headline } from '../room/results.js';
import { Analysis } from './analysis.js';
import { countedResult, previousOf, viewOf } from './earlier_matches.js';

/** @import { Room } from '../room/room.js' */
/** @import { EventPage, MatchPage, MatchSummary, Result, RoomEvent, RoomView } from '../types.d.ts' */

/**
 * An entry of the list of moves.
 * @typedef {object} Ply
 * @property {number} version
 * @property {string} type that of the event
 * @property {number | string | null} value what was rolled
 * @property {number | null} seat
 * @property {string} text
 * @property {string} description
 */
/**
 * An ended match that is reviewed, regardless of the room's current match. `view` has its players.
 * @typedef {{id: string, number: number, counts?: boolean | null, events: RoomEvent[], view: RoomView}} EarlierMatch
 */

const PAGE = 1000;

export class History {
  /** @param {Room} room */
  constructor(room) {
    this.room = room;
    /** The events of the room's latest match. @type {RoomEvent[]} */
    this.events = [];
    /** The version up to which events are known. */
    this.version = 0;
    /** The past view on the screen, or null for the current one. @type {RoomView | null} */
    this.past = null;
    /** The match on the screen, if it is not the room's latest. @type {EarlierMatch | null} */
    this.earlier = null;
    this.analysis = new Analysis(this);
    /** The result of the match before the room's latest. @type {{number: number, text: string} | null} */
    this.previous = null;
    /** The result of the room's latest match, once it has one. @type {{number: number, text: string} | null} */
    this.ended = null;
    /** Loaded views by version and seat. @type {Map<string, RoomView>} */
    this.views = new Map();
    /** Counts requests, so that late answers are ignored. */
    this.requests = 0;
    /** The index of the move that was requested last, until its view has arrived. @type {number | null} */
    this.target = null;
  }

  // Events.

  /** Load the events of the room's latest match. */
  async load() {
    /** @type {MatchPage | undefined} */
    const page = await attempt(() => client.get(`${this.room.path}/matches?limit=2`));
    const [latest, before] = page?.matches ?? [];
    if (before) this.previous = previousOf(this.room, before);
    const first = latest?.versions.first;
    const found = await this.loadEvents(first === undefined ? this.room.view.version : first - 1);
    if (!found) return;
    if (this.past && this.past.match?.id !== this.room.view.match?.id) this.keepMatch(this.past);
    const version = found.at(-1)?.version ?? this.version;
    this.events = [...found, ...this.events.filter((event) => event.version > version)];
    this.version = Math.max(this.version, version);
    redraw();
  }

  /**
   * The events after a version; null if they cannot be loaded.
   * @param {number} since
   * @returns {Promise<RoomEvent[] | null>}
   */
  async loadEvents(since) {
    /** @type {RoomEvent[]} */
    const found = [];
    for (let from = /** @type {number | null} */ (since); from !== null;) {
      const query = /** @type {string} */ (`since=${from}&limit=${PAGE}`);
      const page = /** @type {EventPage | undefined} */ (
        await attempt(() => client.get(`${this.room.path}/events?${query}`))
      );
      if (!page) return null;
      found.push(...page.events);
      from = page.next;
    }
    return found;
  }

  /** @param {RoomEvent} event */
  add(event) {
    if (event.version <= this.version) return;
    this.version = event.version;
    if (event.type === 'match_started') this.onMatchStarted();
    if (is(event, 'match_ended')) this.onMatchEnded(event);
    if (is(event, 'taken_back') && !this.earlier && this.past && this.past.version > event.to_version) {
      this.returnToNow();
    }
    this.events.push(event);
  }

  /** Start a new list of moves. The position on the screen stays, as one of an earlier match. */
  onMatchStarted() {
    if (this.past && !this.earlier) {
      this.keepMatch(this.past);
      notify(gameTexts.history.newMatch, 'news');
    }
    [this.previous, this.ended] = [this.ended ?? this.previous, null];
    this.events = [];
    if (!this.past) this.views.clear();
  }

  /** @param {RoomEvent & {result: Result}} event */
  onMatchEnded({ match: number, result }) {
    if (number) this.ended = { number, text: headline(result, this.room) };
  }

  /** @param {RoomView} past */
  keepMatch(past) {
    const { id = '', number = 0 } = past.match ?? {};
    this.earlier ??= { id, number, events: this.events, view: past };
  }

  // The moves of the match on the screen.

  /** The events of the match on the screen. */
  get shownEvents() {
    return this.earlier?.events ?? this.events;
  }

  /** The room as it was when the match on the screen was played. */
  get shownRoom() {
    return this.earlier ? this.room.withView(this.earlier.view) : this.room;
  }

  /** The moves, without those that were taken back. @returns {Ply[]} */
  get plies() {
    return pliesOf(this.shownEvents, this.shownRoom);
  }

  /** The version before the first move. */
  get start() {
    const first = this.plies[0]?.version ?? Infinity;
    const before = this.shownEvents.findLast(({ match, version }) => match && version < first);
    return before?.version ?? this.room.view.version;
  }

  /** How many moves lead to the position on the screen. */
  get index() {
    const { past, plies } = this;
    return past ? plies.filter(({ version }) => version <= past.version).length : plies.length;
  }

  /** Whether the position on the screen is the last one. */
  get isAtEnd() {
    return this.earlier && this.past ? this.past.version >= this.end : !this.past;
  }

  /** The last version of an earlier match. */
  get end() {
    return this.earlier?.events.findLast(({ match }) => match)?.version ?? 0;
  }

  /** Which position is on the screen, in words. */
  get position() {
    const { earlier, index, plies } = this;
    const isEnd = earlier && this.isAtEnd;
    const { start, end, after, inMatch } = gameTexts.history;
    const position = isEnd ? end : index ? after(index, plies.length) : start;
    return earlier ? inMatch(earlier.number, position) : position;
  }

  /** The move that led to the position on the screen, or how the earlier match ended. */
  get description() {
    const result = this.past?.match?.result;
    if (this.earlier && this.isAtEnd && result) {
      return describeResult(countedResult(result, this.earlier.counts ?? null), this.shownRoom);
    }
    return this.plies[this.index - 1]?.description ?? '';
  }

  // Looking back.

  /**
   * Go forward by a number of moves, or back if it is negative. Quick steps add up.
   * @param {number} count
   */
  step(count) {
    return this.goTo((this.target ?? this.index) + count);
  }

  /**
   * Show the position after a number of moves. After the last one, it is the current one, or an earlier match's end.
   * @param {number} index
   */
  async goTo(index) {
    const { plies } = this;
    const isEnd = index >= plies.length;
    if (isEnd && !this.earlier) {
      this.returnToNow();
      return;
    }
    this.target = Math.min(Math.max(0, index), plies.length);
    const version = this.analysis.versionAt(this.target) ?? plies[this.target - 1]?.version ?? this.start;
    await this.showVersion(isEnd ? this.end : version);
  }

  /** How many moves the room's latest match has, whichever match is on the screen. */
  get liveCount() {
    return pliesOf(this.events, this.room).length;
  }

  /** Show the room's latest match, which is over, from its end. It stays on the screen when the next one begins. */
  review() {
    const { view } = this.room;
    this.keepMatch(view);
    this.show(view);
  }

  /**
   * Show the match of a number, if it is one of this room and over.
   * @param {number} number
   * @param {number} [ply]
   */
  async openNumber(number, ply) {
    /** @type {MatchPage | undefined} */
    const page = await attempt(() => client.get(`${this.room.path}/matches?cursor=${number}&limit=1`));
    const [match] = page?.matches ?? [];
    if (match?.number !== number) notify(gameTexts.history.noSuchMatch(number));
    else if (match.result) await this.openMatch(match, viewOf(this.room, match), ply);
  }

  /**
   * Show a match that is over, at a ply or at its end.
   * @param {MatchSummary} match
   * @param {RoomView} view the room's view with the players of that match
   * @param {number} [ply]
   */
  async openMatch({ id, number, counts, versions: { first, last } }, view, ply) {
    const order = (this.requests += 1);
    const [events, analysis] = await Promise.all([this.loadMatch(id), this.analysis.load(id)]);
    if (!events || order !== this.requests) return;
    const position = ply === undefined ? undefined : analysis?.positions[ply];
    const past = await this.loadView(position?.version ?? last ?? first, id);
    if (!past || order !== this.requests) return;
    this.earlier = { id, number, counts, events, view };
    this.show(past);
  }

  /**
   * The events of a match; undefined if they cannot be loaded.
   * @param {string} id
   * @returns {Promise<RoomEvent[] | undefined>}
   */
  async loadMatch(id) {
    const lines = await attempt(() => readMatchText(client, id, 'application/x-ndjson'));
    return lines
      ?.trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  }

  /** @param {number} version */
  async showVersion(version) {
    const order = (this.requests += 1);
    const view = await this.loadView(version);
    if (order !== this.requests) return;
    this.target = null;
    if (view) this.show(view);
  }

  /** @param {RoomView} view */
  show(view) {
    this.target = null;
    this.past = view;
    this.room.picks = [];
    announce(gameTexts.history.announcement(this.position, this.description));
    this.analysis.follow();
    redraw();
  }

  /**
   * The view at a version, for the seat on the screen; undefined if it cannot be loaded. For a reviewed match it
   * is read by the match's id, because the room may have been closed.
   * @param {number} version
   * @param {string} [match] its id
   * @returns {Promise<RoomView | undefined>}
   */
  async loadView(version, match = this.earlier?.id) {
    const { viewerSeat, path } = this.room;
    const query = `at=${version}${viewerSeat === null ? '' : `&seat=${viewerSeat}`}`;
    const known = this.views.get(query);
    if (known) return known;
    const found = await attempt(() =>
      client.get(`${match ? `/v1/matches/${encodeURIComponent(match)}` : path}?${query}`),
    );
    /** @type {RoomView | undefined} */
    const view = match ? found?.view : found;
    if (view) this.views.set(query, view);
    return view;
  }

  /** Drop all past views and return to now, because another seat may look at the screen. */
  clearViews() {
    this.views.clear();
    this.returnToNow();
  }

  /** Drop everything: the room has another history. */
  reset() {
    this.clearViews();
    [this.events, this.version] = [[], 0];
  }

  returnToNow() {
    this.requests += 1;
    this.target = null;
    if (!this.past) return;
    this.past = null;
    this.earlier = null;
    this.analysis.follow();
    announce(gameTexts.history.backToNow);
    redraw();
  }
}
