/**
 * A room as this device plays in it: what is on the screen, what is being picked, and what was just played and not yet
 * answered. Pages draw it; nothing here touches the page.
 */

import { order } from '../api.js';
import { announce, attempt, changed, notify, refuse } from '../app.js';
import { FollowedRoom } from './synced_room.js';
import { guest } from '../guest.js';
import { Picking } from './moves.js';

/** @typedef {import('./moves.js').Step} Step */
/** @typedef {{move: any, seat: number, until: number}} Pending `until` is the version that shows it, once it is known */

export class Table extends FollowedRoom {
  /** @param {string} name the room's */
  constructor(name) {
    super(name);
    /** @type {Step[]} */
    this.picks = [];
    /** @type {Pending | null} */
    this.pending = null;
    this.wantsHelp = false;
    /** The version of the latest event on the board. */
    this.latest = 0;
    /** What a hint names: cells, a peg, a side. @type {Set<any>} */
    this.hinted = new Set();
  }

  /** What is picked up stays so while only something around the board changes. */
  arrived() {
    const latest = this.view.match?.state.last?.at(-1)?.version ?? 0;
    if (latest !== this.latest) [this.picks, this.hinted] = [[], new Set()];
    this.latest = latest;
    this.settle();
  }

  /** The feed may tell of our move before the command is answered; then it is the next move's turn. @param {any} event */
  heard(event) {
    if (event.match && event.by === guest.id) this.pending = null;
  }

  /** What we played is no longer ahead of what is shown. */
  settle() {
    if (this.pending && this.view.version >= this.pending.until) this.pending = null;
  }

  /** The view on the screen: the past that is looked at, or the present. */
  get shown() {
    return this.history.past ?? this.view;
  }

  /** The room as it is on the screen: of the past, without what is still being told of the present. @returns {this} */
  get onScreen() {
    if (!this.history.past) return this;
    return Object.create(this, {
      view: { value: this.history.earlier ? this.history.past : this.view },
      stages: { value: [] },
      pending: { value: null },
    });
  }

  /** The position on the screen, with what we just played in it. */
  get state() {
    const match = this.shown.match;
    if (!match) return null;
    if (this.history.past) return match.state;
    if (this.stages.length) return this.stages[0].state;
    if (!this.pending || !this.face.foresee) return match.state;
    return this.face.foresee(match.state, this.pending.move, this.colourOf(this.pending.seat));
  }

  /** The seat that we act for now, or null. @returns {number | null} */
  get acting() {
    const match = this.view.match;
    if (match?.status !== 'playing') return null;
    if (this.game?.simultaneous) return this.isShared ? this.eyes : (this.mySeats[0] ?? null);
    return this.mySeats.find((seat) => match.to_move.includes(seat)) ?? null;
  }

  /** The moves that we may make at what is on the screen. @returns {any[]} */
  get legal() {
    if (this.history.past || this.pending || this.stages.length || this.acting === null) return [];
    return this.view.match.legal_moves;
  }

  get picking() {
    return new Picking(this.legal, this.cells, this.picks);
  }

  /** @returns {Set<string>} */
  get cells() {
    return new Set(this.game?.geometry.cells.map((cell) => cell.name));
  }

  /** Pick a cell or a choice; a move that is complete with it is played. @param {...Step} more */
  pick(...more) {
    if (this.stages.length) return this.skipStages();
    let picking = this.picking;
    for (const step of more) {
      if (step.kind === 'cell' && picking.pickedCells.at(-1) === step.value) return this.putBack();
      const picked = picking.pick(step);
      if (!picked) return this.cannot(step);
      if (picked.move) return void this.play(picked.move);
      this.picks = picked.picks;
      picking = this.picking;
    }
    announce(`${more.map((step) => String(step.value).toUpperCase()).join(' ')} picked. Escape puts it back.`);
    return changed();
  }

  /** Tell why a step is none. @param {Step} step */
  cannot(step) {
    const special = step.kind === 'cell' && this.legal.length ? this.face.pickAnyway?.(this, step.value) : null;
    if (special) {
      this.picks = [step];
      announce(special);
      notify(special);
      return changed();
    }
    return notify(this.whyNot(step), 'refusal');
  }

  /** @param {Step} step */
  whyNot(step) {
    const match = this.view.match;
    if (this.history.past) return 'This is the past. Go back to now to play.';
    if (match?.status !== 'playing') return 'No match is being played.';
    if (!this.mySeats.length) return 'You are watching. Take a seat to play.';
    if (this.pending) return 'Your move is on its way.';
    if (this.acting === null)
      return `It is not your turn: ${match.to_move.map((/** @type {number} */ seat) => this.seatName(seat)).join(' and ')} to move.`;
    return this.face.whyNot?.(this, step) ?? `Nothing can be played at ${String(step.value).toUpperCase()}.`;
  }

  putBack() {
    if (!this.picks.length) return;
    this.picks = [];
    announce('Put back.');
    changed();
  }

  /** Play a move: it is shown at once, and taken back if it is refused. @param {any} move */
  async play(move) {
    const seat = this.acting;
    if (seat === null || this.pending) return;
    this.picks = [];
    /** @type {Pending} */
    const pending = { move, seat, until: Infinity };
    this.pending = pending;
    changed();
    try {
      const { version } = await order(`${this.path}/commands`, {
        type: 'play',
        move,
        ...(this.isShared ? { seat } : {}),
      });
      pending.until = version;
      this.settle();
    } catch (problem) {
      if (this.pending === pending) this.pending = null;
      refuse(problem);
    }
    changed();
  }

  /** Ask the room for something. @param {Record<string, any>} command @returns {Promise<any>} */
  async command(command) {
    return attempt(() => order(`${this.path}/commands`, command));
  }

  /** The service's time, in milliseconds. */
  get now() {
    return Date.now() + this.skew;
  }
}
