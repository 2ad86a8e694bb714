/** Seeks: looking for other players. */

import { OwnFeed } from './own_feed.js';
import { RefusedError, TurnstreamError, unless } from './requests.js';

/** @import { OpenSeeks, OwnSeek, OwnSeeks, PlayerEvent, SeekMatchedEvent, SeekRequest } from '../schema.d.ts' */
/** @import { Requests } from './requests.js' */

/** The interval in which a seek is renewed; the service ends it after a minute. */
export const RENEW_MS = 25_000;

/**
 * @param {Requests} client
 * @param {SeekRequest} request
 * @returns {Promise<OwnSeek>}
 */
export function makeSeek(client, request) {
  return client.post('/v1/seeks', request);
}

/**
 * @param {Requests} client
 * @param {string} id
 * @returns {Promise<OwnSeek>}
 */
export function acceptSeek(client, id) {
  return client.post(`/v1/seeks/${encodeURIComponent(id)}/accept`, {});
}

/**
 * @param {Requests} client
 * @param {string} id
 * @returns {Promise<void>}
 */
export function withdrawSeek(client, id) {
  return unless('no_such_seek', client.delete(`/v1/seeks/${encodeURIComponent(id)}`));
}

/**
 * @param {Requests} client
 * @returns {Promise<OwnSeeks>}
 */
export function ownSeeks(client) {
  return client.get('/v1/players/me/seeks');
}

/**
 * @param {Requests} client
 * @param {{game?: string, cursor?: string, limit?: string}} query
 * @returns {Promise<OpenSeeks>}
 */
export function openSeeks(client, query) {
  return client.get(`/v1/seeks?${new URLSearchParams(query)}`);
}

/**
 * Each room that is opened for the player, as long as it waits for the player, until the signal is aborted.
 * @param {Requests} client
 * @param {SeekRequest} request
 * @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<SeekMatchedEvent, void>}
 */
export async function* findMatches(client, request, signal) {
  const search = new Search(client, request, signal);
  try {
    await search.open();
    for (;;) {
      const found = await search.match();
      if (!found) return;
      yield found;
    }
  } finally {
    await search.close();
  }
}

class Search {
  /** @type {Requests} */ #client;
  /** @type {SeekRequest} */ #request;
  /** @type {AbortSignal | undefined} */ #signal;
  /** @type {OwnFeed} */ #feed;
  /** The seek, once it was made. @type {OwnSeek | null} */ #seek = null;
  /** The room that waits for the player now. @type {SeekMatchedEvent | null} */ #matched = null;
  /** Why no more rooms are found. @type {unknown} */ #failure = null;
  /** When the seek has to be renewed, by the clock of `performance`. */ #due = 0;
  #wake = () => {};

  /**
   * @param {Requests} client
   * @param {SeekRequest} request
   * @param {AbortSignal} [signal]
   */
  constructor(client, request, signal) {
    this.#client = client;
    this.#request = request;
    this.#signal = signal;
    signal?.addEventListener('abort', () => this.#wake(), { once: true });
    this.#feed = new OwnFeed(client);
  }

  /** Follow the player's own feed before the seek is created, so that no event of it is missed. */
  async open() {
    void this.#watch(this.#feed.events());
    await this.#feed.open();
  }

  /** @param {AsyncGenerator<PlayerEvent, void>} events */
  async #watch(events) {
    try {
      for await (const event of events) this.#take(event);
    } catch (error) {
      this.#failure = error;
      this.#wake();
    }
  }

  /** @param {PlayerEvent} event */
  #take(event) {
    if (event.type === 'seek_matched') this.#matched = event;
    else if (event.type === 'seek_resumed' || event.type === 'seek_dropped') [this.#matched, this.#due] = [null, 0];
    else return;
    this.#wake();
  }

  /**
   * Create the seek and renew it until other players are found, or null when the signal is aborted.
   * @returns {Promise<SeekMatchedEvent | null>}
   */
  async match() {
    this.#due = 0;
    while (!this.#signal?.aborted) {
      if (this.#failure) throw this.#failure;
      const found = this.#matched;
      this.#matched = null;
      if (found) return found;
      if (performance.now() >= this.#due) await this.#renew();
      else await this.#news();
    }
    return null;
  }

  /** Create or renew the seek; while a room waits for the player, there is nothing to renew. */
  async #renew() {
    this.#due = performance.now() + RENEW_MS;
    try {
      this.#seek = await makeSeek(this.#client, this.#request);
    } catch (error) {
      if (!(error instanceof RefusedError && error.code === 'already_paired')) throw error;
    }
  }

  /** Wait for an event of a seek, at most until the seek has to be renewed. */
  async #news() {
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#due - performance.now());
      this.#wake = () => {
        clearTimeout(timer);
        resolve(null);
      };
      if (this.#matched || this.#failure || this.#signal?.aborted) this.#wake();
    });
  }

  /** Withdraw the seek. Without a connection it expires. */
  async close() {
    this.#feed.close();
    try {
      if (this.#seek) await withdrawSeek(this.#client, this.#seek.id);
    } catch (error) {
      if (!(error instanceof TurnstreamError)) throw error;
    }
  }
}
