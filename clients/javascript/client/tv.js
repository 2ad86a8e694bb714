/** A channel of TV that is followed: which match it shows. */

import { Feed } from './feed.js';

/** @import { TvMatch } from '../schema.d.ts' */
/** @import { Frame } from './feed.js' */
/** @import { Requests } from './requests.js' */

/** A channel, followed. The match itself is followed like any other, by the name of its room. */
export class Tv extends Feed {
  /** The match that the channel shows, null while there is none. @type {TvMatch | null} */
  match = null;

  /**
   * Usually called by `client.followTv`. A user interface calls it to show the `status` before the match.
   * @param {Requests} client
   * @param {string} [channel] a game's slug, or `best` for all games
   */
  constructor(client, channel = 'best') {
    super(client, { tv: channel }, (frame) => this.#receive(frame));
  }

  /**
   * What the channel shows, then each later match; null while there is none.
   * @returns {AsyncGenerator<TvMatch | null, void>}
   */
  async *matches() {
    let shown = this.match;
    yield shown;
    for (;;) {
      while (this.match?.match_id === shown?.match_id) await this.nextChange();
      shown = this.match;
      yield shown;
    }
  }

  /** @param {Frame} frame */
  #receive(frame) {
    if (frame.type === 'tv') [this.match, this.isLoaded] = [frame.match, true];
  }
}
