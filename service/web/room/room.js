/**
 * A room as played on this device: the position on the screen, the picked steps, and the move that was
 * sent and is not answered yet. The pages draw it; nothing here changes the page.
 */

import { announce, attempt, client, colourName, guest, notify, redraw, showProblem } from '../app.js';
import { capitalized, listed, shownName } from '../dom.js';
import { Premove } from '../hands/premove.js';
import { roomTexts } from '../languages/room.js';
import { Picking } from './moves.js';
import { SyncedRoom } from './synced_room.js';

/** @import { AnyCommand } from '../../schema.d.ts' */
/** @import { MatchRating } from '../ratings/match_rating.js' */
/** @import { Ending } from '../review/ending.js' */
/** @import { Command, GameState, Move, RoomEvent, RoomView } from '../types.d.ts' */
/** @import { Step } from './moves.js' */

/** How long after a step the address bar is updated, in milliseconds. */
const ADDRESS_MS = 150;

/**
 * A move that was sent. `until` is the version in which it is contained, once that is known.
 * @typedef {{move: Move, seat: number, until: number}} Pending
 */

export class Room extends SyncedRoom {
  /** @param {string} name */
  constructor(name) {
    super(name);
    /** @type {Step[]} */
    this.picks = [];
    /** @type {Pending | null} */
    this.pending = null;
    this.premove = new Premove();
    /** Whether its board is only looked at, as in the lobby: no cell can have the focus. */
    this.isPicture = false;
    /** Whether possible moves are shown although the game shows them only on request. */
    this.showsTargets = false;
    /** The version of the latest event on the board. */
    this.latest = 0;
    /** The parts of a hint: cells, a peg, a side; with several boards also their names. @type {Set<string>} */
    this.hinted = new Set();
    /** The cell where something was not played, and how often that has happened. */
    this.refused = { cell: /** @type {string | undefined} */ (undefined), count: 0 };
    /** Whether the match that the address names has not been opened yet. */
    this.isOpening = false;
    this.addressTimer = 0;
    /** What the matches of a room from a position begin with. @type {Pick<RoomView, 'match' | 'options'> | null} */
    this.starting = null;
    /** The end of the match on the board, on the page of a room. @type {Ending | null} */
    this.ending = null;
    /** The ratings of the players of a rated table, by their ids. @type {Map<string, number>} */
    this.ratings = new Map();
    /** How the match that has ended changed ratings, once that is loaded. @type {MatchRating | null} */
    this.rating = null;
  }

  /**
   * Keep the picked steps, unless the board has changed.
   * @override
   */
  afterView() {
    const latest = this.view.match?.state.last?.at(-1)?.version ?? 0;
    if (latest !== this.latest) [this.picks, this.hinted] = [[], new Set()];
    this.latest = latest;
    this.settle();
    this.premove.follow(this);
  }

  /**
   * The feed may report the player's move before the command is answered.
   * @override
   * @param {RoomEvent} event
   */
  afterEvent(event) {
    if (event.match && event.by === guest.id) this.pending = null;
  }

  /** Drop the pending move if the view contains it. */
  settle() {
    if (this.pending && this.view.version >= this.pending.until) this.pending = null;
  }

  /**
   * This room with another view, such as that of an earlier match.
   * @param {RoomView} view
   * @returns {this}
   */
  withView(view) {
    return Object.create(this, { view: { value: view } });
  }

  /** @override */
  close() {
    clearTimeout(this.addressTimer);
    this.rating?.close();
    super.close();
  }

  /** Whether this is a match on its own page. */
  get isPast() {
    return false;
  }

  /** The address of the position on the screen; null for the one that the page has. @returns {string | null} */
  get address() {
    const { earlier, analysis } = this.history;
    const path = `/r/${encodeURIComponent(this.name)}`;
    if (earlier) return `${path}/match/${earlier.number}${analysis.match ? `?ply=${analysis.ply}` : ''}`;
    return location.pathname.includes('/match/') && !this.isOpening ? path : null;
  }

  /** Show in the address bar which position is on the screen; not too often, because browsers limit that. */
  keepAddress() {
    if (this.addressTimer || [null, location.pathname + location.search].includes(this.address)) return;
    this.addressTimer = setTimeout(() => {
      this.addressTimer = 0;
      const { address } = this;
      if (address) history.replaceState(null, '', address);
    }, ADDRESS_MS);
  }

  /** The view on the screen: the past one that is viewed, or the latest. */
  get shown() {
    return this.history.past ?? this.view;
  }

  /** The room as shown on the screen: a past one has no animation and no pending move. @returns {this} */
  get onScreen() {
    const { past, earlier, analysis } = this.history;
    if (!past) return this;
    const view = { value: earlier ? past : this.view };
    const others = { animationSteps: { value: [] }, pending: { value: null }, hinted: { value: analysis.marks } };
    return Object.create(this, { view, ...others });
  }

  /** The position on the screen, including the pending move. @returns {GameState} */
  get state() {
    const { match } = this.shown;
    if (!match) return {};
    if (this.history.past) return match.state;
    const [step] = this.animationSteps;
    if (step) return step.state;
    if (!this.pending || !this.gameView.preview) return match.state;
    return this.gameView.preview(match.state, this.pending.move, this.colourOf(this.pending.seat));
  }

  /** The seat that is played from this device now, or null. @returns {number | null} */
  get actingSeat() {
    const { match } = this.view;
    if (match?.status !== 'playing') return null;
    if (this.game.simultaneous) return this.isShared ? this.viewerSeat : (this.mySeats[0] ?? null);
    return this.mySeats.find((seat) => match.to_move.includes(seat)) ?? null;
  }

  /** The colour that is played from this device now, or an empty text. */
  get actingColour() {
    return this.actingSeat === null ? '' : this.colourOf(this.actingSeat);
  }

  /** The moves that can be made in the position on the screen. @returns {Move[]} */
  get legalMoves() {
    const isBusy = this.history.past || this.pending || this.animationSteps.length;
    return isBusy || this.actingSeat === null ? [] : this.match.legal_moves;
  }

  get picking() {
    const cells = new Set(this.geometry.cells.map(({ name }) => name));
    return new Picking(this.legalMoves, cells, this.picks);
  }

  /**
   * Whether the pending move ends on a cell.
   * @param {string} cell
   */
  isPendingAt(cell) {
    const move = this.pending?.move;
    return move !== undefined && (move.to ?? move.at) === cell;
  }

  /**
   * Pick cells or choices. A move that is complete with them is played.
   * @param {...Step} steps
   */
  pick(...steps) {
    if (this.animationSteps.length) {
      this.playback.skip();
      return;
    }
    if (this.premove.enter(this, steps) || this.postpone()) return;
    for (const step of steps) if (!this.pickStep(step)) return;
    announce(roomTexts.room.picked(steps.map(({ value }) => value.toUpperCase()).join(' ')));
    redraw();
  }

  /** Keep the next match from beginning under a touch of the final board; return whether it was one. */
  postpone() {
    if (!this.view.restart_at || !this.mySeats.length || this.history.past) return false;
    if (!this.uiState.isPostponed) void this.command({ type: 'veto_next' });
    this.uiState.isPostponed = true;
    return true;
  }

  /**
   * Pick one step, and return whether there is more to pick.
   * @param {Step} step
   */
  pickStep(step) {
    const { picking } = this;
    const picked = picking.pick(step);
    if (step.kind === 'cell' && picking.pickedCells.at(-1) === step.value) this.clearPicks();
    else if (!picked) this.rejectStep(step);
    else if (picked.move) void this.play(picked.move);
    else {
      this.picks = picked.picks;
      return true;
    }
    return false;
  }

  /**
   * Show why a step cannot be picked.
   * @param {Step} step
   */
  rejectStep(step) {
    const stuck = step.kind === 'cell' && this.legalMoves.length && this.gameView.stuckMessage?.(this, step.value);
    if (stuck) this.picks = [step];
    this.shake(step.value);
    this.advise(stuck || this.explain(step));
  }

  /**
   * Show on the board that something was not played there.
   * @param {string | undefined} cell
   */
  shake(cell) {
    this.refused = { cell, count: this.refused.count + 1 };
  }

  /**
   * Show why something was not played.
   * @param {string} text
   */
  advise(text) {
    notify(text, 'error');
  }

  /**
   * Why a step cannot be picked.
   * @param {Step} step
   */
  explain(step) {
    const { room } = roomTexts;
    if (this.history.past) return room.inPast;
    if (!this.isPlaying) return room.notPlaying;
    if (!this.mySeats.length) return room.spectating;
    if (this.pending) return room.pending;
    if (this.actingSeat === null) {
      return room.notYourTurn(listed(this.match.to_move.map((seat) => this.seatName(seat))));
    }
    return this.gameView.explain?.(this, step) ?? room.noMove(step.value.toUpperCase());
  }

  clearPicks() {
    if (!this.picks.length) return;
    this.picks = [];
    announce(roomTexts.room.putBack);
    redraw();
  }

  /**
   * Play a move. It is shown immediately, and undone if it is refused. Returns the version that contains it, or null.
   * @param {Move} move
   * @returns {Promise<number | null>}
   */
  async play(move) {
    const seat = this.actingSeat;
    if (seat === null || this.pending) return null;
    this.picks = [];
    /** @type {Pending} */
    const pending = { move, seat, until: Infinity };
    this.pending = pending;
    redraw();
    try {
      // Without a connection, it is sent again as soon as there is one, with the same key.
      const command = /** @type {const} */ ({ type: 'play', move, ...(this.isShared ? { seat } : {}) });
      pending.until = await this.send(command, { patience: Infinity });
      this.settle();
      return pending.until;
    } catch (problem) {
      if (this.pending === pending) this.pending = null;
      this.shake(move.to ?? move.at);
      showProblem(problem);
      return null;
    } finally {
      redraw();
    }
  }

  /**
   * Send a command, and return the version of its last event. Throws `TurnstreamError`.
   * @param {Command} command
   * @param {{patience?: number}} [options]
   */
  send(command, options) {
    return client.send(this.name, /** @type {AnyCommand} */ (command), options);
  }

  /**
   * Send a command. A refusal is shown, and the result is undefined.
   * @param {Command} command
   */
  command(command) {
    return attempt(() => this.send(command));
  }

  /** The service's time, in milliseconds. */
  get now() {
    return this.followed.now();
  }

  /**
   * The milliseconds that a seat has left in the match whose clocks are shown.
   * @param {number} seat
   */
  timeLeft(seat) {
    const match = this.timedMatch;
    if (!match?.clock) return Infinity;
    const isRunning = match.clock.deadline !== null && match.to_move.includes(seat);
    const elapsed = isRunning ? this.now - Date.parse(match.clock.server_time) : 0;
    return (match.clock.remaining[seat] ?? 0) - elapsed;
  }

  // Names.

  /**
   * The nickname of a player, or an empty text.
   * @param {string | null | undefined} id
   */
  nicknameOf(id) {
    const member = this.view.players.find((player) => player.id === id);
    return shownName(member?.nickname ?? this.nicknames.get(id ?? '') ?? '');
  }

  /**
   * A seat by its colour and its player: `Red (Ada)`.
   * @param {number} number
   */
  seatName(number) {
    const seat = this.view.seats[number];
    const colour = capitalized(this.colourName(number));
    const nickname = this.isShared ? this.seatNames.get(number) : seat ? this.holderName(seat) : '';
    return nickname ? roomTexts.room.seatName(colour, nickname) : colour;
  }

  /**
   * Who sits on a seat.
   * @param {{player: string | null}} seat
   */
  holderName({ player }) {
    return this.nicknameOf(player);
  }

  /**
   * The colour of a seat as the API names it.
   * @param {number} seat
   */
  colourOf(seat) {
    return this.view.seats[seat]?.colour ?? '';
  }

  /**
   * The colour of a seat within a sentence.
   * @param {number} seat
   */
  colourName(seat) {
    const colour = this.colourOf(seat);
    return colour ? colourName(this.view.game, colour) : roomTexts.room.seatNumber(seat + 1);
  }
}
