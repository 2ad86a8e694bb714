/** A tournament that is followed: its view, kept up to date by its feed. */

import { Feed } from '../../client/feed.js';
import { applyPatch } from '../../client/patch.js';
import { client } from '../app.js';

/** @import { FollowedTournament } from '../../schema.d.ts' */
/** @import { Frame } from '../../client/feed.js' */

export class Followed {
  /**
   * @param {string} id
   * @param {() => void} onChange is called whenever the view or the connection has changed
   */
  constructor(id, onChange) {
    /** Null until it has arrived. @type {FollowedTournament | null} */
    this.view = null;
    this.version = 0;
    const receiver = { cursor: () => ({}), receive: (/** @type {Frame} */ frame) => this.receive(frame) };
    this.feed = new Feed(client, '/v1/feed', { tournament: id }, receiver);
    this.feed.subscribe(onChange);
  }

  get status() {
    return this.feed.status;
  }

  get failure() {
    return this.feed.failure;
  }

  /** Connect, and wait for the view. Throws `TurnstreamError`. */
  open() {
    return this.feed.open(() => this.view !== null);
  }

  close() {
    this.feed.close();
  }

  /**
   * Use a frame. Throws `RangeError` if one before it is missing.
   * @param {Frame} frame
   */
  receive(frame) {
    if (frame.type === 'tournament_snapshot') this.view = frame.view;
    else if (frame.type !== 'tournament_update') return;
    else if (this.view === null || frame.from !== this.version) throw new RangeError('a frame is missing');
    else this.view = /** @type {FollowedTournament} */ (applyPatch(this.view, frame.patch));
    this.version = frame.version;
  }
}
