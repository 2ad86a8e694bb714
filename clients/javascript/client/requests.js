/** Requests to a server: how they are sent, what can go wrong, and when they are sent again. */

/**
 * @import { AnyCommand, ChatLine, ChatPage, Code, CurrentPlayer, GameDetails, GameList, Guest, LetIn, LobbyPage,
 *   OpenRoomRequest, OpenRoomResponse, Problem, RoomView } from '../schema.d.ts'
 */

/** How long one request may take, in milliseconds, before it is sent again. */
const ANSWER_MS = 10_000;

/**
 * A player of one server, or a spectator without a token, who sends requests. They are repeated, commands with the same
 * key, until they are answered or `retries.patience` is over. Every method throws `RefusedError` and
 * `UnreachableError`.
 */
export class Requests {
  /** Ends the pause of each request that failed. @type {Set<() => void>} */ #pauses = new Set();

  /**
   * @param {string} url of the server, such as `http://127.0.0.1:8000`
   * @param {{token?: string | null, id?: string | null, language?: string, retries?: Partial<Retries>}} [options]
   *   `token` is that of an earlier guest, `id` the guest's id where it is known; `language`, such as `de`, that of the
   *   games and of the meanings of codes, if it is not the one that `fetch` sends by default
   */
  constructor(url, { token = null, id = null, language = '', retries = {} } = {}) {
    this.url = url.replace(/\/+$/, '');
    this.token = token;
    /** The player's id, null until it is known. */
    this.id = id;
    this.language = language;
    /** @type {Retries} */
    this.retries = { ...RETRIES, ...retries };
  }

  /**
   * Become a new guest; `bot` shows everyone that a program plays. Keep the token, or create a recovery code.
   * @param {string} nickname
   * @param {{bot?: boolean}} [options]
   * @returns {Promise<Guest>}
   */
  async createGuest(nickname, { bot = false } = {}) {
    /** @type {Guest} */
    const guest = await this.postWithoutKey('/v1/players', { nickname, bot });
    this.become(guest);
    return guest;
  }

  /**
   * Act as this player from now on, with their new token.
   * @param {Guest | LetIn} player
   */
  become({ player, token }) {
    this.token = token;
    this.id = player.id;
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
   * The player that the token is for, with their rooms and whether it is their turn there.
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
   * A page of the lobby, newest room first; its `next` is the `cursor` of the following page. `joinable` selects rooms
   * with a free seat in which somebody is waiting, `live` the matches that everybody can watch.
   * @param {{game?: string, cursor?: string, joinable?: 'true' | 'false', live?: 'true' | 'false'}} [query]
   * @returns {Promise<LobbyPage>}
   */
  rooms(query = {}) {
    return this.get(`/v1/rooms?${new URLSearchParams(query)}`);
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
   * @param {{patience?: number}} [options] how long it is tried, in milliseconds, if not for `retries.patience`
   * @returns {Promise<number>}
   */
  async send(room, command, { patience } = {}) {
    const path = `/v1/rooms/${encodeURIComponent(room)}/commands`;
    return (await this.post(path, command, { prefer: 'return=minimal' }, patience)).version;
  }

  /**
   * Send a line to the chat of a room, or with null to that of the lobby.
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
   * The answer to a GET request as text of a media type.
   * @param {string} path
   * @param {string} type
   * @returns {Promise<string>}
   */
  text(path, type) {
    const read = (/** @type {Response} */ response) => response.text();
    return this.#request(path, { method: 'GET', headers: { accept: type } }, this.retries.patience, read);
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
   * @param {number} [patience]
   * @returns {Promise<any>}
   */
  post(path, body, headers = {}, patience = this.retries.patience) {
    const request = bodied('POST', body, headers);
    if (this.token !== null) request.headers['idempotency-key'] = newKey();
    return this.#request(path, request, patience);
  }

  /**
   * The answer to a POST request that returns a secret, which is not kept for a repetition.
   * @param {string} path
   * @param {object} body
   * @returns {Promise<any>}
   */
  postWithoutKey(path, body) {
    return this.#request(path, bodied('POST', body));
  }

  /**
   * The answer to a PUT request.
   * @param {string} path
   * @param {object} body
   * @returns {Promise<any>}
   */
  put(path, body) {
    return this.#request(path, bodied('PUT', body));
  }

  /**
   * The answer to a PATCH request.
   * @param {string} path
   * @param {object} body
   * @returns {Promise<any>}
   */
  patch(path, body) {
    return this.#request(path, bodied('PATCH', body));
  }

  /**
   * Send a DELETE request.
   * @param {string} path
   * @returns {Promise<void>}
   */
  delete(path) {
    return this.#request(path, { method: 'DELETE', headers: {} });
  }

  /** Send the requests without an answer again immediately, with the same keys, for example after a reconnection. */
  resend() {
    for (const end of [...this.#pauses]) end();
  }

  /**
   * Wait, at most until `resend`.
   * @param {number} ms
   * @returns {Promise<void>}
   */
  async #pause(ms) {
    await /** @type {Promise<void>} */ (
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer); // a pending timer would keep a program of Node running
          this.#pauses.delete(end);
          resolve();
        };
        const timer = setTimeout(end, ms);
        this.#pauses.add(end);
      })
    );
  }

  /**
   * Send a request until it is answered, or patience is over.
   * @param {string} path
   * @param {{method: string, headers: Record<string, string>, body?: string}} request
   * @param {number} [patience]
   * @param {(response: Response) => Promise<any>} [read]
   * @returns {Promise<any>}
   */
  async #request(path, request, patience = this.retries.patience, read = answerOf) {
    const { token } = this;
    if (token !== null) request.headers.authorization = `Bearer ${token}`;
    if (this.language) request.headers['accept-language'] = this.language;
    const giveUp = performance.now() + patience;
    for (const pause of pauses(this.retries)) {
      let wait = pause;
      /** @type {TurnstreamError} */
      let failure;
      try {
        const response = await fetch(this.url + path, { ...request, signal: AbortSignal.timeout(ANSWER_MS) });
        if (response.ok) return await read(response);
        const problem = await problemOf(response);
        failure = new RefusedError(problem, token);
        if (!BUSY.includes(problem.status)) throw failure;
        wait = Math.max(pause, 1000 * (problem.retry_after ?? 0));
      } catch (error) {
        if (error instanceof TurnstreamError) throw error;
        failure = new UnreachableError(`${this.url} gave no answer`, { cause: error, token });
      }
      if (performance.now() + wait > giveUp) throw failure;
      await (failure instanceof UnreachableError ? this.#pause(wait) : sleep(wait));
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
 * A request with a body in JSON.
 * @param {string} method
 * @param {object} body
 * @param {Record<string, string>} [headers]
 * @returns {{method: string, headers: Record<string, string>, body: string}}
 */
function bodied(method, body, headers = {}) {
  return { method, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

/**
 * The JSON content of a response, null without content.
 * @param {Response} response
 * @returns {Promise<any>}
 */
async function answerOf(response) {
  return response.status === 204 ? null : response.json();
}

// What can go wrong.

/** The base class of all errors of this library. */
export class TurnstreamError extends Error {
  /** Private, so that no log shows it. @type {string | null} */ #token;

  /**
   * @param {string} message
   * @param {{token?: string | null, cause?: unknown}} [options] `token` is that of the request or the socket
   */
  constructor(message, { token = null, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.#token = token;
  }

  /**
   * Whether the failed request was authenticated with this token, null for none: the client may now have another one.
   * @param {string | null} token
   */
  hasUsed(token) {
    return this.#token === token;
  }
}

/** The server refused a request; `code` is stable, and `GET /v1/codes` lists all codes. */
export class RefusedError extends TurnstreamError {
  /**
   * @param {Problem} problem the server's answer
   * @param {string | null} [token] that of the request or the socket
   */
  constructor(problem, token = null) {
    super(`${problem.code}: ${problem.detail}`, { token });
    this.problem = problem;
    /** Why it was refused, such as `not_your_turn`. @type {Code | (string & {})} */
    this.code = problem.code;
    /** The HTTP status, also for requests over a socket. */
    this.status = problem.status;
  }
}

/** No answer came within the client's patience, so whether the request was executed is unknown. */
export class UnreachableError extends TurnstreamError {}

/** The server closed the socket with a code that prevents resuming, such as 4100 for an invalid token. */
export class FeedClosedError extends TurnstreamError {
  /**
   * @param {number} code
   * @param {string} reason
   * @param {string | null} [token] that of the socket
   */
  constructor(code, reason, token = null) {
    super(`the server closed the socket: ${code} ${reason}`, { token });
    this.code = code;
    this.reason = reason;
  }
}

/** The room was closed, and another one has its name. */
export class RoomReplacedError extends TurnstreamError {
  /** @param {string} room */
  constructor(room) {
    super(`another room is called ${room} now`);
  }
}

/** Events are missing, because history changed or the client was too slow. Start again from the room's view. */
export class EventsMissedError extends TurnstreamError {
  /** @param {string} reason of the snapshot: `history_changed` or `too_slow` */
  constructor(reason) {
    super(`events are missing: ${reason}`);
    this.reason = reason;
  }
}

/**
 * The problem in an error response, which may be a proxy's instead of the service's.
 * @param {Response} response
 * @returns {Promise<Problem>}
 */
export async function problemOf(response) {
  if (response.headers.get('content-type')?.startsWith('application/problem+json')) return response.json();
  const { status, statusText: title } = response;
  return { type: 'about:blank', title, status, code: `http_${status}`, detail: (await response.text()).slice(0, 200) };
}

/**
 * Wait for a command, and accept a refusal with this code as success.
 * @param {string} code
 * @param {Promise<unknown>} sent
 */
export async function unless(code, sent) {
  try {
    await sent;
  } catch (error) {
    if (!(error instanceof RefusedError && error.code === code)) throw error;
  }
}

// When to try again.

/**
 * Growing pauses with jitter, in milliseconds, and how long a request and the first connection are retried.
 * @typedef {{first: number, longest: number, patience: number}} Retries
 */

/** @type {Retries} */
export const RETRIES = { first: 250, longest: 10_000, patience: 30_000 };

/** Statuses after which the same request is sent again. */
export const BUSY = [429, 502, 503, 504];

/**
 * Pauses in milliseconds, without end; each is chosen at random, so that clients do not return all at once.
 * @param {Retries} retries
 * @returns {Generator<number, never>}
 */
export function* pauses({ first, longest }) {
  for (let limit = first; ; limit = Math.min(2 * limit, longest)) yield (limit * (1 + Math.random())) / 2;
}

/**
 * @param {number} ms
 * @returns {Promise<void>}
 */
export function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A new idempotency key. `crypto.randomUUID` is missing on pages without TLS. */
export function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
