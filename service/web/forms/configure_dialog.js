/** The dialog that changes the rules and settings of a room, from its next match on. */

import { changed } from '../app.js';
import { h } from '../dom.js';
import { notices } from '../notices.js';
import { propertiesOf, schemaFields } from './schema_form.js';
import { settingsFields } from './settings_form.js';

/** @param {import('../room/room.js').Table} table */
export function configureDialog(table) {
  const { options, settings } = table.memory.configuring;
  const { options: now, settings: set } = table.view.next ?? table.view;
  const shownOptions = { ...now, ...options };
  const shownSettings = { ...set, ...settings };
  const close = () => {
    delete table.memory.configuring;
    changed();
  };
  return h(
    'dialog',
    {
      key: 'configure dialog',
      class: 'sheet',
      'aria-labelledby': 'configure-title',
      onclose: close,
      made: (/** @type {HTMLDialogElement} */ dialog) => dialog.showModal(),
    },
    h(
      'form',
      {
        onsubmit: (/** @type {SubmitEvent} */ event) => {
          event.preventDefault();
          void submit(table, close);
        },
      },
      h('h2', { id: 'configure-title' }, 'From the next match on'),
      schemaFields(table.view.game, propertiesOf(table.game?.options), remembering(shownOptions, options), changed),
      settingsFields(remembering(shownSettings, settings), changed),
      h(
        'div',
        { class: 'buttons' },
        notices(),
        h(
          'button',
          { type: 'button', onclick: (/** @type {any} */ event) => event.target.closest('dialog').close() },
          'Cancel',
        ),
        h('button', { type: 'submit', class: 'primary' }, 'Set'),
      ),
    ),
  );
}

/** Values that are shown, of which those that are changed are noted apart. @param {Record<string, any>} shown @param {Record<string, any>} noted */
function remembering(shown, noted) {
  return new Proxy(shown, {
    set: (target, name, value) => {
      target[String(name)] = value;
      noted[String(name)] = value;
      return true;
    },
  });
}

/** @param {import('../room/room.js').Table} table @param {() => void} close */
async function submit(table, close) {
  const { options, settings } = table.memory.configuring;
  const isSomething = Object.keys(options).length + Object.keys(settings).length > 0;
  if (!isSomething || (await table.command({ type: 'configure', options, settings }))) close();
}
