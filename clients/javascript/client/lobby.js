/** The lobby that is followed: the public rooms, as they open, fill and close. */

import { Feed } from './feed.js';

/** @import { LobbyEntry, LobbyFrame } from '../schema.d.ts' */
/** @import { Client } from '../client.js' */
/** @import { Frame } from './feed.js' */

export class Lobby {
  /** The public rooms, newest first. @type {LobbyEntry[]} */
  rooms = [];
  #isLoaded = false;
  /** @type {Feed} */ #feed;

  /**
   * Usually called by `client.followLobby`. A user interface calls it to show the `status` before the first list.
   * @param {Client} client
   */
  constructor(client) {
    const receiver = { cursor: () => ({}), receive: (/** @type {Frame} */ frame) => this.#receive(frame) };
    this.#feed = new Feed(client, '/v1/feed', { lobby: true }, receiver);
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

  /** @param {Frame} frame */
  #receive(frame) {
    if (frame.type === 'lobby') this.#update(frame);
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
