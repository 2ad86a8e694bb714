/** The page of a room: status, seats, board and actions; beside them the moves, the chat and the room's settings. */

import { isNotFound, redraw, sentenceOf } from '../app.js';
import { dieFace } from '../boards/pieces.js';
import { ChatPane, chatPane } from '../chat.js';
import { h, texts } from '../dom.js';
import { hasFreeSeat, joinForm, passwordForm, seatButton } from '../forms/join_forms.js';
import { emptyRoom } from '../forms/opening.js';
import { copyLink, invite, tableCard } from '../forms/table_card.js';
import { FairnessPanel } from '../fairness/fairness_panel.js';
import { roomTexts } from '../languages/room.js';
import { RoomKeys } from '../hands/keys.js';
import { lessonOffer } from '../lesson/lesson_offer.js';
import { boardLook, lookMenu } from '../looks/board_looks.js';
import { RoomSounds } from '../motion/room_sounds.js';
import { actions, moveChoices } from './actions.js';
import { earlierPanel, previousResult } from '../review/earlier_matches.js';
import { rollsOf } from './describe.js';
import { handOver } from './hand_over.js';
import { Ending } from '../review/ending.js';
import { movePanel, stepper } from '../review/move_list.js';
import { reviewPanel } from '../review/review_panel.js';
import { offers } from './offers.js';
import { endingLook, titleOfRoom } from './results.js';
import { Room } from './room.js';
import { roomPanel } from './room_panel.js';
import { seats } from './seats.js';
import { status } from './status.js';

/** @import { NextTable } from '../people/next_table.js' */
/** @import { RoomView } from '../types.d.ts' */
/** @typedef {'moves' | 'chat' | 'room'} Tab */

/** How often running clocks are drawn: tenths of a second in the last seconds, and seconds before. */
const TICK_MS = { tenths: 100, seconds: 500 };
/** Below this a clock may show tenths before the next tick. */
const TENTHS_MS = 11_000;

export class RoomPage {
  /**
   * @param {string} name
   * @param {{number: number, ply: number | undefined} | null} position the match that is opened, and where
   */
  constructor(name, position) {
    this.room = new Room(name);
    this.position = position;
    this.pane = new ChatPane(this.room, () => {
      const { lobby, thisRoom } = texts.chat;
      const here = this.room.member === null ? [] : [{ room: this.room.name, title: thisRoom }];
      return [...here, { room: null, title: lobby }];
    });
    this.fairness = new FairnessPanel(this.room);
    this.room.ending = new Ending(this.room);
    this.sounds = new RoomSounds();
    this.timer = 0;
    this.isShown = false;
    /** @type {Tab} */
    this.tab = 'moves';
    this.keys = new RoomKeys(this.room);
    this.keys.goOn = () => void this.next?.go();
    /** The link to other rooms, once it has been loaded. @type {NextTable | null} */
    this.next = null;
    /** The id of the rated match that is over, or an empty text. */
    this.rated = '';
    /** The match and the players whose ratings are shown, or an empty text. */
    this.ratings = '';
  }

  get title() {
    if (!this.room.loadedView) return 'Turnstream';
    return `${titleOfRoom(this.room)} · Turnstream`;
  }

  get hasStatus() {
    return this.room.loadedView !== null;
  }

  get shownGame() {
    return this.room.loadedView?.game ?? '';
  }

  /** 1 while the match waits for this player, unless several share the device. */
  get turns() {
    if (!this.room.loadedView) return 0;
    const { view, actingSeat, isShared, animationSteps } = this.room;
    const isAwaited =
      actingSeat !== null && !isShared && !animationSteps.length && view.match?.to_move.includes(actingSeat);
    return Number(isAwaited);
  }

  /** Whether the player has a seat in a running match; that is assumed until the room has been loaded. */
  get isPlaying() {
    const { room } = this;
    return room.loadedView === null ? !room.loadError : room.isPlaying && room.mySeats.length > 0;
  }

  enter() {
    this.isShown = true;
    void this.open();
    this.keys.enter();
    this.tick();
  }

  /** Open the room, and the match that the address names. */
  async open() {
    const { room, position } = this;
    room.isOpening = position !== null;
    await room.open();
    if (position && room.loadedView) await room.history.openNumber(position.number, position.ply);
    room.isOpening = false;
    redraw();
    await Promise.all([this.findOthers(), this.findStart()]);
  }

  /** Load the way to the player's other rooms. */
  async findOthers() {
    const found = await import('../people/next_table.js').catch(() => null); // the room is complete without it
    if (!found || !this.isShown) return;
    this.next = new found.NextTable(this.room);
    await this.next.open();
  }

  /** Load the position at which a room begins, while it waits for players. */
  async findStart() {
    const { room } = this;
    if (!room.loadedView || room.view.match) return;
    const found = await import('../review/starting_position.js').catch(() => null); // as above
    await found?.showStart(room);
  }

  leave() {
    this.isShown = false;
    this.next?.close();
    clearTimeout(this.timer);
    this.room.ending?.hide();
    this.keys.leave();
    this.room.close();
    void this.pane.setOpen(false);
  }

  /** Redraw regularly while a clock or a countdown is shown. */
  tick() {
    const view = this.room.loadedView;
    const isCounting = view?.match?.clock || view?.restart_at || view?.seats.some((seat) => seat.claimable_at);
    if (isCounting) redraw();
    this.timer = setTimeout(() => this.tick(), this.showsTenths ? TICK_MS.tenths : TICK_MS.seconds);
  }

  /** Whether a running clock shows tenths of a second, or will soon. */
  get showsTenths() {
    const match = this.room.loadedView && this.room.timedMatch;
    if (!match?.clock || match.status !== 'playing') return false;
    return match.to_move.some((seat) => this.room.timeLeft(seat) < TENTHS_MS);
  }

  /** Show how a rated match changed ratings, once it has ended. */
  followRating() {
    const { room } = this;
    const { match } = room.view;
    const id = match?.rated && match.result ? match.id : '';
    if (id === this.rated) return;
    this.rated = id;
    room.rating?.close();
    room.rating = null;
    if (id) void this.openRating(id);
  }

  /** Show the ratings of a rated table behind the names, read again with each match and each player. */
  async followRatings() {
    const { room } = this;
    const { match, settings, seats: all, game } = room.view;
    const players = all.flatMap(({ player }) => player ?? []);
    const wanted = settings.rated ? [match?.id, ...players].join() : '';
    if (wanted === this.ratings) return;
    this.ratings = wanted;
    const found = wanted ? await import('../ratings/ratings.js').catch(() => null) : null; // the names are enough
    const ratings = await found?.loadRatings(players, game, settings.clock);
    if (this.ratings !== wanted) return;
    room.ratings = ratings ?? new Map();
    redraw();
  }

  /** @param {string} id of the match */
  async openRating(id) {
    const found = await import('../ratings/match_rating.js').catch(() => null); // the result is complete without it
    if (!found || !this.isShown || this.rated !== id) return;
    this.room.rating = new found.MatchRating(id, this.room.nicknames);
    await this.room.rating.open();
  }

  /** The status of the connection, while a room is shown. */
  get feedStatus() {
    return this.room.loadError ? null : this.room.followed.status;
  }

  bar() {
    const view = this.room.loadedView;
    if (!view) return null;
    const rules = { key: 'help', href: `/games/${view.game}`, target: '_blank', rel: 'noopener' };
    return [
      h('span', { class: 'room-name', key: 'name' }, titleOfRoom(this.room)),
      view.settings.rated ? h('span', { class: 'tag', key: 'rated' }, roomTexts.room.rated) : null,
      this.next?.button(),
      this.inviteButton(view),
      h('a', { class: 'button quiet', ...rules }, texts.page.rules),
      this.watchers(view),
      lookMenu(this.room),
      this.keys.button(),
    ];
  }

  /**
   * For members, the button to invite others; for everybody else, the link.
   * @param {RoomView} view
   */
  inviteButton({ room: name, status: roomStatus }) {
    const { room } = this;
    const mayInvite = room.member !== null && roomStatus !== 'closed';
    const onclick = () => void (mayInvite ? invite(room) : copyLink(name));
    const label = mayInvite ? roomTexts.table.inviteButton : roomTexts.room.copyLink;
    return h('button', { class: 'quiet share', type: 'button', key: 'share', onclick }, label);
  }

  /**
   * The number of spectators, and a link to their names.
   * @param {RoomView} view
   */
  watchers({ watchers: count, players }) {
    if (!count) return null;
    const names = players.filter(({ as }) => as === 'spectator').map(({ nickname }) => nickname);
    const title = names.join(', ');
    return h(
      'button',
      { key: 'watchers', type: 'button', class: 'quiet watchers', title, onclick: () => this.show('room') },
      roomTexts.room.watching(count),
    );
  }

  view() {
    const { room } = this;
    if (room.loadError) return notShown(room, room.loadError);
    if (!room.loadedView) return emptyRoom();
    this.sounds.follow(room);
    room.ending?.follow();
    this.followRating();
    void this.followRatings();
    room.keepAddress();
    const { view, name } = room;
    return h(
      'div',
      { class: `room game-${view.game}`, 'data-board': boardLook(view.game), key: name },
      h('h1', { class: 'unseen', key: 'title' }, titleOfRoom(room)),
      h(
        'div',
        { class: 'play', key: 'play' },
        h('div', { class: 'stack', key: 'stack' }, status(room), offers(room)),
        seats(room),
        boardArea(room),
      ),
      h('div', { class: 'aside', key: 'aside' }, asidePanel(room), lessonOffer(room), this.tabs(), this.panel()),
      this.keys.dialog(),
    );
  }

  tabs() {
    const unread = this.pane.unread('room');
    const { beside, moves, chat, chatNew, room } = roomTexts.room;
    const buttons = [
      this.tabButton('moves', moves),
      this.tabButton('chat', unread && this.tab !== 'chat' ? chatNew(unread) : chat),
      this.tabButton('room', room),
    ];
    return h('div', { class: 'tabs', role: 'tablist', 'aria-label': beside, key: 'tabs' }, buttons);
  }

  /** @param {Tab} tab */
  show(tab) {
    this.tab = tab;
    void this.pane.setOpen(tab === 'chat');
    redraw();
    queueMicrotask(() => document.querySelector('.aside')?.scrollIntoView({ block: 'nearest' }));
  }

  /**
   * @param {Tab} tab
   * @param {string} label
   */
  tabButton(tab, label) {
    const isShown = this.tab === tab;
    const onclick = () => this.show(tab);
    const aria = { role: 'tab', 'aria-selected': String(isShown), 'aria-controls': 'side-panel' };
    return h('button', { key: tab, type: 'button', id: `side-${tab}`, class: 'tab', ...aria, onclick }, label);
  }

  panel() {
    const props = { class: 'side-panel', role: 'tabpanel', id: 'side-panel', key: 'panel' };
    return h('div', { ...props, 'aria-labelledby': `side-${this.tab}` }, this.panelContent());
  }

  panelContent() {
    const { room } = this;
    if (this.tab === 'room') return roomPanel(room);
    if (this.tab === 'moves') {
      const { history, earlier } = room;
      const lists = [previousResult(history), movePanel(room), this.fairness.view(), earlierPanel(earlier)];
      return [reviewPanel(room), ...lists];
    }
    return chatPane(this.pane);
  }
}

/**
 * The board and its controls.
 * @param {Room} room
 */
export function boardArea(room) {
  if (!room.shown.match) return [tableCard(room), waitingBoard(room)];
  const shown = room.onScreen;
  const classes = ['boards', room.history.past && 'past', room.legalMoves.length && 'mine', endingLook(room)];
  return [
    handOver(room),
    tableCard(room),
    h(
      'div',
      { class: classes.filter(Boolean).join(' '), key: 'boards' },
      room.isHidden ? null : shown.gameView.draw(shown),
      rolls(shown),
      room.ending?.view(),
    ),
    moveChoices(room),
    h('div', { class: 'tray', key: 'tray' }, room.isHidden ? null : shown.gameView.tray?.(shown)),
    h('div', { class: 'below', key: 'below' }, stepper(room), actions(room)),
  ];
}

/**
 * The board while a room waits for players: with the position at which it begins, or of the game.
 * @param {Room} room
 */
function waitingBoard(room) {
  const { starting, view } = room;
  const begun = starting && room.withView({ ...view, ...starting });
  const drawing = begun ? begun.gameView.draw(begun) : room.gameView.picture(room.game);
  const look = begun ? 'waiting-board starting' : 'waiting-board';
  return h('div', { class: look, key: 'waiting', 'aria-hidden': 'true', inert: true }, drawing);
}

/**
 * The dice that decide who begins, on the board until the first turn is made.
 * @param {Room} room
 */
function rolls(room) {
  const rolled = rollsOf(room);
  if (!rolled.length || room.view.match?.result) return null;
  const label = rolled.map(({ description }) => description).join(' ');
  const dice = rolled.map(({ version, seat, value }) =>
    h('span', { key: version }, dieFace(value ?? '', room.colourOf(seat ?? 0))),
  );
  return h('div', { class: 'rolls', key: 'rolls', role: 'img', 'aria-label': label }, dice);
}

/**
 * What people other than the players can do beside the board; if a seat is free, the card over the board has it.
 * @param {Room} room
 */
function asidePanel(room) {
  if (room.history.earlier || room.isOpening) return null; // a match that is over has nothing to join
  if (room.member) return seatButton(room);
  return hasFreeSeat(room) && !room.history.past ? null : joinForm(room);
}

/**
 * @param {Room} room
 * @param {Error} problem
 */
function notShown(room, problem) {
  const isUnknown = isNotFound(problem);
  return h(
    'div',
    { class: 'plain', key: 'missing' },
    h('h1', null, isUnknown ? roomTexts.room.notFound : roomTexts.room.notShown),
    h('p', null, isUnknown ? roomTexts.room.notFoundNote : sentenceOf(problem)),
    isUnknown ? passwordForm(room) : null,
    h('p', null, h('a', { href: '/' }, texts.page.toLobby)),
  );
}
