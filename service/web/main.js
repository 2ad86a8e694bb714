/** Starts the client: shows the page of the address, and goes from page to page without loading anew. */

import { app, changed, forgive } from './app.js';
import { feed } from './connection.js';
import { draw, h } from './dom.js';
import { HelpPage } from './help/help_page.js';
import { LobbyPage } from './lobby/lobby_page.js';
import { notices } from './notices.js';
import { RoomPage } from './room/room_page.js';
import { nextTheme, themeName } from './theme.js';

/** @typedef {{title: string, enter: () => void, leave: () => void, view: () => import('./dom.js').Anything, bar?: () => import('./dom.js').Anything}} Page */

/** @type {Page | null} */
let page = null;
const root = /** @type {HTMLElement} */ (document.getElementById('app'));

/** @param {string} path @returns {Page} */
function pageAt(path) {
  const [, first, second] = path.split('/');
  if (first === 'r' && second) return new RoomPage(decodeURIComponent(second));
  if (first === 'games' && second) return new HelpPage(decodeURIComponent(second));
  return new LobbyPage();
}

function show() {
  page?.leave();
  page = pageAt(location.pathname);
  forgive();
  scrollTo(0, 0);
  page.enter();
  changed();
}

app.go = (path) => {
  history.pushState(null, '', path);
  show();
  queueMicrotask(() => document.getElementById('main')?.focus({ preventScroll: true }));
};

app.draw = () => {
  if (!page) return;
  document.title = page.title;
  draw(
    root,
    h('a', { class: 'skip', href: '#main', onclick: toMain }, 'To the content'),
    bar(page),
    h('main', { id: 'main', tabindex: -1, class: page.constructor.name.toLowerCase() }, page.view()),
    notices(),
  );
};

/** @param {Page} here */
function bar(here) {
  return h(
    'header',
    { class: 'bar' },
    h(
      'a',
      { class: 'home', href: '/', 'aria-label': 'Turnstream, to the lobby' },
      h('img', { src: '/web/mark.svg', alt: '', width: 28, height: 28 }),
      h('span', null, 'Turnstream'),
    ),
    h('div', { class: 'bar-middle' }, here.bar?.()),
    connection(),
    h(
      'button',
      {
        class: 'quiet',
        type: 'button',
        onclick: () => {
          nextTheme();
          changed();
        },
        'aria-label': `Colours: ${themeName()}. Change`,
      },
      h('span', { 'aria-hidden': 'true' }, { light: '☀', dark: '☾', device: '◐' }[themeName()]),
    ),
  );
}

/** Says so when what is shown may be old. */
function connection() {
  if (feed.condition === 'live' || !feed.followers.size) return null;
  const text = {
    connecting: 'Connecting …',
    lost: 'Connection lost, trying again …',
    over: 'Disconnected. Load the page again.',
  }[feed.condition];
  return h('span', { class: `condition ${feed.condition}`, role: 'status' }, text);
}

/** @param {Event} event */
function toMain(event) {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  const path = link?.getAttribute('href') ?? '';
  if (!/^\/($|r\/|games\/)/.test(path) || event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey)
    return;
  event.preventDefault();
  app.go(path);
});
/** Who clicks twice out of habit means once: a move, or a button that asks "really?" in the same place. */
document.addEventListener(
  'click',
  (event) => {
    if (
      event.detail > 1 &&
      event.target instanceof Element &&
      event.target.closest('[data-cell], .danger, .danger ~ button')
    )
      event.stopPropagation();
  },
  { capture: true },
);
addEventListener('popstate', show);
show();
