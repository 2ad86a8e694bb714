/** A tournament that is followed: its standings and tables, kept up to date by its feed. */
import type { FollowedTournament } from '../schema.d.ts';
import type { Frame } from './feed.js';
import type { Requests } from './requests.js';
/** @import { FollowedTournament } from '../schema.d.ts' */
/** @import { Frame } from './feed.js' */
/** @import { Requests } from './requests.js' */
/** A tournament, followed. */
export declare class Tournament {
    #private;
    /** The tournament with its standings, by player, and its tables, by number; null before `open`.
     * @type {FollowedTournament | null} */
    view: FollowedTournament | null;
    /** The version of `view`. */
    version: number;
    /**
     * Usually called by `client.followTournament`. A user interface calls it to show the `status` before the view.
     * @param {Requests} client
     * @param {string} tournament the id
     */
    constructor(client: Requests, tournament: string);
    /** Connect, and wait for the view. */
    open(): Promise<void>;
    /** Stop following the tournament. */
    close(): void;
    /** Whether there is a connection: `connecting`, `connected`, `reconnecting` or `closed`. */
    get status(): import("./feed.js").FeedStatus;
    /** Why the tournament can no longer be followed, or null. */
    get failure(): Error | null;
    /**
     * Call a function with each frame, after `view` has been updated, and with null when the connection is lost or there
     * is a `failure`. Returns a function that removes the listener.
     * @param {(frame: Frame | null) => void} listener
     * @returns {() => void}
     */
    subscribe(listener: (frame: Frame | null) => void): () => void;
    /**
     * The view, then each later one; several changes in a short time may be one.
     * @returns {AsyncGenerator<FollowedTournament, void>}
     */
    changes(): AsyncGenerator<FollowedTournament, void>;
}
