/** The lobby that is followed: the public rooms, as they open, fill and close. */

import { Feed } from './feed.js';
import { Readers } from './readers.js';

/** @import { ChatLine, LobbyEntry, LobbyFrame } from '../schema.d.ts' */
/** @import { Client } from '../client.js' */
/** @import { Frame } from './feed.js' */

export class Lobby {
  /** The public rooms, newest first. Each change makes a new list. @type {LobbyEntry[]} */
  rooms = [];
  #isLoaded = false;
  /** @type {Feed} */ #feed;
  /** @type {Readers<ChatLine>} */ #lines = new Readers();

  /**
   * Usually called by `client.followLobby`. A user interface calls it to show the `status` before the first list.
   * @param {Client} client
   * @param {{game?: string}} [options]
   */
  constructor(client, { game } = {}) {
    const receiver = { cursor: () => ({}), receive: (/** @type {Frame} */ frame) => this.#receive(frame) };
    this.#feed = new Feed(client, '/v1/feed', { lobby: true, ...(game === undefined ? {} : { game }) }, receiver);
    this.#feed.subscribe(() => this.failure && this.#lines.end(this.failure));
  }

  /** Connect, and wait for the rooms. */
  open() {
    return this.#feed.open(() => this.#isLoaded);
  }

  /** Stop following the lobby. */
  close() {
    this.#feed.close();
  }

  /** Whether there is a connection: `connecting`, `connected`, `reconnecting` or `closed`. */
  get status() {
    return this.#feed.status;
  }

  /** Why the lobby can no longer be followed, or null. */
  get failure() {
    return this.#feed.failure;
  }

  /**
   * Call a function with each frame, after `rooms` has been updated, and with null when the connection is lost or there
   * is a `failure`. Returns a function that removes the listener.
   * @param {(frame: Frame | null) => void} listener
   * @returns {() => void}
   */
  subscribe(listener) {
    return this.#feed.subscribe(listener);
  }

  /**
   * The rooms, then the latest list whenever it has changed.
   * @returns {AsyncGenerator<LobbyEntry[], void>}
   */
  async *changes() {
    /** @type {LobbyEntry[] | null} */
    let shown = null;
    for (;;) {
      while (this.rooms === shown) await this.#feed.nextChange();
      shown = this.rooms;
      yield shown;
    }
  }

  /**
   * Each line that is written in the lobby's chat after this call, except while there is no connection.
   * @returns {AsyncGenerator<ChatLine, void>}
   */
  lines() {
    return this.#lines.read(this.failure);
  }

  /** @param {Frame} frame */
  #receive(frame) {
    if (frame.type === 'lobby') this.#update(frame);
    else if (frame.type === 'chat') this.#lines.put(frame.line);
  }

  /**
   * A snapshot replaces the list, any other frame changes it.
   * @param {LobbyFrame} frame
   */
  #update({ upsert = [], remove = [], snapshot = false }) {
    const changed = new Set([...upsert, ...remove].map(({ room, epoch }) => `${room} ${epoch}`));
    const kept = snapshot ? [] : this.rooms.filter(({ room, epoch }) => !changed.has(`${room} ${epoch}`));
    this.rooms = [...upsert, ...kept].sort((one, other) => other.opened.localeCompare(one.opened));
    this.#isLoaded = true;
  }
}
