/** A form for the settings of a room. Only values that differ from the service's defaults are sent. */

import { h } from '../dom.js';
import { roomTexts } from '../languages/room.js';
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
 * @property {(values: Values) => boolean} [excluded] whether its value cannot be with the others
 */

const MINUTE = 60_000;
const { settings: WORDS } = roomTexts;

/** @param {number} value in milliseconds */
const after = (value) => ({ value, label: WORDS.after(value) });

/** @type {Setting[]} */
const SETTINGS = [
  {
    name: 'visibility',
    label: WORDS.visibility.label,
    choices: [
      { value: 'public', label: WORDS.visibility.public },
      { value: 'unlisted', label: WORDS.visibility.unlisted },
      { value: 'private', label: WORDS.visibility.private },
    ],
    excluded: ({ rated, visibility }) => Boolean(rated) && visibility === 'private',
  },
  {
    name: 'rated',
    label: WORDS.rated.label,
    choices: [
      { value: false, label: WORDS.rated.no },
      { value: true, label: WORDS.rated.yes },
    ],
    when: ({ hot_seat: isShared }) => !isShared,
  },
  {
    name: 'start',
    label: WORDS.start.label,
    choices: [
      { value: 'ready', label: WORDS.start.ready },
      { value: 'full', label: WORDS.start.full },
      { value: 'creator', label: WORDS.start.creator },
    ],
  },
  {
    name: 'restart',
    label: WORDS.restart.label,
    choices: [after(5000), after(15_000), after(MINUTE), { value: null, label: WORDS.restart.ready }],
  },
  {
    name: 'clock',
    label: WORDS.clock.label,
    choices: [
      clock({ type: 'none' }),
      clock({ type: 'per_move', ms: 30_000 }),
      clock({ type: 'per_move', ms: 2 * MINUTE }),
      clock({ type: 'fischer', initial_ms: 3 * MINUTE, increment_ms: 2000 }),
      clock({ type: 'fischer', initial_ms: 10 * MINUTE, increment_ms: 5000 }),
      clock({ type: 'days', days: 1 }),
      clock({ type: 'days', days: 3 }),
    ],
    excluded: (values) => Boolean(values.rated) && !hasClock(values),
  },
  {
    name: 'on_timeout',
    label: WORDS.timeout.label,
    choices: [
      { value: 'lose', label: WORDS.timeout.lose },
      { value: 'random_move', label: WORDS.timeout.random_move },
      { value: 'bot_move', label: WORDS.timeout.bot_move },
    ],
    when: (values) => hasClock(values) && !values.rated,
  },
  {
    name: 'grace_ms',
    label: WORDS.grace.label,
    choices: [after(MINUTE), after(0), after(5 * MINUTE), after(60 * MINUTE)],
  },
  {
    name: 'bot_pause',
    label: WORDS.botPause.label,
    choices: [after(1000), after(0), after(3000)],
  },
  {
    name: 'bots_resign',
    label: WORDS.botsResign.label,
    choices: [
      { value: undefined, label: WORDS.botsResign.lost },
      { value: false, label: WORDS.botsResign.never },
    ],
    when: ({ rated }) => !rated,
  },
  {
    name: 'seats_next',
    label: WORDS.seats.label,
    choices: [
      { value: 'keep', label: WORDS.seats.keep },
      { value: 'rotate', label: WORDS.seats.rotate },
    ],
  },
  {
    name: 'best_of',
    label: WORDS.series.label,
    choices: [
      { value: 0, label: WORDS.series.none },
      { value: 3, label: WORDS.series.bestOf(3) },
      { value: 5, label: WORDS.series.bestOf(5) },
      { value: 7, label: WORDS.series.bestOf(7) },
    ],
  },
  {
    name: 'hints',
    label: WORDS.hints.label,
    choices: [
      { value: 'bots_only', label: WORDS.hints.bots_only },
      { value: 'off', label: WORDS.hints.off },
      { value: 'on', label: WORDS.hints.on },
    ],
    when: ({ rated }) => !rated,
  },
  {
    name: 'spectators',
    label: WORDS.spectators.label,
    choices: [
      { value: true, label: WORDS.spectators.allowed },
      { value: false, label: WORDS.spectators.refused },
    ],
  },
];

/** The names of all settings. @type {Set<string>} */
const ALL = new Set(SETTINGS.map(({ name }) => name));

/** @param {Values} values */
function hasClock({ clock }) {
  return clock !== undefined && /** @type {ClockSetting} */ (clock).type !== 'none';
}

/** The settings of a rated match if nothing else was chosen. @type {Values} */
const FOR_RATED = {
  clock: { type: 'fischer', initial_ms: 10 * MINUTE, increment_ms: 5000 },
  visibility: 'public',
  on_timeout: 'lose',
};

/**
 * One field per setting. A setting without a value shows its default. What a rated match excludes is left out.
 * @param {Values} values
 * @param {SetValue} onChange
 * @param {boolean} [canBeRated]
 * @param {Set<string>} [shown] which of them, by default all
 */
export function settingsFields(values, onChange, canBeRated = true, shown = ALL) {
  const offered = SETTINGS.filter(
    ({ name, when }) => shown.has(name) && (canBeRated || name !== 'rated') && (!when || when(values)),
  );
  return offered.map(({ name, label, choices, excluded }) => [
    selectField(
      `setting-${name}`,
      label,
      withValue(name, values[name], choices).filter(({ value }) => !excluded?.({ ...values, [name]: value })),
      (value) => isEqual(name in values ? values[name] : choices[0].value, value),
      (value) => (name === 'rated' ? setRated(value === true, values, onChange) : onChange(name, value)),
    ),
    name === 'visibility' && values.visibility === 'private' ? passwordField(onChange) : null,
    name === 'rated' && values.rated ? h('p', { key: 'rated', class: 'soft small' }, WORDS.rated.note) : null,
  ]);
}

/**
 * What is offered, with the present value, which others may have set through the API.
 * @param {keyof Settings} name
 * @param {unknown} value
 * @param {Choice[]} choices
 */
function withValue(name, value, choices) {
  const isOffered = value === undefined || choices.some((one) => isEqual(one.value, value));
  return isOffered ? choices : [...choices, { value, label: inWords(name, value) }];
}

/**
 * Choose whether matches are rated, and replace values that this excludes.
 * @param {boolean} isRated
 * @param {Values} values
 * @param {SetValue} onChange
 */
function setRated(isRated, values, onChange) {
  const wanted = { ...values, rated: isRated };
  for (const { name, excluded } of SETTINGS) if (excluded?.(wanted)) onChange(name, FOR_RATED[name]);
  if (isRated && (values.on_timeout ?? 'lose') !== 'lose') onChange('on_timeout', FOR_RATED.on_timeout);
  onChange('rated', isRated);
}

/** @param {SetValue} onChange */
function passwordField(onChange) {
  const oninput = (/** @type {Event} */ event) =>
    onChange('password', /** @type {HTMLInputElement} */ (event.target).value);
  const props = { type: 'password', required: true, minlength: '6', autocomplete: 'new-password', oninput };
  return inputField('setting-password', WORDS.visibility.password, props);
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
  return name === 'best_of' ? WORDS.series.bestOf(Number(value)) : WORDS.after(Number(value));
}

/**
 * A clock with its label.
 * @param {ClockSetting} value
 */
function clock(value) {
  return { value, label: clockInWords(value) };
}

/** @param {ClockSetting} value */
export function clockInWords(value) {
  const { none, perMove, fischer, days } = WORDS.clock;
  if (value.type === 'per_move') return perMove(value.ms);
  if (value.type === 'days') return days(value.days);
  return value.type === 'none' ? none : fischer(value.initial_ms, value.increment_ms);
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
