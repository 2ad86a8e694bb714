/** A move that is entered before it is the player's turn. It is sent when the turn begins, if it is possible then. */

import { announce, notify, redraw } from '../app.js';
import { roomTexts } from '../languages/room.js';
import { Picking } from '../room/moves.js';

/** @import { Room } from '../room/room.js' */
/** @import { Step } from '../room/moves.js' */

export class Premove {
  constructor() {
    /** @type {Step[]} */
    this.steps = [];
    this.isComplete = false;
    this.match = '';
  }

  /**
   * Whether a move can be entered now.
   * @param {Room} room
   */
  isPossible(room) {
    const { game, gameView, history, mySeats, isShared, isPlaying, actingSeat, pending } = room;
    if (!gameView.premove || game.simultaneous || history.past || !isPlaying || isShared || pending) return false;
    return mySeats.length > 0 && actingSeat === null;
  }

  /**
   * Enter the next steps, and return whether they belong to a premove. A step after a complete one cancels it.
   * @param {Room} room
   * @param {Step[]} steps
   */
  enter(room, steps) {
    if (!this.isPossible(room)) return false;
    if (this.clear()) return true;
    const begun = this.match === room.match.id ? this.steps : [];
    for (const entered of [[...begun, ...steps], steps]) {
      const state = room.gameView.premove?.(room, entered) ?? 'none';
      if (state === 'none') continue;
      this.steps = entered;
      this.match = room.match.id;
      this.isComplete = state === 'complete';
      if (this.isComplete) announce(roomTexts.room.premove(this.text));
      redraw();
      return true;
    }
    this.drop();
    return false;
  }

  get text() {
    return this.steps.map(({ value }) => value.toUpperCase()).join(' ');
  }

  /** Cancel a complete premove, and return whether there was one. */
  clear() {
    if (!this.isComplete) return false;
    this.drop();
    announce(roomTexts.room.premoveCancelled);
    return true;
  }

  /** Drop the entered steps. */
  drop() {
    if (this.steps.length) redraw();
    this.steps = [];
    this.isComplete = false;
  }

  /**
   * Play the premove when the turn has begun. The steps of an incomplete one stay picked.
   * @param {Room} room
   */
  follow(room) {
    if (!this.steps.length) return;
    if (room.view.match?.id !== this.match || !room.isPlaying) this.drop();
    else if (room.actingSeat !== null) this.play(room);
  }

  /** @param {Room} room */
  play(room) {
    const { steps, isComplete } = this;
    this.drop();
    const move = isComplete ? moveOf(room, steps) : null;
    if (move) queueMicrotask(() => void room.play(move));
    else if (isComplete) notify(roomTexts.room.premoveImpossible);
    else room.picks = steps;
  }

  /**
   * Whether a cell belongs to the premove.
   * @param {string} cell
   */
  has(cell) {
    return this.steps.some(({ kind, value }) => kind === 'cell' && value === cell);
  }
}

/**
 * The legal move that has these steps, or null.
 * @param {Room} room
 * @param {Step[]} steps
 */
function moveOf(room, steps) {
  const cells = new Set(room.geometry.cells.map(({ name }) => name));
  /** @type {Step[]} */
  let picks = [];
  for (const step of steps) {
    const found = new Picking(room.legalMoves, cells, picks).pick(step);
    if (!found) return null;
    if (found.move) return found.move;
    picks = found.picks;
  }
  return null;
}
