/** A view of the chat that is followed: the lobby and the player's rooms, or one of them, in one order. */

import { Feed } from './feed.js';

/** @import { ChatLine } from '../schema.d.ts' */
/** @import { Frame } from './feed.js' */
/** @import { Requests } from './requests.js' */

/** Lines are sorted by their ids, which begin with their time in milliseconds. */
const ORDER = new Intl.Collator('en', { numeric: true });

/** A view, followed. A line has the room where it was written; lines of the lobby have none. */
export class Chat extends Feed {
  /** The latest lines, oldest first. Each change creates a new list. @type {ChatLine[]} */
  lines = [];
  /** The `cursor` with which `client.chatView` returns earlier lines, or null. @type {string | null} */
  next = null;

  /**
   * Usually called by `client.followChat`. A user interface calls it to show the `status` before the first lines.
   * @param {Requests} client
   * @param {string} [view] `all`, `lobby`, or a room's name
   */
  constructor(client, view = 'all') {
    super(client, { chat: view }, (frame) => this.#receive(frame));
  }

  /**
   * The lines, then the latest list whenever it has changed.
   * @returns {AsyncGenerator<ChatLine[], void>}
   */
  changes() {
    return this.latest(() => this.lines);
  }

  /** @param {Frame} frame */
  #receive(frame) {
    if (frame.type === 'chat_snapshot') {
      this.lines = frame.lines;
      this.next = frame.next;
      this.isLoaded = true;
    } else if (frame.type === 'chat') {
      this.lines = [...this.lines, frame.line].sort((one, other) => ORDER.compare(one.id, other.id));
    }
  }
}
