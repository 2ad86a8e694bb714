/** One room that is followed. */

import { ServerClock } from './clock.js';
import { EventsMissedError, RefusedError, RoomReplacedError, TurnstreamError, unless } from './errors.js';
import { Feed } from './feed.js';
import { applyPatch } from './patch.js';
import { BUSY, newKey, pauses, sleep } from './retries.js';

/**
 * @import { AnyCommand, AnyEvent, AnyMove, PresenceFrame, RoomView, SnapshotFrame, SubscribedFrame,
 *   UpdateFrame } from '../schema.d.ts'
 */
/** @import { Client } from '../client.js' */
/** @import { MatchView } from './clock.js' */
/** @import { Frame, Receiver } from './feed.js' */

/** @typedef {{events: AnyEvent[], end: Error | null, wake: () => void}} Reader */

/**
 * A room that is followed. A socket that breaks is opened again, however often, and resumes after the last event: none
 * is missing and none comes twice. What ends the following for good is thrown by every method.
 */
export class Room {
  /** @type {Client} */ #client;
  /** @type {Feed} */ #feed;
  /** @type {number | null} */ #seat;
  /** The view as the server has it: the next patch changes this one. @type {RoomView | null} */ #sent = null;
  /** The same with who is connected now. @type {RoomView | null} */ #view = null;
  /** @type {string | null} */ #mark = null;
  /** @type {string | null} */ #epoch = null;
  #clock = new ServerClock();
  /** How often a snapshot has replaced the history. */ #generation = 0;
  /** @type {Set<Reader>} */ #readers = new Set();

  /**
   * `client.follow` is the way to a room; a user interface calls `open` itself, to show the `status` meanwhile.
   * @param {Client} client
   * @param {string} name
   * @param {number | null} [seat] whose knowledge to see, for a holder of several seats
   */
  constructor(client, name, seat = null) {
    this.name = name;
    /** The version of the latest event. */
    this.version = 0;
    this.#client = client;
    this.#seat = seat;
    const path = `/v1/rooms/${encodeURIComponent(name)}/feed`;
    const receiver = { cursor: () => this.#cursor(), take: (/** @type {Frame} */ frame) => this.#take(frame) };
    this.#feed = new Feed(client, path, { room: name }, receiver);
    this.#feed.subscribe(() => this.failure && this.#end(this.failure));
  }

  /** Connect, and wait for the first view. */
  open() {
    return this.#feed.open(() => this.#view !== null);
  }

  /** Follow no longer. What still waits throws. */
  close() {
    this.#feed.close();
  }

  // What there is

  /** The latest view of the room. */
  get view() {
    if (!this.#view) throw new TurnstreamError('the room has no view yet');
    return this.#view;
  }

  /** The running match or the last one, null before the first. */
  get match() {
    return this.view.match;
  }

  /** Whether one of the player's seats is to move. */
  get isToMove() {
    const toMove = this.match?.to_move ?? [];
    return this.view.seats.some(({ seat, player }) => player === this.#client.id && toMove.includes(seat));
  }

  /** Whether there is a connection: `connecting`, `connected`, `reconnecting` or `closed`. */
  get status() {
    return this.#feed.status;
  }

  /** What has ended the following for good. */
  get failure() {
    return this.#feed.failure;
  }

  /** The server's time, by which clocks and deadlines run, in milliseconds since 1970. */
  now() {
    return this.#clock.now();
  }

  /** The milliseconds that each seat has left now, null where time is not limited. */
  remainingMs() {
    return this.#clock.remainingMs(this.match);
  }

  // What happens

  /**
   * Call a function with each frame, after `view` has taken it in, and with null when the connection is lost or the
   * following ends. Returns the function that ends this.
   * @param {(frame: Frame | null) => void} listener
   * @returns {() => void}
   */
  subscribe(listener) {
    return this.#feed.subscribe(listener);
  }

  /**
   * The view, and each newer one that there is when the next is asked for, until the room is closed.
   * @returns {AsyncGenerator<RoomView, void>}
   */
  async *views() {
    /** @type {RoomView | null} */
    let shown = null;
    while (shown?.status !== 'closed') {
      while (this.view === shown) await this.#feed.change();
      shown = this.view;
      yield shown;
    }
  }

  /**
   * The match whenever the player is to move, at most once per version, until the room is closed.
   * @returns {AsyncGenerator<MatchView, void>}
   */
  async *turns() {
    let version = 0;
    for await (const view of this.views()) {
      if (view.version === version || !view.match || !this.isToMove) continue;
      version = view.version;
      yield view.match;
    }
  }

  /**
   * Each event after this call, in order and once, until the room is closed. Throws `EventsMissedError`.
   * @returns {AsyncGenerator<AnyEvent, void>}
   */
  events() {
    /** @type {Reader} */
    const reader = { events: [], end: this.failure, wake: () => {} };
    this.#readers.add(reader);
    return this.#read(reader);
  }

  /** @param {Reader} reader */
  async *#read(reader) {
    try {
      for (;;) {
        for (let event; (event = reader.events.shift());) {
          yield event;
          if (event.type === 'room_closed') return;
        }
        if (reader.end) throw reader.end;
        await new Promise((resolve) => (reader.wake = () => resolve(null)));
      }
    } finally {
      this.#readers.delete(reader);
    }
  }

  /** @param {Error} error */
  #end(error) {
    for (const reader of this.#readers) {
      reader.end ??= error;
      reader.wake();
    }
    this.#readers.clear();
  }

  // Commands

  /**
   * Make a move, such as one of `legal_moves`; `seat` is for a player who holds several that are to move.
   * @param {AnyMove} move
   * @param {{seat?: number}} [options]
   */
  play(move, { seat } = {}) {
    return this.send({ type: 'play', move, ...(seat === undefined ? {} : { seat }) });
  }

  /** Say that the match may begin, unless the player is ready already. */
  async ready() {
    await unless('already_ready', this.send({ type: 'ready' }));
  }

  /**
   * Execute a command once, whatever breaks on the way. Resolves to its version, which `view` has reached by then.
   * @param {AnyCommand} command
   * @returns {Promise<number>}
   */
  async send(command) {
    const frame = { room: this.name, command, key: newKey() };
    for (const pause of pauses(this.#client.retries)) {
      const { result, problem } = await this.#feed.ask(frame);
      if (result) {
        const generation = this.#generation;
        while (this.view.version < result.version && this.#generation === generation) await this.#feed.change();
        return result.version;
      }
      if (problem && !BUSY.includes(problem.status)) throw new RefusedError(problem);
      await sleep(Math.max(pause, 1000 * (problem?.retry_after ?? 0)));
    }
    throw new TurnstreamError('pauses have no end');
  }

  /**
   * See what another seat of this player may know, or with null what all may know. The view follows.
   * @param {number | null} seat
   */
  viewAs(seat) {
    this.#seat = seat;
    this.#feed.resubscribe();
  }

  // Frames

  /** @returns {ReturnType<Receiver['cursor']>} */
  #cursor() {
    const seat = this.#seat === null ? {} : { seat: this.#seat };
    const since = this.#mark === null ? {} : { since: this.version, mark: this.#mark };
    return { state: 'patch', ...seat, ...since };
  }

  /** @param {Frame} frame */
  #take(frame) {
    if (frame.type === 'subscribed') this.#resume(frame);
    else if (frame.type === 'snapshot') this.#restart(frame);
    else if (frame.type === 'update') this.#update(frame);
    else if (frame.type === 'heartbeat') this.#clock.measure(frame.server_time);
    else if (frame.type === 'presence') this.#setPresence(frame);
  }

  /** @param {SubscribedFrame} frame */
  #resume({ room, epoch }) {
    if (this.#epoch !== null && this.#epoch !== epoch) this.#feed.end(new RoomReplacedError(room));
    this.#epoch = epoch;
    this.#clock.reset();
  }

  /**
   * Take a whole view. Behind the events up to its version it only begins the patches.
   * @param {SnapshotFrame} frame
   */
  #restart({ version, mark, reason, view }) {
    if (this.#view && !(reason === 'subscribed' && version === this.version)) {
      this.#generation += 1;
      this.#end(new EventsMissedError(reason));
    }
    this.version = version;
    this.#mark = mark;
    this.#show(view);
  }

  /**
   * Take new events, and the view after them. Throws `RangeError` where something before them is missing.
   * @param {UpdateFrame} frame
   */
  #update({ version, mark, events, from, patch, view }) {
    const fresh = events.filter((event) => event.version > this.version);
    if (!fresh[0]) return;
    if (fresh[0].version !== this.version + 1) throw new RangeError(`version ${this.version + 1} is missing`);
    if (patch && from !== this.#sent?.version) throw new RangeError(`the view of version ${from} is missing`);
    const next = patch ? /** @type {RoomView} */ (applyPatch(this.#sent, patch)) : view;
    this.version = version;
    this.#mark = mark;
    if (next) this.#show(next);
    for (const reader of this.#readers) {
      reader.events.push(...fresh);
      reader.wake();
    }
  }

  /** @param {RoomView} view */
  #show(view) {
    this.#sent = this.#view = view;
    this.#clock.measure(view.server_time);
  }

  /** @param {PresenceFrame} frame */
  #setPresence({ players, watchers }) {
    if (!this.#view) return;
    const present = this.#view.players.map((each) => ({ ...each, presence: players[each.id] ?? each.presence }));
    this.#view = { ...this.#view, players: present, watchers };
  }
}
