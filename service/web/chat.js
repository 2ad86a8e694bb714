/** The chat: one store of the lines of the lobby and of rooms, and a pane that shows a view of them and sends lines. */

import { announce, app, asGuest, attempt, client, guest, keepTrying, redraw, sentenceOf } from './app.js';
import { h, markedName, recall, roomTitle, store, texts, timeOfDay } from './dom.js';

/** @import { Chat } from '../client/chat.js' */
/** @import { Frame } from '../client/feed.js' */
/** @import { ChatLine, Content, Player } from './types.d.ts' */
/** @typedef {'all' | 'lobby' | 'room'} View */
/** Where lines can be sent; the lobby has no room. @typedef {{room: string | null, title: string}} Place */

const MAX_LENGTH = 500;
/** How many lines of a place are kept. */
const MAX_LINES = 300;
/** Lines are sorted by their ids, which begin with their time. */
const ORDER = new Intl.Collator('en', { numeric: true });
const STORAGE_KEY = 'turnstream.chat';

/** The lines that have arrived on any page, by whichever feed. */
class ChatLines {
  /** In one order, oldest first. @type {ChatLine[]} */
  lines = [];
  /** The keys of new lines that no view has shown. @type {Set<string>} */
  unread = new Set();
  /** The ids of players whose lines are hidden here. @type {Set<string>} */
  hidden = new Set();
  /** Why lines are missing, or an empty text. */
  failure = '';

  /**
   * Load the latest lines of a room, until they have arrived or are no longer wanted.
   * @param {string} room
   * @param {() => boolean} isWanted
   */
  async load(room, isWanted) {
    await keepTrying(
      async () => this.add((await client.chat(room)).lines),
      isWanted,
      (problem) => {
        this.failure = texts.problems.tryingAgain(texts.chat.missing, sentenceOf(problem));
        redraw();
      },
    );
    this.failure = '';
    redraw();
  }

  /** @param {ChatLine[]} lines */
  add(lines) {
    const known = new Map([...this.lines, ...lines].map((line) => [keyOf(line), line]));
    /** @type {Record<string, number>} */
    const counts = {};
    const isKept = ({ room = '' }) => (counts[room] = (counts[room] ?? 0) + 1) <= MAX_LINES;
    const sorted = [...known.values()].sort((one, other) => ORDER.compare(other.id, one.id));
    this.lines = sorted.filter(isKept).reverse();
  }

  /** @param {Frame | null} frame of a feed that has lines */
  onFrame(frame) {
    if (frame?.type === 'chat_snapshot') this.add(frame.lines);
    if (frame?.type !== 'chat') return;
    const { line } = frame;
    const isNew = !this.lines.some((one) => keyOf(one) === keyOf(line));
    this.add([line]);
    if (!isNew || this.hides(line)) return;
    announce(`${line.player.nickname}: ${line.text}`);
    if (line.player.id !== guest.id) this.unread.add(keyOf(line));
  }

  /**
   * Send a line, as a new guest if there is none, and return whether it was accepted.
   * @param {string | null} room
   * @param {string} text
   */
  async send(room, text) {
    const line = await attempt(() => asGuest(() => client.say(room, text)));
    if (line) this.add([line]);
    redraw();
    return line !== undefined;
  }

  /**
   * Whether a line is not shown, because of who wrote it.
   * @param {ChatLine} line
   */
  hides({ player }) {
    return this.hidden.has(player.id) || app.blocked.has(player.id);
  }

  /** @param {string} player */
  toggleHidden(player) {
    if (!this.hidden.delete(player)) this.hidden.add(player);
    redraw();
  }
}

export const chat = new ChatLines();

/** @param {ChatLine} line */
function keyOf({ id, room = '' }) {
  return `${room} ${id}`;
}

/** What a page shows of the chat. Whether that is only the chat of the page is remembered on the device. */
export class ChatPane {
  /**
   * @param {{name: string} | null} place the room of the page, null in the lobby
   * @param {() => Place[]} places where the player may write, that of the page first
   */
  constructor(place, places) {
    this.place = place;
    this.places = places;
    /** @type {View} */
    this.view = recall(STORAGE_KEY) === 'page' ? this.own : 'all';
    /** Where lines are sent. @type {string | null} */
    this.target = this.room;
    /** Whether the pane of a page that has no feed of the chat is on the screen. */
    this.isOpen = false;
    /** @type {Chat | null} */
    this.feed = null;
  }

  /** The room of the page, which may get another name when it has been loaded, null in the lobby. */
  get room() {
    return this.place?.name ?? null;
  }

  /** The view of the page's own chat. @type {View} */
  get own() {
    return this.room === null ? 'lobby' : 'room';
  }

  /** The views between which the player can choose; none in a lobby without rooms. @type {View[]} */
  get views() {
    if (this.room !== null) return ['all', 'lobby', 'room'];
    return this.places().length > 1 || chat.lines.some(({ room }) => room) ? ['all', 'lobby'] : [];
  }

  /** @param {View} view */
  linesOf(view) {
    const { room: own } = this;
    const isPart = ({ room = '' }) => view === 'all' || (view === 'room' ? room === own : !room);
    return chat.lines.filter((line) => isPart(line) && !chat.hides(line));
  }

  /** @param {View} view */
  unread(view) {
    return chat.unread.size && this.linesOf(view).filter((line) => chat.unread.has(keyOf(line))).length;
  }

  /** The places to which the shown view can send. */
  get writable() {
    if (this.view === 'all') return this.places();
    return this.places().filter(({ room }) => room === (this.view === 'room' ? this.room : null));
  }

  /** @param {View} view */
  show(view) {
    this.view = view;
    if (view !== 'lobby' || this.own === 'lobby') store(STORAGE_KEY, view === 'all' ? 'all' : 'page');
    redraw();
  }

  /**
   * Follow the lobby and the player's rooms as long as the pane is on the screen.
   * @param {boolean} isOpen
   */
  async setOpen(isOpen) {
    this.isOpen = isOpen;
    if (!isOpen) {
      this.feed?.close();
      this.feed = null;
      return;
    }
    const { Chat } = await import('../client/chat.js');
    if (!this.isOpen || this.feed) return;
    this.feed = new Chat(client);
    this.feed.subscribe((frame) => {
      chat.onFrame(frame);
      redraw();
    });
    await this.feed.open().catch(() => {}); // the feed of the room shows that the connection is lost
  }
}

/** @param {ChatPane} pane */
export function chatPane(pane) {
  const { views, writable } = pane;
  const lines = pane.linesOf(pane.view);
  for (const line of lines) chat.unread.delete(keyOf(line));
  const isLabelled = pane.view === 'all' && views.length > 0;
  return h(
    'section',
    { class: 'chat', key: 'chat', 'aria-label': texts.chat.title },
    views.length ? filter(pane, views) : null,
    h(
      'ol',
      {
        class: 'chat-lines',
        key: 'lines',
        tabindex: 0,
        'aria-label': texts.chat.lines,
        'data-empty': texts.chat.empty,
      },
      lines.map((line) => chatLine(line, isLabelled ? label(pane, line) : null)),
    ),
    chat.failure ? h('p', { class: 'failure', role: 'status', key: 'failure' }, chat.failure) : null,
    writable.length
      ? chatForm(pane, writable)
      : h('p', { class: 'soft small', key: 'instead' }, texts.chat.joinToWrite),
  );
}

/**
 * @param {ChatPane} pane
 * @param {View[]} views
 */
function filter(pane, views) {
  const buttons = views.map((view) => {
    const [name, unread] = [texts.chat.views[view], pane.unread(view)];
    const pressed = { 'aria-pressed': String(pane.view === view) };
    const label = unread ? texts.chat.withNew(name, unread) : name;
    return h('button', { key: view, type: 'button', ...pressed, onclick: () => pane.show(view) }, label);
  });
  return h('div', { class: 'filter', key: 'filter', role: 'group', 'aria-label': texts.chat.shown }, buttons);
}

/**
 * Where a line was written; that of another room leads there.
 * @param {ChatPane} pane
 * @param {ChatLine} line
 */
function label(pane, { room, title }) {
  const props = { class: 'chat-where', key: 'where' };
  const name =
    pane.places().find((place) => place.room === room)?.title ?? roomTitle(title ?? '', texts.chat.otherRoom);
  if (room && room !== pane.room) return h('a', { ...props, href: `/r/${room}` }, name);
  return h('span', props, room ? texts.chat.thisRoom : texts.chat.lobby);
}

/**
 * @param {ChatLine} line
 * @param {Content} where
 */
function chatLine(line, where) {
  const { player, text, time } = line;
  return h(
    'li',
    { key: keyOf(line), created: scrollToEnd },
    where ? [where, ' '] : null,
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
function author({ id, nickname, bot }) {
  if (id === guest.id) return h('span', { class: 'chat-who' }, app.avatar(id), nickname);
  const onclick = () => app.showPerson(id, nickname);
  const name = markedName({ nickname, bot });
  return h(
    'button',
    { type: 'button', class: 'chat-who person', 'aria-label': texts.chat.person(name), onclick },
    app.avatar(id),
    name,
  );
}

/**
 * @param {ChatPane} pane
 * @param {Place[]} writable
 */
function chatForm(pane, writable) {
  // Read when a line is sent, which may be before the page shows a place that was just chosen.
  const chosen = () => writable.find(({ room }) => room === pane.target) ?? writable[0];
  const target = chosen();
  const choose = (/** @type {Event} */ event) => {
    pane.target = writable[/** @type {HTMLSelectElement} */ (event.target).selectedIndex]?.room ?? null;
    redraw();
  };
  const places = writable.map(({ room, title }) =>
    h('option', { key: room ?? '', selected: room === target?.room }, title),
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
 * Show a new line, once everything is drawn, without scrolling the page itself.
 * @param {Element} item
 */
function scrollToEnd(item) {
  queueMicrotask(() => {
    const list = item.parentElement;
    if (list) list.scrollTop = list.scrollHeight;
  });
}

/**
 * @param {SubmitEvent} event
 * @param {Place} [place]
 */
async function submit(event, place) {
  event.preventDefault();
  const field = /** @type {HTMLFormElement} */ (event.target).elements.namedItem('text');
  const input = /** @type {HTMLInputElement} */ (field);
  const text = input.value.trim();
  if (!text || !place) return;
  input.value = '';
  if (!(await chat.send(place.room, text))) input.value = input.value || text;
}
