/** One room that is followed. */

import { ServerClock } from './clock.js';
import { Feed, Readers } from './feed.js';
import { applyPatch } from './patch.js';
import {
  BUSY,
  EventsMissedError,
  newKey,
  pauses,
  RefusedError,
  RoomReplacedError,
  sleep,
  TurnstreamError,
  unless,
} from './requests.js';

/**
 * @import { AnyCommand, AnyEvent, AnyMove, ChatLine, PresenceFrame, RoomView, SnapshotFrame, SubscribedFrame,
 *   UpdateFrame } from '../schema.d.ts'
 */
/** @import { MatchView } from './clock.js' */
/** @import { Frame, Receiver } from './feed.js' */
/** @import { Requests } from './requests.js' */

/**
 * A room that is followed. After a lost connection it reconnects and resumes after the last event: no event is missing
 * and none arrives twice. If the room can no longer be followed, every method throws the reason, `failure`.
 */
export class Room extends Feed {
  /** @type {Requests} */ #client;
  /** @type {number | null} */ #seat;
  /** The view as sent, which the next patch changes. @type {RoomView | null} */ #sent = null;
  /** The same view with the latest presence. @type {RoomView | null} */ #view = null;
  /** @type {string | null} */ #mark = null;
  /** @type {string | null} */ #epoch = null;
  #clock = new ServerClock();
  /** How often a snapshot has replaced the history. */ #generation = 0;
  /** @type {Readers<AnyEvent>} */ #events = new Readers();
  /** @type {Readers<ChatLine>} */ #lines = new Readers();

  /**
   * Usually called by `client.follow`. A user interface calls it to show the `status` before the first view.
   * @param {Requests} client
   * @param {string} name
   * @param {number | null} [seat] whose view to receive, for a player with several seats
   * @param {string} [path] of the socket: the room's own feed, on which bots play for a spectator, or `/v1/feed`
   */
  constructor(client, name, seat = null, path = `/v1/rooms/${encodeURIComponent(name)}/feed`) {
    super(client, { room: name }, (frame) => this.#receive(frame), { cursor: () => this.#cursor(), path });
    this.name = name;
    /** The version of the latest event. */
    this.version = 0;
    this.#client = client;
    this.#seat = seat;
    this.subscribe(() => this.failure && this.#end(this.failure));
  }

  // State

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

  /** The server's time in milliseconds since 1970, on which clocks and deadlines are based. */
  now() {
    return this.#clock.now();
  }

  /** The milliseconds that each seat has left now, null where time is not limited. */
  remainingMs() {
    return this.#clock.remainingMs(this.match);
  }

  // Changes

  /**
   * The view, then the latest one whenever it has changed, until the room is closed.
   * @returns {AsyncGenerator<RoomView, void>}
   */
  async *views() {
    for await (const view of this.latest(() => this.view)) {
      yield view;
      if (view.status === 'closed') return;
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
    return this.#events.read(this.failure);
  }

  /**
   * Each line that is sent to the room's chat after this call, until the room is closed. Lines sent while there was no
   * connection are not included; `client.chat` has them.
   * @returns {AsyncGenerator<ChatLine, void>}
   */
  lines() {
    return this.#lines.read(this.failure);
  }

  /** @param {Error | null} error */
  #end(error) {
    this.#events.end(error);
    this.#lines.end(error);
  }

  // Commands

  /**
   * Make a move, such as one of `legal_moves`; `seat` is required if several seats of the player are to move.
   * @param {AnyMove} move
   * @param {{seat?: number}} [options]
   */
  play(move, { seat } = {}) {
    return this.send({ type: 'play', move, ...(seat === undefined ? {} : { seat }) });
  }

  /** Send `ready`, unless the player is already ready. */
  async ready() {
    await unless('already_ready', this.send({ type: 'ready' }));
  }

  /**
   * Execute a command once, even if the connection is lost meanwhile. Resolves to its version when `view` contains it.
   * @param {AnyCommand} command
   * @returns {Promise<number>}
   */
  async send(command) {
    const frame = { room: this.name, command, key: newKey() };
    for (const pause of pauses(this.#client.retries)) {
      const { result, problem } = await this.reply(frame);
      if (result) {
        const generation = this.#generation;
        while (this.view.version < result.version && this.#generation === generation) await this.nextChange();
        return result.version;
      }
      if (problem && !BUSY.includes(problem.status)) throw new RefusedError(problem, this.token);
      await sleep(Math.max(pause, 1000 * (problem?.retry_after ?? 0)));
    }
    throw new TurnstreamError('pauses have no end');
  }

  /**
   * Receive the view of another seat of this player, or with null the public view. A snapshot with it arrives next.
   * @param {number | null} seat
   */
  viewAs(seat) {
    this.#seat = seat;
    this.resubscribe();
  }

  // Frames

  /** @returns {ReturnType<Receiver['cursor']>} */
  #cursor() {
    const seat = this.#seat === null ? {} : { seat: this.#seat };
    const since = this.#mark === null ? {} : { since: this.version, mark: this.#mark };
    return { state: 'patch', ...seat, ...since };
  }

  /** @param {Frame} frame */
  #receive(frame) {
    if (frame.type === 'subscribed') this.#resume(frame);
    else if (frame.type === 'snapshot') this.#restart(frame);
    else if (frame.type === 'update') this.#update(frame);
    else if (frame.type === 'heartbeat') this.#clock.measure(frame.server_time);
    else if (frame.type === 'presence') this.#setPresence(frame);
    else if (frame.type === 'chat') this.#lines.put(frame.line);
  }

  /** @param {SubscribedFrame} frame */
  #resume({ room, epoch }) {
    if (this.#epoch !== null && this.#epoch !== epoch) this.fail(new RoomReplacedError(room));
    this.#epoch = epoch;
    this.#clock.reset();
  }

  /**
   * Use a complete view. It replaces the history, unless all events up to its version have arrived.
   * @param {SnapshotFrame} frame
   */
  #restart({ version, mark, reason, view }) {
    if (this.#view && !(reason === 'subscribed' && version === this.version)) {
      this.#generation += 1;
      this.#events.end(new EventsMissedError(reason));
    }
    this.version = version;
    this.#mark = mark;
    this.#setView(view);
  }

  /**
   * Add events, and use the view after them. Throws `RangeError` if something before them is missing.
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
    if (next) this.#setView(next);
    for (const event of fresh) this.#events.put(event);
    if (fresh.some(({ type }) => type === 'room_closed')) this.#end(null);
  }

  /** @param {RoomView} view */
  #setView(view) {
    this.#sent = this.#view = view;
    this.isLoaded = true;
    this.#clock.measure(view.server_time);
  }

  /** @param {PresenceFrame} frame */
  #setPresence({ players, watchers }) {
    if (!this.#view) return;
    const present = this.#view.players.map((each) => ({ ...each, presence: players[each.id] ?? each.presence }));
    this.#view = { ...this.#view, players: present, watchers };
  }
}
