/** A chat: the lines of the lobby or of a room, and saying one more. */

import { ask } from './api.js';
import { announce, attempt, changed } from './app.js';
import { h } from './dom.js';
import { guest } from './guest.js';
import { clockTime } from './times.js';

const LONGEST = 500;
const MOST_LINES = 300;

export class Chat {
  /** @param {string} path of the room or the lobby, below /v1 @param {() => boolean} maySpeak */
  constructor(path, maySpeak) {
    this.path = `${path}/chat`;
    this.maySpeak = maySpeak;
    /** @type {any[]} */
    this.lines = [];
    this.unread = 0;
    /** @type {Set<string>} whom this reader doesn't want to read */
    this.muted = new Set();
  }

  /** Read what was said so far, or since the last line that is known. */
  async load() {
    const last = this.lines.at(-1)?.id;
    const page = await attempt(() => ask(`${this.path}${last ? `?since=${encodeURIComponent(last)}` : ''}`));
    for (const line of page?.lines ?? []) this.add(line);
    changed();
  }

  /** @param {any} line */
  add(line) {
    if (this.lines.some((one) => one.id === line.id)) return;
    this.lines = [...this.lines, line].slice(-MOST_LINES);
  }

  /** @param {any} frame */
  take(frame) {
    const { line } = frame;
    this.add(line);
    if (this.muted.has(line.player.id)) return;
    announce(`${line.player.nickname}: ${line.text}`);
    if (line.player.id !== guest.id) this.unread += 1;
  }

  /** @param {string} text */
  async say(text) {
    const line = await attempt(() => ask(this.path, { method: 'POST', body: { text } }));
    if (line) this.add(line);
    changed();
    return line;
  }

  /** @param {string} player */
  toggleMute(player) {
    if (!this.muted.delete(player)) this.muted.add(player);
    changed();
  }
}

/** @param {Chat} chat @param {{label: string, hint: string, before: string}} how `before` is said to those who may not speak yet */
export function chatPanel(chat, { label, hint, before }) {
  chat.unread = 0;
  const lines = chat.lines.filter((line) => !chat.muted.has(line.player.id));
  return h(
    'section',
    { class: 'chat', key: 'chat', 'aria-label': label },
    h(
      'ol',
      { class: 'chat-lines', tabindex: 0, 'aria-label': `${label}, lines` },
      lines.map((line) =>
        h(
          'li',
          { key: line.id, made: toEnd },
          h('span', { class: 'chat-who' }, line.player.nickname),
          ' ',
          h('span', { class: 'chat-text' }, line.text),
          ' ',
          h('time', { class: 'chat-when', datetime: line.time }, clockTime(line.time)),
        ),
      ),
    ),
    chat.maySpeak()
      ? h(
          'form',
          { class: 'chat-form', onsubmit: (/** @type {any} */ event) => submit(event, chat) },
          h('input', {
            name: 'text',
            'aria-label': 'Say something',
            placeholder: hint,
            maxlength: LONGEST,
            autocomplete: 'off',
          }),
          h('button', { type: 'submit' }, 'Say'),
        )
      : h('p', { class: 'soft small' }, before),
  );
}

/** A new line is seen; the page itself doesn't move. @param {Element} item */
function toEnd(item) {
  const list = /** @type {Element} */ (item.parentElement);
  list.scrollTop = list.scrollHeight;
}

/** @param {SubmitEvent} event @param {Chat} chat */
async function submit(event, chat) {
  event.preventDefault();
  const field = /** @type {HTMLFormElement} */ (event.target).elements.namedItem('text');
  const input = /** @type {HTMLInputElement} */ (field);
  const text = input.value.trim();
  if (!text) return;
  input.value = '';
  if (!(await chat.say(text))) input.value = input.value || text;
}
