/** The player's own feed: what happens to the player in all rooms at once. */
import type { JoinedRoom, PlayerEvent } from '../schema.d.ts';
import type { Frame } from './feed.js';
import type { Requests } from './requests.js';
/** @import { JoinedRoom, PlayerEvent, PlayerSnapshotFrame, PlayerUpdateFrame } from '../schema.d.ts' */
/** @import { Frame, Receiver } from './feed.js' */
/** @import { Requests } from './requests.js' */
/**
 * The own feed, followed. After a lost connection it reconnects and resumes after the last event: no event is missing
 * and none arrives twice. If it can no longer be followed, every method throws the reason, `failure`.
 */
export declare class OwnFeed {
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
    /** Connect, and wait for the rooms. */
    open(): Promise<void>;
    /** Stop following. Iterations throw. */
    close(): void;
    /** Whether there is a connection: `connecting`, `connected`, `reconnecting` or `closed`. */
    get status(): import("./feed.js").FeedStatus;
    /** Why the feed can no longer be followed, or null. */
    get failure(): Error | null;
    /**
     * Call a function with each frame, after `rooms` has been updated, and with null when the connection is lost or there
     * is a `failure`. Returns a function that removes the listener.
     * @param {(frame: Frame | null) => void} listener
     * @returns {() => void}
     */
    subscribe(listener: (frame: Frame | null) => void): () => void;
    /**
     * Each event after this call, in order and once. Throws `EventsMissedError`; `rooms` are up to date then.
     * @returns {AsyncGenerator<PlayerEvent, void>}
     */
    events(): AsyncGenerator<PlayerEvent, void>;
}
