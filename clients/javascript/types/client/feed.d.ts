/**
 * What is followed: one subscription over a socket that is opened again whenever it breaks, and iterations over what it
 * receives; and the lobby.
 */
import type { CaughtUpFrame, ChatFrame, ChatLine, ChatSnapshotFrame, CommandFrame, ErrorFrame, HeartbeatFrame, LobbyEntry, LobbyFrame, PlayerCaughtUpFrame, PlayerSnapshotFrame, PlayerSubscribedFrame, PlayerUpdateFrame, PongFrame, PresenceFrame, ReplyFrame, SnapshotFrame, SubscribedFrame, SubscribeFrame, TournamentSnapshotFrame, TournamentUpdateFrame, TvFrame, UpdateFrame } from '../schema.d.ts';
import type { Requests } from './requests.js';
export type Frame = SubscribedFrame | SnapshotFrame | UpdateFrame | CaughtUpFrame | PresenceFrame | HeartbeatFrame | ChatFrame | ChatSnapshotFrame | LobbyFrame | TvFrame | PlayerSubscribedFrame | PlayerSnapshotFrame | PlayerUpdateFrame | PlayerCaughtUpFrame | TournamentSnapshotFrame | TournamentUpdateFrame | ErrorFrame | ReplyFrame | PongFrame;
export type FeedStatus = 'connecting' | 'connected' | 'reconnecting' | 'closed';
export type Topic = {
    room: string;
} | {
    lobby: true;
    game?: string;
    joinable?: boolean;
} | {
    me: true;
} | {
    tv: string;
} | {
    tournament: string;
} | {
    chat: string;
};
export type Receiver = {
    cursor(): Omit<SubscribeFrame, 'type'>;
    receive(frame: Frame): void;
};
export type Pending = {
    frame: object;
    resolve: (reply: ReplyFrame) => void;
    reject: (error: Error) => void;
};
/** What is followed. If it can no longer be followed, every method throws the reason, `failure`. */
export declare class Feed {
    #private;
    /** Whether there is a connection. @type {FeedStatus} */
    status: FeedStatus;
    /** Why this can no longer be followed, or null. @type {Error | null} */
    failure: Error | null;
    /** What the latest subscription was authenticated with. @protected @type {string | null} */
    protected token: string | null;
    /** Whether there is something to show. @protected */
    protected isLoaded: boolean;
    /**
     * @param {Requests} client whose token authenticates the socket
     * @param {Topic} topic
     * @param {Receiver['receive']} receive
     * @param {{cursor?: Receiver['cursor'], path?: string, also?: Topic[]}} [options] with the `path` of the socket, and
     *   further topics, whose frames only reach listeners
     */
    constructor(client: Requests, topic: Topic, receive: Receiver['receive'], { cursor, path, also }?: {
        cursor?: Receiver['cursor'];
        path?: string;
        also?: Topic[];
    });
    /** Connect, and wait for what is followed. Throws the `failure`, `UnreachableError` after `retries.patience`. */
    open(): Promise<void>;
    /**
     * Close the socket permanently, and reject everything that waits.
     * @param {Error} failure
     * @protected
     */
    protected fail(failure: Error): void;
    /**
     * Call a function with each frame, after it has been received, and with null when the connection is lost or there is
     * a `failure`. Returns a function that removes the listener.
     * @param {(frame: Frame | null) => void} listener
     * @returns {() => void}
     */
    subscribe(listener: (frame: Frame | null) => void): () => void;
    /** Wait for the next frame or the loss of the connection. Throws the `failure`. @protected */
    protected nextChange(): Promise<void>;
    /**
     * A value, then the latest one whenever it has changed; never null.
     * @template T
     * @param {() => T | null} read
     * @returns {AsyncGenerator<T, void>}
     * @protected
     */
    protected latest<T>(read: () => T | null): AsyncGenerator<T, void>;
    /** Subscribe again on the same socket, because the cursor or the token has changed. @protected */
    protected resubscribe(): void;
    /**
     * The reply to a command. The command is sent again after each reconnection until the reply arrives.
     * @param {Omit<CommandFrame, 'type' | 'id'>} command
     * @returns {Promise<ReplyFrame>}
     * @protected
     */
    protected reply(command: Omit<CommandFrame, 'type' | 'id'>): Promise<ReplyFrame>;
    /** Stop following. Pending calls and iterations throw. */
    close(): void;
}
export type Reader<T> = {
    values: T[];
    end: Error | true | null;
    wake: () => void;
};
/**
 * @template T
 * @typedef {{values: T[], end: Error | true | null, wake: () => void}} Reader
 */
/** @template T */
export declare class Readers<T> {
    #private;
    /**
     * Pass a value to each iteration.
     * @param {T} value
     */
    put(value: T): void;
    /**
     * End all iterations after the values that they have not yielded yet, with an error or without.
     * @param {Error | null} [error]
     */
    end(error?: Error | null): void;
    /**
     * Each value after this call. Throws the failure, if there is one already.
     * @param {Error | null} failure
     * @returns {AsyncGenerator<T, void>}
     */
    read(failure: Error | null): AsyncGenerator<T, void>;
}
/** The lobby that is followed: the public rooms, as they open, fill and close. */
export declare class Lobby extends Feed {
    #private;
    /** The public rooms, newest first. Each change creates a new list. @type {LobbyEntry[]} */
    rooms: LobbyEntry[];
    /**
     * Usually called by `client.followLobby`. A user interface calls it to show the `status` before the first list.
     * @param {Requests} client
     * @param {{game?: string, joinable?: boolean, chat?: string}} [options] with `joinable` only rooms in which others
     *   can take a seat; with a view of the chat, listeners receive its frames as well
     */
    constructor(client: Requests, { game, joinable, chat }?: {
        game?: string;
        joinable?: boolean;
        chat?: string;
    });
    /**
     * The rooms, then the latest list whenever it has changed.
     * @returns {AsyncGenerator<LobbyEntry[], void>}
     */
    changes(): AsyncGenerator<LobbyEntry[], void>;
    /**
     * Each line that is sent to the lobby's chat after this call, except while there is no connection.
     * @returns {AsyncGenerator<ChatLine, void>}
     */
    lines(): AsyncGenerator<ChatLine, void>;
}
