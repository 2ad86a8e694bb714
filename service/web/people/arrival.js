/** A room that was opened for the player: going there, and sending `ready` as soon as the player sees it. */

import { RefusedError } from '../../client/requests.js';
import { app, attempt, client, redraw } from '../app.js';
import { newSalt } from '../fairness/salts.js';

/** Refusals that mean that the player is ready, or needs no salt. */
const READY = ['already_ready', 'salt_too_early'];

export class Arrival {
  /**
   * @param {string} room
   * @param {string} game
   * @param {number} [until] when the player has to be ready, by the clock of `performance`
   */
  constructor(room, game, until = Infinity) {
    this.room = room;
    this.game = game;
    this.until = until;
    /** Whether the player is in another match, and has to decide. */
    this.isAsked = app.isPlaying() && !this.isThere;
    this.isReady = false;
    this.isSending = false;
  }

  get path() {
    return `/r/${encodeURIComponent(this.room)}`;
  }

  /** Whether the page is the room. */
  get isThere() {
    return location.pathname === this.path;
  }

  /** Go to the room. */
  go() {
    this.isAsked = false;
    if (!this.isThere) app.go(this.path);
  }

  /** Send `ready`, if the player sees the room. Returns whether the player is ready. */
  async appear() {
    const isSeen = document.visibilityState === 'visible' && this.isThere;
    if (this.isReady || this.isSending || !isSeen) return this.isReady;
    this.isSending = true;
    await attempt(async () => {
      try {
        await client.send(this.room, { type: 'ready', salt: newSalt() });
      } catch (problem) {
        if (!(problem instanceof RefusedError && READY.includes(problem.code))) throw problem;
      }
      this.isReady = true;
    });
    this.isSending = false;
    redraw();
    return this.isReady;
  }
}
