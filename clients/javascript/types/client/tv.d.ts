/** A channel of TV that is followed: which match it shows. */
import type { TvMatch } from '../schema.d.ts';
import type { Frame } from './feed.js';
import type { Requests } from './requests.js';
/** @import { TvMatch } from '../schema.d.ts' */
/** @import { Frame } from './feed.js' */
/** @import { Requests } from './requests.js' */
/** A channel, followed. The match itself is followed like any other, by the name of its room. */
export declare class Tv {
    #private;
    /** The match that the channel shows, null while there is none. @type {TvMatch | null} */
    match: TvMatch | null;
    /**
     * Usually called by `client.followTv`. A user interface calls it to show the `status` before the match.
     * @param {Requests} client
     * @param {string} [channel] a game's slug, or `best` for all games
     */
    constructor(client: Requests, channel?: string);
    /** Connect, and wait until it is known what the channel shows. */
    open(): Promise<void>;
    /** Stop following the channel. */
    close(): void;
    /** Whether there is a connection: `connecting`, `connected`, `reconnecting` or `closed`. */
    get status(): import("./feed.js").FeedStatus;
    /** Why the channel can no longer be followed, or null. */
    get failure(): Error | null;
    /**
     * Call a function with each frame, after `match` has been updated, and with null when the connection is lost or there
     * is a `failure`. Returns a function that removes the listener.
     * @param {(frame: Frame | null) => void} listener
     * @returns {() => void}
     */
    subscribe(listener: (frame: Frame | null) => void): () => void;
    /**
     * What the channel shows, then each later match; null while there is none.
     * @returns {AsyncGenerator<TvMatch | null, void>}
     */
    matches(): AsyncGenerator<TvMatch | null, void>;
}
