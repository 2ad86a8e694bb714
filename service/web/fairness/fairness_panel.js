/** "Verify this match": the checks of its chance, made in the page, and their results. */

import { redraw, sentenceOf } from '../app.js';
import { h } from '../dom.js';
import { gameTexts } from '../languages/games.js';

/** @import { Check } from './verification.js' */
/** @import { Room } from '../room/room.js' */

const { fairness: WORDS } = gameTexts;

export class FairnessPanel {
  /** @param {Room} room */
  constructor(room) {
    this.room = room;
    /** The id of the match that was verified. @type {string | null} */
    this.match = null;
    /** @type {Check[]} */
    this.checks = [];
  }

  /** The finished match on the screen. */
  get shown() {
    const { earlier } = this.room.history;
    const match = this.room.shown.match;
    return earlier || match?.status === 'finished' ? match : null;
  }

  async start() {
    const { shown, room } = this;
    if (!shown) return;
    this.match = shown.id;
    this.checks = [];
    try {
      this.checks = crypto.subtle
        ? await (await import('./verification.js')).verify(room.path, shown.number, room.history.shownEvents)
        : [unknown(WORDS.onlySecure)];
    } catch (problem) {
      this.checks = [unknown(sentenceOf(problem))];
    }
    redraw();
  }

  view() {
    const { shown } = this;
    if (!shown || !this.room.history.shownEvents.some((event) => 'draw' in event)) return null;
    const button = { key: 'verify', type: 'button', class: 'small-button', onclick: () => void this.start() };
    return h(
      'section',
      { class: 'fairness', key: 'fairness', 'aria-label': WORDS.label },
      h('button', button, WORDS.verify),
      h(
        'div',
        { key: 'checks', role: 'status' },
        this.match === shown.id ? h('ul', null, this.checks.map(line)) : null,
      ),
    );
  }
}

/**
 * @param {string} text
 * @returns {Check}
 */
function unknown(text) {
  return { holds: null, text };
}

/** @param {Check} check */
function line({ holds, text }) {
  const [mark, label] = holds === null ? ['?', WORDS.unknown] : holds ? ['✓', WORDS.holds] : ['✗', WORDS.broken];
  return h(
    'li',
    { key: text, class: `check ${holds}` },
    h('span', { class: 'check-mark', role: 'img', 'aria-label': label }, mark),
    h('span', null, text),
  );
}
