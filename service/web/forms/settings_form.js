/** A form for the settings of a room. Only what differs from the service's defaults is sent. */

import { inputField, selectField } from './fields.js';

/** @import { ClockSetting, Settings, Values } from '../types.d.ts' */
/** @typedef {(name: string, value: unknown) => void} SetValue */
/** @typedef {{value: unknown, label: string}} Choice */

/**
 * A setting and what the form offers. The first choice is the service's default.
 * @typedef {object} Setting
 * @property {keyof Settings} name
 * @property {string} label
 * @property {[Choice, ...Choice[]]} choices
 * @property {(values: Values) => boolean} [when] whether it applies to these values
 */

const MINUTE = 60_000;

/** @type {Setting[]} */
const SETTINGS = [
  {
    name: 'visibility',
    label: 'Who can find the room',
    choices: [
      { value: 'public', label: 'Everybody, in the lobby' },
      { value: 'unlisted', label: 'Anyone who knows its name' },
      { value: 'private', label: 'Anyone who knows the password' },
    ],
  },
  {
    name: 'start',
    label: 'A match begins when',
    choices: [
      { value: 'ready', label: 'everybody is ready' },
      { value: 'full', label: 'all seats are taken' },
      { value: 'creator', label: 'I start it' },
    ],
  },
  {
    name: 'restart',
    label: 'The next match begins',
    choices: [
      { value: 5000, label: 'after 5 seconds' },
      { value: 15_000, label: 'after 15 seconds' },
      { value: 60_000, label: 'after a minute' },
      { value: null, label: 'when everybody is ready' },
    ],
  },
  {
    name: 'clock',
    label: 'Clock',
    choices: [
      { value: { type: 'none' }, label: 'None' },
      { value: { type: 'per_move', ms: 30_000 }, label: '30 seconds per move' },
      { value: { type: 'per_move', ms: 2 * MINUTE }, label: '2 minutes per move' },
      {
        value: { type: 'fischer', initial_ms: 3 * MINUTE, increment_ms: 2000 },
        label: '3 minutes + 2 seconds per move',
      },
      {
        value: { type: 'fischer', initial_ms: 10 * MINUTE, increment_ms: 5000 },
        label: '10 minutes + 5 seconds per move',
      },
      { value: { type: 'days', days: 1 }, label: '1 day per move' },
      { value: { type: 'days', days: 3 }, label: '3 days per move' },
    ],
  },
  {
    name: 'on_timeout',
    label: 'When the time is up',
    choices: [
      { value: 'lose', label: 'the match is lost' },
      { value: 'random_move', label: 'a random move is made' },
      { value: 'bot_move', label: 'a bot moves' },
    ],
    when: hasClock,
  },
  {
    name: 'grace_ms',
    label: 'A win can be claimed against an absent player',
    choices: [
      { value: MINUTE, label: 'after a minute' },
      { value: 0, label: 'at once' },
      { value: 5 * MINUTE, label: 'after 5 minutes' },
      { value: 60 * MINUTE, label: 'after an hour' },
    ],
  },
  {
    name: 'bot_pause',
    label: 'Bots move',
    choices: [
      { value: 1000, label: 'after a second' },
      { value: 0, label: 'at once' },
      { value: 3000, label: 'after 3 seconds' },
    ],
  },
  {
    name: 'seats_next',
    label: 'Seats in the next match',
    choices: [
      { value: 'keep', label: 'stay the same' },
      { value: 'rotate', label: 'rotate' },
    ],
  },
  {
    name: 'best_of',
    label: 'Series',
    choices: [
      { value: 0, label: 'None' },
      { value: 3, label: 'Best of 3' },
      { value: 5, label: 'Best of 5' },
      { value: 7, label: 'Best of 7' },
    ],
  },
  {
    name: 'hints',
    label: 'Hints',
    choices: [
      { value: 'bots_only', label: 'when all opponents are bots' },
      { value: 'off', label: 'never' },
      { value: 'on', label: 'always' },
    ],
  },
  {
    name: 'spectators',
    label: 'Spectators',
    choices: [
      { value: true, label: 'are allowed' },
      { value: false, label: 'are not allowed' },
    ],
  },
];

/** @param {Values} values */
function hasClock({ clock }) {
  return clock !== undefined && /** @type {ClockSetting} */ (clock).type !== 'none';
}

/**
 * One field per setting. A setting without a value shows its default.
 * @param {Values} values
 * @param {SetValue} onChange
 */
export function settingsFields(values, onChange) {
  return SETTINGS.filter(({ when }) => !when || when(values)).map(({ name, label, choices }) => [
    selectField(
      `setting-${name}`,
      label,
      choices,
      (value) => isEqual(name in values ? values[name] : choices[0].value, value),
      (value) => onChange(name, value),
    ),
    name === 'visibility' && values.visibility === 'private' ? passwordField(onChange) : null,
  ]);
}

/** @param {SetValue} onChange */
function passwordField(onChange) {
  const oninput = (/** @type {Event} */ event) =>
    onChange('password', /** @type {HTMLInputElement} */ (event.target).value);
  const props = { type: 'password', required: true, minlength: '6', autocomplete: 'new-password', oninput };
  return inputField('setting-password', 'Password', props);
}

/**
 * Settings in words. `isDefault` marks those that have the service's default.
 * @param {Settings} settings
 * @returns {{name: keyof Settings, label: string, text: string, isDefault: boolean}[]}
 */
export function settingsInWords(settings) {
  return SETTINGS.filter(({ when }) => !when || when(settings)).map(({ name, label, choices }) => {
    const value = settings[name];
    const choice = choices.find((one) => isEqual(one.value, value));
    return { name, label, text: choice?.label ?? inWords(name, value), isDefault: choice === choices[0] };
  });
}

/**
 * A value that the form does not offer, but that can be set through the API.
 * @param {keyof Settings} name
 * @param {unknown} value
 */
function inWords(name, value) {
  if (name === 'clock') return clockInWords(/** @type {ClockSetting} */ (value));
  return name === 'best_of' ? `Best of ${value}` : `after ${Number(value) / 1000} seconds`;
}

/** @param {ClockSetting} clock */
function clockInWords(clock) {
  if (clock.type === 'none') return 'None';
  if (clock.type === 'per_move') return `${clock.ms / 1000} seconds per move`;
  if (clock.type === 'days') return `${clock.days} days per move`;
  return `${clock.initial_ms / MINUTE} minutes + ${clock.increment_ms / 1000} seconds per move`;
}

/**
 * @param {unknown} one
 * @param {unknown} other
 */
function isEqual(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * The values that differ from the service's defaults.
 * @param {Values} values
 * @returns {Values}
 */
export function changedSettings(values) {
  const defaults = new Map(SETTINGS.map(({ name, choices }) => [String(name), choices[0].value]));
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => !isEqual(defaults.get(name), value)));
}
