/** A chat: the lines of the lobby or of a room, and saying one more. */

import { ask, order, Problem } from './api.js';
import { announce, attempt, changed } from './app.js';
import { h } from './dom.js';
import { clockTime } from './times.js';

const LONGEST = 500;

export class Chat {
  /** @param {string} path of the room or the lobby, below /v1 @param {() => boolean} maySpeak */
  constructor(path, maySpeak) {
    this.path = `${path}/chat`;
    this.maySpeak = maySpeak;
    /** @type {any[]} */
    this.lines = [];
    this.isThere = false;
    /** @type {Set<string>} whom this reader doesn't want to read */
    this.muted = new Set();
  }

  /** Read what was said so far; where there is no chat, nothing is shown of it. */
  async load() {
    try {
      const { lines, chat, messages } = await ask(this.path);
      this.lines = lines ?? chat ?? messages ?? [];
      this.isThere = true;
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      this.isThere = false;
    }
    changed();
  }

  /** @param {any} frame */
  take(frame) {
    const line = frame.line ?? frame;
    if (this.lines.some((one) => one.id === line.id && line.id !== undefined)) return;
    this.lines = [...this.lines, line].slice(-300);
    if (!this.muted.has(line.player)) announce(`${line.nickname}: ${line.text}`);
  }

  /** @param {string} text */
  async say(text) {
    return attempt(() => order(this.path, { text }));
  }

  /** @param {string} player */
  toggleMute(player) {
    if (!this.muted.delete(player)) this.muted.add(player);
    changed();
  }
}

/** @param {Chat} chat @param {{label: string, hint: string}} how */
export function chatPanel(chat, { label, hint }) {
  if (!chat.isThere) return null;
  const lines = chat.lines.filter((line) => !chat.muted.has(line.player));
  return h('section', { class: 'chat', key: 'chat', 'aria-label': label },
    h('ol', { class: 'chat-lines', tabindex: 0, 'aria-label': `${label}, lines`, made: toEnd, 'data-count': lines.length },
      lines.map((line, place) => h('li', { key: line.id ?? place, made: (/** @type {Element} */ item) => item.scrollIntoView?.({ block: 'nearest' }) },
        h('span', { class: 'chat-who' }, line.nickname), ' ',
        h('span', { class: 'chat-text' }, line.text), ' ',
        h('time', { class: 'chat-when', datetime: line.time }, clockTime(line.time))))),
    chat.maySpeak()
      ? h('form', { class: 'chat-form', onsubmit: (/** @type {any} */ event) => submit(event, chat) },
        h('input', { name: 'text', 'aria-label': 'Say something', placeholder: hint, maxlength: LONGEST, autocomplete: 'off' }),
        h('button', { type: 'submit' }, 'Say'))
      : h('p', { class: 'soft small' }, 'Join to talk.'));
}

/** @param {Element} list */
function toEnd(list) {
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
