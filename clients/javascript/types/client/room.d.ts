/** One room that is followed. */
import { Feed } from './feed.js';
import type { AnyCommand, AnyEvent, AnyMove, ChatLine, RoomView } from '../schema.d.ts';
import type { MatchView } from './clock.js';
import type { Requests } from './requests.js';
/**
 * @import { AnyCommand, AnyEvent, AnyMove, ChatLine, PresenceFrame, RoomView, SnapshotFrame, SubscribedFrame,
 *   UpdateFrame } from '../schema.d.ts'
 */
/** @import { MatchView } from './clock.js' */
/** @import { Frame, Receiver } from './feed.js' */
/** @import { Requests } from './requests.js' */
/**
 * A room that is followed. After a lost connection it reconnects and resumes after the last event: no event is missing
 * and none arrives twice. If the room can no longer be followed, every method throws the reason, `failure`.
 */
export declare class Room extends Feed {
    #private;
    name: string;
    /** The version of the latest event. */
    version: number;
    /**
     * Usually called by `client.follow`. A user interface calls it to show the `status` before the first view.
     * @param {Requests} client
     * @param {string} name
     * @param {number | null} [seat] whose view to receive, for a player with several seats
     * @param {string} [path] of the socket: the room's own feed, on which bots play for a spectator, or `/v1/feed`
     */
    constructor(client: Requests, name: string, seat?: number | null, path?: string);
    /** The latest view of the room. */
    get view(): RoomView;
    /** The running match or the last one, null before the first. */
    get match(): import("../schema.d.ts").MorrisMatchView | import("../schema.d.ts").RainbowMatchView | import("../schema.d.ts").TernioMatchView | import("../schema.d.ts").TriboardMatchView | import("../schema.d.ts").TurncoatMatchView | null;
    /** Whether one of the player's seats is to move. */
    get isToMove(): boolean;
    /** The server's time in milliseconds since 1970, on which clocks and deadlines are based. */
    now(): number;
    /** The milliseconds that each seat has left now, null where time is not limited. */
    remainingMs(): number[] | null;
    /**
     * The view, then the latest one whenever it has changed, until the room is closed.
     * @returns {AsyncGenerator<RoomView, void>}
     */
    views(): AsyncGenerator<RoomView, void>;
    /**
     * The match whenever the player is to move, at most once per version, until the room is closed.
     * @returns {AsyncGenerator<MatchView, void>}
     */
    turns(): AsyncGenerator<MatchView, void>;
    /**
     * Each event after this call, in order and once, until the room is closed. Throws `EventsMissedError`.
     * @returns {AsyncGenerator<AnyEvent, void>}
     */
    events(): AsyncGenerator<AnyEvent, void>;
    /**
     * Each line that is sent to the room's chat after this call, until the room is closed. Lines sent while there was no
     * connection are not included; `client.chat` has them.
     * @returns {AsyncGenerator<ChatLine, void>}
     */
    lines(): AsyncGenerator<ChatLine, void>;
    /**
     * Make a move, such as one of `legal_moves`; `seat` is required if several seats of the player are to move.
     * @param {AnyMove} move
     * @param {{seat?: number}} [options]
     */
    play(move: AnyMove, { seat }?: {
        seat?: number;
    }): Promise<number>;
    /** Send `ready`, unless the player is already ready. */
    ready(): Promise<void>;
    /**
     * Execute a command once, even if the connection is lost meanwhile. Resolves to its version when `view` contains it.
     * @param {AnyCommand} command
     * @returns {Promise<number>}
     */
    send(command: AnyCommand): Promise<number>;
    /**
     * Receive the view of another seat of this player, or with null the public view. A snapshot with it arrives next.
     * @param {number | null} seat
     */
    viewAs(seat: number | null): void;
}
