/** The dialog in which the player chooses what to look for; each clock is a button that begins the search. */

import { app, attempt, client, guest, loadGame, loadStyle, notices, redraw } from '../app.js';
import { openSeeks } from '../../client/seeks.js';
import { h } from '../dom.js';
import { cancelButton, modal } from '../forms/fields.js';
import { propertiesOf } from '../forms/schema_form.js';
import { clockInWords } from '../forms/settings_form.js';
import { peopleTexts } from '../languages/people.js';
import { classOf, loadOwnRatings, ratingInWords } from '../ratings/ratings.js';
import { quickPlay } from './quick_play.js';

/** @import { PlayerRating, SeekEntry, SeekRequest } from '../../schema.d.ts' */
/** @import { ClockSetting, Game, Values } from '../types.d.ts' */

const { quick: WORDS } = peopleTexts;
const MINUTE = 60_000;

/** The clocks that are offered; null is compatible with any. @type {(ClockSetting | null)[]} */
const CLOCKS = [
  null,
  { type: 'per_move', ms: 30_000 },
  { type: 'fischer', initial_ms: 3 * MINUTE, increment_ms: 2000 },
  { type: 'fischer', initial_ms: 10 * MINUTE, increment_ms: 5000 },
  { type: 'days', days: 1 },
];

/** By how many points the ratings of others may differ; 0 for any number. */
const RANGES = [0, 100, 200, 400];

/**
 * Ask what to look for in a game.
 * @param {string} slug
 */
export async function openSeekDialog(slug) {
  await attempt(async () => {
    const [game, { seeks }, ratings] = await Promise.all([
      loadGame(slug),
      openSeeks(client, { game: slug }),
      loadOwnRatings(),
      loadStyle('people'),
    ]);
    const dialog = new SeekDialog(
      game,
      seeks,
      ratings.filter((rating) => rating.game === slug),
    );
    app.dialog = () => dialog.view();
  });
  redraw();
}

class SeekDialog {
  /**
   * @param {Game} game
   * @param {SeekEntry[]} seeks of others
   * @param {PlayerRating[]} ratings the player's own in the game
   */
  constructor(game, seeks, ratings) {
    this.game = game;
    this.ratings = ratings;
    this.seeks = seeks.filter(({ player }) => player !== guest.id);
    this.isRated = false;
    /** Whether the player also wants to play with bots that others run. */
    this.admitsBots = false;
    /** By how many points the ratings of others may differ, 0 for any number. */
    this.range = 0;
    /** The number of players, 0 for any number. */
    this.players = 0;
  }

  /** The numbers of players that the game can have, each with the options that determine it. */
  get counts() {
    const { seats, options } = this.game;
    const names = new Set(seats.flatMap((entry) => Object.keys(entry.options)));
    const properties = propertiesOf(options);
    const usual = Object.fromEntries([...names].map((name) => [name, properties[name]?.default]));
    return seats.map((entry) => ({ players: entry.seats.length, options: { ...usual, ...entry.options } }));
  }

  /** @param {ClockSetting | null} clock */
  start(clock) {
    const { game, isRated, players, range } = this;
    /** @type {Values} */
    const options = this.counts.find((count) => count.players === players)?.options ?? {};
    const wishes = { ...(clock ? { clock } : {}), ...(isRated && range ? { rating_range: range } : {}) };
    const request = { game: game.slug, ...wishes, options, rated: isRated, bots: this.admitsBots };
    app.dialog = null;
    redraw();
    void quickPlay.start(/** @type {SeekRequest} */ (request), game.title);
  }

  /**
   * How many others are looking for the same.
   * @param {ClockSetting | null} clock
   */
  waiting(clock) {
    const wanted = JSON.stringify(clock);
    const agrees = (/** @type {SeekEntry} */ seek) =>
      seek.rated === this.isRated &&
      (this.admitsBots || !seek.bot) &&
      (!clock || !seek.clock || JSON.stringify(seek.clock) === wanted);
    return this.seeks.filter(agrees).length;
  }

  view() {
    const close = () => {
      app.dialog = null;
      redraw();
    };
    const { game } = this;
    const isPair = this.counts.every(({ players }) => players === 2);
    return h(
      'dialog',
      modal(`seek ${game.slug}`, 'seek-title', close),
      h(
        'div',
        { class: 'seek-dialog' },
        h('h2', { id: 'seek-title' }, (isPair ? WORDS.title : WORDS.titleMany)(game.title)),
        h('p', { class: 'soft' }, WORDS.lead),
        this.counts.length > 1 ? this.playersField() : null,
        h(
          'div',
          { class: 'seek-clocks', role: 'group', 'aria-label': WORDS.clock },
          CLOCKS.map((clock) => this.clockButton(clock)),
        ),
        this.checkbox('isRated', WORDS.rated, WORDS.ratedNote),
        this.checkbox('admitsBots', WORDS.bots, WORDS.botsNote),
        this.isRated ? this.rangeField() : null,
        h('div', { class: 'buttons' }, notices(), cancelButton()),
      ),
    );
  }

  /** @param {ClockSetting | null} clock */
  clockButton(clock) {
    const count = this.waiting(clock);
    const label = clock ? clockInWords(clock) : WORDS.anyClock;
    return h(
      'button',
      {
        key: label,
        type: 'button',
        class: clock ? '' : 'primary',
        disabled: !clock && this.isRated,
        onclick: () => this.start(clock),
      },
      h('span', null, label, clock && this.isRated ? h('small', { class: 'soft' }, this.ratingAt(clock)) : null),
      count ? h('span', { class: 'tag free' }, WORDS.waiting(count)) : clock ? null : h('small', null, WORDS.anyNote),
    );
  }

  /**
   * The player's rating with a clock.
   * @param {ClockSetting} clock
   */
  ratingAt(clock) {
    const own = this.ratings.find((rating) => rating.rating_class === classOf(clock));
    return own ? WORDS.rating(ratingInWords(own)) : WORDS.noRating;
  }

  rangeField() {
    const onchange = (/** @type {Event} */ event) => {
      this.range = RANGES[/** @type {HTMLSelectElement} */ (event.target).selectedIndex] ?? 0;
    };
    const options = RANGES.map((range) =>
      h('option', { key: range, selected: range === this.range }, range ? WORDS.within(range) : WORDS.anyRating),
    );
    return h(
      'div',
      { class: 'field seek-players', key: 'range' },
      h('label', { for: 'seek-range' }, WORDS.range),
      h('select', { id: 'seek-range', onchange }, options),
    );
  }

  playersField() {
    const choices = [0, ...this.counts.map(({ players }) => players)];
    const numbers = choices.slice(1);
    const onchange = (/** @type {Event} */ event) => {
      this.players = choices[/** @type {HTMLSelectElement} */ (event.target).selectedIndex] ?? 0;
      redraw();
    };
    const options = choices.map((players) =>
      h('option', { key: players, selected: players === this.players }, players || WORDS.anyNumber(numbers)),
    );
    return h(
      'div',
      { class: 'field seek-players' },
      h('label', { for: 'seek-players' }, WORDS.players),
      h('select', { id: 'seek-players', onchange }, options),
    );
  }

  /**
   * @param {'isRated' | 'admitsBots'} name
   * @param {string} label
   * @param {string} note
   */
  checkbox(name, label, note) {
    const onchange = (/** @type {Event} */ event) => {
      this[name] = /** @type {HTMLInputElement} */ (event.target).checked;
      redraw();
    };
    return h(
      'label',
      { class: name === 'isRated' ? 'seek-choice seek-rated' : 'seek-choice seek-bots', key: name },
      h('input', { type: 'checkbox', checked: this[name], onchange }),
      h('span', null, label, h('small', { class: 'soft' }, note)),
    );
  }
}
