/** The dialog in which a player chooses the match for a challenge. */

import { app, attempt, colourName, loadCatalogue, loadGame, loadStyle, notices, redraw } from '../app.js';
import { capitalized, characterName, h, isolated } from '../dom.js';
import { cancelButton, modal, selectField } from '../forms/fields.js';
import { usualLevel } from '../forms/play_bots.js';
import { propertiesOf, schemaFields, seatsWith } from '../forms/schema_form.js';
import { settingsFields } from '../forms/settings_form.js';
import { peopleTexts } from '../languages/people.js';
import { roomTexts } from '../languages/room.js';
import { desk } from './desk.js';

/** @import { ChallengeRequest } from '../../schema.d.ts' */
/** @import { ClockSetting, Game, GameSummary, Level, Values } from '../types.d.ts' */
/** @typedef {{id: string, nickname: string, games?: string[]}} Opponent whose `games` are those that a bot plays */
/** @typedef {{options: Values, settings: Values}} Initial the options and the settings that are chosen at first */

const { challenges: WORDS } = peopleTexts;

/** The settings of a room that are part of a challenge. */
const SETTINGS = new Set(['clock', 'rated']);

/**
 * Ask for the match of a challenge to a player.
 * @param {Opponent} opponent
 * @param {string} [slug] the game that is chosen at first
 * @param {Initial} [initial] for that game
 */
export async function openChallengeDialog(opponent, slug = app.shownGame(), initial) {
  await attempt(async () => {
    await Promise.all([loadCatalogue(), loadStyle('people')]);
    const games = (app.catalogue ?? []).filter((game) => canBePlayed(game, opponent));
    const [first] = games.sort((one, other) => Number(other.slug === slug) - Number(one.slug === slug));
    if (!first) return;
    const chosen = first.slug === slug ? initial : undefined;
    const dialog = new ChallengeDialog(opponent, games, await loadGame(first.slug), chosen);
    app.dialog = () => dialog.view();
  });
  redraw();
}

/**
 * Whether these two can play a game, with bots on its other seats.
 * @param {GameSummary} game
 * @param {Opponent} opponent
 */
function canBePlayed({ slug, seats, bots }, { games }) {
  const isPair = seats.some((entry) => entry.seats.length === 2);
  return (isPair || bots.length > 0) && (games?.includes(slug) ?? true);
}

class ChallengeDialog {
  /**
   * @param {Opponent} opponent
   * @param {GameSummary[]} games
   * @param {Game} game
   * @param {Initial} [initial]
   */
  constructor(opponent, games, game, { options, settings } = { options: {}, settings: {} }) {
    this.opponent = opponent;
    this.games = games;
    this.game = game;
    /** The slug of the game that has been chosen, while it is loaded. */
    this.wanted = game.slug;
    this.options = options;
    this.settings = settings;
    /** The player's seat, or null for any. @type {number | null} */
    this.seat = null;
    /** The level of the bots on the other seats. @type {Level} */
    this.level = usualLevel(game.bots) ?? 'easy';
    this.isBusy = false;
  }

  get seats() {
    return seatsWith(this.game, this.options);
  }

  /** Whether the challenge can be sent. */
  get isReady() {
    return !this.isBusy && this.wanted === this.game.slug;
  }

  /** How many bots play as well. */
  get botCount() {
    return this.seats.length - 2;
  }

  /** @returns {ChallengeRequest} */
  request() {
    const { clock, rated } = this.settings;
    const { opponent, seat, level, game } = this;
    return {
      game: game.slug,
      opponents: [opponent.id, ...Array.from({ length: this.botCount }, () => ({ bot: level }))],
      options: /** @type {ChallengeRequest['options']} */ (this.options),
      ...(clock ? { clock: /** @type {ClockSetting} */ (clock) } : {}),
      ...(seat === null ? {} : { seat }),
      rated: rated === true && !this.botCount,
    };
  }

  async send() {
    if (!this.isReady) return;
    this.isBusy = true;
    const { id, nickname } = this.opponent;
    await attempt(async () => {
      await desk.make(this.request(), { [id]: nickname });
      app.dialog = null;
    });
    this.isBusy = false;
    redraw();
  }

  /** @param {string} slug */
  async choose(slug) {
    this.wanted = slug;
    redraw();
    const game = await attempt(() => loadGame(slug));
    if (this.wanted !== slug) return; // another one has been chosen meanwhile
    if (game) {
      [this.game, this.options, this.seat] = [game, {}, null];
      this.level = usualLevel(game.bots) ?? 'easy';
    }
    this.wanted = this.game.slug;
    redraw();
  }

  view() {
    const close = () => {
      app.dialog = null;
      redraw();
    };
    const onsubmit = (/** @type {Event} */ event) => {
      event.preventDefault();
      void this.send();
    };
    return h(
      'dialog',
      modal(`challenge ${this.opponent.id}`, 'challenge-title', close),
      h(
        'form',
        { onsubmit },
        h('h2', { id: 'challenge-title' }, WORDS.title(isolated(this.opponent.nickname))),
        this.gameField(),
        this.botField(),
        settingsFields(this.settings, (name, value) => this.set(this.settings, name, value), !this.botCount, SETTINGS),
        this.seatField(),
        this.rules(),
        h(
          'div',
          { class: 'buttons' },
          notices(),
          cancelButton(),
          h('button', { type: 'submit', class: 'primary', disabled: !this.isReady }, WORDS.send),
        ),
      ),
    );
  }

  /**
   * @param {Values} values the options or the settings
   * @param {string} name
   * @param {unknown} value
   */
  set(values, name, value) {
    values[name] = value;
    redraw();
  }

  gameField() {
    return selectField(
      'challenge-game',
      WORDS.game,
      this.games.map(({ slug, title }) => ({ value: slug, label: title })),
      (slug) => slug === this.wanted,
      (slug) => void this.choose(slug),
    );
  }

  /** The level of the bots on the remaining seats. */
  botField() {
    if (!this.botCount) return null;
    return selectField(
      'challenge-level',
      WORDS.others,
      this.game.bots.map((level) => ({
        value: level,
        label: roomTexts.characters.option(characterName(level), roomTexts.levels[level]),
      })),
      (level) => level === this.level,
      (level) => {
        this.level = level;
        redraw();
      },
    );
  }

  seatField() {
    const drawn = { value: /** @type {number | null} */ (null), label: WORDS.anySeat };
    const seats = this.seats.map(({ seat, colour }) => ({
      value: /** @type {number | null} */ (seat),
      label: capitalized(colourName(this.game.slug, colour)),
    }));
    return selectField(
      'challenge-seat',
      WORDS.ownSeat,
      [drawn, ...seats],
      (seat) => seat === this.seat,
      (seat) => {
        this.seat = seat;
        redraw();
      },
    );
  }

  rules() {
    const properties = propertiesOf(this.game.options);
    if (!Object.keys(properties).length) return null;
    const fields = schemaFields(this.game, properties, this.options, (name, value) => {
      this.seat = null; // there may be other seats now
      this.set(this.options, name, value);
    });
    const created = (/** @type {HTMLDetailsElement} */ details) => {
      details.open = Object.entries(this.options).some(([name, value]) => properties[name]?.default !== value);
    };
    return h('details', { key: 'rules', created }, h('summary', null, roomTexts.create.rules), fields);
  }
}
