/** What the lists of the operators' page have in common. */

import { redraw } from '../app.js';
import { h, isolated } from '../dom.js';
import { operateTexts as WORDS } from './texts.js';

/** @import { Content } from '../types.d.ts' */

/**
 * The entries of a list, or that there are none, and a button for more of them.
 * @param {Content[]} items
 * @param {string} none
 * @param {(() => Promise<void>) | null} [more]
 */
export function entries(items, none, more) {
  const onclick = () => void more?.();
  return [
    items.length ? h('ul', { class: 'device-list', key: 'list' }, items) : null,
    more ? h('button', { key: 'more', type: 'button', onclick }, WORDS.more) : null,
    items.length || more ? null : h('p', { key: 'none', class: 'soft' }, none),
  ];
}

/**
 * @param {string} key
 * @param {Content} title
 * @param {Content[]} facts
 * @param {Content[]} actions
 */
export function entry(key, title, facts, actions) {
  const lines = facts.filter(Boolean).map((fact) => h('small', { class: 'soft' }, fact));
  return h('li', { key }, h('span', null, h('strong', null, title), lines), h('span', { class: 'row' }, actions));
}

/**
 * A choice that loads the list again.
 * @param {string} id
 * @param {string} label
 * @param {boolean} checked
 * @param {(on: boolean) => Promise<void>} onChange
 */
export function choice(id, label, checked, onChange) {
  const onchange = (/** @type {Event} */ event) => {
    void onChange(/** @type {HTMLInputElement} */ (event.target).checked);
    redraw();
  };
  return h('label', { key: id, class: 'seek-choice' }, h('input', { id, type: 'checkbox', checked, onchange }), label);
}

/**
 * What operators call a player: by the nicknames that they have used, or the id.
 * @param {string} id
 * @param {string[] | undefined} nicknames
 */
export function playerName(id, nicknames) {
  return nicknames?.length ? nicknames.map(isolated).join(', ') : id;
}
