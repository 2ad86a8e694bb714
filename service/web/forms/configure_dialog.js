/** The dialog that changes the rules and settings of a room, from its next match on. */

import { notices, redraw } from '../app.js';
import { h } from '../dom.js';
import { roomTexts } from '../languages/room.js';
import { cancelButton, modal } from './fields.js';
import { propertiesOf, schemaFields } from './schema_form.js';
import { settingsFields } from './settings_form.js';

/** @import { Room } from '../room/room.js' */
/** @import { Values } from '../types.d.ts' */
/** @typedef {{options: Values, settings: Values}} Changes */

/**
 * @param {Room} room
 * @param {Changes} changes made in this dialog so far
 */
export function configureDialog(room, changes) {
  const { options, settings } = room.view.next ?? room.view;
  const close = () => {
    delete room.uiState.configuring;
    redraw();
  };
  const onsubmit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    void submit(room, changes, close);
  };
  return h(
    'dialog',
    modal('configure dialog', 'configure-title', close),
    h(
      'form',
      { onsubmit },
      h('h2', { id: 'configure-title' }, roomTexts.forms.fromNextMatch),
      schemaFields(
        room.game,
        propertiesOf(room.game.options),
        { ...options, ...changes.options },
        setter(changes.options),
      ),
      settingsFields({ ...settings, ...changes.settings }, setter(changes.settings)),
      h(
        'div',
        { class: 'buttons' },
        notices(),
        cancelButton(),
        h('button', { type: 'submit', class: 'primary' }, roomTexts.forms.save),
      ),
    ),
  );
}

/**
 * @param {Values} values
 * @returns {(name: string, value: unknown) => void}
 */
function setter(values) {
  return (name, value) => {
    values[name] = value;
    redraw();
  };
}

/**
 * @param {Room} room
 * @param {Changes} changes
 * @param {() => void} close
 */
async function submit(room, { options, settings }, close) {
  const isChanged = Object.keys(options).length + Object.keys(settings).length > 0;
  if (!isChanged || (await room.command({ type: 'configure', options, settings }))) close();
}
