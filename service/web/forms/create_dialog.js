/** The dialog that opens a room: who plays, the game's options, and the room's settings. */

import { Bots } from '../../client/bots.js';
import { newSalt } from '../fairness/salts.js';
import { app, asGuest, attempt, client, ensureGuest, guest, madeUpName, notices, redraw } from '../app.js';
import { h, isolated } from '../dom.js';
import { roomTexts } from '../languages/room.js';
import { characterField, Records } from './character_field.js';
import { cancelButton, inputField, modal, NICKNAME, submitted } from './fields.js';
import { usualLevel } from './play_bots.js';
import { propertiesOf, schemaFields, seatsWith } from './schema_form.js';
import { changedSettings, settingsFields } from './settings_form.js';

/** @import { ListedBot, OpenRoomRequest } from '../../schema.d.ts' */
/** @import { Game, Level, RoomRequest, Values } from '../types.d.ts' */
/** @typedef {'friends' | 'bots' | 'device'} Opponents */

/** What has been filled in so far. */
export class Creation {
  /**
   * @param {Game} game
   * @param {Opponents} opponents who is chosen at first
   * @param {() => void} close
   */
  constructor(game, opponents, close) {
    this.game = game;
    this.close = close;
    /** @type {Opponents} */
    this.opponents = 'friends';
    /** @type {Level} */
    this.level = usualLevel(game.bots) ?? 'easy';
    /** @type {Values} */
    this.options = {};
    /** @type {Values} */
    this.settings = {};
    /** The name of players who enter none. */
    this.madeUpName = madeUpName();
    this.isBusy = false;
    /** The bots that others run. @type {ListedBot[]} */
    this.listed = [];
    /** The player's results against bots, once bots have been chosen. @type {Records | null} */
    this.records = null;
    this.choose(opponents === 'bots' && !game.bots.length ? 'device' : opponents);
  }

  /**
   * Choose who plays; what the choice of a bot shows is loaded the first time that it is shown.
   * @param {Opponents} opponents
   */
  choose(opponents) {
    this.opponents = opponents;
    if (opponents !== 'bots' || this.records) return;
    this.records = new Records();
    void this.loadBots().catch(() => {}); // those of the service are enough
    void this.records.load(this.game.slug).catch(() => {}); // they can be chosen without
  }

  /** Load the bots that others run and that play the game. Throws `TurnstreamError`. */
  async loadBots() {
    this.listed = (await new Bots(client).list({ game: this.game.slug })).listed;
    redraw();
  }

  /**
   * Challenge a bot that somebody else runs, instead of opening a room.
   * @param {ListedBot} bot
   */
  async challenge({ player, nickname, games }) {
    await attempt(async () => {
      const { openChallengeDialog } = await import('../challenges/challenge_dialog.js');
      this.close();
      await openChallengeDialog({ id: player, nickname, games }, this.game.slug);
    });
  }

  get seatCount() {
    return seatsWith(this.game, this.options).length;
  }

  /** Whether matches can be rated: only those against other people. */
  get canBeRated() {
    return this.opponents === 'friends';
  }

  /** The settings; against bots and on one device the next match begins when the player asks for it. */
  get allSettings() {
    return this.canBeRated ? this.settings : { restart: null, ...this.settings, rated: false };
  }

  /**
   * The request that opens the room.
   * @param {string} name
   * @returns {RoomRequest}
   */
  body(name) {
    const settings = changedSettings(this.allSettings);
    if (this.opponents === 'device') settings.hot_seat = true;
    return {
      game: this.game.slug,
      salt: newSalt(),
      ...(name ? { name } : {}),
      ...(guest.nickname ? { nickname: guest.nickname } : {}),
      ...(Object.keys(this.options).length ? { options: this.options } : {}),
      ...(Object.keys(settings).length ? { settings } : {}),
      ...this.seats(),
    };
  }

  /** Who sits where, unless others will join. @returns {Pick<RoomRequest, 'seats'>} */
  seats() {
    if (this.opponents === 'friends') return {};
    const other = this.opponents === 'bots' ? { bot: this.level } : /** @type {const} */ ('me');
    return { seats: ['me', ...Array.from({ length: this.seatCount - 1 }, () => other)] };
  }

  /** @param {SubmitEvent} event */
  async submit(event) {
    const text = submitted(event);
    if (this.isBusy) return;
    this.isBusy = true;
    await attempt(() => this.open(text('nickname')?.trim() ?? '', text('name')?.trim() ?? ''));
    this.isBusy = false;
  }

  /**
   * Open the room and go there. Throws `TurnstreamError`.
   * @param {string} nickname
   * @param {string} name
   */
  async open(nickname, name) {
    await ensureGuest(nickname || this.madeUpName);
    const { room } = await asGuest(() => client.openRoom(/** @type {OpenRoomRequest} */ (this.body(name))));
    this.close();
    app.go(`/r/${room}`);
  }
}

/** @param {Creation} creation */
export function createDialog(creation) {
  const { game } = creation;
  return h(
    'dialog',
    modal(`create ${game.slug}`, 'create-title', () => creation.close()),
    h(
      'form',
      { onsubmit: (/** @type {SubmitEvent} */ event) => void creation.submit(event) },
      h('h2', { id: 'create-title' }, game.title),
      opponents(creation),
      guest.token ? null : nicknameField(creation),
      nameField(),
      rules(creation),
      h('details', null, h('summary', null, roomTexts.create.room), settings(creation)),
      h(
        'div',
        { class: 'buttons' },
        notices(),
        cancelButton(),
        h(
          'button',
          { type: 'submit', class: 'primary' },
          creation.opponents === 'friends' ? roomTexts.create.open : roomTexts.create.play,
        ),
      ),
    ),
  );
}

/** @param {Creation} creation */
function nicknameField({ madeUpName: placeholder }) {
  const created = (/** @type {HTMLInputElement} */ input) => {
    input.value = guest.nickname;
  };
  const props = { ...NICKNAME, required: false, placeholder, created };
  return inputField('create-nickname', roomTexts.forms.nickname, props);
}

function nameField() {
  const props = {
    id: 'create-name',
    name: 'name',
    maxlength: 40,
    autocomplete: 'off',
    placeholder: roomTexts.create.exampleName,
  };
  const note = h('span', { class: 'soft' }, roomTexts.create.roomNameNote);
  return h(
    'div',
    { class: 'field' },
    h('label', { for: props.id }, roomTexts.create.roomName, ' ', note),
    h('input', props),
  );
}

/** @param {Creation} creation */
function rules({ game, options }) {
  const properties = propertiesOf(game.options);
  if (!Object.keys(properties).length) return null;
  const fields = schemaFields(game, properties, options, (name, value) => {
    options[name] = value;
    redraw();
  });
  return h('details', null, h('summary', null, roomTexts.create.rules), fields);
}

/** @param {Creation} creation */
function settings(creation) {
  return settingsFields(
    creation.allSettings,
    (name, value) => {
      creation.settings[name] = value;
      redraw();
    },
    creation.canBeRated,
  );
}

/** @param {Creation} creation */
function opponents(creation) {
  const others = creation.seatCount - 1;
  const { create } = roomTexts;
  return h(
    'fieldset',
    { class: 'opponents' },
    h('legend', null, create.who),
    choice(creation, 'friends', create.others, create.othersNote(others)),
    creation.game.bots.length ? choice(creation, 'bots', create.bots, create.botsNote(others)) : null,
    choice(creation, 'device', create.device, create.deviceNote(creation.seatCount)),
    creation.opponents === 'bots' ? [levelField(creation), listedBots(creation)] : null,
  );
}

/**
 * @param {Creation} creation
 * @param {Opponents} value
 * @param {string} title
 * @param {string} description
 */
function choice(creation, value, title, description) {
  const onchange = () => {
    creation.choose(value);
    redraw();
  };
  return h(
    'label',
    { key: value, class: 'choice-card' },
    h('input', { type: 'radio', name: 'opponents', value, checked: creation.opponents === value, onchange }),
    h('span', null, h('strong', null, title), h('small', null, description)),
  );
}

/** @param {Creation} creation */
function levelField(creation) {
  return characterField(creation.game.bots, creation.level, creation.records, (level) => {
    creation.level = level;
    redraw();
  });
}

/**
 * The bots that others run, each with a button to challenge it.
 * @param {Creation} creation
 */
function listedBots(creation) {
  if (!creation.listed.length) return null;
  const { listed, challenge, challengeBot } = roomTexts.create;
  const items = creation.listed.map((bot) => {
    const { player, nickname, description } = bot;
    const onclick = () => void creation.challenge(bot);
    const props = { type: 'button', class: 'small-button', 'aria-label': challengeBot(challenge, nickname), onclick };
    return h(
      'li',
      { key: player },
      h('span', null, h('strong', null, isolated(nickname)), ' ', h('small', { class: 'soft' }, description)),
      h('button', props, challenge),
    );
  });
  return h(
    'div',
    { class: 'listed-bots', key: 'listed' },
    h('p', { class: 'small', id: 'listed-bots' }, listed),
    h('ul', { 'aria-labelledby': 'listed-bots' }, items),
  );
}
