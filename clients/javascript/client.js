/**
 * A client of Turnstream, the multiplayer board-game service, for browsers, Node and Deno.
 *
 * `Client` is a player and sends requests. `client.follow` resolves to a `Room`, which follows one room over a socket,
 * resumes after a lost connection, and sends commands that are executed once. The types are in `schema.d.ts`.
 */

import { problemOf, RefusedError, TurnstreamError, unless, UnreachableError } from './client/errors.js';
import { Lobby } from './client/lobby.js';
import { BUSY, newKey, pauses, RETRIES, sleep } from './client/retries.js';
import { Room } from './client/room.js';

export {
  EventsMissedError,
  FeedClosedError,
  RefusedError,
  RoomReplacedError,
  TurnstreamError,
  UnreachableError,
} from './client/errors.js';
export { Lobby, Room };

/**
 * @import { AnyCommand, ChatLine, ChatPage, CurrentPlayer, GameDetails, GameList, Guest, JoinCommand, LobbyPage,
 *   OpenRoomRequest, OpenRoomResponse, RoomView } from './schema.d.ts'
 */
/** @typedef {import('./client/clock.js').MatchView} MatchView */
/** @typedef {import('./client/feed.js').Frame} Frame */
/** @typedef {import('./client/retries.js').Retries} Retries */

/** How long one request may take, in milliseconds, before it is sent again. */
const ANSWER_MS = 10_000;

/**
 * A player of one server, or a spectator without a token. Requests are repeated, commands with the same key, until they
 * are answered or `retries.patience` is over. Every method throws `RefusedError` and `UnreachableError`.
 */
export class Client {
  /**
   * @param {string} url of the server, such as `http://127.0.0.1:8000`
   * @param {{token?: string | null, id?: string | null, retries?: Partial<Retries>}} [options] `token` is that of an
   *   earlier guest, `id` the guest's id where it is known
   */
  constructor(url, { token = null, id = null, retries = {} } = {}) {
    this.url = url.replace(/\/+$/, '');
    this.token = token;
    /** The player's id, null until it is known. */
    this.id = id;
    /** @type {Retries} */
    this.retries = { ...RETRIES, ...retries };
  }

  /**
   * Become a new guest; `bot` shows everyone that a program plays. Keep the token: it cannot be replaced.
   * @param {string} nickname
   * @param {{bot?: boolean}} [options]
   * @returns {Promise<Guest>}
   */
  async createGuest(nickname, { bot = false } = {}) {
    /** @type {Guest} */
    const guest = await this.#request('/v1/players', bodied({ nickname, bot })); // a new token is sent without a key
    this.token = guest.token;
    this.id = guest.player.id;
    return guest;
  }

  /**
   * The id of the player that the token is for, null without a token.
   * @returns {Promise<string | null>}
   */
  async player() {
    if (this.id === null && this.token !== null) this.id = (await this.me()).player.id;
    return this.id;
  }

  /**
   * The player that the token is for, with their rooms and where it is their turn.
   * @returns {Promise<CurrentPlayer>}
   */
  me() {
    return this.get('/v1/players/me');
  }

  /**
   * What can be played.
   * @returns {Promise<GameList>}
   */
  games() {
    return this.get('/v1/games');
  }

  /**
   * A game's rules, options, moves, bots and boards.
   * @param {string} game its slug
   * @returns {Promise<GameDetails>}
   */
  game(game) {
    return this.get(`/v1/games/${encodeURIComponent(game)}`);
  }

  /**
   * Open a room, such as `{ game: 'morris', seats: ['me', { bot: 'easy' }] }`. Without a token, this first becomes a
   * guest with the request's nickname.
   * @param {OpenRoomRequest} request
   * @returns {Promise<OpenRoomResponse>}
   */
  async openRoom(request) {
    if (this.token === null && request.nickname) await this.createGuest(request.nickname);
    return this.post('/v1/rooms', request);
  }

  /**
   * A page of the lobby, newest room first; its `next` is the `cursor` of the following page.
   * @param {{game?: string, cursor?: string}} [query]
   * @returns {Promise<LobbyPage>}
   */
  rooms(query = {}) {
    return this.get(`/v1/rooms?${new URLSearchParams(query)}`);
  }

  /**
   * Follow the public rooms, of all games or of one, until `close` is called. Resolves when the rooms have arrived.
   * @param {{game?: string}} [options]
   * @returns {Promise<Lobby>}
   */
  async followLobby(options = {}) {
    const lobby = new Lobby(this, options);
    await lobby.open();
    return lobby;
  }

  /**
   * A room as this player may see it now.
   * @param {string} room
   * @returns {Promise<RoomView>}
   */
  view(room) {
    return this.get(`/v1/rooms/${encodeURIComponent(room)}`);
  }

  /**
   * Send a command to a room, without following it. Resolves to the version of its last event.
   * @param {string} room
   * @param {AnyCommand} command
   * @returns {Promise<number>}
   */
  async send(room, command) {
    const path = `/v1/rooms/${encodeURIComponent(room)}/commands`;
    return (await this.post(path, command, { prefer: 'return=minimal' })).version;
  }

  /**
   * Join a room and follow it; a player who has joined already only follows it. `command` names a seat, a nickname, or
   * the password of a private room, which only its members can follow.
   * @param {string} room
   * @param {Omit<JoinCommand, 'type'>} [command]
   * @returns {Promise<Room>}
   */
  async join(room, command = {}) {
    await unless('already_joined', this.send(room, { type: 'join', ...command }));
    return this.follow(room);
  }

  /**
   * Follow a room until its `close` is called. Resolves when the view has arrived. `seat` is for a player who holds
   * several: whose view to receive.
   * @param {string} room
   * @param {{seat?: number | null}} [options]
   * @returns {Promise<Room>}
   */
  async follow(room, { seat = null } = {}) {
    await this.player();
    const followed = new Room(this, room, seat);
    await followed.open();
    return followed;
  }

  /**
   * Write a line in the chat of a room, or with null in that of the lobby.
   * @param {string | null} room
   * @param {string} text
   * @returns {Promise<ChatLine>}
   */
  say(room, text) {
    return this.post(chatPath(room), { text });
  }

  /**
   * The latest lines of a chat, those before a `cursor`, or those after the line with the id `since`.
   * @param {string | null} room
   * @param {{cursor?: string, since?: string}} [query]
   * @returns {Promise<ChatPage>}
   */
  chat(room, query = {}) {
    return this.get(`${chatPath(room)}?${new URLSearchParams(query)}`);
  }

  /**
   * The answer to a GET request, whose type the caller knows.
   * @param {string} path
   * @returns {Promise<any>}
   */
  get(path) {
    return this.#request(path, { method: 'GET', headers: {} });
  }

  /**
   * The answer to a POST request, which is executed once if there is a token.
   * @param {string} path
   * @param {object} body
   * @param {Record<string, string>} [headers]
   * @returns {Promise<any>}
   */
  post(path, body, headers = {}) {
    const request = bodied(body, headers);
    if (this.token !== null) request.headers['idempotency-key'] = newKey();
    return this.#request(path, request);
  }

  /**
   * Send a request until it is answered, or patience is over.
   * @param {string} path
   * @param {{method: string, headers: Record<string, string>, body?: string}} request
   * @returns {Promise<any>}
   */
  async #request(path, request) {
    if (this.token !== null) request.headers.authorization = `Bearer ${this.token}`;
    const giveUp = performance.now() + this.retries.patience;
    for (const pause of pauses(this.retries)) {
      let wait = pause;
      /** @type {TurnstreamError} */
      let failure;
      try {
        const response = await fetch(this.url + path, { ...request, signal: AbortSignal.timeout(ANSWER_MS) });
        if (response.ok) return await response.json();
        const problem = await problemOf(response);
        failure = new RefusedError(problem);
        if (!BUSY.includes(problem.status)) throw failure;
        wait = Math.max(pause, 1000 * (problem.retry_after ?? 0));
      } catch (error) {
        if (error instanceof TurnstreamError) throw error;
        failure = new UnreachableError(`${this.url} gave no answer`, { cause: error });
      }
      if (performance.now() + wait > giveUp) throw failure;
      await sleep(wait);
    }
  }
}

/**
 * The path of the chat of a room, or of the lobby.
 * @param {string | null} room
 */
function chatPath(room) {
  return room === null ? '/v1/lobby/chat' : `/v1/rooms/${encodeURIComponent(room)}/chat`;
}

/**
 * A POST request with a body in JSON.
 * @param {object} body
 * @param {Record<string, string>} [headers]
 * @returns {{method: string, headers: Record<string, string>, body: string}}
 */
function bodied(body, headers = {}) {
  return { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}
