/** The player's own feed: what happens to the player in all rooms at once. */

import { Feed, Readers } from './feed.js';
import { EventsMissedError } from './requests.js';

/** @import { JoinedRoom, PlayerEvent, PlayerSnapshotFrame, PlayerUpdateFrame } from '../schema.d.ts' */
/** @import { Frame, Receiver } from './feed.js' */
/** @import { Requests } from './requests.js' */

/**
 * The own feed, followed. After a lost connection it reconnects and resumes after the last event: no event is missing
 * and none arrives twice. If it can no longer be followed, every method throws the reason, `failure`.
 */
export class OwnFeed extends Feed {
  /** The player's rooms when the latest snapshot was made, which is when the feed was opened. @type {JoinedRoom[]} */
  rooms = [];
  /** The version of the latest event. */
  version = 0;
  /** @type {string | null} */ #mark = null;
  /** @type {Readers<PlayerEvent>} */ #events = new Readers();

  /**
   * Usually called by `client.followMe`. A user interface calls it to show the `status` before the rooms.
   * @param {Requests} client
   */
  constructor(client) {
    super(client, { me: true }, (frame) => this.#receive(frame), { cursor: () => this.#cursor() });
    this.subscribe(() => this.failure && this.#events.end(this.failure));
  }

  /**
   * Each event after this call, in order and once. Throws `EventsMissedError`; `rooms` are up to date then.
   * @returns {AsyncGenerator<PlayerEvent, void>}
   */
  events() {
    return this.#events.read(this.failure);
  }

  /** @returns {ReturnType<Receiver['cursor']>} */
  #cursor() {
    return this.#mark === null ? {} : { since: this.version, mark: this.#mark };
  }

  /** @param {Frame} frame */
  #receive(frame) {
    if (frame.type === 'player_snapshot') this.#restart(frame);
    else if (frame.type === 'player_update') this.#update(frame);
  }

  /**
   * Use the rooms of a snapshot. It replaces the history, unless all events up to its version have arrived.
   * @param {PlayerSnapshotFrame} frame
   */
  #restart({ version, mark, reason, rooms }) {
    const isComplete = !this.isLoaded || (reason === 'subscribed' && version === this.version);
    if (!isComplete) this.#events.end(new EventsMissedError(reason));
    [this.version, this.#mark, this.rooms, this.isLoaded] = [version, mark, rooms, true];
  }

  /**
   * Add events. Versions increase, but not all of them are sent.
   * @param {PlayerUpdateFrame} frame
   */
  #update({ version, mark, events }) {
    const fresh = events.filter((event) => event.version > this.version);
    [this.version, this.#mark] = [version, mark];
    for (const event of fresh) this.#events.put(event);
  }
}
