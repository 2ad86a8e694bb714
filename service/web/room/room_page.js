/** The page of a room: status, seats, board and actions; beside them the moves, the chat and the room's settings. */

import { isNotFound, redraw, sentenceOf } from '../app.js';
import { Chat, ChatPane, chatPane } from '../chat.js';
import { h } from '../dom.js';
import { hasFreeSeat, joinForm, passwordForm, seatButton } from '../forms/join_forms.js';
import { copyLink, tableCard } from '../forms/table_card.js';
import { FairnessPanel } from '../fairness/fairness_panel.js';
import { keysButton, keysDialog, onRoomKey } from '../hands/keys.js';
import { lessonOffer } from '../lesson/lesson_offer.js';
import { boardLook, lookMenu } from '../looks/board_looks.js';
import { RoomSounds } from '../motion/room_sounds.js';
import { soundButton } from '../motion/sound.js';
import { actions, moveChoices } from './actions.js';
import { earlierPanel, previousResult } from '../review/earlier_matches.js';
import { handOver } from './hand_over.js';
import { movePanel, stepper } from '../review/move_list.js';
import { reviewPanel } from '../review/review_panel.js';
import { offers } from './offers.js';
import { endingLook } from './results.js';
import { Room } from './room.js';
import { roomPanel } from './room_panel.js';
import { seats } from './seats.js';
import { status } from './status.js';

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
    this.pane = new ChatPane([this.room.chat, new Chat(null, () => true)]);
    this.fairness = new FairnessPanel(this.room);
    this.sounds = new RoomSounds();
    this.timer = 0;
    /** @type {Tab} */
    this.tab = 'moves';
    this.showsKeys = false;
    this.onKey = (/** @type {KeyboardEvent} */ event) => onRoomKey(event, this.room, () => this.showKeys(true));
  }

  get title() {
    if (!this.room.loadedView) return 'Turnstream';
    return `${this.room.view.title} · Turnstream`;
  }

  /** 1 while the match waits for this player, unless several share the device. */
  get turns() {
    if (!this.room.loadedView) return 0;
    const { view, actingSeat, isShared, animationSteps } = this.room;
    const isAwaited =
      actingSeat !== null && !isShared && !animationSteps.length && view.match?.to_move.includes(actingSeat);
    return Number(isAwaited);
  }

  enter() {
    void this.open();
    addEventListener('keydown', this.onKey);
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
  }

  leave() {
    clearTimeout(this.timer);
    removeEventListener('keydown', this.onKey);
    this.room.close();
    this.pane.setOpen(false);
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

  /** @param {boolean} isShown */
  showKeys(isShown) {
    this.showsKeys = isShown;
    redraw();
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
      h('span', { class: 'room-name', key: 'name' }, view.title),
      h(
        'button',
        { class: 'quiet', type: 'button', key: 'share', onclick: () => void copyLink(view.room) },
        'Copy link',
      ),
      h('a', { class: 'button quiet', ...rules }, 'Rules'),
      this.watchers(view),
      lookMenu(this.room),
      soundButton(),
      keysButton(() => this.showKeys(true)),
    ];
  }

  /**
   * How many watch, and the way to their names.
   * @param {RoomView} view
   */
  watchers({ watchers: count, players }) {
    if (!count) return null;
    const names = players.filter(({ as }) => as === 'spectator').map(({ nickname }) => nickname);
    const title = names.join(', ');
    return h(
      'button',
      { key: 'watchers', type: 'button', class: 'quiet watchers', title, onclick: () => this.show('room') },
      `${count} watching`,
    );
  }

  view() {
    const { room } = this;
    if (room.loadError) return notShown(room, room.loadError);
    if (!room.loadedView) return h('p', { class: 'soft plain' }, 'Loading the room …');
    this.sounds.follow(room);
    room.keepAddress();
    const { view, game, name } = room;
    return h(
      'div',
      { class: `room game-${view.game}`, 'data-board': boardLook(view.game), key: name },
      h('h1', { class: 'unseen', key: 'title' }, `${view.title}: ${game.title}`),
      h(
        'div',
        { class: 'play', key: 'play' },
        h('div', { class: 'stack', key: 'stack' }, status(room), offers(room)),
        seats(room),
        boardArea(room),
      ),
      h('div', { class: 'aside', key: 'aside' }, asidePanel(room), lessonOffer(room), this.tabs(), this.panel()),
      this.showsKeys ? keysDialog(() => this.showKeys(false)) : null,
    );
  }

  tabs() {
    const { unread } = this.room.chat;
    const buttons = [
      this.tabButton('moves', 'Moves'),
      this.tabButton('chat', unread && this.tab !== 'chat' ? `Chat (${unread} new)` : 'Chat'),
      this.tabButton('room', 'Room'),
    ];
    return h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Beside the board', key: 'tabs' }, buttons);
  }

  /** @param {Tab} tab */
  show(tab) {
    this.tab = tab;
    this.pane.setOpen(tab === 'chat');
    redraw();
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
 * The board, and what is used with it.
 * @param {Room} room
 */
export function boardArea(room) {
  if (!room.shown.match) {
    const picture = room.gameView.picture(room.game);
    return [tableCard(room), h('div', { class: 'waiting-board', key: 'waiting', 'aria-hidden': 'true' }, picture)];
  }
  const shown = room.onScreen;
  const classes = ['boards', room.history.past && 'past', room.legalMoves.length && 'mine', endingLook(room)];
  return [
    handOver(room),
    tableCard(room),
    h(
      'div',
      { class: classes.filter(Boolean).join(' '), key: 'boards' },
      room.isHidden ? null : shown.gameView.draw(shown),
    ),
    moveChoices(room),
    h('div', { class: 'tray', key: 'tray' }, room.isHidden ? null : shown.gameView.tray?.(shown)),
    h('div', { class: 'below', key: 'below' }, stepper(room), actions(room)),
  ];
}

/**
 * What others than the players can do beside the board; where a seat is free, the card over the board has it.
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
    h('h1', null, isUnknown ? 'Room not found' : 'This room cannot be shown'),
    h('p', null, isUnknown ? 'No open room has this name, or it is private.' : sentenceOf(problem)),
    isUnknown ? passwordForm(room) : null,
    h('p', null, h('a', { href: '/' }, 'To the lobby')),
  );
}
