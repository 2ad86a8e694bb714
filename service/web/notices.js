/** Messages to the person; a dialog shows them too, because the page behind it can't be read or reached. */

import { app, dismiss } from './app.js';
import { h } from './dom.js';

export function notices() {
  return h(
    'div',
    { class: 'notices', key: 'notices', role: 'region', 'aria-label': 'Messages' },
    app.notices.map(({ number, text, kind }) =>
      h(
        'div',
        { key: number, class: `notice ${kind}`, role: kind === 'refusal' ? 'alert' : null },
        h('span', null, text),
        h('button', { class: 'quiet', type: 'button', 'aria-label': 'Dismiss', onclick: () => dismiss(number) }, '×'),
      ),
    ),
  );
}
