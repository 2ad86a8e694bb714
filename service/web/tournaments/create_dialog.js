/** The dialog that creates a tournament. */

import { app, asGuest, attempt, loadGame, loadStyle, notices, notify, redraw } from '../app.js';
import { h } from '../dom.js';
import { cancelButton, inputField, modal, selectField, submitted } from '../forms/fields.js';
import { propertiesOf, schemaFields } from '../forms/schema_form.js';
import { clockInWords } from '../forms/settings_form.js';
import { tournamentTexts } from '../languages/ratings.js';
import { addressOf, tournaments, spanInWords } from './tournaments.js';

/** @import { NewTournament } from '../../schema.d.ts' */
/** @import { ClockSetting, Game, GameSummary, Values } from '../types.d.ts' */
/** @typedef {NewTournament['format']} Format */

const { create: WORDS, formats: FORMATS, formatNotes: NOTES } = tournamentTexts;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The clocks that are offered. @type {ClockSetting[]} */
const CLOCKS = [
  { type: 'fischer', initial_ms: 3 * MINUTE, increment_ms: 2000 },
  { type: 'fischer', initial_ms: 5 * MINUTE, increment_ms: 3000 },
  { type: 'fischer', initial_ms: 10 * MINUTE, increment_ms: 5000 },
  { type: 'per_move', ms: 15_000 },
  { type: 'per_move', ms: 30_000 },
];
/** The numbers of rounds of a Swiss system; 0 for as many as it takes. */
const ROUNDS = [0, 3, 4, 5, 6, 7, 9, 11];
/** The time that an arena lasts. */
const DURATIONS = [30 * MINUTE, 45 * MINUTE, HOUR, 90 * MINUTE, 2 * HOUR, 3 * HOUR];
const CHECK_INS = [0, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE];
/** The numbers of players that can be admitted; 0 for as many as possible. */
const PLAYERS = [0, 4, 8, 16, 32, 64, 128];
/** How far in the future the start is at first, in whole steps. */
const AHEAD_MS = 15 * MINUTE;
const STEP_MS = 5 * MINUTE;

/**
 * Ask what tournament to create.
 * @param {GameSummary[]} catalogue
 */
export async function openTournamentDialog(catalogue) {
  const [first] = catalogue;
  if (!first) return;
  const [game] = await Promise.all([loadGame(first.slug), loadStyle('tournaments')]);
  const dialog = new TournamentDialog(catalogue, game);
  app.dialog = () => dialog.view();
  redraw();
}

class TournamentDialog {
  /**
   * @param {GameSummary[]} catalogue
   * @param {Game} game the one that is chosen
   */
  constructor(catalogue, game) {
    this.catalogue = catalogue;
    this.game = game;
    /** @type {Format} */
    this.format = 'swiss';
    /** @type {ClockSetting} */
    this.clock = CLOCKS[0] ?? { type: 'per_move', ms: 30_000 };
    /** @type {Values} */
    this.options = {};
    this.rounds = 0;
    this.duration = HOUR;
    this.checkIn = 0;
    this.players = 0;
    this.isLate = true;
    this.bots = false;
    this.isBusy = false;
    this.starts = localTime(Math.ceil((Date.now() + AHEAD_MS) / STEP_MS) * STEP_MS);
  }

  /** @param {string} slug */
  async choose(slug) {
    await attempt(async () => {
      this.game = await loadGame(slug);
      this.options = {};
    });
    redraw();
  }

  /**
   * What is to be created.
   * @param {string} title
   * @param {Date} starts
   */
  body(title, starts) {
    const { game, format, clock, options, rounds, duration, checkIn, players, isLate, bots } = this;
    return /** @type {NewTournament} */ ({
      title,
      game: game.slug,
      format,
      clock,
      starts: starts.toISOString(),
      ...(Object.keys(options).length ? { options } : {}),
      ...(format === 'swiss' && rounds ? { rounds } : {}),
      ...(format === 'arena' ? { duration_ms: duration } : {}),
      ...(checkIn ? { check_in_ms: checkIn } : {}),
      ...(players ? { max_players: players } : {}),
      late_entry: isLate && format !== 'round_robin',
      bots,
    });
  }

  /** @param {SubmitEvent} event */
  async submit(event) {
    const text = submitted(event);
    const starts = new Date(text('starts') ?? '');
    if (!(starts.getTime() > Date.now())) {
      notify(WORDS.past, 'error');
      return;
    }
    if (this.isBusy) return;
    this.isBusy = true;
    await attempt(async () => {
      const { tournament } = await asGuest(() => tournaments.make(this.body(text('title')?.trim() ?? '', starts)));
      close();
      app.go(addressOf(tournament.id));
    });
    this.isBusy = false;
  }

  view() {
    return h(
      'dialog',
      modal('new tournament', 'tournament-title', close),
      h(
        'form',
        { class: 'tournament-form', onsubmit: (/** @type {SubmitEvent} */ event) => void this.submit(event) },
        h('h2', { id: 'tournament-title' }, WORDS.title),
        inputField('tournament-name', WORDS.name, {
          name: 'title',
          required: true,
          maxlength: 60,
          autocomplete: 'off',
          placeholder: WORDS.exampleName,
        }),
        this.gameField(),
        this.formatField(),
        h('p', { class: 'soft small', key: 'note' }, NOTES[this.format]),
        this.clockField(),
        this.startField(),
        this.lengthField(),
        this.rules(),
        this.more(),
        h(
          'div',
          { class: 'buttons' },
          notices(),
          cancelButton(),
          h('button', { type: 'submit', class: 'primary' }, WORDS.create),
        ),
      ),
    );
  }

  gameField() {
    const choices = this.catalogue.map(({ slug, title }) => ({ value: slug, label: title }));
    const isChosen = (/** @type {string} */ slug) => slug === this.game.slug;
    return selectField('tournament-game', WORDS.game, choices, isChosen, (slug) => void this.choose(slug));
  }

  formatField() {
    const formats = /** @type {Format[]} */ (Object.keys(FORMATS));
    const choices = formats.map((format) => ({ value: format, label: FORMATS[format] }));
    const change = (/** @type {Format} */ format) => {
      this.format = format;
      redraw();
    };
    return selectField('tournament-format', WORDS.format, choices, (format) => format === this.format, change);
  }

  clockField() {
    const choices = CLOCKS.map((clock) => ({ value: clock, label: clockInWords(clock) }));
    const change = (/** @type {ClockSetting} */ clock) => {
      this.clock = clock;
      redraw();
    };
    return selectField('tournament-clock', WORDS.clock, choices, (clock) => clock === this.clock, change);
  }

  startField() {
    const props = { name: 'starts', type: 'datetime-local', required: true, value: this.starts };
    const onchange = (/** @type {Event} */ event) => {
      this.starts = /** @type {HTMLInputElement} */ (event.target).value;
      redraw();
    };
    return inputField('tournament-starts', WORDS.starts, { ...props, onchange });
  }

  /** How long it takes: rounds, or minutes of an arena. */
  lengthField() {
    if (this.format === 'round_robin') return null;
    if (this.format === 'arena') {
      return this.numberField('duration', WORDS.duration, DURATIONS, spanInWords);
    }
    const label = (/** @type {number} */ rounds) => (rounds ? tournamentTexts.rounds(rounds) : WORDS.automatic);
    return this.numberField('rounds', WORDS.rounds, ROUNDS, label);
  }

  /**
   * @param {'rounds' | 'duration' | 'checkIn' | 'players'} name
   * @param {string} label
   * @param {number[]} values
   * @param {(value: number) => string} words
   */
  numberField(name, label, values, words) {
    const choices = values.map((value) => ({ value, label: words(value) }));
    const change = (/** @type {number} */ value) => {
      this[name] = value;
      redraw();
    };
    return selectField(`tournament-${name}`, label, choices, (value) => value === this[name], change);
  }

  rules() {
    const properties = propertiesOf(this.game.options);
    if (!Object.keys(properties).length) return null;
    const fields = schemaFields(this.game, properties, this.options, (name, value) => {
      this.options[name] = value;
      redraw();
    });
    return h('details', { key: `rules ${this.game.slug}` }, h('summary', null, WORDS.rules), fields);
  }

  more() {
    const checkIn = (/** @type {number} */ ms) => (ms ? WORDS.checkInLast(spanInWords(ms)) : WORDS.noCheckIn);
    const most = (/** @type {number} */ players) => (players ? tournamentTexts.players(players) : WORDS.unlimited);
    return h(
      'details',
      { key: 'more' },
      h('summary', null, WORDS.more),
      this.numberField('checkIn', WORDS.checkIn, CHECK_INS, checkIn),
      this.numberField('players', WORDS.most, PLAYERS, most),
      this.format === 'round_robin' ? null : this.switchField('isLate', WORDS.lateEntry),
      this.switchField('bots', WORDS.bots),
    );
  }

  /**
   * @param {'isLate' | 'bots'} name
   * @param {string} label
   */
  switchField(name, label) {
    const onchange = (/** @type {Event} */ event) => {
      this[name] = /** @type {HTMLInputElement} */ (event.target).checked;
      redraw();
    };
    const id = `tournament-${name}`;
    return h(
      'div',
      { class: 'field switch-field', key: name },
      h('label', { for: id }, label),
      h('input', { id, type: 'checkbox', checked: this[name], onchange }),
    );
  }
}

function close() {
  app.dialog = null;
  redraw();
}

/**
 * A time as an input of local times has it.
 * @param {number} time in milliseconds
 */
function localTime(time) {
  const local = new Date(time - new Date(time).getTimezoneOffset() * MINUTE);
  return local.toISOString().slice(0, 16);
}
