/** Asks for a nickname; the guest is created when it is submitted. */

import { attempt, ensureGuest, redraw } from '../app.js';
import { h } from '../dom.js';
import { NICKNAME, submitted } from '../forms/fields.js';
import { guest, rename } from '../guest.js';

/** Whether the form is open although there is a guest. */
let isChanging = false;

export function nameForm() {
  return guest.token && !isChanging ? nameShown() : form();
}

function nameShown() {
  const onclick = () => {
    isChanging = true;
    redraw();
  };
  return h(
    'p',
    { class: 'name-shown', key: 'name' },
    'You are ',
    h('strong', null, guest.nickname),
    '. ',
    h('button', { type: 'button', class: 'link', onclick }, 'Change'),
  );
}

function form() {
  const created = (/** @type {HTMLInputElement} */ input) => {
    input.value = guest.nickname;
  };
  return h(
    'form',
    { class: 'name-form', key: 'name', onsubmit: (/** @type {SubmitEvent} */ event) => void submit(event) },
    h('label', { for: 'nickname' }, 'Your nickname'),
    h(
      'span',
      { class: 'row' },
      h('input', { id: 'nickname', ...NICKNAME, created }),
      h('button', { type: 'submit' }, 'Save'),
    ),
  );
}

/** @param {SubmitEvent} event */
async function submit(event) {
  const nickname = submitted(event)('nickname')?.trim() ?? '';
  await attempt(async () => {
    await ensureGuest(nickname);
    rename(nickname);
    isChanging = false;
  });
  redraw();
}
