/** A tournament that is followed: its standings and tables, kept up to date by its feed. */

import { Feed } from './feed.js';
import { applyPatch } from './patch.js';

/** @import { FollowedTournament } from '../schema.d.ts' */
/** @import { Frame } from './feed.js' */
/** @import { Requests } from './requests.js' */

/** A tournament, followed. */
export class Tournament extends Feed {
  /** The tournament with its standings, by player, and its tables, by number; null before `open`.
   * @type {FollowedTournament | null} */
  view = null;
  /** The version of `view`. */
  version = 0;

  /**
   * Usually called by `client.followTournament`. A user interface calls it to show the `status` before the view.
   * @param {Requests} client
   * @param {string} tournament the id
   */
  constructor(client, tournament) {
    super(client, { tournament }, (frame) => this.#receive(frame));
  }

  /**
   * The view, then each later one; several changes in a short time may be one.
   * @returns {AsyncGenerator<FollowedTournament, void>}
   */
  changes() {
    return this.latest(() => this.view);
  }

  /** @param {Frame} frame */
  #receive(frame) {
    if (frame.type === 'tournament_snapshot') this.view = frame.view;
    else if (frame.type !== 'tournament_update') return;
    else if (this.view === null || frame.from !== this.version) throw new RangeError('a frame is missing');
    else this.view = /** @type {FollowedTournament} */ (applyPatch(this.view, frame.patch));
    this.version = frame.version;
    this.isLoaded = true;
  }
}
