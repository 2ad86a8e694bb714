/** For the page that is shown without a connection: opens the requested one as soon as that is possible. */

import { draw, h, texts } from '../dom.js';

const EVERY_MS = 5000;

async function tryAgain() {
  const answer = await fetch('/health/live', { cache: 'no-store' }).catch(() => null);
  if (answer?.ok) location.reload();
  else setTimeout(() => void tryAgain(), EVERY_MS);
}

/** @param {Event} event */
function reload(event) {
  event.preventDefault();
  location.reload();
}

const { title, heading, reason, again } = texts.offline;
document.title = title;
draw(
  /** @type {Element} */ (document.getElementById('app')),
  h('h1', null, heading),
  h('p', null, reason),
  h('p', null, h('a', { class: 'button primary', href: '', onclick: reload }, again)),
);
addEventListener('online', () => location.reload());
setTimeout(() => void tryAgain(), EVERY_MS);
