/** A room kept up to date by the feed: its latest view, its events, its people, and rounds shown step by step. */

import { RefusedError, RoomReplacedError, TurnstreamError } from '../../client/requests.js';
import { Room as FollowedRoom } from '../../client/room.js';
import {
  announce,
  app,
  client,
  colourName,
  forgetUnknownGuest,
  guest,
  isNotFound,
  loadGame,
  notify,
  redraw,
  showProblem,
} from '../app.js';
import { gameViewOf } from '../boards/game_views.js';
import { chat } from '../chat.js';
import { capitalized, listed } from '../dom.js';
import { opening } from '../forms/opening.js';
import { SeatNames } from '../forms/seat_names.js';
import { roomTexts } from '../languages/room.js';
import { describe, is, isNotable } from './describe.js';
import { EarlierMatches } from '../review/earlier_matches.js';
import { History } from '../review/history.js';
import { Playback } from './playback.js';

/** @import { Room } from './room.js' */
/** @import { Update } from './playback.js' */
/** @import { Frame } from '../../client.js' */
/** @import { SnapshotFrame, UpdateFrame } from '../../schema.d.ts' */
/** @import { Game, RoomEvent, RoomView, UiState, Values } from '../types.d.ts' */

export class SyncedRoom {
  /** @param {string} name */
  constructor(name) {
    this.name = name;
    /** The room as the library follows it. */
    this.followed = new FollowedRoom(client, name);
    /** @type {RoomView | null} */
    this.loadedView = null;
    /** @type {Game | null} */
    this.loadedGame = null;
    /** Why the room cannot be shown. @type {TurnstreamError | null} */
    this.loadError = null;
    /** Nicknames by player, including those who have left. @type {Map<string, string>} */
    this.nicknames = new Map();
    const room = /** @type {Room} */ (/** @type {SyncedRoom} */ (this));
    this.playback = new Playback(room);
    /** The seat whose view is on the screen, in a game with secrets on a shared device. @type {number | null} */
    this.viewerSeat = null;
    /** Whether the boards are hidden until another seat's view has arrived. */
    this.isHidden = false;
    /** @type {UiState} */
    this.uiState = { focus: {} };
    this.history = new History(room);
    this.seatNames = new SeatNames(name);
    this.earlier = new EarlierMatches(room);
  }

  // Loading and following.

  /** Follow the room from now on. */
  async open() {
    const followed = (this.followed = new FollowedRoom(client, this.name, this.viewerSeat));
    this.loadError = null;
    this.showOpened();
    try {
      await followed.open();
      this.loadedGame = await loadGame(followed.view.game);
    } catch (problem) {
      if (this.followed === followed) this.onFailure(problem);
      return;
    }
    followed.subscribe((frame) => this.onFrame(frame));
    this.name = followed.view.room;
    this.start();
    this.loadChat();
    redraw();
  }

  /** Show the view with which the service has answered when this page opened the room, until it is followed. */
  showOpened() {
    const { view } = opening;
    [opening.game, opening.view] = ['', null];
    const game = view?.room === this.name ? app.games.get(view.game) : undefined;
    if (!view || !game) return;
    this.loadedGame = game;
    this.setView(view);
    redraw();
  }

  close() {
    this.playback.clear();
    const { followed } = this;
    this.followed = new FollowedRoom(client, this.name);
    followed.close();
  }

  /** Load the latest lines of the chat, as long as the room is followed. */
  loadChat() {
    const { followed } = this;
    void chat.load(this.name, () => this.followed === followed);
  }

  get path() {
    return `/v1/rooms/${encodeURIComponent(this.name)}`;
  }

  /** The latest view, with the types that are common to all games; the one on the screen until the room is followed. */
  get followedView() {
    return this.followed.version ? /** @type {RoomView} */ (this.followed.view) : this.view;
  }

  /** @param {Frame | null} frame */
  onFrame(frame) {
    if (this.followed.failure) this.onFailure(this.followed.failure);
    if (frame?.type === 'snapshot') this.onSnapshot(frame);
    if (frame?.type === 'update') this.onUpdate(frame);
    if (frame?.type === 'caught_up') this.loadChat();
    chat.onFrame(frame);
    if (frame?.type === 'presence' && !this.playback.updates.length) this.loadedView = this.followedView;
    redraw();
  }

  /**
   * The room is no longer followed. Follow the room that has replaced it, or the same one without what was rejected:
   * the token, or the seat on the screen.
   * @param {unknown} problem
   */
  onFailure(problem) {
    const isReplaced = problem instanceof RoomReplacedError;
    const hasLostSeat = problem instanceof RefusedError && problem.code === 'not_your_seat';
    if (isReplaced) this.history.reset();
    if (hasLostSeat) this.viewerSeat = null;
    if (isReplaced || hasLostSeat || forgetUnknownGuest(problem)) void this.open();
    else if (!(problem instanceof TurnstreamError)) throw problem;
    else if (isNotFound(problem) || !this.loadedView) this.loadError = problem;
    else showProblem(problem);
    redraw();
  }

  /** @param {SnapshotFrame} frame */
  onSnapshot({ reason }) {
    if (reason === 'history_changed') this.history.reset();
    this.start();
  }

  /** Show the view directly, without the steps that led to it. */
  start() {
    this.playback.clear();
    this.setView(this.followedView);
    this.isHidden = false;
    if (this.history.version < this.view.version) void this.history.load();
  }

  /** @param {UpdateFrame} frame */
  onUpdate({ events }) {
    this.playback.add(this.followedView, events);
  }

  /**
   * Show a view, and those events that were not shown step by step.
   * @param {Update} update
   */
  show({ view, events, steps }) {
    const wasMyTurn = this.isMyTurn;
    const reseated = this.seatSentence(events);
    this.setView(view);
    const shown = new Set(steps.map(({ description }) => description));
    const sentences = events.map((event) => this.onEvent(event)).filter((text) => text && !shown.has(text));
    if (!wasMyTurn && this.isMyTurn) sentences.push(roomTexts.room.yourTurn);
    if (reseated) {
      notify(reseated, 'news');
      sentences.push(reseated);
    }
    announce(sentences.join(' '));
  }

  /**
   * The message to this player if other seats than those on the screen are assigned to them, or an empty text. The view
   * with the new seats arrives later.
   * @param {RoomEvent[]} events
   */
  seatSentence(events) {
    const players = events.findLast((event) => is(event, 'seats_assigned'))?.seats ?? [];
    const seats = players.flatMap((player, seat) => (player !== null && player === guest.id ? [seat] : []));
    if (!players.length || seats.join() === this.mySeats.join()) return '';
    const colours = seats.map((seat) => capitalized(colourName(this.view.game, this.view.seats[seat]?.colour ?? '')));
    return colours.length ? roomTexts.room.youPlay(listed(colours)) : roomTexts.room.noSeat;
  }

  /**
   * Process an event, and return it as a sentence.
   * @param {RoomEvent} event
   */
  onEvent(event) {
    const room = /** @type {Room} */ (/** @type {SyncedRoom} */ (this));
    this.history.add(event);
    this.afterEvent(event);
    const { seat } = event;
    if (event.type === 'passed' && seat !== undefined && this.gameView.isOut?.(room, seat)) return this.sayOut(seat);
    const text = describe(event, room);
    const isOwn = event.type === 'passed' && seat !== undefined && this.mySeats.includes(seat);
    if (isNotable(event, room)) notify(text, isOwn ? 'info' : 'news');
    return text;
  }

  /**
   * Say that a seat has nothing left: once, instead of each time that it passes. The player's own is in the status.
   * @param {number} seat
   */
  sayOut(seat) {
    const { out = [] } = this.uiState;
    if (out.includes(seat)) return '';
    this.uiState.out = [...out, seat];
    const text = roomTexts.events.isOut(/** @type {Room} */ (/** @type {SyncedRoom} */ (this)).seatName(seat));
    if (!this.mySeats.includes(seat) || this.isShared) notify(text, 'news');
    return text;
  }

  /**
   * Show the view of a seat, or the common one, on a shared device.
   * @param {number | null} seat
   */
  viewAs(seat) {
    this.history.clearViews();
    this.isHidden = seat !== this.viewerSeat;
    this.viewerSeat = seat;
    this.followed.viewAs(seat);
    redraw();
  }

  /** @param {RoomView} view */
  setView(view) {
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

  /** The seats that somebody can take. */
  get freeSeats() {
    return this.view.seats.filter(({ player, bot }) => !player && !bot);
  }

  /** The match whose clocks run: it may be ahead of the view while steps are shown. */
  get timedMatch() {
    const [now, shown] = [this.followedView.match, this.view.match];
    return now?.status === 'playing' && now.id === shown?.id ? now : shown;
  }

  /** The current or latest match, where there is one. */
  get match() {
    if (!this.view.match) throw new Error('No match has been played here.');
    return this.view.match;
  }

  get isPlaying() {
    return this.view.match?.status === 'playing';
  }

  /** Whether a rated match is being played, in which help and takebacks are not available. */
  get isRated() {
    return this.isPlaying && this.match.rated;
  }

  /** The geometry with the options of this room. */
  get geometry() {
    const { geometries, geometry } = this.game;
    const isOf = (/** @type {Values} */ options) =>
      Object.entries(options).every(([name, value]) => this.view.options[name] === value);
    return geometries.findLast(({ options }) => isOf(options))?.geometry ?? geometry;
  }

  get gameView() {
    return gameViewOf(this.view.game);
  }

  /** Positions that still have to be shown before the current one. The first one is on the screen. */
  get animationSteps() {
    return this.playback.steps;
  }

  // People.

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
