/** The analysis of the match that is reviewed: its positions by ply, and how the bots evaluate them once asked. */

import { readAnalysis, requestReview } from '../../client/matches.js';
import { announce, attempt, client, ensureGuest, redraw } from '../app.js';
import { capitalized, listed } from '../dom.js';
import { gameTexts } from '../languages/games.js';

/** @import { MatchAnalysis, PositionAnalysis, SeatMove } from '../../schema.d.ts' */
/** @import { Drawing } from '../hands/drawings.js' */
/** @import { History } from './history.js' */

/** How often it is read whether the review is done, in milliseconds. */
const POLL_MS = 1500;

/** @type {NonNullable<SeatMove['mark']>[]} */
const MARKS = ['blunder', 'mistake', 'inaccuracy'];

export class Analysis {
  /** @param {History} history */
  constructor(history) {
    this.history = history;
    /** Loaded analyses, by the match's id. @type {Map<string, MatchAnalysis>} */
    this.matches = new Map();
    /** Whether the best moves are shown on the board. */
    this.showsBest = true;
    this.timer = 0;
    /** By match, how many entries of the list of moves lead to each ply. @type {Map<string, number[]>} */
    this.indices = new Map();
  }

  /**
   * The analysis of a match that is over; undefined if it cannot be loaded.
   * @param {string} id
   * @returns {Promise<MatchAnalysis | undefined>}
   */
  async load(id) {
    const known = this.matches.get(id);
    if (known && known.review !== 'waiting') return known;
    const found = await attempt(() => readAnalysis(client, id));
    if (found) this.matches.set(id, found);
    return found;
  }

  /** The analysis of the match on the screen, once it is loaded. */
  get match() {
    return this.matches.get(this.history.earlier?.id ?? '');
  }

  /** How many entries of the list of moves lead to each ply: passes and rolls are entries, but no plies. */
  get entries() {
    const { match, history } = this;
    if (!match) return [];
    const known = this.indices.get(match.match);
    if (known) return known;
    const versions = history.plies.map(({ version }) => version);
    let index = 0;
    const found = match.positions.map(({ version }) => {
      while (index < versions.length && (versions[index] ?? 0) <= version) index += 1;
      return index;
    });
    this.indices.set(match.match, found);
    return found;
  }

  /** The ply of the position on the screen, or the next ply. */
  get ply() {
    const { index } = this.history;
    const found = this.entries.findIndex((entry) => entry >= index);
    return found < 0 ? Math.max(0, this.entries.length - 1) : found;
  }

  /**
   * The position on the screen; undefined in the middle of a round or a turn.
   * @returns {PositionAnalysis | undefined}
   */
  get position() {
    const { ply } = this;
    return this.entries[ply] === this.history.index ? this.match?.positions[ply] : undefined;
  }

  /**
   * The version at which the position after this many entries of the list of moves is complete, if it is that of a ply.
   * @param {number} index
   */
  versionAt(index) {
    return this.match?.positions[this.entries.indexOf(index)]?.version;
  }

  /**
   * Show the position of a ply.
   * @param {number} ply
   */
  goTo(ply) {
    const last = this.entries.length - 1;
    return this.history.goTo(this.entries[Math.min(Math.max(0, ply), last)] ?? 0);
  }

  /** The position on the screen has changed, or its analysis: load it, and again while the bots review the match. */
  follow() {
    const { match, history } = this;
    clearTimeout(this.timer);
    const id = history.earlier?.id;
    if (!id) return;
    if (!match) void this.load(id).then((found) => found && this.follow());
    else if (match.review === 'waiting') this.timer = setTimeout(() => void this.reload(id), POLL_MS);
    redraw();
  }

  /** @param {string} id */
  async reload(id) {
    const found = await this.load(id);
    if (id !== this.match?.match) return;
    if (found?.review === 'done') announce(gameTexts.review.done(this.summary.join(', ')));
    this.follow();
  }

  /** Have the bots review the match on the screen. */
  async request() {
    const { match } = this;
    if (!match || match.review !== 'none') return;
    this.matches.set(match.match, { ...match, review: 'waiting' });
    redraw();
    const asked = await attempt(async () => {
      await ensureGuest();
      return requestReview(client, match.match);
    });
    if (!asked) this.matches.set(match.match, match); // the refusal has been shown
    this.follow();
  }

  toggleBest() {
    this.showsBest = !this.showsBest;
    redraw();
  }

  // The review.

  /** Each move that cost something, in order, with the number of its entry in the list of moves. */
  get mistakes() {
    const { history, entries, match } = this;
    const { plies } = history;
    return (match?.positions ?? []).flatMap(({ ply, played }) =>
      played.flatMap((move) => {
        const number = plies.findIndex(({ seat }, index) => index >= (entries[ply] ?? 0) && seat === move.seat) + 1;
        return move.mark ? [{ ply, number, move, mark: move.mark }] : [];
      }),
    );
  }

  /** Show the position of the next move that cost something; after the last one, the first. */
  nextMistake() {
    const { mistakes, ply } = this;
    const next = mistakes.find((mistake) => mistake.ply > ply) ?? mistakes[0];
    if (next) void this.goTo(next.ply);
  }

  /** The move that turned the match, in words; null if none did. */
  get turningPoint() {
    const { match, history } = this;
    const ply = match?.turning_point ?? null;
    const move = ply === null ? null : match?.positions[ply]?.played[0];
    if (ply === null || !move) return null;
    const number = (this.entries[ply] ?? 0) + 1;
    const colour = history.room.game.simultaneous ? null : this.colourOf(move);
    return { ply, text: gameTexts.review.turningPoint(number, colour, move.notation) };
  }

  /** What each seat's moves cost, in words. */
  get summary() {
    const { mistakes, history } = this;
    const { seatMistakes, countOf, noMistakes } = gameTexts.review;
    return history.shownRoom.view.seats.map(({ seat }) => {
      const own = mistakes.filter(({ move }) => move.seat === seat);
      const counts = MARKS.map((mark) => ({ mark, count: own.filter((one) => one.mark === mark).length }));
      const some = counts.filter(({ count }) => count).map(({ mark, count }) => countOf[mark](count));
      return seatMistakes(this.colourOf({ seat }), some.length ? listed(some) : noMistakes);
    });
  }

  /** @param {{seat: number}} move */
  colourOf({ seat }) {
    return capitalized(this.history.shownRoom.colourName(seat));
  }

  /** The best moves at the position on the screen; undefined without a review. */
  get best() {
    return this.position?.best ?? undefined;
  }

  /** What was played at the position on the screen, and how good it was, in words. */
  get sentence() {
    const { position, best } = this;
    if (!position) return gameTexts.review.inTurn;
    if (!position.to_move.length) return gameTexts.review.over;
    return (best ?? []).map((move) => this.comparison(move, position)).join(' ');
  }

  /**
   * @param {SeatMove} best
   * @param {PositionAnalysis} position
   */
  comparison(best, { played }) {
    const colour = this.colourOf(best);
    const { wouldPlay, left, asBot, unlikeBot, marked } = gameTexts.review;
    const did = played.find((one) => one.seat === best.seat);
    if (!did) return wouldPlay(colour, best.notation);
    if (!did.move) return left(colour, best.notation);
    if (did.notation === best.notation) return asBot(colour, best.notation);
    if (!did.mark) return unlikeBot(colour, did.notation, best.notation);
    return marked[did.mark](colour, did.notation, did.lost ?? 0, best.notation);
  }

  /** The marks of the best moves on the boards, like those of a hint. @returns {Set<string>} */
  get marks() {
    const { history, best, showsBest } = this;
    if (!showsBest || !best) return new Set();
    const { game, shownRoom } = { game: history.room.game, shownRoom: history.shownRoom };
    const marks = best.flatMap(({ seat, move }) => {
      const values = Object.values(move ?? {}).map(String);
      return game.simultaneous ? values.map((value) => `${shownRoom.colourOf(seat)} ${value}`) : values;
    });
    return new Set(marks);
  }

  /**
   * Arrows for the best moves, and arrows and rings for those that were played instead, on a board.
   * @param {string} board
   * @returns {Drawing[]}
   */
  drawings(board) {
    const { history, best, position, showsBest } = this;
    if (!history.past || !showsBest || !best || !position) return [];
    const { game } = history.room;
    const isHere = (/** @type {SeatMove} */ { seat }) =>
      !game.simultaneous || history.shownRoom.colourOf(seat) === board;
    const isOther = (/** @type {SeatMove} */ move) => best.every(({ notation }) => notation !== move.notation);
    const played = position.played.filter(isOther).slice(0, position.to_move.length * 2);
    return [
      ...played.filter(isHere).flatMap(({ move, mark }) => drawingOf(move, `played ${mark ?? ''}`)),
      ...best.filter(isHere).flatMap(({ move }) => drawingOf(move, 'best')),
    ];
  }
}

/**
 * @param {SeatMove['move']} move
 * @param {string} kind
 * @returns {Drawing[]}
 */
function drawingOf(move, kind) {
  const { at, from = at, to = at } = /** @type {Record<string, string>} */ (move ?? {});
  const hasMark = from === to && kind === 'best'; // as a hint has
  return from && to && !hasMark ? [{ from, to, kind }] : [];
}
