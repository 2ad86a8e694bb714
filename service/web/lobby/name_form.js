/** Asks for a nickname; the guest is made when it is given. */

import { attempt, beSomebody, changed } from '../app.js';
import { h } from '../dom.js';
import { guest, rename } from '../guest.js';

/** Whether the form is open although there is a nickname. */
let isChanging = false;

export function nameForm() {
  if (guest.token && !isChanging) {
    return h(
      'p',
      { class: 'name-shown', key: 'name' },
      'You are ',
      h('strong', null, guest.nickname),
      '. ',
      h(
        'button',
        {
          type: 'button',
          class: 'link',
          onclick: () => {
            isChanging = true;
            changed();
          },
        },
        'Change',
      ),
    );
  }
  return h(
    'form',
    { class: 'name-form', key: 'name', onsubmit: (/** @type {SubmitEvent} */ event) => void submit(event) },
    h('label', { for: 'nickname' }, 'Your nickname'),
    h(
      'span',
      { class: 'row' },
      h('input', {
        id: 'nickname',
        name: 'nickname',
        required: true,
        maxlength: 24,
        autocomplete: 'nickname',
        made: (/** @type {HTMLInputElement} */ input) => {
          input.value = guest.nickname;
        },
      }),
      h('button', { type: 'submit' }, 'That’s me'),
    ),
  );
}

/** @param {SubmitEvent} event */
async function submit(event) {
  event.preventDefault();
  const nickname = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get('nickname') ?? '').trim();
  await attempt(async () => {
    await beSomebody(nickname);
    rename(nickname);
    isChanging = false;
  });
  changed();
}
