/** A room kept up to date by the feed: its latest view, its events, who is who, and rounds shown step by step. */

import { Problem, request } from '../api.js';
import { announce, loadGame, notify, redraw, showProblem } from '../app.js';
import { gameViewOf } from '../boards/game_views.js';
import { Chat } from '../chat.js';
import { feed } from '../feed.js';
import { guest } from '../guest.js';
import { describe, isNotable } from './describe.js';
import { EarlierMatches } from './earlier_matches.js';
import { History } from './history.js';

/** @import { Room } from './room.js' */
/** @import { AnimationStep, Cursor, Game, RoomEvent, RoomView, Topic, UiState } from '../types.d.ts' */
/** @import { ErrorFrame, Frame, PresenceFrame, SnapshotFrame, UpdateFrame } from '../types.d.ts' */

const STEP_MS = 1100;

export class SyncedRoom {
  /** @param {string} name */
  constructor(name) {
    this.name = name;
    /** @type {RoomView | null} */
    this.loadedView = null;
    /** @type {Game | null} */
    this.loadedGame = null;
    /** Why the room cannot be shown. @type {Problem | null} */
    this.loadError = null;
    this.mark = '';
    /** Who is connected, by player. @type {PresenceFrame['players']} */
    this.presence = {};
    this.watchers = 0;
    /** Nicknames by player, including those who have left. @type {Map<string, string>} */
    this.nicknames = new Map();
    /**
     * Positions still to be shown on the way to the present one. The first one is on the screen.
     * @type {AnimationStep[]}
     */
    this.animationSteps = [];
    this.animationTimer = 0;
    /** The seat whose view is on the screen, in a game with secrets on a shared device. @type {number | null} */
    this.viewerSeat = null;
    /** Whether the boards are hidden until another seat's view has arrived. */
    this.isHidden = false;
    /** @type {UiState} */
    this.uiState = { focus: {} };
    /** The service's clock minus this device's, in milliseconds. */
    this.clockOffset = 0;
    this.chat = new Chat(this.path, () => this.member !== null);
    const room = /** @type {Room} */ (/** @type {SyncedRoom} */ (this));
    this.history = new History(room);
    this.earlier = new EarlierMatches(room);
  }

  // Loading and following.

  /** Load the room and subscribe to it. */
  async open() {
    try {
      /** @type {RoomView} */
      const view = await request(this.path);
      this.name = view.room;
      this.loadedGame = await loadGame(view.game);
      this.setView(view);
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      this.loadError = problem;
      redraw();
      return;
    }
    feed.subscribe(this);
    redraw();
  }

  close() {
    clearTimeout(this.animationTimer);
    feed.unsubscribe(this);
  }

  get path() {
    return `/rooms/${encodeURIComponent(this.name)}`;
  }

  /** @returns {Topic} */
  get topic() {
    return { room: this.name };
  }

  /** @returns {Cursor} */
  cursor() {
    const seat = this.viewerSeat === null ? {} : { seat: this.viewerSeat };
    return this.mark ? { ...seat, since: this.view.version, mark: this.mark } : seat;
  }

  /** @param {Frame} frame */
  accepts(frame) {
    return 'room' in frame && frame.room === this.name;
  }

  /** @param {Frame} frame */
  onFrame(frame) {
    if (frame.type === 'heartbeat') this.setClock(frame.server_time);
    if (frame.type === 'snapshot') this.onSnapshot(frame);
    if (frame.type === 'update') this.onUpdate(frame);
    if (frame.type === 'caught_up') void this.chat.load();
    if (frame.type === 'chat') this.chat.onFrame(frame);
    if (frame.type === 'presence') [this.presence, this.watchers] = [frame.players, frame.watchers];
    if (frame.type === 'error') this.onError(frame);
    redraw();
  }

  /** @param {SnapshotFrame} frame */
  onSnapshot(frame) {
    const isOther = this.loadedView?.epoch !== frame.epoch || frame.reason === 'history_changed';
    if (isOther) this.history.reset();
    this.mark = frame.mark;
    this.setView(frame.view);
    this.animationSteps = [];
    this.isHidden = false;
    if (isOther || this.history.version < frame.version) void this.history.load();
  }

  /** @param {UpdateFrame} frame */
  onUpdate(frame) {
    this.mark = frame.mark;
    const wasMyTurn = this.isMyTurn;
    if (frame.view) this.setView(frame.view);
    else this.loadedView = { ...this.view, version: frame.version };
    const texts = frame.events.map((event) => this.onEvent(event));
    if (!wasMyTurn && this.isMyTurn) texts.push('Your turn.');
    announce(texts.filter(Boolean).join(' '));
    const { match } = this.view;
    const steps = (match && this.gameView.animationSteps?.(match, frame.events)) ?? [];
    if (steps.length) this.animate(steps);
  }

  /**
   * Take an event in, and return it as a sentence.
   * @param {RoomEvent} event
   */
  onEvent(event) {
    const room = /** @type {Room} */ (/** @type {SyncedRoom} */ (this));
    this.history.add(event);
    this.afterEvent(event);
    const text = describe(event, room);
    if (isNotable(event, room)) notify(text);
    return text;
  }

  /** @param {ErrorFrame} frame */
  onError(frame) {
    const problem = new Problem(frame.problem);
    if (problem.status === 404) this.loadError = problem;
    else showProblem(problem);
  }

  /**
   * Show the view of a seat, or the common one, on a shared device.
   * @param {number | null} seat
   */
  viewAs(seat) {
    feed.unsubscribe(this);
    this.history.clearViews();
    this.isHidden = seat !== this.viewerSeat;
    this.viewerSeat = seat;
    this.mark = '';
    feed.subscribe(this);
    redraw();
  }

  /** @param {string} serverTime */
  setClock(serverTime) {
    this.clockOffset = Date.parse(serverTime) - Date.now();
  }

  /** @param {RoomView} view */
  setView(view) {
    this.setClock(view.server_time);
    const { configuring } = this.uiState;
    if (this.loadedView?.match?.id !== view.match?.id) this.uiState = { focus: {}, configuring };
    for (const { id, nickname } of view.players) this.nicknames.set(id, nickname);
    this.loadedView = view;
    this.earlier.refresh();
    this.afterView();
  }

  /** Called after another view was set. */
  afterView() {}

  /**
   * Called for each event of the feed.
   * @param {RoomEvent} _event
   */
  afterEvent(_event) {}

  // The latest view.

  /** The latest view. Only a room that has been loaded is drawn. */
  get view() {
    if (!this.loadedView) throw new Error('The room has not been loaded.');
    return this.loadedView;
  }

  get game() {
    if (!this.loadedGame) throw new Error('The game has not been loaded.');
    return this.loadedGame;
  }

  /** The current or latest match, where there is one. */
  get match() {
    if (!this.view.match) throw new Error('No match has been played here.');
    return this.view.match;
  }

  get isPlaying() {
    return this.view.match?.status === 'playing';
  }

  get geometry() {
    return this.game.geometry;
  }

  get gameView() {
    return gameViewOf(this.view.game);
  }

  // Animation: what happened at once, shown step by step.

  /** @param {AnimationStep[]} steps */
  animate(steps) {
    clearTimeout(this.animationTimer);
    this.animationSteps = steps;
    this.animationTimer = setTimeout(() => this.nextStep(), STEP_MS);
    announce(steps[0]?.description ?? '');
  }

  nextStep() {
    this.animationSteps = this.animationSteps.slice(1);
    if (this.animationSteps.length) this.animate(this.animationSteps);
    redraw();
  }

  skipAnimation() {
    clearTimeout(this.animationTimer);
    this.animationSteps = [];
    redraw();
  }

  // Who is who.

  /** The member who plays on this device, or null. */
  get member() {
    return this.loadedView?.players.find(({ id }) => id === guest.id) ?? null;
  }

  /** The seats held on this device. @returns {number[]} */
  get mySeats() {
    if (!guest.id || !this.loadedView) return [];
    return this.view.seats.filter(({ player }) => player === guest.id).map(({ seat }) => seat);
  }

  get isCreator() {
    return guest.id !== null && this.view.creator === guest.id;
  }

  /** Whether several seats are held on this device. */
  get isShared() {
    return this.mySeats.length > 1;
  }

  get isMyTurn() {
    const match = this.loadedView?.match;
    return match?.status === 'playing' && this.mySeats.some((seat) => match.to_move.includes(seat));
  }
}
