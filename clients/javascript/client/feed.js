/** One subscription over a socket that is opened again whenever it breaks. */

import { FeedClosedError, RefusedError, TurnstreamError, UnreachableError } from './errors.js';
import { BUSY, pauses } from './retries.js';

/**
 * @import { CaughtUpFrame, ChatFrame, CommandFrame, ErrorFrame, HeartbeatFrame, LobbyFrame, PongFrame, PresenceFrame,
 *   ReplyFrame, SnapshotFrame, SubscribedFrame, SubscribeFrame, UpdateFrame } from '../schema.d.ts'
 */
/** @import { Client } from '../client.js' */

/** @typedef {SubscribedFrame | SnapshotFrame | UpdateFrame | CaughtUpFrame | PresenceFrame | HeartbeatFrame} RoomFrame */
/** @typedef {RoomFrame | ChatFrame | LobbyFrame | ErrorFrame | ReplyFrame | PongFrame} Frame */
/** @typedef {'connecting' | 'connected' | 'reconnecting' | 'closed'} FeedStatus */
/** @typedef {{room: string} | {lobby: true, game?: string}} Topic what is followed */
/**
 * Who takes the frames. `cursor` is the rest of the subscription: from where to resume, and as whom. `take` throws
 * `RangeError` where something before the frame is missing, which resuming brings.
 * @typedef {{cursor(): Omit<SubscribeFrame, 'type'>, take(frame: Frame): void}} Receiver
 */
/** @typedef {{frame: object, resolve: (reply: ReplyFrame) => void, reject: (error: Error) => void}} Pending */

const PING_MS = 20_000;
const BROKEN_FRAME = [1002, 1007, 1009];
/** Close codes from here on say that resuming is of no use. */
const RESUME_BELOW = 4100;
const CONNECTING = 0;
const OPEN = 1;

export class Feed {
  /** @type {FeedStatus} */
  status = 'connecting';
  /** What has ended it for good. @type {Error | null} */
  failure = null;
  /** @type {Client} */ #client;
  /** @type {Topic} */ #topic;
  /** @type {Receiver} */ #receiver;
  #url;
  /** @type {WebSocket | null} */ #socket = null;
  /** @type {Iterator<number>} */ #pauses;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #watchdog;
  #ids = 0;
  /** The commands that have no reply yet. @type {Map<number, Pending>} */ #pending = new Map();
  /** @type {Set<(frame: Frame | null) => void>} */ #listeners = new Set();
  /** Ends the listening for events of the page. */ #page = new AbortController();

  /**
   * @param {Client} client whose token speaks for the socket
   * @param {string} path of the socket
   * @param {Topic} topic
   * @param {Receiver} receiver
   */
  constructor(client, path, topic, receiver) {
    this.#client = client;
    this.#topic = topic;
    this.#receiver = receiver;
    this.#url = client.url.replace(/^http/, 'ws') + path;
    this.#pauses = pauses(client.retries);
  }

  /**
   * Connect, and wait until something has come. Throws what ends this, `UnreachableError` when patience is over.
   * @param {() => boolean} hasCome
   */
  async open(hasCome) {
    this.#watchPage();
    this.#connect();
    const late = setTimeout(() => this.end(new UnreachableError('no view came')), this.#client.retries.patience);
    try {
      while (!hasCome()) await this.change();
    } finally {
      clearTimeout(late);
    }
  }

  /**
   * End everything that waits, and close the socket.
   * @param {Error} failure
   */
  end(failure) {
    this.failure ??= failure;
    this.status = 'closed';
    this.#drop();
    this.#page.abort();
    for (const { reject } of this.#pending.values()) reject(this.failure);
    this.#pending.clear();
    this.#publish(null);
  }

  // Waiting

  /**
   * Call a function after each frame, and with null when the connection is lost or the feed has ended. Returns the
   * function that ends this.
   * @param {(frame: Frame | null) => void} listener
   * @returns {() => void}
   */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Wait for a frame. Throws what has ended the feed. */
  async change() {
    if (this.failure) throw this.failure;
    await new Promise((resolve) => {
      const end = this.subscribe(() => {
        end();
        resolve(null);
      });
    });
    if (this.failure) throw this.failure;
  }

  /** @param {Frame | null} frame */
  #publish(frame) {
    for (const listener of [...this.#listeners]) listener(frame);
  }

  // Sending

  /** Subscribe again on the same socket, because what the receiver wants has changed. */
  resubscribe() {
    const { token } = this.#client;
    const speaker = token === null ? {} : { token };
    this.#transmit({ type: 'subscribe', ...this.#topic, ...speaker, ...this.#receiver.cursor() });
  }

  /**
   * The reply to a command, which is sent on every socket until one brings it.
   * @param {Omit<CommandFrame, 'type' | 'id'>} command
   * @returns {Promise<ReplyFrame>}
   */
  ask(command) {
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
    socket.onmessage = ({ data }) => this.#socket === socket && this.#take(JSON.parse(data));
    /** @param {{code: number, reason: string}} event */
    const lose = ({ code, reason }) => this.#socket === socket && this.#lose(code, reason);
    socket.onclose = lose;
    // Node 20 to 22 send no `close` where the handshake failed; where it comes, it comes first.
    socket.onerror = () => setTimeout(lose, 0, { code: 1006, reason: 'no connection' });
    this.#watch();
  }

  /**
   * Resume after a pause, if the close code allows it.
   * @param {number} code
   * @param {string} reason
   */
  #lose(code, reason) {
    if (code >= RESUME_BELOW || BROKEN_FRAME.includes(code)) {
      this.end(new FeedClosedError(code, reason));
      return;
    }
    this.#suspend();
    this.#timer = setTimeout(() => this.#connect(), this.#pauses.next().value);
  }

  #suspend() {
    this.#drop();
    this.status = 'reconnecting';
    this.#publish(null);
  }

  #drop() {
    clearTimeout(this.#watchdog);
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    if (socket?.readyState !== CONNECTING) socket?.close();
    else socket.onopen = () => socket.close(); // to close it now would be an error to browsers
  }

  /** Ping after a silence, and give the socket up without an answer: a dead one does not always say so. */
  #watch() {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => {
      this.#transmit({ type: 'ping' });
      this.#watchdog = setTimeout(() => this.#lose(1006, 'no answer to a ping'), PING_MS);
    }, PING_MS);
  }

  /** In a browser: disconnect while the page is in the cache for going back, and reconnect at once when it returns. */
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
  #take(frame) {
    this.#watch();
    if (frame.type === 'reply') this.#answer(frame);
    else if (frame.type === 'error') this.#lookAt(frame);
    else this.#handOver(frame);
    this.#publish(frame);
  }

  /** @param {Frame} frame */
  #handOver(frame) {
    try {
      this.#receiver.take(frame);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#lose(1006, error.message);
    }
    this.#acknowledge();
  }

  /** The receiver accepts what came first on a socket, so this is the room it knows: send what waits for a reply. */
  #acknowledge() {
    if (this.#socket === null || this.status === 'connected') return;
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
  #lookAt({ room, problem }) {
    const isAboutTopic = 'room' in this.#topic === (room !== undefined);
    if (!isAboutTopic) console.warn(`turnstream: ${problem.detail}`);
    else if (BUSY.includes(problem.status)) this.#lose(1006, problem.detail);
    else this.end(new RefusedError(problem));
  }

  /** Follow no longer. */
  close() {
    this.end(new TurnstreamError('this is not followed any longer'));
  }
}
