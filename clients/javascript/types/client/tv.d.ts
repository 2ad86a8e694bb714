/** A channel of TV that is followed: which match it shows. */
import { Feed } from './feed.js';
import type { TvMatch } from '../schema.d.ts';
import type { Requests } from './requests.js';
/** @import { TvMatch } from '../schema.d.ts' */
/** @import { Frame } from './feed.js' */
/** @import { Requests } from './requests.js' */
/** A channel, followed. The match itself is followed like any other, by the name of its room. */
export declare class Tv extends Feed {
    #private;
    /** The match that the channel shows, null while there is none. @type {TvMatch | null} */
    match: TvMatch | null;
    /**
     * Usually called by `client.followTv`. A user interface calls it to show the `status` before the match.
     * @param {Requests} client
     * @param {string} [channel] a game's slug, or `best` for all games
     */
    constructor(client: Requests, channel?: string);
    /**
     * What the channel shows, then each later match; null while there is none.
     * @returns {AsyncGenerator<TvMatch | null, void>}
     */
    matches(): AsyncGenerator<TvMatch | null, void>;
}
