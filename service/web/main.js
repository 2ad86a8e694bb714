/** Starts the client: shows the page of the address, loads what it needs, and draws what all pages have in common. */

import { app, clearErrors, guest, loadStyle, notices, placeNotices, redraw } from './app.js';
import { draw, h } from './dom.js';

/** @import { Room } from '../client/room.js' */
/** @import { Content, TrustedTypes } from './types.d.ts' */

/**
 * A page. `enter` is called when it is opened, `leave` when another one is. `feedStatus` is that of the connection by
 * which the page is kept up to date, if it is; `turns` says in how many rooms it is the player's turn.
 * @typedef {{title: string, turns?: number, feedStatus?: Room['status'] | null, enter(): void, leave(): void,
 *   view(): Content, bar?(): Content}} Page
 */
/**
 * A kind of page: its style sheets beside the common one, and what loads it.
 * @typedef {{styles: string[], load: (name: string, rest: string[], ply: number | undefined) => Promise<Page>}} Kind
 */
/** @typedef {'device' | 'light' | 'dark'} Theme */

const THEME_KEY = 'turnstream.theme';
const THEME_ICONS = { light: '☀', dark: '☾', device: '◐' };
/** What comes after each theme. @type {Record<Theme, Theme>} */
const NEXT_THEME = { device: 'light', light: 'dark', dark: 'device' };

const FEED_MESSAGES = {
  connecting: 'Connecting …',
  reconnecting: 'Connection lost, trying again …',
  closed: 'Disconnected. Reload the page.',
};
const WORKER = '/worker.js';

/** @type {Kind} */
const LOBBY = {
  styles: [],
  load: async () => new (await import('./lobby/lobby_page.js')).LobbyPage(),
};

/** The other kinds of pages, by the first part of their addresses. @type {Record<string, Kind>} */
const KINDS = {
  r: {
    styles: ['room', 'boards'],
    load: async (name, [word, number = ''], ply) => {
      const position = word === 'match' && /^\d{1,9}$/.test(number) ? { number: Number(number), ply } : null;
      return new (await import('./room/room_page.js')).RoomPage(name, position);
    },
  },
  m: {
    styles: ['room', 'boards'],
    load: async (id, _rest, ply) => new (await import('./review/match_page.js')).MatchPage(id, ply),
  },
  learn: {
    styles: ['room', 'boards', 'lesson'],
    load: async (slug) => new (await import('./lesson/lesson_page.js')).LessonPage(slug),
  },
  games: {
    styles: ['boards'],
    load: async (slug) => new (await import('./help/help_page.js')).HelpPage(slug),
  },
};

/** @type {Page | null} */
let page = null;
/** Draws the dialog in which the name is changed, while it is open. @type {(() => Content) | null} */
let openDialog = null;
/** The number of the latest navigation. */
let navigation = 0;
const root = /** @type {HTMLElement} */ (document.getElementById('app'));

// Navigation.

/** Show the page of the address as soon as it is loaded; until then the one before stays. */
async function show() {
  const number = (navigation += 1);
  const [, first = '', second = '', ...rest] = location.pathname.split('/');
  const ply = /[?&]ply=(\d{1,9})(&|$)/.exec(location.search)?.[1];
  const kind = (second && KINDS[first]) || LOBBY;
  try {
    const load = kind.load(decodeURIComponent(second), rest, ply === undefined ? undefined : Number(ply));
    const [next] = await Promise.all([load, ...kind.styles.map(loadStyle)]);
    if (number === navigation) enter(next);
  } catch (problem) {
    // A module that was not found belongs to an older release: the page of the present one has other addresses.
    if (page) location.reload();
    else draw(root, notLoaded());
    throw problem;
  }
}

/** @param {Page} next */
function enter(next) {
  page?.leave();
  page = next;
  clearErrors();
  scrollTo(0, 0);
  next.enter();
  redraw();
}

function notLoaded() {
  return h(
    'main',
    { class: 'plain' },
    h('h1', null, 'This page could not be loaded'),
    h('p', null, 'The server cannot be reached, or it has just been updated.'),
    h('button', { type: 'button', class: 'primary', onclick: () => location.reload() }, 'Reload'),
  );
}

app.go = (path) => {
  history.pushState(null, '', path);
  void show().then(() => queueMicrotask(() => document.getElementById('main')?.focus({ preventScroll: true })));
};

app.prepare = () => {
  void import('./room/room_page.js').catch(() => {}); // shown when the page is opened
};

// Drawing.

app.draw = () => {
  if (!page) return;
  const { turns = 0 } = page;
  document.title = turns ? `(${turns}) Your turn · ${page.title}` : page.title;
  showIcon(turns > 0 ? 'mark_turn.svg' : 'mark.svg');
  draw(
    root,
    h('a', { class: 'skip', href: '#main', onclick: skipToContent }, 'Skip to content'),
    bar(page),
    h('main', { id: 'main', tabindex: -1, class: page.constructor.name.toLowerCase() }, page.view()),
    openDialog?.(),
    notices(),
  );
  placeNotices();
};

/**
 * Show an icon in the browser's tab; with a badge where it is the player's turn.
 * @param {string} file
 */
function showIcon(file) {
  const icon = /** @type {HTMLLinkElement} */ (document.querySelector('link[rel="icon"]'));
  const { href } = new URL(`./${file}`, import.meta.url);
  if (icon.href !== href) icon.href = href;
}

/** @param {Page} shown */
function bar(shown) {
  return h(
    'header',
    { class: 'bar' },
    h(
      'a',
      { class: 'home', href: '/', 'aria-label': 'Turnstream, to the lobby' },
      h('img', { src: new URL('./mark.svg', import.meta.url).href, alt: '', width: 28, height: 28 }),
      h('span', null, 'Turnstream'),
    ),
    h('div', { class: 'bar-middle' }, shown.bar?.()),
    feedStatus(shown),
    nameButton(),
    themeButton(),
  );
}

/**
 * A warning when what is shown may be out of date.
 * @param {Page} shown
 */
function feedStatus({ feedStatus: status }) {
  if (!status || status === 'connected') return null;
  return h('span', { class: `feed-status ${status}`, role: 'status', key: 'status' }, FEED_MESSAGES[status]);
}

/** Whose name others see, and the way to change it. */
function nameButton() {
  const { nickname, token } = guest;
  const label = token ? `You are ${nickname}. Change your name` : 'Choose your name';
  return h(
    'button',
    { class: 'quiet me', type: 'button', key: 'name', onclick: () => void changeName(), 'aria-label': label },
    token ? h('strong', null, nickname) : 'Choose your name',
  );
}

async function changeName() {
  const { nameDialog } = await import('./forms/name_dialog.js');
  const close = () => {
    openDialog = null;
    redraw();
  };
  openDialog = () => nameDialog(close);
  redraw();
}

function themeButton() {
  const theme = currentTheme();
  return h(
    'button',
    { class: 'quiet', type: 'button', key: 'theme', onclick: switchTheme, 'aria-label': `Colours: ${theme}. Change` },
    h('span', { 'aria-hidden': 'true' }, THEME_ICONS[theme]),
  );
}

/** @returns {Theme} */
function currentTheme() {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'device';
}

/** Switch to the next theme and remember it; `apply_theme.js` reads it at the next visit. */
function switchTheme() {
  const next = NEXT_THEME[currentTheme()];
  if (next === 'device') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem(THEME_KEY, next);
  } catch {
    // Without storage the theme lasts as long as the page.
  }
  redraw();
}

// What the whole page reacts to.

/** @param {Event} event */
function skipToContent(event) {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  const path = link?.getAttribute('href') ?? '';
  const isModified = event.metaKey || event.ctrlKey || event.shiftKey;
  if (!/^\/($|r\/|m\/|games\/|learn\/)/.test(path) || event.defaultPrevented || isModified) return;
  if (link?.getAttribute('target') === '_blank') return;
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

/**
 * Register the service worker once the page has been loaded. Its address is the only string that the page turns into
 * that of a script, by the policy that the server's header names.
 */
async function install() {
  if (!navigator.serviceWorker) return; // as on pages without TLS
  const { trustedTypes } = /** @type {{trustedTypes?: TrustedTypes}} */ (/** @type {unknown} */ (window));
  const policy = trustedTypes?.createPolicy('service-worker', { createScriptURL: () => WORKER });
  const address = /** @type {string} */ (policy?.createScriptURL(WORKER) ?? WORKER);
  await navigator.serviceWorker.register(address).catch(() => {}); // the client works without it
}

addEventListener('popstate', () => void show());
if (document.readyState === 'complete') void install();
else addEventListener('load', () => void install(), { once: true });
void show();
