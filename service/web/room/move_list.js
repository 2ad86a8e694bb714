/** The list of moves, and stepping through it. */

import { badge } from '../boards/pieces.js';
import { h } from '../dom.js';

/** @typedef {import('./room.js').Table} Table */

/** Pixels between the move on the screen and its list's edge. */
const AROUND = 6;

/** @param {Table} table */
export function stepper(table) {
  const { history } = table;
  const count = history.plies.length;
  if (!count) return null;
  const { place } = history;
  const step = (
    /** @type {string} */ label,
    /** @type {string} */ sign,
    /** @type {() => unknown} */ go,
    /** @type {boolean} */ isOff,
    /** @type {string} */ key = '',
  ) =>
    h(
      'button',
      {
        key: label,
        type: 'button',
        'aria-label': label,
        title: key ? `${label} (key ${key})` : label,
        disabled: isOff,
        onclick: () => void go(),
      },
      h('svg', { viewBox: '-10 -10 20 20', 'aria-hidden': 'true', class: 'icon' }, h('path', { d: sign })),
    );
  return h(
    'div',
    { class: 'stepper', key: 'stepper', role: 'group', 'aria-label': 'Step through the match' },
    step('To the start', 'M-7 -7 V7 M7 -7 L-3 0 L7 7 Z', () => history.go(0), place === 0),
    step('One move back', 'M5 -7 L-5 0 L5 7 Z', () => history.step(-1), place === 0, ','),
    h('span', { class: 'place' }, `${place} / ${count}`),
    step('One move forward', 'M-5 -7 L5 0 L-5 7 Z', () => history.step(1), history.isAtEnd, '.'),
    step(
      history.earlier ? 'To the end' : 'To now',
      'M7 -7 V7 M-7 -7 L3 0 L-7 7 Z',
      () => history.go(count),
      history.isAtEnd,
    ),
  );
}

/** @param {Table} table */
export function movePanel(table) {
  const { history } = table;
  const { plies, place } = history;
  if (!plies.length) return h('p', { class: 'soft small', key: 'none' }, 'No move yet.');
  const inSight = Math.max(1, place);
  return h(
    'ol',
    { class: 'plies', key: 'plies', 'aria-label': 'Moves' },
    plies.map((ply, number) => {
      const isHere = number + 1 === inSight;
      return h(
        'li',
        { key: ply.version },
        h(
          'button',
          {
            type: 'button',
            class: 'ply',
            'aria-current': number + 1 === place ? 'true' : null,
            'aria-label': `Move ${number + 1}: ${ply.told}`,
            onclick: () => void history.go(number + 1),
          },
          h(
            'span',
            { key: isHere ? 'here' : 'number', class: 'ply-number', made: isHere ? reveal : null },
            `${number + 1}`,
          ),
          ply.seat === null ? null : badge(table.colourOf(ply.seat)),
          h('span', null, ply.text),
        ),
      );
    }),
  );
}

/** The move on the screen is in sight in its list, once all is drawn; the page itself doesn't move. @param {HTMLElement} mark */
function reveal(mark) {
  queueMicrotask(() => {
    const [list, item] = [mark.closest('.plies'), mark.closest('li')];
    if (!list || !item) return;
    const [frame, { top, bottom }] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
    if (top < frame.top + AROUND) list.scrollTop -= frame.top + AROUND - top;
    else if (bottom > frame.bottom - AROUND) list.scrollTop += bottom - frame.bottom + AROUND;
  });
}
