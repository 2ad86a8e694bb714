/** A room as the feed tells it: the latest view, what happened, who is who, and what is still to be shown step by step. */

import { ask, Problem } from '../api.js';
import { announce, changed, gameOf, notify, refuse } from '../app.js';
import { faceOf } from '../boards/game_views.js';
import { Chat } from '../chat.js';
import { feed } from '../connection.js';
import { guest } from '../guest.js';
import { EarlierMatches } from './earlier_matches.js';
import { History } from './history.js';
import { isNews, isolated, tell } from './describe.js';

const STAGE_MS = 1100;

export class FollowedRoom {
  /** @param {string} name the room's */
  constructor(name) {
    this.name = name;
    /** @type {any} the room's latest view */
    this.view = null;
    /** @type {import('../app.js').Game | null} */
    this.game = null;
    /** @type {Problem | null} why there is nothing to see */
    this.missing = null;
    this.mark = '';
    /** Who is connected, by player, as far as the feed tells. @type {Record<string, {online: boolean}>} */
    this.presence = {};
    this.watchers = 0;
    /** Nicknames by player, of those too who have left. @type {Map<string, string>} */
    this.names = new Map();
    /** @type {any[]} positions still to be shown on the way to the present one, the one shown now first */
    this.stages = [];
    this.staging = 0;
    /** At one device for a game with secrets: the seat whose eyes are on the screen. @type {number | null} */
    this.eyes = null;
    /** Whether nothing may be shown until another seat's view has come. */
    this.isVeiled = false;
    /** What a face remembers while the room is open: a tab, a turned board. @type {Record<string, any>} */
    this.memory = {};
    this.skew = 0;
    this.chat = new Chat(`/rooms/${encodeURIComponent(name)}`, () => this.me !== null);
    this.history = new History(/** @type {any} */ (this));
    this.earlier = new EarlierMatches(/** @type {any} */ (this));
  }

  // Following.

  /** Look the room up, and follow it. */
  async open() {
    try {
      const view = await ask(this.path);
      this.name = view.room;
      this.game = await gameOf(view.game);
      this.showNow(view);
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      this.missing = problem;
      return changed();
    }
    feed.follow(this);
    return changed();
  }

  close() {
    clearTimeout(this.staging);
    feed.unfollow(this);
  }

  get path() {
    return `/rooms/${encodeURIComponent(this.name)}`;
  }

  get topic() {
    return { room: this.name };
  }

  subscription() {
    const seat = this.eyes === null ? {} : { seat: this.eyes };
    return { ...seat, ...(this.mark ? { since: this.view.version, mark: this.mark } : {}) };
  }

  /** @param {any} frame */
  concerns(frame) {
    return frame.room === this.name;
  }

  /** @param {any} frame of the feed, about this room */
  take(frame) {
    if (frame.server_time) this.skew = Date.parse(frame.server_time) - Date.now();
    if (frame.type === 'snapshot') this.takeSnapshot(frame);
    if (frame.type === 'update') this.takeUpdate(frame);
    if (frame.type === 'caught_up') void this.chat.load();
    if (frame.type === 'chat') this.chat.take(frame);
    if (frame.type === 'presence') [this.presence, this.watchers] = [frame.players, frame.watchers];
    if (frame.type === 'error') this.takeError(frame);
    changed();
  }

  /** @param {any} frame */
  takeSnapshot(frame) {
    const isAnother = this.view?.epoch !== frame.epoch || frame.reason === 'history_changed';
    if (isAnother) this.history.reset();
    this.mark = frame.mark;
    this.showNow(frame.view);
    this.stages = [];
    this.isVeiled = false;
    if (isAnother || this.history.version < frame.version) void this.history.load();
  }

  /** @param {any} frame */
  takeUpdate(frame) {
    this.mark = frame.mark;
    const before = this.view?.match;
    const wasMine = this.isMyTurn;
    if (frame.view) this.showNow(frame.view);
    else this.view = { ...this.view, version: frame.version };
    const told = frame.events.map((/** @type {any} */ event) => this.hear(event));
    announce([...told, !wasMine && this.isMyTurn ? 'Your turn.' : ''].filter(Boolean).join(' '));
    const stages = this.face.stages?.(this.view.match, frame.events, before) ?? [];
    if (stages.length) this.stage(stages);
  }

  /** Take an event in, and return what is to be said of it. @param {any} event @returns {string} */
  hear(event) {
    this.history.add(event);
    this.heard(event);
    const told = tell(event, /** @type {any} */ (this));
    if (isNews(event, /** @type {any} */ (this))) notify(told);
    return told;
  }

  /** @param {any} frame */
  takeError(frame) {
    const problem = new Problem(frame.problem);
    if (problem.status === 404) this.missing = problem;
    else refuse(problem);
  }

  /** Look through the eyes of a seat, at a shared device. @param {number | null} seat */
  look(seat) {
    feed.unfollow(this);
    this.history.forget();
    this.isVeiled = seat !== this.eyes;
    this.eyes = seat;
    this.mark = '';
    feed.follow(this);
    changed();
  }

  /** @param {any} view */
  showNow(view) {
    this.skew = Date.parse(view.server_time) - Date.now();
    if (this.view?.match?.id !== view.match?.id) this.memory = { configuring: this.memory.configuring };
    for (const { id, nickname } of view.players) this.names.set(id, nickname);
    this.view = view;
    this.earlier.refresh();
    this.arrived();
  }

  /** Called when another view is there. */
  arrived() {}

  /** Called for every event that the feed tells. @param {any} _event */
  heard(_event) {}

  // Stages: what happened at once, shown one after the other.

  /** @param {any[]} stages */
  stage(stages) {
    clearTimeout(this.staging);
    this.stages = stages;
    this.staging = setTimeout(() => this.nextStage(), STAGE_MS);
    announce(stages[0].told ?? '');
  }

  nextStage() {
    this.stages = this.stages.slice(1);
    if (this.stages.length) this.stage(this.stages);
    changed();
  }

  skipStages() {
    clearTimeout(this.staging);
    this.stages = [];
    changed();
  }

  // Who is who.

  /** This room as another view tells it, such as one of an earlier match. @param {any} view @returns {any} */
  asOf(view) {
    return Object.create(this, { view: { value: view } });
  }

  /** The member that we are, or null. */
  get me() {
    return this.view?.players.find((/** @type {any} */ player) => player.id === guest.id) ?? null;
  }

  /** @returns {number[]} */
  get mySeats() {
    if (!guest.id || !this.view) return [];
    return this.view.seats
      .filter((/** @type {any} */ seat) => seat.player === guest.id)
      .map((/** @type {any} */ seat) => seat.seat);
  }

  get isCreator() {
    return guest.id !== null && this.view.creator === guest.id;
  }

  /** Whether several seats are held here, so that the device goes round. */
  get isShared() {
    return this.mySeats.length > 1;
  }

  /** @param {string | null | undefined} id */
  nameOf(id) {
    return isolated(
      this.view.players.find((/** @type {any} */ player) => player.id === id)?.nickname ??
        this.names.get(id ?? '') ??
        '',
    );
  }

  /** A seat by its colour and who sits there: `Red (Ada)`. @param {number} seat */
  seatName(seat) {
    const { colour, player, bot } = this.view.seats[seat] ?? { colour: `seat ${seat + 1}`, player: null, bot: null };
    const nickname = this.holderOf({ player, bot });
    const name = colour.charAt(0).toUpperCase() + colour.slice(1);
    return nickname && !this.isShared ? `${name} (${nickname})` : name;
  }

  /** Who sits there; a bot's level stands beside its colour. @param {{player: string | null, bot?: string | null}} seat */
  holderOf({ player, bot }) {
    const nickname = this.nameOf(player);
    return bot ? nickname.replace(` (${bot})`, '') : nickname;
  }

  get isMyTurn() {
    const match = this.view?.match;
    return match?.status === 'playing' && this.mySeats.some((seat) => match.to_move.includes(seat));
  }

  /** @param {number} seat */
  colourOf(seat) {
    return this.view.seats[seat]?.colour ?? '';
  }

  get face() {
    return faceOf(this.view.game);
  }
}
