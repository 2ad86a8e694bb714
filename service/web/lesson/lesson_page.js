/** The page of a lesson: the step's text beside the board, or above it on a phone. */

import { app, asGuest, attempt, client, guest, isNotFound, loadGame, redraw, showProblem } from '../app.js';
import { playBots } from '../forms/play_bots.js';
import { badge } from '../boards/pieces.js';
import { capitalized, h, texts } from '../dom.js';
import { gameTexts } from '../languages/games.js';
import { roomTexts } from '../languages/room.js';
import { boardLook, lookMenu } from '../looks/board_looks.js';
import { RoomSounds } from '../motion/room_sounds.js';
import { moveChoices } from '../room/actions.js';
import { LessonRoom } from './lesson_room.js';

/** @import { OpenRoomRequest } from '../../schema.d.ts' */
/** @import { Game, Lesson, Seat } from '../types.d.ts' */

const { lesson: WORDS } = gameTexts;

/** Where a tab remembers the room of its lesson, which remains open if the request to close it is lost. */
const STORAGE_KEY = 'turnstream.lesson-room';

export class LessonPage {
  /** @param {string} slug */
  constructor(slug) {
    this.slug = slug;
    /** @type {LessonRoom | null} */
    this.room = null;
    this.sounds = new RoomSounds();
    this.isShown = false;
    this.isUnknown = false;
    this.isBusy = false;
    this.onHide = () => this.close();
    this.onShow = (/** @type {PageTransitionEvent} */ { persisted }) => persisted && void this.begin();
  }

  get game() {
    return app.games.get(this.slug);
  }

  get title() {
    return `${this.game ? WORDS.title(this.game.title) : WORDS.learn} · Turnstream`;
  }

  get feedStatus() {
    return this.room?.loadedView && !this.room.loadError ? this.room.followed.status : null;
  }

  enter() {
    this.isShown = true;
    addEventListener('pagehide', this.onHide);
    addEventListener('pageshow', this.onShow);
    void this.begin();
  }

  leave() {
    this.isShown = false;
    removeEventListener('pagehide', this.onHide);
    removeEventListener('pageshow', this.onShow);
    this.close();
  }

  /** Begin the lesson, in its own room. */
  async begin() {
    if (this.isBusy) return;
    this.isBusy = true;
    this.close();
    try {
      const game = await loadGame(this.slug);
      if (game.lesson) await this.open(game, game.lesson);
      this.isUnknown = !game.lesson;
    } catch (problem) {
      this.isUnknown = isNotFound(problem);
      if (!this.isUnknown) showProblem(problem);
    }
    this.isBusy = false;
    redraw();
  }

  /**
   * Open the room, in which the guest has all seats, and begin the first step. Throws `TurnstreamError`.
   * @param {Game} game
   * @param {Lesson} lesson
   */
  async open({ slug, seats: [usual] }, lesson) {
    const { room: name } = await asGuest(() =>
      client.openRoom(
        /** @type {OpenRoomRequest} */ ({
          game: slug,
          nickname: guest.nickname,
          options: lesson.options,
          settings: { visibility: 'unlisted', restart: null, hot_seat: true, hints: 'off' },
          seats: (usual?.seats ?? []).map(() => 'me'),
        }),
      ),
    );
    const room = (this.room = new LessonRoom(name, lesson));
    const earlier = replaceRemembered(name);
    if (!this.isShown) return this.close();
    await room.open();
    if (earlier) void closeIfOpen(earlier).catch(() => {});
    if (room.loadError) throw room.loadError;
    void this.proceed(0);
  }

  /**
   * Continue with a step.
   * @param {number} index
   */
  async proceed(index) {
    const { room } = this;
    if (!room) return;
    try {
      await room.begin(index);
    } catch (problem) {
      if (room.isClosed) return;
      showProblem(problem);
      this.close();
    }
    if (index && document.activeElement?.matches('body, main')) focusBoard();
  }

  /** Close the room, even while the page is unloaded. The service closes a remaining room after a day. */
  close() {
    const { room } = this;
    if (!room) return;
    this.room = null;
    room.isClosed = true;
    room.close();
    sendClose(room.name);
  }

  bar() {
    const { game, room } = this;
    return [
      h('span', { class: 'room-name', key: 'name' }, game ? WORDS.title(game.title) : ''),
      h('a', { key: 'lobby', class: 'button quiet', href: '/' }, WORDS.backToLobby),
      game ? h('a', { key: 'help', class: 'button quiet', href: `/games/${game.slug}` }, texts.page.rules) : null,
      room?.loadedGame ? lookMenu(room) : null,
    ];
  }

  view() {
    const { game, room } = this;
    if (this.isUnknown) return unknownLesson();
    if (!game || !room?.loadedView?.match || room.loadError) return this.waiting();
    this.sounds.follow(room);
    return h(
      'div',
      { class: `room lesson game-${game.slug}`, 'data-board': boardLook(game.slug), key: room.name },
      h('h1', { class: 'unseen', key: 'title' }, WORDS.title(game.title)),
      h(
        'div',
        { class: 'play', key: 'play' },
        h('div', { class: 'stack', key: 'stack' }, this.card(room)),
        sides(room),
        h('div', { class: `boards ${room.legalMoves.length ? 'mine' : ''}`, key: 'boards' }, room.gameView.draw(room)),
        moveChoices(room),
        h('div', { class: 'tray', key: 'tray' }, room.gameView.tray?.(room)),
      ),
    );
  }

  waiting() {
    if (this.isBusy) return h('p', { class: 'soft plain', key: 'waiting' }, WORDS.settingUp);
    return h(
      'div',
      { class: 'plain', key: 'failed' },
      h('h1', null, WORDS.interrupted),
      h('button', { type: 'button', class: 'primary', onclick: () => void this.begin() }, WORDS.beginAgain),
    );
  }

  /**
   * The step: the progress, its text, the answer to the latest attempt, and the possible actions.
   * @param {LessonRoom} room
   */
  card(room) {
    const { index, lesson, step, phase, advice } = room;
    const isSolved = phase === 'solved';
    const count = lesson.steps.length;
    const text = phase === 'preparing' ? WORDS.playedFirst : step.text;
    return h(
      'section',
      { class: `lesson-card ${isSolved ? 'solved' : ''}`, 'aria-labelledby': 'lesson-step', key: 'card' },
      h('h2', { id: 'lesson-step' }, WORDS.step(index + 1, count)),
      h('p', { class: 'lesson-dots', 'aria-hidden': 'true' }, dots(count, index + Number(isSolved))),
      h('p', { class: 'lesson-text', key: 'text' }, text),
      isSolved ? h('p', { class: 'lesson-praise', key: 'praise' }, step.praise) : null,
      advice && !isSolved ? h('p', { class: 'lesson-advice', key: 'advice' }, advice) : null,
      h('div', { class: 'buttons', key: 'buttons' }, isSolved ? this.onwards(room) : showButton(room)),
    );
  }

  /** @param {LessonRoom} room */
  onwards(room) {
    const created = (/** @type {HTMLElement} */ button) => button.focus({ preventScroll: true });
    const button = { type: 'button', class: 'primary', created };
    if (!room.isLast) {
      return h('button', { key: 'next', ...button, onclick: () => void this.proceed(room.index + 1) }, WORDS.next);
    }
    return [
      h('button', { key: 'play', ...button, onclick: () => void this.play(), disabled: this.isBusy }, WORDS.playMatch),
      h('button', { key: 'again', type: 'button', onclick: () => void this.begin() }, WORDS.again),
      h('a', { key: 'lobby', class: 'button', href: '/' }, texts.page.lobby),
    ];
  }

  /** Begin a match against bots, as from the lobby. */
  async play() {
    const { game } = this;
    if (!game || this.isBusy) return;
    this.isBusy = true;
    redraw();
    const isOpen = await attempt(() => playBots(game));
    this.isBusy = false;
    if (isOpen === false) app.go('/');
    redraw();
  }
}

/**
 * Close a room, even while the page is unloaded.
 * @param {string} name
 */
function sendClose(name) {
  const headers = { authorization: `Bearer ${guest.token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ type: 'close' });
  void fetch(`/v1/rooms/${encodeURIComponent(name)}/commands`, {
    method: 'POST',
    keepalive: true,
    headers,
    body,
  }).catch(() => {});
}

/**
 * Remember the room of the lesson in this tab, and return the one before it. Without storage there is none.
 * @param {string} name
 */
function replaceRemembered(name) {
  try {
    const earlier = sessionStorage.getItem(STORAGE_KEY);
    sessionStorage.setItem(STORAGE_KEY, name);
    return earlier;
  } catch {
    return null;
  }
}

/**
 * Close a room that was not closed. Throws `TurnstreamError`.
 * @param {string} name
 */
async function closeIfOpen(name) {
  const { rooms } = await client.me();
  if (rooms.some(({ room, status }) => room === name && status !== 'closed')) sendClose(name);
}

/**
 * The progress, as a row of dots.
 * @param {number} count
 * @param {number} solved
 */
function dots(count, solved) {
  return Array.from({ length: count }, (_, n) => h('span', { class: n < solved ? 'done' : n === solved ? 'now' : '' }));
}

/** @param {LessonRoom} room */
function showButton(room) {
  const props = { disabled: room.actingSeat === null, onclick: () => room.showSolution() };
  return h('button', { key: 'show', type: 'button', ...props }, WORDS.showMe);
}

/**
 * The colours, who is to move, and the score of each.
 * @param {LessonRoom} room
 */
function sides(room) {
  const { seats } = room.view;
  const items = seats.map((seat) => side(room, seat));
  return h('ul', { class: `seats of-${seats.length}`, key: 'seats', 'aria-label': roomTexts.seats.label }, items);
}

/**
 * @param {LessonRoom} room
 * @param {Seat} seat
 */
function side(room, { seat, colour }) {
  const { status, to_move: awaited } = room.match;
  const isToMove = status === 'playing' && awaited.includes(seat);
  const isOwn = seat === room.mySeats[0];
  const count = room.gameView.count?.(room, seat) ?? null;
  const held = room.gameView.held?.(room, seat);
  const look = ['seat', isOwn && 'near', isToMove && 'moving'].filter(Boolean).join(' ');
  const title = room.gameView.countLabel ?? roomTexts.seats.onBoard;
  return h(
    'li',
    { key: seat, class: look, 'aria-current': isToMove ? 'true' : null },
    badge(colour),
    h(
      'span',
      { class: 'seat-who' },
      capitalized(room.colourName(seat)),
      isOwn ? h('em', null, ` ${roomTexts.seats.you}`) : null,
    ),
    count === null ? null : h('span', { class: 'seat-count', title }, count),
    held ? h('div', { class: 'held', key: 'held' }, held) : null,
  );
}

function focusBoard() {
  const cell = /** @type {SVGElement | null} */ (document.querySelector('.boards [data-cell][tabindex="0"]'));
  cell?.focus({ preventScroll: true });
}

function unknownLesson() {
  return h(
    'div',
    { class: 'plain', key: 'unknown' },
    h('h1', null, WORDS.notFound),
    h('p', null, h('a', { href: '/' }, texts.page.toLobby)),
  );
}
