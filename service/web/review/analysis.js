/** The analysis of the match that is reviewed: its positions by ply, and the bot's moves at the viewed ones. */

import { readAnalysis } from '../../client/matches.js';
import { announce, attempt, client, redraw } from '../app.js';
import { capitalized } from '../dom.js';
import { gameTexts } from '../languages/games.js';

/** @import { MatchAnalysis, PositionAnalysis, SeatMove } from '../../schema.d.ts' */
/** @import { History } from './history.js' */

/** How long a position has to stay on the screen before the bot's moves are requested, in milliseconds. */
const REST_MS = 200;

export class Analysis {
  /** @param {History} history */
  constructor(history) {
    this.history = history;
    /** Loaded analyses, by the match's id. @type {Map<string, MatchAnalysis>} */
    this.matches = new Map();
    /** The bot's moves by match and ply; null while they are requested. @type {Map<string, SeatMove[] | null>} */
    this.moves = new Map();
    /** Whether the bot's moves are shown. */
    this.showsBest = false;
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
    const found = this.matches.get(id) ?? (await attempt(() => readAnalysis(client, id)));
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

  /** The position on the screen has changed: load its analysis. */
  follow() {
    const { earlier } = this.history;
    clearTimeout(this.timer);
    if (!earlier) return;
    if (!this.match) void this.load(earlier.id).then((found) => found && this.follow());
    else if (this.showsBest) this.timer = setTimeout(() => void this.loadBest(), REST_MS);
    redraw();
  }

  toggleBest() {
    this.showsBest = !this.showsBest;
    if (this.showsBest) void this.loadBest();
    redraw();
  }

  /** Request the bot's moves at the position on the screen, unless they are known. */
  async loadBest() {
    const { match, position } = this;
    if (!match || !position?.to_move.length) return;
    const key = keyOf(match, position.ply);
    if (this.moves.has(key)) return;
    this.moves.set(key, null);
    const found = await attempt(() => readAnalysis(client, match.match, position.ply));
    const best = found?.positions[0]?.best;
    if (best) this.moves.set(key, best);
    else {
      this.moves.delete(key);
      this.showsBest = false; // the refusal has been shown
    }
    if (this.showsBest && this.position?.ply === position.ply) announce(this.sentence);
    redraw();
  }

  /** The bot's moves at the position on the screen; undefined if they are not known. */
  get best() {
    const { match, position } = this;
    return (match && position && this.moves.get(keyOf(match, position.ply))) || undefined;
  }

  /** What the bot would play and what was played, in words. */
  get sentence() {
    const { position, best } = this;
    if (!position) return gameTexts.review.inTurn;
    if (!position.to_move.length) return gameTexts.review.over;
    if (!best) return gameTexts.review.thinking;
    return best.map((move) => this.comparison(move, position)).join(' ');
  }

  /**
   * @param {SeatMove} best
   * @param {PositionAnalysis} position
   */
  comparison({ seat, notation }, { played }) {
    const colour = capitalized(this.history.shownRoom.colourName(seat));
    const { wouldPlay, left, asBot, unlikeBot } = gameTexts.review;
    const did = played.find((one) => one.seat === seat);
    if (!did) return wouldPlay(colour, notation);
    if (!did.move) return left(colour, notation);
    if (did.notation === notation) return asBot(colour, notation);
    return unlikeBot(colour, did.notation, notation);
  }

  /** The marks of the bot's moves on the boards, like those of a hint. @returns {Set<string>} */
  get marks() {
    const { history, best } = this;
    if (!this.showsBest || !best) return new Set();
    const { game, shownRoom } = { game: history.room.game, shownRoom: history.shownRoom };
    const marks = best.flatMap(({ seat, move }) => {
      const values = Object.values(move ?? {}).map(String);
      return game.simultaneous ? values.map((value) => `${shownRoom.colourOf(seat)} ${value}`) : values;
    });
    return new Set(marks);
  }
}

/**
 * @param {MatchAnalysis} match
 * @param {number} ply
 */
function keyOf({ match }, ply) {
  return `${match} ${ply}`;
}
