/** A channel of TV that is followed: which match it shows. */

import { Feed } from './feed.js';

/** @import { TvMatch } from '../schema.d.ts' */
/** @import { Frame } from './feed.js' */
/** @import { Requests } from './requests.js' */

/** A channel, followed. The match itself is followed like any other, by the name of its room. */
export class Tv {
  /** The match that the channel shows, null while there is none. @type {TvMatch | null} */
  match = null;
  #isLoaded = false;
  /** @type {Feed} */ #feed;

  /**
   * Usually called by `client.followTv`. A user interface calls it to show the `status` before the match.
   * @param {Requests} client
   * @param {string} [channel] a game's slug, or `best` for all games
   */
  constructor(client, channel = 'best') {
    const receiver = { cursor: () => ({}), receive: (/** @type {Frame} */ frame) => this.#receive(frame) };
    this.#feed = new Feed(client, '/v1/feed', { tv: channel }, receiver);
  }

  /** Connect, and wait until it is known what the channel shows. */
  open() {
    return this.#feed.open(() => this.#isLoaded);
  }

  /** Stop following the channel. */
  close() {
    this.#feed.close();
  }

  /** Whether there is a connection: `connecting`, `connected`, `reconnecting` or `closed`. */
  get status() {
    return this.#feed.status;
  }

  /** Why the channel can no longer be followed, or null. */
  get failure() {
    return this.#feed.failure;
  }

  /**
   * Call a function with each frame, after `match` has been updated, and with null when the connection is lost or there
   * is a `failure`. Returns a function that removes the listener.
   * @param {(frame: Frame | null) => void} listener
   * @returns {() => void}
   */
  subscribe(listener) {
    return this.#feed.subscribe(listener);
  }

  /**
   * What the channel shows, then each later match; null while there is none.
   * @returns {AsyncGenerator<TvMatch | null, void>}
   */
  async *matches() {
    let shown = this.match;
    yield shown;
    for (;;) {
      while (this.match?.match_id === shown?.match_id) await this.#feed.nextChange();
      shown = this.match;
      yield shown;
    }
  }

  /** @param {Frame} frame */
  #receive(frame) {
    if (frame.type === 'tv') [this.match, this.#isLoaded] = [frame.match, true];
  }
}
