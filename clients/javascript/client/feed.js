/**
 * What is followed: one subscription over a socket that is opened again whenever it breaks, and iterations over what it
 * receives; and the lobby.
 */

import { BUSY, FeedClosedError, pauses, RefusedError, TurnstreamError, UnreachableError } from './requests.js';

/**
 * @import { CaughtUpFrame, ChatFrame, ChatLine, ChatSnapshotFrame, CommandFrame, ErrorFrame, HeartbeatFrame,
 *   LobbyEntry, LobbyFrame, PlayerCaughtUpFrame, PlayerSnapshotFrame, PlayerSubscribedFrame, PlayerUpdateFrame,
 *   PongFrame, PresenceFrame, ReplyFrame, SnapshotFrame, SubscribedFrame, SubscribeFrame, TournamentSnapshotFrame,
 *   TournamentUpdateFrame, TvFrame, UpdateFrame } from '../schema.d.ts'
 */
/** @import { Requests } from './requests.js' */

/**
 * @typedef {SubscribedFrame | SnapshotFrame | UpdateFrame | CaughtUpFrame | PresenceFrame | HeartbeatFrame | ChatFrame
 *   | ChatSnapshotFrame | LobbyFrame | TvFrame | PlayerSubscribedFrame | PlayerSnapshotFrame | PlayerUpdateFrame
 *   | PlayerCaughtUpFrame | TournamentSnapshotFrame | TournamentUpdateFrame | ErrorFrame | ReplyFrame
 *   | PongFrame} Frame
 */
/** @typedef {'connecting' | 'connected' | 'reconnecting' | 'closed'} FeedStatus */
/**
 * What is followed.
 * @typedef {{room: string} | {lobby: true, game?: string, joinable?: boolean} | {me: true} | {tv: string}
 *   | {tournament: string} | {chat: string}} Topic
 */
/**
 * What receives the frames. `cursor` returns the rest of the subscription: where to resume, and which seat's view.
 * `receive` throws `RangeError` if something before the frame is missing; the feed then resumes.
 * @typedef {{cursor(): Omit<SubscribeFrame, 'type'>, receive(frame: Frame): void}} Receiver
 */
/** @typedef {{frame: object, resolve: (reply: ReplyFrame) => void, reject: (error: Error) => void}} Pending */

const PING_MS = 20_000;
const BROKEN_FRAME = [1002, 1007, 1009];
/** From this close code on, resuming does not help. */
const RESUME_BELOW = 4100;
const CONNECTING = 0;
const OPEN = 1;

/** What is followed. If it can no longer be followed, every method throws the reason, `failure`. */
export class Feed {
  /** Whether there is a connection. @type {FeedStatus} */
  status = 'connecting';
  /** Why this can no longer be followed, or null. @type {Error | null} */
  failure = null;
  /** What the latest subscription was authenticated with. @protected @type {string | null} */
  token = null;
  /** Whether there is something to show. @protected */
  isLoaded = false;
  /** @type {Requests} */ #client;
  /** @type {Topic} */ #topic;
  /** @type {Topic[]} */ #also;
  /** @type {Receiver} */ #receiver;
  #url;
  /** @type {WebSocket | null} */ #socket = null;
  /** @type {Iterator<number>} */ #pauses;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #watchdog;
  #ids = 0;
  /** The commands that have no reply yet. @type {Map<number, Pending>} */ #pending = new Map();
  /** @type {Set<(frame: Frame | null) => void>} */ #listeners = new Set();
  /** Removes the listeners for events of the page. */ #page = new AbortController();

  /**
   * @param {Requests} client whose token authenticates the socket
   * @param {Topic} topic
   * @param {Receiver['receive']} receive
   * @param {{cursor?: Receiver['cursor'], path?: string, also?: Topic[]}} [options] with the `path` of the socket, and
   *   further topics, whose frames only reach listeners
   */
  constructor(client, topic, receive, { cursor = () => ({}), path = '/v1/feed', also = [] } = {}) {
    this.#client = client;
    this.#topic = topic;
    this.#also = also;
    this.#receiver = { cursor, receive };
    this.#url = client.url.replace(/^http/, 'ws') + path;
    this.#pauses = pauses(client.retries);
  }

  /** Connect, and wait for what is followed. Throws the `failure`, `UnreachableError` after `retries.patience`. */
  async open() {
    this.#watchPage();
    this.#connect();
    const late = setTimeout(
      () => this.fail(new UnreachableError(`${this.#url} sent no view`)),
      this.#client.retries.patience,
    );
    try {
      while (!this.isLoaded) await this.nextChange();
    } finally {
      clearTimeout(late);
    }
  }

  /**
   * Close the socket permanently, and reject everything that waits.
   * @param {Error} failure
   * @protected
   */
  fail(failure) {
    this.failure ??= failure;
    this.status = 'closed';
    this.#disconnect();
    this.#page.abort();
    for (const { reject } of this.#pending.values()) reject(this.failure);
    this.#pending.clear();
    this.#publish(null);
  }

  // Waiting

  /**
   * Call a function with each frame, after it has been received, and with null when the connection is lost or there is
   * a `failure`. Returns a function that removes the listener.
   * @param {(frame: Frame | null) => void} listener
   * @returns {() => void}
   */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Wait for the next frame or the loss of the connection. Throws the `failure`. @protected */
  async nextChange() {
    if (this.failure) throw this.failure;
    await new Promise((resolve) => {
      const end = this.subscribe(() => {
        end();
        resolve(null);
      });
    });
    if (this.failure) throw this.failure;
  }

  /**
   * A value, then the latest one whenever it has changed; never null.
   * @template T
   * @param {() => T | null} read
   * @returns {AsyncGenerator<T, void>}
   * @protected
   */
  async *latest(read) {
    /** @type {T | null} */
    let shown = null;
    for (;;) {
      const now = read();
      if (now === null || now === shown) await this.nextChange();
      else yield (shown = now);
    }
  }

  /** @param {Frame | null} frame */
  #publish(frame) {
    for (const listener of [...this.#listeners]) listener(frame);
  }

  // Sending

  /** Subscribe again on the same socket, because the cursor or the token has changed. @protected */
  resubscribe() {
    const { token } = this.#client;
    this.token = token;
    const authentication = token === null ? {} : { token };
    this.#transmit({ type: 'subscribe', ...this.#topic, ...authentication, ...this.#receiver.cursor() });
    for (const topic of this.#also) this.#transmit({ type: 'subscribe', ...topic });
  }

  /**
   * The reply to a command. The command is sent again after each reconnection until the reply arrives.
   * @param {Omit<CommandFrame, 'type' | 'id'>} command
   * @returns {Promise<ReplyFrame>}
   * @protected
   */
  reply(command) {
    const id = (this.#ids += 1);
    const frame = { type: 'command', id, ...command };
    return new Promise((resolve, reject) => {
      if (this.failure) throw this.failure;
      this.#pending.set(id, { frame, resolve, reject });
      if (this.status === 'connected') this.#transmit(frame);
    });
  }

  /** @param {object} frame */
  #transmit(frame) {
    if (this.#socket?.readyState === OPEN) this.#socket.send(JSON.stringify(frame));
  }

  // The socket

  #connect() {
    clearTimeout(this.#timer);
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    socket.onopen = () => this.#socket === socket && this.resubscribe();
    socket.onmessage = ({ data }) => this.#socket === socket && this.#receive(JSON.parse(data));
    /** @param {{code: number, reason: string}} event */
    const onClose = ({ code, reason }) => this.#socket === socket && this.#onClose(code, reason);
    socket.onclose = onClose;
    // Node 20 to 22 fire no `close` event if the handshake failed; other platforms fire it first.
    socket.onerror = () => setTimeout(onClose, 0, { code: 1006, reason: 'no connection' });
    this.#watch();
  }

  /**
   * Reconnect after a pause, if the close code allows it.
   * @param {number} code
   * @param {string} reason
   */
  #onClose(code, reason) {
    if (code >= RESUME_BELOW || BROKEN_FRAME.includes(code)) {
      this.fail(new FeedClosedError(code, reason, this.token));
      return;
    }
    this.#suspend();
    this.#timer = setTimeout(() => this.#connect(), this.#pauses.next().value);
  }

  #suspend() {
    this.#disconnect();
    this.status = 'reconnecting';
    this.#publish(null);
  }

  #disconnect() {
    clearTimeout(this.#watchdog);
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    if (socket?.readyState !== CONNECTING) socket?.close();
    else socket.onopen = () => socket.close(); // browsers report an error if it is closed now
  }

  /** Ping after `PING_MS` without a frame, and reconnect without an answer: not every lost connection is reported. */
  #watch() {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => {
      this.#transmit({ type: 'ping' });
      this.#watchdog = setTimeout(() => this.#onClose(1006, 'no answer to a ping'), PING_MS);
    }, PING_MS);
  }

  /** In a browser: disconnect while the page is in the back/forward cache, and reconnect when it is shown again. */
  #watchPage() {
    if (!globalThis.document) return;
    const { signal } = this.#page;
    const reconnect = () => this.#socket === null && this.#connect();
    addEventListener('online', reconnect, { signal });
    addEventListener('pageshow', reconnect, { signal });
    addEventListener('pagehide', () => this.#suspend(), { signal });
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && reconnect(), {
      signal,
    });
  }

  // Receiving

  /** @param {Frame} frame */
  #receive(frame) {
    this.#watch();
    if (frame.type === 'reply') this.#answer(frame);
    else if (frame.type === 'error') this.#onError(frame);
    else this.#deliver(frame);
    this.#publish(frame);
  }

  /** @param {Frame} frame */
  #deliver(frame) {
    try {
      this.#receiver.receive(frame);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#onClose(1006, error.message);
    }
    this.#onAcknowledged();
  }

  /** The receiver has accepted the first frame of the socket, so it is for the same room: send the pending commands. */
  #onAcknowledged() {
    if (this.#socket === null || this.status === 'connected') return;
    if (this.status === 'reconnecting') this.#client.resend();
    this.status = 'connected';
    this.#pauses = pauses(this.#client.retries);
    for (const { frame } of this.#pending.values()) this.#transmit(frame);
  }

  /** @param {ReplyFrame} reply */
  #answer(reply) {
    const id = Number(reply.id);
    this.#pending.get(id)?.resolve(reply);
    this.#pending.delete(id);
  }

  /** @param {ErrorFrame} frame */
  #onError({ room, problem }) {
    const isAboutTopic = 'room' in this.#topic === (room !== undefined);
    if (!isAboutTopic) console.warn(`turnstream: ${problem.detail}`);
    else if (BUSY.includes(problem.status)) this.#onClose(1006, problem.detail);
    else this.fail(new RefusedError(problem, this.token));
  }

  /** Stop following. Pending calls and iterations throw. */
  close() {
    this.fail(new TurnstreamError('the feed was closed by `close`'));
  }
}

// Iterations: each gets the values in order and once.

/**
 * @template T
 * @typedef {{values: T[], end: Error | true | null, wake: () => void}} Reader
 */

/** @template T */
export class Readers {
  /** @type {Set<Reader<T>>} */ #readers = new Set();

  /**
   * Pass a value to each iteration.
   * @param {T} value
   */
  put(value) {
    for (const reader of this.#readers) {
      reader.values.push(value);
      reader.wake();
    }
  }

  /**
   * End all iterations after the values that they have not yielded yet, with an error or without.
   * @param {Error | null} [error]
   */
  end(error = null) {
    for (const reader of this.#readers) {
      reader.end ??= error ?? true;
      reader.wake();
    }
    this.#readers.clear();
  }

  /**
   * Each value after this call. Throws the failure, if there is one already.
   * @param {Error | null} failure
   * @returns {AsyncGenerator<T, void>}
   */
  read(failure) {
    /** @type {Reader<T>} */
    const reader = { values: [], end: failure, wake: () => {} };
    this.#readers.add(reader);
    return this.#read(reader);
  }

  /**
   * @param {Reader<T>} reader
   * @returns {AsyncGenerator<T, void>}
   */
  async *#read(reader) {
    try {
      for (;;) {
        while (reader.values.length) yield /** @type {T} */ (reader.values.shift());
        if (reader.end === true) return;
        if (reader.end) throw reader.end;
        await new Promise((resolve) => (reader.wake = () => resolve(null)));
      }
    } finally {
      this.#readers.delete(reader);
    }
  }
}

/** The lobby that is followed: the public rooms, as they open, fill and close. */
export class Lobby extends Feed {
  /** The public rooms, newest first. Each change creates a new list. @type {LobbyEntry[]} */
  rooms = [];
  /** @type {Readers<ChatLine>} */ #lines = new Readers();

  /**
   * Usually called by `client.followLobby`. A user interface calls it to show the `status` before the first list.
   * @param {Requests} client
   * @param {{game?: string, joinable?: boolean, chat?: string}} [options] with `joinable` only rooms in which others
   *   can take a seat; with a view of the chat, listeners receive its frames as well
   */
  constructor(client, { game, joinable = false, chat } = {}) {
    const wanted = { ...(game === undefined ? {} : { game }), ...(joinable ? { joinable } : {}) };
    const also = chat === undefined ? [] : [{ chat }];
    super(client, { lobby: true, ...wanted }, (frame) => this.#receive(frame), { also });
    this.subscribe(() => this.failure && this.#lines.end(this.failure));
  }

  /**
   * The rooms, then the latest list whenever it has changed.
   * @returns {AsyncGenerator<LobbyEntry[], void>}
   */
  changes() {
    return this.latest(() => this.rooms);
  }

  /**
   * Each line that is sent to the lobby's chat after this call, except while there is no connection.
   * @returns {AsyncGenerator<ChatLine, void>}
   */
  lines() {
    return this.#lines.read(this.failure);
  }

  /** @param {Frame} frame */
  #receive(frame) {
    if (frame.type === 'lobby') this.#update(frame);
    else if (frame.type === 'chat' && frame.room === undefined) this.#lines.put(frame.line);
  }

  /**
   * A snapshot replaces the list, any other frame changes it.
   * @param {LobbyFrame} frame
   */
  #update({ upsert = [], remove = [], snapshot = false }) {
    const changed = new Set([...upsert, ...remove].map(({ room, epoch }) => `${room} ${epoch}`));
    const kept = snapshot ? [] : this.rooms.filter(({ room, epoch }) => !changed.has(`${room} ${epoch}`));
    this.rooms = [...upsert, ...kept].sort((one, other) => other.opened.localeCompare(one.opened));
    this.isLoaded = true;
  }
}
