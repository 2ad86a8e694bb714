/** Chats: the lines of the lobby and of rooms in one pane, a switch for what is shown, and a form to add a line. */

import { Lobby } from '../client/feed.js';
import { announce, app, asGuest, attempt, client, guest, keepTrying, redraw, sentenceOf, showPerson } from './app.js';
import { h, recall, store, texts, timeOfDay } from './dom.js';

/** @import { ChatFrame } from '../schema.d.ts' */
/** @import { ChatLine, ChatPage, Player } from './types.d.ts' */

const MAX_LENGTH = 500;
const MAX_LINES = 300;
const STORAGE_KEY = 'turnstream.chat';

export class Chat {
  /**
   * @param {string | null} room null for the lobby
   * @param {() => boolean} maySend whether this player may write
   * @param {string} [title] that of the room
   */
  constructor(room, maySend, title = '') {
    this.room = room;
    this.maySend = maySend;
    this.title = title;
    /** @type {ChatLine[]} */
    this.lines = [];
    this.unread = 0;
    /** The number of the latest load; the results of earlier ones are dropped. */
    this.loads = 0;
    /** Why lines are missing, or an empty text. */
    this.failure = '';
    /** The ids of players whose lines are hidden here. @type {Set<string>} */
    this.hidden = new Set();
  }

  /** Load the lines after the last known one, or all of them. */
  async load() {
    const number = (this.loads += 1);
    await keepTrying(
      () => this.loadOnce(),
      () => number === this.loads,
      (problem) => {
        this.failure = texts.problems.tryingAgain(texts.chat.missing, sentenceOf(problem));
        redraw();
      },
    );
    this.failure = '';
    redraw();
  }

  async loadOnce() {
    const last = this.lines.at(-1)?.id;
    const place = this.room === null ? 'lobby' : `rooms/${encodeURIComponent(this.room)}`;
    const since = last ? `?since=${encodeURIComponent(last)}` : '';
    /** @type {ChatPage} */
    const page = await client.get(`/v1/${place}/chat${since}`);
    for (const line of page.lines) this.add(line);
  }

  /** Where lines are sent, in words. */
  get place() {
    return this.room === null ? texts.chat.lobby : this.title || texts.chat.thisRoom;
  }

  /** Stop loading. */
  close() {
    this.loads += 1;
  }

  /** @param {ChatLine} line */
  add(line) {
    if (this.lines.some(({ id }) => id === line.id)) return;
    this.lines = [...this.lines, line].slice(-MAX_LINES);
  }

  /** @param {ChatFrame} frame */
  onFrame({ line }) {
    this.add(line);
    if (this.hides(line.player.id)) return;
    announce(`${line.player.nickname}: ${line.text}`);
    if (line.player.id !== guest.id) this.unread += 1;
  }

  /**
   * Send a line, as a new guest if there is none, and return whether it was accepted.
   * @param {string} text
   */
  async send(text) {
    const line = await attempt(() => asGuest(() => client.say(this.room, text)));
    if (line) this.add(line);
    redraw();
    return line !== undefined;
  }

  /**
   * Whether the lines of a player are not shown.
   * @param {string} player
   */
  hides(player) {
    return this.hidden.has(player) || app.blocked.has(player);
  }

  /** @param {string} player */
  toggleHidden(player) {
    if (!this.hidden.delete(player)) this.hidden.add(player);
    redraw();
  }
}

/** Which of several chats are shown: all of them, or one. The choice is remembered on the device. */
export class ChatPane {
  /** @param {Chat[]} chats the first one is that of the page */
  constructor(chats) {
    this.chats = chats;
    /** Whether only the chat of the page is shown. */
    this.isNarrow = recall(STORAGE_KEY) === 'page';
    /** Where lines are sent. */
    this.target = chats[0];
    this.isOpen = false;
    /** Follows the lobby for a page that does not. @type {Lobby | null} */
    this.lobby = null;
  }

  /** The chats that are shown. */
  get shown() {
    return this.isNarrow ? this.chats.slice(0, 1) : this.chats;
  }

  /** The shown lines with their chats, oldest first. */
  get lines() {
    const lines = this.shown.flatMap((chat) =>
      chat.lines.filter(({ player }) => !chat.hides(player.id)).map((line) => ({ line, chat })),
    );
    return lines.sort((one, other) => one.line.time.localeCompare(other.line.time));
  }

  /** @param {boolean} isNarrow */
  show(isNarrow) {
    this.isNarrow = isNarrow;
    if (isNarrow) this.target = this.chats[0];
    store(STORAGE_KEY, isNarrow ? 'page' : 'all');
    this.follow();
    redraw();
  }

  /**
   * Set whether the pane is on the screen of a page that does not follow the lobby itself.
   * @param {boolean} isOpen
   */
  setOpen(isOpen) {
    this.isOpen = isOpen;
    this.follow();
  }

  /** Follow the lobby as long as its lines are on the screen. */
  follow() {
    const chat = this.chats.find(({ room }) => room === null);
    if (!chat || !this.isOpen || this.isNarrow) {
      this.lobby?.close();
      this.lobby = null;
    } else if (!this.lobby) {
      const lobby = (this.lobby = new Lobby(client));
      lobby.subscribe((frame) => {
        if (frame?.type === 'chat') chat.onFrame(frame);
        if (frame?.type === 'lobby' && frame.snapshot) void chat.load();
        redraw();
      });
      void lobby.open().catch(() => {}); // the feed of the room shows that the connection is lost
    }
  }
}

/** @param {ChatPane} pane */
export function chatPane(pane) {
  for (const chat of pane.shown) chat.unread = 0;
  const failure = pane.shown.find((chat) => chat.failure)?.failure;
  const writable = pane.shown.filter((chat) => chat.maySend());
  return h(
    'section',
    { class: 'chat', key: 'chat', 'aria-label': texts.chat.title },
    pane.chats.length > 1 ? filter(pane) : null,
    h(
      'ol',
      {
        class: 'chat-lines',
        key: 'lines',
        tabindex: 0,
        'aria-label': texts.chat.lines,
        'data-empty': texts.chat.empty,
      },
      pane.lines.map(({ line, chat }) => chatLine(line, pane.shown.length > 1 ? chat : null)),
    ),
    failure ? h('p', { class: 'failure', role: 'status', key: 'failure' }, failure) : null,
    writable.length
      ? chatForm(pane, writable)
      : h('p', { class: 'soft small', key: 'instead' }, texts.chat.joinToWrite),
  );
}

/** @param {ChatPane} pane */
function filter(pane) {
  const [own] = pane.chats;
  const buttons = [false, true].map((isNarrow) =>
    h(
      'button',
      {
        key: String(isNarrow),
        type: 'button',
        'aria-pressed': String(pane.isNarrow === isNarrow),
        onclick: () => pane.show(isNarrow),
      },
      isNarrow ? texts.chat.only(own?.place ?? '') : texts.chat.all,
    ),
  );
  return h('div', { class: 'filter', key: 'filter', role: 'group', 'aria-label': texts.chat.shown }, buttons);
}

/**
 * @param {ChatLine} line
 * @param {Chat | null} chat where it was said, if that has to be shown
 */
function chatLine({ id, player, text, time }, chat) {
  return h(
    'li',
    { key: `${chat?.room ?? ''} ${id}`, created: scrollToEnd },
    chat ? [h('span', { class: 'chat-where', key: 'where' }, chat.place), ' '] : null,
    author(player),
    ' ',
    h('span', { class: text ? 'chat-text' : 'chat-text soft' }, text || texts.chat.erased),
    ' ',
    h('time', { class: 'chat-when', datetime: time }, timeOfDay(time)),
  );
}

/**
 * The author of a line: for other players, a button that shows what can be done with them.
 * @param {Player} player
 */
function author({ id, nickname }) {
  if (id === guest.id) return h('span', { class: 'chat-who' }, nickname);
  const onclick = () => void showPerson(id, nickname);
  const label = texts.chat.person(nickname);
  return h('button', { type: 'button', class: 'chat-who person', 'aria-label': label, onclick }, nickname);
}

/**
 * @param {ChatPane} pane
 * @param {Chat[]} writable
 */
function chatForm(pane, writable) {
  // Read when a line is sent, which may be before the page shows a place that was just chosen.
  const chosen = () => writable.find((chat) => chat === pane.target) ?? writable[0];
  const target = chosen();
  const choose = (/** @type {Event} */ event) => {
    pane.target = writable[/** @type {HTMLSelectElement} */ (event.target).selectedIndex];
    redraw();
  };
  const places = writable.map((chat) =>
    h('option', { key: chat.room ?? 'lobby', selected: chat === target }, chat.place),
  );
  const placeholder = target?.room === null ? texts.chat.sayHello : texts.chat.write;
  return h(
    'form',
    { class: 'chat-form', key: 'form', onsubmit: (/** @type {SubmitEvent} */ event) => void submit(event, chosen()) },
    places.length > 1 ? h('select', { key: 'to', 'aria-label': texts.chat.to, onchange: choose }, places) : null,
    h('input', {
      name: 'text',
      'aria-label': texts.chat.line,
      placeholder,
      maxlength: MAX_LENGTH,
      autocomplete: 'off',
    }),
    h('button', { type: 'submit' }, texts.chat.send),
  );
}

/**
 * Show a new line without scrolling the page itself.
 * @param {Element} item
 */
function scrollToEnd(item) {
  const list = /** @type {Element} */ (item.parentElement);
  list.scrollTop = list.scrollHeight;
}

/**
 * @param {SubmitEvent} event
 * @param {Chat} [chat]
 */
async function submit(event, chat) {
  event.preventDefault();
  const field = /** @type {HTMLFormElement} */ (event.target).elements.namedItem('text');
  const input = /** @type {HTMLInputElement} */ (field);
  const text = input.value.trim();
  if (!text || !chat) return;
  input.value = '';
  if (!(await chat.send(text))) input.value = input.value || text;
}
