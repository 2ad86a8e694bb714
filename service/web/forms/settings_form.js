/** How a room is set, as a form. Only what differs from the service's defaults is sent. */

import { h } from '../dom.js';

/** @typedef {{name: string, label: string, values: [any, string][], when?: (chosen: Record<string, any>) => boolean}} Setting */

const MINUTE = 60_000;

/** The first value is the default. @type {Setting[]} */
const SETTINGS = [
  {
    name: 'visibility',
    label: 'Who finds the table',
    values: [
      ['public', 'Everybody, in the lobby'],
      ['unlisted', 'Whoever knows the name'],
      ['private', 'Whoever knows the password'],
    ],
  },
  {
    name: 'start',
    label: 'A match begins when',
    values: [
      ['ready', 'everybody is ready'],
      ['full', 'all seats are taken'],
      ['creator', 'I say so'],
    ],
  },
  {
    name: 'restart',
    label: 'The next match begins',
    values: [
      [5000, 'after 5 seconds'],
      [15_000, 'after 15 seconds'],
      [60_000, 'after a minute'],
      [null, 'when everybody is ready'],
    ],
  },
  {
    name: 'clock',
    label: 'Clock',
    values: [
      [{ type: 'none' }, 'None'],
      [{ type: 'per_move', ms: 30_000 }, '30 seconds a move'],
      [{ type: 'per_move', ms: 2 * MINUTE }, '2 minutes a move'],
      [{ type: 'fischer', initial_ms: 3 * MINUTE, increment_ms: 2000 }, '3 minutes + 2 seconds a move'],
      [{ type: 'fischer', initial_ms: 10 * MINUTE, increment_ms: 5000 }, '10 minutes + 5 seconds a move'],
      [{ type: 'days', days: 1 }, 'A day a move'],
      [{ type: 'days', days: 3 }, '3 days a move'],
    ],
  },
  {
    name: 'on_timeout',
    label: 'When time is up',
    values: [
      ['lose', 'the match is lost'],
      ['random_move', 'a random move is made'],
      ['bot_move', 'a bot moves'],
    ],
    when: (chosen) => (chosen.clock?.type ?? 'none') !== 'none',
  },
  {
    name: 'grace_ms',
    label: 'Who is gone can be claimed against',
    values: [
      [MINUTE, 'after a minute'],
      [0, 'at once'],
      [5 * MINUTE, 'after 5 minutes'],
      [60 * MINUTE, 'after an hour'],
    ],
  },
  {
    name: 'bot_pause',
    label: 'Bots move',
    values: [
      [1000, 'after a second'],
      [0, 'at once'],
      [3000, 'after 3 seconds'],
    ],
  },
  {
    name: 'seats_next',
    label: 'Next match',
    values: [
      ['keep', 'the same seats'],
      ['rotate', 'seats move on'],
    ],
  },
  {
    name: 'best_of',
    label: 'Series',
    values: [
      [0, 'None'],
      [3, 'Best of 3'],
      [5, 'Best of 5'],
      [7, 'Best of 7'],
    ],
  },
  {
    name: 'hints',
    label: 'Hints',
    values: [
      ['bots_only', 'where all others are bots'],
      ['off', 'never'],
      ['on', 'always'],
    ],
  },
  {
    name: 'spectators',
    label: 'Spectators',
    values: [
      [true, 'are welcome'],
      [false, 'stay outside'],
    ],
  },
];

/** @param {Record<string, any>} chosen changed in place @param {() => void} changed */
export function settingsFields(chosen, changed) {
  return SETTINGS.filter(({ when }) => !when || when(chosen)).map(({ name, label, values }) => [
    h(
      'div',
      { key: name, class: 'field' },
      h('label', { for: `setting-${name}` }, label),
      h(
        'select',
        {
          id: `setting-${name}`,
          onchange: (/** @type {any} */ event) => {
            chosen[name] = values[event.target.selectedIndex][0];
            changed();
          },
        },
        values.map(([value, words], place) =>
          h('option', { key: words, selected: name in chosen ? same(chosen[name], value) : place === 0 }, words),
        ),
      ),
    ),
    name === 'visibility' && chosen.visibility === 'private'
      ? h(
          'div',
          { key: 'password', class: 'field' },
          h('label', { for: 'setting-password' }, 'Password'),
          h('input', {
            id: 'setting-password',
            type: 'password',
            required: true,
            minlength: '6',
            autocomplete: 'new-password',
            oninput: (/** @type {any} */ event) => {
              chosen.password = event.target.value;
            },
          }),
        )
      : null,
  ]);
}

/** How a room is set, in words; `isUsual` is what differs in nothing from the service's defaults. @param {Record<string, any>} settings @returns {{label: string, words: string, isUsual: boolean}[]} */
export function settingsInWords(settings) {
  return SETTINGS.filter(({ when }) => !when || when(settings)).map((setting) => ({
    label: setting.label,
    words: inWords(setting, settings[setting.name]),
    isUsual: same(settings[setting.name], setting.values[0][0]),
  }));
}

/** A value that the form doesn't offer can still have been set through the API. @param {Setting} setting @param {any} value */
function inWords({ name, values }, value) {
  const offered = values.find(([one]) => same(one, value));
  if (offered) return offered[1];
  if (name === 'clock') return clockInWords(value);
  return name === 'best_of' ? `Best of ${value}` : `after ${value / 1000} seconds`;
}

/** @param {any} clock */
function clockInWords({ type, ms, initial_ms: initial, increment_ms: increment, days }) {
  if (type === 'per_move') return `${ms / 1000} seconds a move`;
  return type === 'fischer'
    ? `${initial / MINUTE} minutes + ${increment / 1000} seconds a move`
    : `${days} days a move`;
}

/** @param {any} one @param {any} other */
function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** What was chosen and is no default. @param {Record<string, any>} chosen @returns {Record<string, any>} */
export function settingsOf(chosen) {
  const defaults = new Map(SETTINGS.map(({ name, values }) => [name, values[0][0]]));
  return Object.fromEntries(Object.entries(chosen).filter(([name, value]) => !same(defaults.get(name), value)));
}
