/** A tournament that is followed: its standings and tables, kept up to date by its feed. */
import { Feed } from './feed.js';
import type { FollowedTournament } from '../schema.d.ts';
import type { Requests } from './requests.js';
/** @import { FollowedTournament } from '../schema.d.ts' */
/** @import { Frame } from './feed.js' */
/** @import { Requests } from './requests.js' */
/** A tournament, followed. */
export declare class Tournament extends Feed {
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
    /**
     * The view, then each later one; several changes in a short time may be one.
     * @returns {AsyncGenerator<FollowedTournament, void>}
     */
    changes(): AsyncGenerator<FollowedTournament, void>;
}
