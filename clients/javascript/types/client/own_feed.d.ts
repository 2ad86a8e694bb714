/** The player's own feed: what happens to the player in all rooms at once. */
import { Feed } from './feed.js';
import type { JoinedRoom, PlayerEvent } from '../schema.d.ts';
import type { Requests } from './requests.js';
/** @import { JoinedRoom, PlayerEvent, PlayerSnapshotFrame, PlayerUpdateFrame } from '../schema.d.ts' */
/** @import { Frame, Receiver } from './feed.js' */
/** @import { Requests } from './requests.js' */
/**
 * The own feed, followed. After a lost connection it reconnects and resumes after the last event: no event is missing
 * and none arrives twice. If it can no longer be followed, every method throws the reason, `failure`.
 */
export declare class OwnFeed extends Feed {
    #private;
    /** The player's rooms when the latest snapshot was made, which is when the feed was opened. @type {JoinedRoom[]} */
    rooms: JoinedRoom[];
    /** The version of the latest event. */
    version: number;
    /**
     * Usually called by `client.followMe`. A user interface calls it to show the `status` before the rooms.
     * @param {Requests} client
     */
    constructor(client: Requests);
    /**
     * Each event after this call, in order and once. Throws `EventsMissedError`; `rooms` are up to date then.
     * @returns {AsyncGenerator<PlayerEvent, void>}
     */
    events(): AsyncGenerator<PlayerEvent, void>;
}
