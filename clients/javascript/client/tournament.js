/** A tournament that is followed: its standings and tables, kept up to date by its feed. */

import { Feed } from './feed.js';
import { applyPatch } from './patch.js';

/** @import { FollowedTournament } from '../schema.d.ts' */
/** @import { Frame } from './feed.js' */
/** @import { Requests } from './requests.js' */

/** A tournament, followed. */
export class Tournament {
  /** The tournament with its standings, by player, and its tables, by number; null before `open`.
   * @type {FollowedTournament | null} */
  view = null;
  /** The version of `view`. */
  version = 0;
  /** @type {Feed} */ #feed;

  /**
   * Usually called by `client.followTournament`. A user interface calls it to show the `status` before the view.
   * @param {Requests} client
   * @param {string} tournament the id
   */
  constructor(client, tournament) {
    const receiver = { cursor: () => ({}), receive: (/** @type {Frame} */ frame) => this.#receive(frame) };
    this.#feed = new Feed(client, '/v1/feed', { tournament }, receiver);
  }

  /** Connect, and wait for the view. */
  open() {
    return this.#feed.open(() => this.view !== null);
  }

  /** Stop following the tournament. */
  close() {
    this.#feed.close();
  }

  /** Whether there is a connection: `connecting`, `connected`, `reconnecting` or `closed`. */
  get status() {
    return this.#feed.status;
  }

  /** Why the tournament can no longer be followed, or null. */
  get failure() {
    return this.#feed.failure;
  }

  /**
   * Call a function with each frame, after `view` has been updated, and with null when the connection is lost or there
   * is a `failure`. Returns a function that removes the listener.
   * @param {(frame: Frame | null) => void} listener
   * @returns {() => void}
   */
  subscribe(listener) {
    return this.#feed.subscribe(listener);
  }

  /**
   * The view, then each later one; several changes in a short time may be one.
   * @returns {AsyncGenerator<FollowedTournament, void>}
   */
  async *changes() {
    for (let shown = -1; ;) {
      while (this.view === null || this.version === shown) await this.#feed.nextChange();
      shown = this.version;
      yield this.view;
    }
  }

  /** @param {Frame} frame */
  #receive(frame) {
    if (frame.type === 'tournament_snapshot') this.view = frame.view;
    else if (frame.type !== 'tournament_update') return;
    else if (this.view === null || frame.from !== this.version) throw new RangeError('a frame is missing');
    else this.view = /** @type {FollowedTournament} */ (applyPatch(this.view, frame.patch));
    this.version = frame.version;
  }
}
