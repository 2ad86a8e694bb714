/** Requests to a server: how they are sent, what can go wrong, and when they are sent again. */
import type { AnyCommand, ChatLine, ChatPage, Code, CurrentPlayer, GameDetails, GameList, Guest, LetIn, LobbyPage, OpenRoomRequest, OpenRoomResponse, Problem, RoomView } from '../schema.d.ts';
/**
 * A player of one server, or a spectator without a token, who sends requests. They are repeated, commands with the same
 * key, until they are answered or `retries.patience` is over. Every method throws `RefusedError` and
 * `UnreachableError`.
 */
export declare class Requests {
    #private;
    url: string;
    token: string | null;
    /** The player's id, null until it is known. */
    id: string | null;
    language: string;
    /** @type {Retries} */
    retries: Retries;
    /**
     * @param {string} url of the server, such as `http://127.0.0.1:8000`
     * @param {{token?: string | null, id?: string | null, language?: string, retries?: Partial<Retries>}} [options]
     *   `token` is that of an earlier guest, `id` the guest's id where it is known; `language`, such as `de`, that of the
     *   games and of the meanings of codes, if it is not the one that `fetch` sends by default
     */
    constructor(url: string, { token, id, language, retries }?: {
        token?: string | null;
        id?: string | null;
        language?: string;
        retries?: Partial<Retries>;
    });
    /**
     * Become a new guest; `bot` shows everyone that a program plays. Keep the token, or create a recovery code.
     * @param {string} nickname
     * @param {{bot?: boolean}} [options]
     * @returns {Promise<Guest>}
     */
    createGuest(nickname: string, { bot }?: {
        bot?: boolean;
    }): Promise<Guest>;
    /**
     * Act as this player from now on, with their new token.
     * @param {Guest | LetIn} player
     */
    become({ player, token }: Guest | LetIn): void;
    /**
     * The id of the player that the token is for, null without a token.
     * @returns {Promise<string | null>}
     */
    player(): Promise<string | null>;
    /**
     * The player that the token is for, with their rooms and whether it is their turn there.
     * @returns {Promise<CurrentPlayer>}
     */
    me(): Promise<CurrentPlayer>;
    /**
     * What can be played.
     * @returns {Promise<GameList>}
     */
    games(): Promise<GameList>;
    /**
     * A game's rules, options, moves, bots and boards.
     * @param {string} game its slug
     * @returns {Promise<GameDetails>}
     */
    game(game: string): Promise<GameDetails>;
    /**
     * Open a room, such as `{ game: 'morris', seats: ['me', { bot: 'easy' }] }`. Without a token, this first becomes a
     * guest with the request's nickname.
     * @param {OpenRoomRequest} request
     * @returns {Promise<OpenRoomResponse>}
     */
    openRoom(request: OpenRoomRequest): Promise<OpenRoomResponse>;
    /**
     * A page of the lobby, newest room first; its `next` is the `cursor` of the following page. `joinable` selects rooms
     * with a free seat in which somebody is waiting, `live` the matches that everybody can watch.
     * @param {{game?: string, cursor?: string, joinable?: 'true' | 'false', live?: 'true' | 'false'}} [query]
     * @returns {Promise<LobbyPage>}
     */
    rooms(query?: {
        game?: string;
        cursor?: string;
        joinable?: 'true' | 'false';
        live?: 'true' | 'false';
    }): Promise<LobbyPage>;
    /**
     * A room as this player may see it now.
     * @param {string} room
     * @returns {Promise<RoomView>}
     */
    view(room: string): Promise<RoomView>;
    /**
     * Send a command to a room, without following it. Resolves to the version of its last event.
     * @param {string} room
     * @param {AnyCommand} command
     * @param {{patience?: number}} [options] how long it is tried, in milliseconds, if not for `retries.patience`
     * @returns {Promise<number>}
     */
    send(room: string, command: AnyCommand, { patience }?: {
        patience?: number;
    }): Promise<number>;
    /**
     * Send a line to the chat of a room, or with null to that of the lobby.
     * @param {string | null} room
     * @param {string} text
     * @returns {Promise<ChatLine>}
     */
    say(room: string | null, text: string): Promise<ChatLine>;
    /**
     * The latest lines of a chat, those before a `cursor`, or those after the line with the id `since`.
     * @param {string | null} room
     * @param {{cursor?: string, since?: string}} [query]
     * @returns {Promise<ChatPage>}
     */
    chat(room: string | null, query?: {
        cursor?: string;
        since?: string;
    }): Promise<ChatPage>;
    /**
     * The answer to a GET request as text of a media type.
     * @param {string} path
     * @param {string} type
     * @returns {Promise<string>}
     */
    text(path: string, type: string): Promise<string>;
    /**
     * The answer to a GET request, whose type the caller knows.
     * @param {string} path
     * @returns {Promise<any>}
     */
    get(path: string): Promise<any>;
    /**
     * The answer to a POST request, which is executed once if there is a token.
     * @param {string} path
     * @param {object} body
     * @param {Record<string, string>} [headers]
     * @param {number} [patience]
     * @returns {Promise<any>}
     */
    post(path: string, body: object, headers?: Record<string, string>, patience?: number): Promise<any>;
    /**
     * The answer to a POST request that returns a secret, which is not kept for a repetition.
     * @param {string} path
     * @param {object} body
     * @returns {Promise<any>}
     */
    postWithoutKey(path: string, body: object): Promise<any>;
    /**
     * The answer to a PUT request.
     * @param {string} path
     * @param {object} body
     * @returns {Promise<any>}
     */
    put(path: string, body: object): Promise<any>;
    /**
     * The answer to a PATCH request.
     * @param {string} path
     * @param {object} body
     * @returns {Promise<any>}
     */
    patch(path: string, body: object): Promise<any>;
    /**
     * Send a DELETE request.
     * @param {string} path
     * @returns {Promise<void>}
     */
    delete(path: string): Promise<void>;
    /** Send the requests without an answer again immediately, with the same keys, for example after a reconnection. */
    resend(): void;
}
/** The base class of all errors of this library. */
export declare class TurnstreamError extends Error {
    #private;
    /**
     * @param {string} message
     * @param {{token?: string | null, cause?: unknown}} [options] `token` is that of the request or the socket
     */
    constructor(message: string, { token, cause }?: {
        token?: string | null;
        cause?: unknown;
    });
    /**
     * Whether the failed request was authenticated with this token, null for none: the client may now have another one.
     * @param {string | null} token
     */
    hasUsed(token: string | null): boolean;
}
/** The server refused a request; `code` is stable, and `GET /v1/codes` lists all codes. */
export declare class RefusedError extends TurnstreamError {
    problem: Problem;
    /** Why it was refused, such as `not_your_turn`. @type {Code | (string & {})} */
    code: Code | (string & {});
    /** The HTTP status, also for requests over a socket. */
    status: number;
    /**
     * @param {Problem} problem the server's answer
     * @param {string | null} [token] that of the request or the socket
     */
    constructor(problem: Problem, token?: string | null);
}
/** No answer came within the client's patience, so whether the request was executed is unknown. */
export declare class UnreachableError extends TurnstreamError {
}
/** The server closed the socket with a code that prevents resuming, such as 4100 for an invalid token. */
export declare class FeedClosedError extends TurnstreamError {
    code: number;
    reason: string;
    /**
     * @param {number} code
     * @param {string} reason
     * @param {string | null} [token] that of the socket
     */
    constructor(code: number, reason: string, token?: string | null);
}
/** The room was closed, and another one has its name. */
export declare class RoomReplacedError extends TurnstreamError {
    /** @param {string} room */
    constructor(room: string);
}
/** Events are missing, because history changed or the client was too slow. Start again from the room's view. */
export declare class EventsMissedError extends TurnstreamError {
    reason: string;
    /** @param {string} reason of the snapshot: `history_changed` or `too_slow` */
    constructor(reason: string);
}
/**
 * The problem in an error response, which may be a proxy's instead of the service's.
 * @param {Response} response
 * @returns {Promise<Problem>}
 */
export declare function problemOf(response: Response): Promise<Problem>;
/**
 * Wait for a command, and accept a refusal with this code as success.
 * @param {string} code
 * @param {Promise<unknown>} sent
 */
export declare function unless(code: string, sent: Promise<unknown>): Promise<void>;
export type Retries = {
    first: number;
    longest: number;
    patience: number;
};
/**
 * Growing pauses with jitter, in milliseconds, and how long a request and the first connection are retried.
 * @typedef {{first: number, longest: number, patience: number}} Retries
 */
/** @type {Retries} */
export declare const RETRIES: Retries;
/** Statuses after which the same request is sent again. */
export declare const BUSY: number[];
/**
 * Pauses in milliseconds, without end; each is chosen at random, so that clients do not return all at once.
 * @param {Retries} retries
 * @returns {Generator<number, never>}
 */
export declare function pauses({ first, longest }: Retries): Generator<number, never>;
/**
 * @param {number} ms
 * @returns {Promise<void>}
 */
export declare function sleep(ms: number): Promise<void>;
/** A new idempotency key. `crypto.randomUUID` is missing on pages without TLS. */
export declare function newKey(): string;
