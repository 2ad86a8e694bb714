/** The dialog in which a player chooses or changes the nickname. */

import { attempt, changeNickname, guest, notices } from '../app.js';
import { h } from '../dom.js';
import { roomTexts } from '../languages/room.js';
import { cancelButton, modal, NICKNAME, submitted } from './fields.js';

/** @param {() => void} close */
export function nameDialog(close) {
  const created = (/** @type {HTMLInputElement} */ input) => {
    input.value = guest.nickname;
    input.select();
  };
  return h(
    'dialog',
    modal('name dialog', 'name-title', close),
    h(
      'form',
      { class: 'name-form', onsubmit: (/** @type {SubmitEvent} */ event) => void submit(event) },
      h('h2', { id: 'name-title' }, roomTexts.forms.whatName),
      h(
        'div',
        { class: 'field' },
        h('label', { for: 'nickname' }, roomTexts.forms.nickname),
        h('input', { id: 'nickname', ...NICKNAME, created }),
      ),
      h('p', { class: 'soft small' }, roomTexts.forms.nameNote),
      h(
        'p',
        { class: 'row' },
        h('a', { href: '/devices' }, roomTexts.forms.devices),
        guest.id ? h('a', { href: `/players/${guest.id}`, key: 'profile' }, roomTexts.forms.profile) : null,
      ),
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

/** @param {SubmitEvent} event */
async function submit(event) {
  const nickname = submitted(event)('nickname')?.trim() ?? '';
  const dialog = /** @type {Element} */ (event.target).closest('dialog');
  const changed = await attempt(async () => {
    await changeNickname(nickname);
    return true;
  });
  if (changed) dialog?.close();
}
