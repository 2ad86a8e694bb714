/** A view of the chat that is followed: the lobby and the player's rooms, or one of them, in one order. */

import { Feed } from './feed.js';

/** @import { ChatLine } from '../schema.d.ts' */
/** @import { Frame } from './feed.js' */
/** @import { Requests } from './requests.js' */

/** Lines are sorted by their ids, which begin with their time in milliseconds. */
const ORDER = new Intl.Collator('en', { numeric: true });

/** A view, followed. A line has the room where it was written; lines of the lobby have none. */
export class Chat {
  /** The latest lines, oldest first. Each change creates a new list. @type {ChatLine[]} */
  lines = [];
  /** The `cursor` with which `client.chatView` returns earlier lines, or null. @type {string | null} */
  next = null;
  #isLoaded = false;
  /** @type {Feed} */ #feed;

  /**
   * Usually called by `client.followChat`. A user interface calls it to show the `status` before the first lines.
   * @param {Requests} client
   * @param {string} [view] `all`, `lobby`, or a room's name
   */
  constructor(client, view = 'all') {
    const receiver = { cursor: () => ({}), receive: (/** @type {Frame} */ frame) => this.#receive(frame) };
    this.#feed = new Feed(client, '/v1/feed', { chat: view }, receiver);
  }

  /** Connect, and wait for the latest lines. */
  open() {
    return this.#feed.open(() => this.#isLoaded);
  }

  /** Stop following the chat. */
  close() {
    this.#feed.close();
  }

  /** Whether there is a connection: `connecting`, `connected`, `reconnecting` or `closed`. */
  get status() {
    return this.#feed.status;
  }

  /** Why the chat can no longer be followed, or null. */
  get failure() {
    return this.#feed.failure;
  }

  /**
   * Call a function with each frame, after `lines` has been updated, and with null when the connection is lost or there
   * is a `failure`. Returns a function that removes the listener.
   * @param {(frame: Frame | null) => void} listener
   * @returns {() => void}
   */
  subscribe(listener) {
    return this.#feed.subscribe(listener);
  }

  /**
   * The lines, then the latest list whenever it has changed.
   * @returns {AsyncGenerator<ChatLine[], void>}
   */
  async *changes() {
    /** @type {ChatLine[] | null} */
    let shown = null;
    for (;;) {
      while (this.lines === shown) await this.#feed.nextChange();
      shown = this.lines;
      yield shown;
    }
  }

  /** @param {Frame} frame */
  #receive(frame) {
    if (frame.type === 'chat_snapshot') {
      this.lines = frame.lines;
      this.next = frame.next;
      this.#isLoaded = true;
    } else if (frame.type === 'chat') {
      this.lines = [...this.lines, frame.line].sort((one, other) => ORDER.compare(one.id, other.id));
    }
  }
}
