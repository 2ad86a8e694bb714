/** What the forms have in common. */

import { h } from '../dom.js';
import { roomTexts } from '../languages/room.js';

/** @import { Props } from '../types.d.ts' */

/**
 * Handle a form's submission instead of the browser, and return its texts by the names of their fields.
 * @param {SubmitEvent} event
 * @returns {(name: string) => string | undefined}
 */
export function submitted(event) {
  event.preventDefault();
  const data = new FormData(/** @type {HTMLFormElement} */ (event.target));
  return (name) => data.get(name)?.toString();
}

/**
 * A field with its label.
 * @param {string} id
 * @param {string} label
 * @param {Props} props of the input
 */
export function inputField(id, label, props) {
  return h('div', { class: 'field', key: id }, h('label', { for: id }, label), h('input', { id, ...props }));
}

/** The props of an input for a nickname. */
export const NICKNAME = { name: 'nickname', required: true, maxlength: 24, autocomplete: 'nickname' };

/**
 * A choice among values, which may be of any type.
 * @template T
 * @param {string} id
 * @param {string} label
 * @param {{value: T, label: string}[]} choices
 * @param {(value: T) => boolean} isSelected
 * @param {(value: T) => void} onChange
 */
export function selectField(id, label, choices, isSelected, onChange) {
  const onchange = (/** @type {Event} */ event) => {
    const chosen = choices[/** @type {HTMLSelectElement} */ (event.target).selectedIndex];
    if (chosen) onChange(chosen.value);
  };
  const options = choices.map((choice) =>
    h('option', { key: choice.label, selected: isSelected(choice.value) }, choice.label),
  );
  return h('div', { class: 'field', key: id }, h('label', { for: id }, label), h('select', { id, onchange }, options));
}

/**
 * The props of a modal dialog that opens as soon as it is drawn.
 * @param {string} key
 * @param {string} title the id of its title
 * @param {() => void} onclose
 */
export function modal(key, title, onclose) {
  const created = (/** @type {HTMLDialogElement} */ dialog) => dialog.showModal();
  return { key, class: 'sheet', 'aria-labelledby': title, onclose, created };
}

/** The button that closes the dialog around it. */
export function cancelButton() {
  const onclick = (/** @type {Event} */ event) => /** @type {Element} */ (event.target).closest('dialog')?.close();
  return h('button', { type: 'button', onclick }, roomTexts.forms.cancel);
}

/**
 * Copy a text, and return whether the browser has permitted that.
 * @param {string} text
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
