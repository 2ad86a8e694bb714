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
   * `client.followLobby` is the way to the lobby; a user interface calls `open` itself, to show the `status` meanwhile.
   * @param {Client} client
   */
  constructor(client) {
    const receiver = { cursor: () => ({}), take: (/** @type {Frame} */ frame) => this.#take(frame) };
    this.#feed = new Feed(client, '/v1/feed', { lobby: true }, receiver);
  }

  /** Connect, and wait for the rooms. */
  open() {
    return this.#feed.open(() => this.#isLoaded);
  }

  /** Follow no longer. */
  close() {
    this.#feed.close();
  }

  /** Whether there is a connection: `connecting`, `connected`, `reconnecting` or `closed`. */
  get status() {
    return this.#feed.status;
  }

  /** What has ended the following for good. */
  get failure() {
    return this.#feed.failure;
  }

  /**
   * Call a function with each frame, after `rooms` has taken it in, and with null when the connection is lost or the
   * following ends. Returns the function that ends this.
   * @param {(frame: Frame | null) => void} listener
   * @returns {() => void}
   */
  subscribe(listener) {
    return this.#feed.subscribe(listener);
  }

  /** @param {Frame} frame */
  #take(frame) {
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
