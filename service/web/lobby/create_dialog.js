/** The dialog that opens a room: who plays, the game's options, and how the room is set. */

import { order } from '../api.js';
import { app, attempt, beSomebody, changed } from '../app.js';
import { h } from '../dom.js';
import { guest, rename } from '../guest.js';
import { humane } from '../room/moves.js';
import { notices } from '../notices.js';
import { propertiesOf, schemaFields, seatsWith } from '../forms/schema_form.js';
import { settingsFields, settingsOf } from '../forms/settings_form.js';

/** @typedef {import('../app.js').Game} Game */

/** What is being filled in. */
export class Creation {
  /** @param {Game} game @param {() => void} close */
  constructor(game, close) {
    this.game = game;
    this.close = close;
    /** @type {'friends' | 'bots' | 'device'} */
    this.company = 'friends';
    this.level = game.bots[game.bots.length > 1 ? 1 : 0] ?? 'easy';
    /** @type {Record<string, any>} */
    this.options = {};
    /** @type {Record<string, any>} */
    this.settings = {};
    this.isBusy = false;
  }

  get seatCount() {
    return seatsWith(this.game, this.options).length;
  }

  /** The body that opens the room. @param {string} name */
  body(name) {
    const settings = settingsOf(this.settings);
    if (this.company === 'device') settings.hot_seat = true;
    const others = Array.from({ length: this.seatCount - 1 }, () => ({ bot: this.level }));
    return {
      game: this.game.slug,
      ...(name ? { name } : {}),
      ...(guest.nickname ? { nickname: guest.nickname } : {}),
      ...(Object.keys(this.options).length ? { options: this.options } : {}),
      ...(Object.keys(settings).length ? { settings } : {}),
      ...(this.company === 'bots' ? { seats: ['me', ...others] } : {}),
      ...(this.company === 'device' ? { seats: ['me', ...others.map(() => 'me')] } : {}),
    };
  }

  /** @param {SubmitEvent} event */
  async submit(event) {
    event.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const nickname = String(form.get('nickname') ?? guest.nickname).trim();
    if (this.isBusy) return;
    this.isBusy = true;
    await attempt(() => this.open(nickname, String(form.get('name') ?? '').trim()));
    this.isBusy = false;
  }

  /** @param {string} nickname @param {string} name */
  async open(nickname, name) {
    await beSomebody(nickname);
    rename(nickname);
    const { room } = await order('/rooms', this.body(name));
    this.close();
    app.go(`/r/${room}`);
  }
}

/** @param {Creation} creation */
export function createDialog(creation) {
  const { game } = creation;
  const close = () => creation.close();
  const cancel = (/** @type {any} */ event) => event.target.closest('dialog').close();
  const options = propertiesOf(game.options);
  return h(
    'dialog',
    {
      key: `create ${game.slug}`,
      class: 'sheet',
      'aria-labelledby': 'create-title',
      onclose: close,
      made: (/** @type {HTMLDialogElement} */ dialog) => dialog.showModal(),
    },
    h(
      'form',
      { onsubmit: (/** @type {SubmitEvent} */ event) => void creation.submit(event) },
      h('h2', { id: 'create-title' }, game.title),
      company(creation),
      guest.token
        ? null
        : field('nickname', 'Your nickname', {
            required: true,
            maxlength: 24,
            autocomplete: 'nickname',
            made: (/** @type {HTMLInputElement} */ input) => {
              input.value = guest.nickname;
            },
          }),
      h(
        'div',
        { class: 'field' },
        h('label', { for: 'create-name' }, 'Name of the table ', h('span', { class: 'soft' }, '(made up if empty)')),
        h('input', {
          id: 'create-name',
          name: 'name',
          maxlength: 40,
          autocomplete: 'off',
          placeholder: 'Friday Night',
        }),
      ),
      Object.keys(options).length
        ? h('details', null, h('summary', null, 'Rules'), schemaFields(game.slug, options, creation.options, changed))
        : null,
      h('details', null, h('summary', null, 'Table'), settingsFields(creation.settings, changed)),
      h(
        'div',
        { class: 'buttons' },
        notices(),
        h('button', { type: 'button', onclick: cancel }, 'Cancel'),
        h('button', { type: 'submit', class: 'primary' }, creation.company === 'friends' ? 'Open the table' : 'Play'),
      ),
    ),
  );
}

/** @param {Creation} creation */
function company(creation) {
  const others = creation.seatCount - 1;
  const ways = [
    ['friends', 'With others', `${others} more ${others === 1 ? 'joins' : 'join'} by link or from the lobby`],
    ...(creation.game.bots.length
      ? [['bots', 'Against bots', `${others} ${others === 1 ? 'bot' : 'bots'}, and you can begin at once`]]
      : []),
    ['device', 'At this device', `${creation.seatCount} people take turns here`],
  ];
  return h(
    'fieldset',
    { class: 'company' },
    h('legend', null, 'Who plays?'),
    ways.map(([value, title, about]) =>
      h(
        'label',
        { key: value, class: 'choice-card' },
        h('input', {
          type: 'radio',
          name: 'company',
          value,
          checked: creation.company === value,
          onchange: () => {
            creation.company = /** @type {any} */ (value);
            changed();
          },
        }),
        h('span', null, h('strong', null, title), h('small', null, about)),
      ),
    ),
    creation.company === 'bots'
      ? h(
          'div',
          { class: 'field' },
          h('label', { for: 'create-level' }, 'How well the bots play'),
          h(
            'select',
            {
              id: 'create-level',
              onchange: (/** @type {any} */ event) => {
                creation.level = creation.game.bots[event.target.selectedIndex];
                changed();
              },
            },
            creation.game.bots.map((level) =>
              h('option', { key: level, selected: level === creation.level }, humane(level)),
            ),
          ),
        )
      : null,
  );
}

/** @param {string} name @param {string} label @param {Record<string, any>} props */
function field(name, label, props) {
  return h(
    'div',
    { class: 'field', key: name },
    h('label', { for: `create-${name}` }, label),
    h('input', { id: `create-${name}`, name, ...props }),
  );
}
