/** A view of the chat that is followed: the lobby and the player's rooms, or one of them, in one order. */
import type { ChatLine } from '../schema.d.ts';
import type { Frame } from './feed.js';
import type { Requests } from './requests.js';
/** A view, followed. A line has the room where it was written; lines of the lobby have none. */
export declare class Chat {
    #private;
    /** The latest lines, oldest first. Each change creates a new list. @type {ChatLine[]} */
    lines: ChatLine[];
    /** The `cursor` with which `client.chatView` returns earlier lines, or null. @type {string | null} */
    next: string | null;
    /**
     * Usually called by `client.followChat`. A user interface calls it to show the `status` before the first lines.
     * @param {Requests} client
     * @param {string} [view] `all`, `lobby`, or a room's name
     */
    constructor(client: Requests, view?: string);
    /** Connect, and wait for the latest lines. */
    open(): Promise<void>;
    /** Stop following the chat. */
    close(): void;
    /** Whether there is a connection: `connecting`, `connected`, `reconnecting` or `closed`. */
    get status(): import("./feed.js").FeedStatus;
    /** Why the chat can no longer be followed, or null. */
    get failure(): Error | null;
    /**
     * Call a function with each frame, after `lines` has been updated, and with null when the connection is lost or there
     * is a `failure`. Returns a function that removes the listener.
     * @param {(frame: Frame | null) => void} listener
     * @returns {() => void}
     */
    subscribe(listener: (frame: Frame | null) => void): () => void;
    /**
     * The lines, then the latest list whenever it has changed.
     * @returns {AsyncGenerator<ChatLine[], void>}
     */
    changes(): AsyncGenerator<ChatLine[], void>;
}
