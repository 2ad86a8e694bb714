/** A view of the chat that is followed: the lobby and the player's rooms, or one of them, in one order. */
import { Feed } from './feed.js';
import type { ChatLine } from '../schema.d.ts';
import type { Requests } from './requests.js';
/** A view, followed. A line has the room where it was written; lines of the lobby have none. */
export declare class Chat extends Feed {
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
    /**
     * The lines, then the latest list whenever it has changed.
     * @returns {AsyncGenerator<ChatLine[], void>}
     */
    changes(): AsyncGenerator<ChatLine[], void>;
}
