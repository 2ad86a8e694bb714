/** The list of moves, and buttons to step through it. */

import { badge } from '../boards/pieces.js';
import { h } from '../dom.js';
import { gameTexts } from '../languages/games.js';

/** @import { Analysis } from './analysis.js' */
/** @import { Ply } from './history.js' */
/** @typedef {Analysis['mistakes'][number]} Mistake */
/** @import { Room } from '../room/room.js' */

/** Pixels between the current move and the edge of its list. */
const MARGIN = 6;

/** What is written behind a move that cost something, as in books on chess. */
const SIGNS = { blunder: '??', mistake: '?', inaccuracy: '?!' };

/** The icons of the buttons, as paths. */
const ICONS = {
  start: 'M-7 -7 V7 M7 -7 L-3 0 L7 7 Z',
  back: 'M5 -7 L-5 0 L5 7 Z',
  forward: 'M-5 -7 L5 0 L-5 7 Z',
  end: 'M7 -7 V7 M-7 -7 L3 0 L-7 7 Z',
};

/** @param {Room} room */
export function stepper({ history }) {
  const { index, isAtEnd, plies } = history;
  const count = plies.length;
  const { step, toStart, back, forward, toEnd, toNow } = gameTexts.history;
  if (!count) return null;
  return h(
    'div',
    { class: 'stepper', key: 'stepper', role: 'group', 'aria-label': step },
    button(toStart, ICONS.start, index === 0, () => history.goTo(0)),
    button(back, ICONS.back, index === 0, () => history.step(-1), ','),
    h('span', { class: 'place' }, `${index} / ${count}`),
    button(forward, ICONS.forward, isAtEnd, () => history.step(1), '.'),
    button(history.earlier ? toEnd : toNow, ICONS.end, isAtEnd, () => history.goTo(count)),
  );
}

/**
 * @param {string} label
 * @param {string} icon
 * @param {boolean} disabled
 * @param {() => Promise<void>} action
 * @param {string} [key] its key on the keyboard
 */
function button(label, icon, disabled, action, key) {
  const title = key ? gameTexts.history.withKey(label, key) : label;
  return h(
    'button',
    { key: label, type: 'button', 'aria-label': label, title, disabled, onclick: () => void action() },
    h('svg', { viewBox: '-10 -10 20 20', 'aria-hidden': 'true', class: 'icon' }, h('path', { d: icon })),
  );
}

/** @param {Room} room */
export function movePanel(room) {
  const { plies } = room.history;
  if (!plies.length) return h('p', { class: 'soft small', key: 'none' }, gameTexts.history.noMoves);
  const { mistakes } = room.history.analysis;
  const entries = plies.map((ply, index) =>
    entry(
      room,
      ply,
      index + 1,
      mistakes.find(({ number }) => number === index + 1),
    ),
  );
  const list = h('ol', { class: 'plies', 'aria-label': gameTexts.history.moves }, entries);
  return h('div', { class: 'moves', key: 'plies' }, list);
}

/**
 * @param {Room} room
 * @param {Ply} ply
 * @param {number} number
 * @param {Mistake} [mistake] what it cost, if that was much
 */
function entry(room, ply, number, mistake) {
  const { history } = room;
  const isInView = number === Math.max(1, history.index);
  const [words, lost] = [gameTexts.review.lost, mistake?.move.lost ?? 0];
  const mark = { key: isInView ? 'here' : 'number', class: 'ply-number', created: isInView ? scrollIntoList : null };
  return h(
    'li',
    { key: ply.version },
    h(
      'button',
      {
        type: 'button',
        class: 'ply',
        'aria-current': number === history.index ? 'true' : null,
        'aria-label': `${number} ${ply.text}: ${ply.description}${mistake ? ` ${words[mistake.mark](lost)}` : ''}`,
        onclick: () => void history.goTo(number),
      },
      h('span', mark, String(number)),
      ' ',
      ply.seat === null ? null : badge(room.colourOf(ply.seat)),
      h('span', null, ply.text),
      mistake
        ? h('span', { class: `verdict ${mistake.mark}`, title: words[mistake.mark](lost) }, SIGNS[mistake.mark])
        : null,
    ),
  );
}

/**
 * Scroll the list to the current move once everything is drawn, without scrolling the page.
 * @param {HTMLElement} mark
 */
function scrollIntoList(mark) {
  queueMicrotask(() => {
    const [list, item] = [mark.closest('.moves'), mark.closest('li')];
    if (!list || !item) return;
    const [frame, { top, bottom }] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
    if (top < frame.top + MARGIN) list.scrollTop -= frame.top + MARGIN - top;
    else if (bottom > frame.bottom - MARGIN) list.scrollTop += bottom - frame.bottom + MARGIN;
  });
}
