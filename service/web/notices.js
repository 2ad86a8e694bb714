/** Messages to the player. A dialog shows them too, since it covers the page. */

import { app, dismiss } from './app.js';
import { h } from './dom.js';

/** @import { Notice } from './app.js' */

export function notices() {
  return h(
    'div',
    { class: 'notices', key: 'notices', role: 'region', 'aria-label': 'Messages' },
    app.notices.map(notice),
  );
}

/** @param {Notice} notice */
function notice({ number, text, kind }) {
  return h(
    'div',
    { key: number, class: `notice ${kind}`, role: kind === 'error' ? 'alert' : null },
    h('span', null, text),
    h('button', { class: 'quiet', type: 'button', 'aria-label': 'Dismiss', onclick: () => dismiss(number) }, '×'),
  );
}
