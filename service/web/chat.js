/** A chat: the lines of the lobby or of a room, and a form to add one. */

import { announce, asGuest, attempt, client, guest, keepTrying, redraw, sentenceOf } from './app.js';
import { h, timeOfDay } from './dom.js';

/** @import { ChatFrame } from '../schema.d.ts' */
/** @import { ChatLine, ChatPage } from './types.d.ts' */

const MAX_LENGTH = 500;
const MAX_LINES = 300;

export class Chat {
  /**
   * @param {string | null} room null for the lobby
   * @param {() => boolean} maySend whether this player may write
   */
  constructor(room, maySend) {
    this.room = room;
    this.maySend = maySend;
    /** @type {ChatLine[]} */
    this.lines = [];
    this.unread = 0;
    /** The number of the latest loading; what an earlier one has not got is no longer wanted. */
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
        this.failure = `The messages have not arrived. ${sentenceOf(problem)} Trying again …`;
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

  /** Load no more. */
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
    if (this.hidden.has(line.player.id)) return;
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

  /** @param {string} player */
  toggleHidden(player) {
    if (!this.hidden.delete(player)) this.hidden.add(player);
    redraw();
  }
}

/**
 * @param {Chat} chat
 * @param {{label: string, placeholder: string, instead: string}} texts `instead` replaces the form where nobody may
 *   write yet
 */
export function chatPanel(chat, { label, placeholder, instead }) {
  chat.unread = 0;
  const lines = chat.lines.filter((line) => !chat.hidden.has(line.player.id));
  return h(
    'section',
    { class: 'chat', key: 'chat', 'aria-label': label },
    h('ol', { class: 'chat-lines', tabindex: 0, 'aria-label': `${label}, lines` }, lines.map(chatLine)),
    chat.failure ? h('p', { class: 'failure', role: 'status' }, chat.failure) : null,
    chat.maySend() ? chatForm(chat, placeholder) : h('p', { class: 'soft small' }, instead),
  );
}

/** @param {ChatLine} line */
function chatLine({ id, player, text, time }) {
  return h(
    'li',
    { key: id, created: scrollToEnd },
    h('span', { class: 'chat-who' }, player.nickname),
    ' ',
    h('span', { class: 'chat-text' }, text),
    ' ',
    h('time', { class: 'chat-when', datetime: time }, timeOfDay(time)),
  );
}

/**
 * @param {Chat} chat
 * @param {string} placeholder
 */
function chatForm(chat, placeholder) {
  return h(
    'form',
    { class: 'chat-form', onsubmit: (/** @type {SubmitEvent} */ event) => void submit(event, chat) },
    h('input', { name: 'text', 'aria-label': 'Message', placeholder, maxlength: MAX_LENGTH, autocomplete: 'off' }),
    h('button', { type: 'submit' }, 'Send'),
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
 * @param {Chat} chat
 */
async function submit(event, chat) {
  event.preventDefault();
  const field = /** @type {HTMLFormElement} */ (event.target).elements.namedItem('text');
  const input = /** @type {HTMLInputElement} */ (field);
  const text = input.value.trim();
  if (!text) return;
  input.value = '';
  if (!(await chat.send(text))) input.value = input.value || text;
}
