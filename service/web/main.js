/** Starts the client: shows the page of the address, and navigates between pages without a reload. */

import { app, clearErrors, redraw } from './app.js';
import { draw, h } from './dom.js';
import { HelpPage } from './help/help_page.js';
import { LobbyPage } from './lobby/lobby_page.js';
import { notices } from './notices.js';
import { RoomPage } from './room/room_page.js';
import { currentTheme, switchTheme } from './theme.js';

/** @import { Room } from '../client.js' */
/** @import { Content } from './types.d.ts' */

/**
 * A page. `enter` is called when it is opened, `leave` when another one is. `feedStatus` is that of the connection by
 * which the page is kept up to date, if it is.
 * @typedef {{title: string, feedStatus?: Room['status'] | null, enter(): void, leave(): void, view(): Content,
 *   bar?(): Content}} Page
 */

const THEME_ICONS = { light: '☀', dark: '☾', device: '◐' };
const FEED_MESSAGES = {
  connecting: 'Connecting …',
  reconnecting: 'Connection lost, trying again …',
  closed: 'Disconnected. Reload the page.',
};

/** @type {Page | null} */
let page = null;
const root = /** @type {HTMLElement} */ (document.getElementById('app'));

/**
 * @param {string} path
 * @returns {Page}
 */
function pageAt(path) {
  const [, first, second] = path.split('/');
  if (first === 'r' && second) return new RoomPage(decodeURIComponent(second));
  if (first === 'games' && second) return new HelpPage(decodeURIComponent(second));
  return new LobbyPage();
}

function show() {
  page?.leave();
  page = pageAt(location.pathname);
  clearErrors();
  scrollTo(0, 0);
  page.enter();
  redraw();
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
    h('a', { class: 'skip', href: '#main', onclick: skipToContent }, 'Skip to content'),
    bar(page),
    h('main', { id: 'main', tabindex: -1, class: page.constructor.name.toLowerCase() }, page.view()),
    notices(),
  );
};

/** @param {Page} shown */
function bar(shown) {
  return h(
    'header',
    { class: 'bar' },
    h(
      'a',
      { class: 'home', href: '/', 'aria-label': 'Turnstream, to the lobby' },
      h('img', { src: '/web/mark.svg', alt: '', width: 28, height: 28 }),
      h('span', null, 'Turnstream'),
    ),
    h('div', { class: 'bar-middle' }, shown.bar?.()),
    feedStatus(shown),
    themeButton(),
  );
}

/**
 * A warning when what is shown may be out of date.
 * @param {Page} shown
 */
function feedStatus({ feedStatus: status }) {
  if (!status || status === 'connected') return null;
  return h('span', { class: `feed-status ${status}`, role: 'status' }, FEED_MESSAGES[status]);
}

function themeButton() {
  const theme = currentTheme();
  const onclick = () => {
    switchTheme();
    redraw();
  };
  return h(
    'button',
    { class: 'quiet', type: 'button', onclick, 'aria-label': `Colours: ${theme}. Change` },
    h('span', { 'aria-hidden': 'true' }, THEME_ICONS[theme]),
  );
}

/** @param {Event} event */
function skipToContent(event) {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  const path = link?.getAttribute('href') ?? '';
  const isModified = event.metaKey || event.ctrlKey || event.shiftKey;
  if (!/^\/($|r\/|games\/)/.test(path) || event.defaultPrevented || isModified) return;
  event.preventDefault();
  app.go(path);
});

// A double click counts as one click on a cell, and on a button that asks for confirmation in the same place.
document.addEventListener(
  'click',
  (event) => {
    const isSecond = event.detail > 1 && event.target instanceof Element;
    if (isSecond && event.target.closest('[data-cell], .danger, .danger ~ button')) event.stopPropagation();
  },
  { capture: true },
);
addEventListener('popstate', show);
show();
