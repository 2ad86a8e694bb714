/** Starts the client: shows the page of the address, loads what it needs, and draws what all pages have in common. */

import { app, attempt, clearErrors, guest, isNotifying, loadStyle, notices, redraw, SOUND_KEY } from './app.js';
import { draw, h, language, LANGUAGES, store, switchLanguage, texts } from './dom.js';

/** @import { Room } from '../client/room.js' */
/** @import { Content, TrustedTypes } from './types.d.ts' */

/**
 * A page. `enter` is called when it is opened, `leave` when another one is. `feedStatus` is the status of the
 * connection that keeps the page up to date, if any; `turns` is the number of rooms in which it is the player's turn,
 * `isPlaying` is whether the player has a seat in the match on the page, `shownGame` is the slug of its game, and
 * `hasStatus` is whether the page answers what the player does in the status above the board.
 * @typedef {{title: string, turns?: number, isPlaying?: boolean, shownGame?: string, hasStatus?: boolean,
 *   feedStatus?: Room['status'] | null, enter(): void, leave(): void, view(): Content, bar?(): Content}} Page
 */
/**
 * A kind of page: its style sheets besides the common one, and its loader.
 * @typedef {{styles: string[], load: (name: string, rest: string[], ply: number | undefined) => Promise<Page>}} Kind
 */
/** @typedef {'device' | 'light' | 'dark'} Theme */

const THEME_KEY = 'turnstream.theme';
const THEME_ICONS = { light: '☀', dark: '☾', device: '◐' };
/** The theme after each theme. @type {Record<Theme, Theme>} */
const NEXT_THEME = { device: 'light', light: 'dark', dark: 'device' };

const WORKER = '/worker.js';
const TYPEFACE = new URL('./typeface/figtree.woff2', import.meta.url).href;

/** How long after a first tap has opened a room challenges are followed: the room comes first. */
const OPENING_MS = 3000;

/** @type {Kind} */
const LOBBY = { styles: [], load: async () => new (await import('./lobby/lobby_page.js')).LobbyPage() };

/** The kinds of pages whose address has one part only. */
const ALONE = new Set(['admin', 'devices', 'ratings', 'tv', 'tournaments']);

const ROOM_STYLES = ['room', 'boards'];

/** The other kinds of pages, by the first part of their addresses. @type {Record<string, Kind>} */
const KINDS = {
  r: {
    styles: ROOM_STYLES,
    load: async (name, [word, number = ''], ply) => {
      const position = word === 'match' && /^\d{1,9}$/.test(number) ? { number: Number(number), ply } : null;
      return new (await import('./room/room_page.js')).RoomPage(name, position);
    },
  },
  m: {
    styles: ROOM_STYLES,
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
  devices: {
    styles: ['people'],
    load: async () => new (await import('./people/devices_page.js')).DevicesPage(),
  },
  ratings: {
    styles: ['ratings'],
    load: async (game, [ratingClass]) =>
      game && ratingClass
        ? new (await import('./ratings/leaderboard_page.js')).LeaderboardPage(game, ratingClass)
        : new (await import('./ratings/ratings_page.js')).RatingsPage(),
  },
  players: {
    styles: ['ratings'],
    load: async (id) => new (await import('./profile/profile_page.js')).ProfilePage(id),
  },
  tv: {
    styles: ['boards'],
    load: async (channel) => new (await import('./live/tv_page.js')).TvPage(channel || 'best'),
  },
  tournaments: {
    styles: ['tournaments'],
    load: async (id) =>
      id
        ? new (await import('./tournaments/tournament_page.js')).TournamentPage(id)
        : new (await import('./tournaments/list_page.js')).TournamentsPage(),
  },
  admin: {
    styles: ['people'],
    load: async () => new (await import('./operate/operate_page.js')).OperatePage(),
  },
  i: {
    styles: ['people'],
    load: async (code) => new (await import('./people/invitation_page.js')).InvitationPage(code),
  },
};

/** @type {Page | null} */
let page = null;
/** The number of the latest navigation. */
let navigation = 0;
const root = /** @type {HTMLElement} */ (document.getElementById('app'));

// Navigation.

/** Show the page of the address as soon as it is loaded; until then, the previous one stays. */
async function show() {
  const number = (navigation += 1);
  const [, first = '', second = '', ...rest] = location.pathname.split('/');
  const ply = /[?&]ply=(\d{1,9})(&|$)/.exec(location.search)?.[1];
  const kind = ((second || ALONE.has(first)) && KINDS[first]) || LOBBY;
  try {
    const load = kind.load(decodeURIComponent(second), rest, ply === undefined ? undefined : Number(ply));
    const [next] = await Promise.all([load, ...kind.styles.map(loadStyle)]);
    if (number === navigation) enter(next);
  } catch (problem) {
    // A module that was not found belongs to an older release: the page of the current one has other addresses.
    if (page) location.reload();
    else draw(root, notLoaded());
    throw problem;
  }
}

/** @param {Page} next */
function enter(next) {
  page?.leave();
  page = next;
  app.dialog = null;
  clearErrors();
  scrollTo(0, 0);
  next.enter();
  redraw();
}

function notLoaded() {
  return h(
    'main',
    { class: 'plain' },
    h('h1', null, texts.page.notLoaded),
    h('p', null, texts.page.notLoadedReason),
    h('button', { type: 'button', class: 'primary', onclick: () => location.reload() }, texts.page.reload),
  );
}

app.go = (path) => {
  isOpening = false;
  history.pushState(null, '', path);
  void show().then(() => queueMicrotask(() => document.getElementById('main')?.focus({ preventScroll: true })));
};

app.show = () => {
  isOpening = false;
  return show();
};

/** What rooms need, once it has been requested. @type {ReturnType<typeof loadRooms> | null} */
let rooms = null;

/** Load what rooms need: the lobby's page names the modules, so that they are requested together. */
async function loadRooms() {
  const files = document.getElementById('room-files');
  if (files instanceof HTMLTemplateElement) document.head.append(files.content);
  const modules = Promise.all([import('./forms/opening.js'), import('./room/room_page.js')]);
  const [[opening]] = await Promise.all([modules, import('./forms/play_bots.js'), ...ROOM_STYLES.map(loadStyle)]);
  return opening;
}

function prepare() {
  rooms ??= loadRooms().catch((problem) => {
    rooms = null;
    throw problem;
  });
  return rooms;
}

app.prepare = prepare;

let isOpening = false;

app.showOpening = async (slug) => {
  isOpening = true;
  const number = (navigation += 1);
  const found = await prepare().catch(() => null); // shown when the room is opened
  if (!found || number !== navigation) return;
  found.opening.game = slug;
  enter(new found.OpeningPage());
};

app.shownGame = () => page?.shownGame ?? '';

app.isPlaying = () => (page ? (page.isPlaying ?? false) : location.pathname.startsWith('/r/'));

// Drawing.

app.draw = () => {
  if (!page) return;
  const hadFocus = document.activeElement !== document.body;
  const { turns = 0, title } = page;
  const turnTitle = turns ? texts.page.titleOnTurn(turns, title) : title;
  const [alert] = app.alerts.values();
  document.title = alert ? `${alert} · ${title}` : turnTitle;
  showIcon(turns > 0 || alert ? 'mark_turn.svg' : 'mark.svg');
  draw(
    root,
    h('a', { class: 'skip', href: '#main', onclick: skipToContent }, texts.page.skip),
    bar(page),
    banners(),
    h('main', { id: 'main', tabindex: -1, class: page.constructor.name.toLowerCase() }, page.view()),
    app.dialog?.(),
    notices(page.hasStatus),
  );
  if (hadFocus) queueMicrotask(keepFocus);
};

/** Move the focus to the page's content if the element that had it is gone. */
function keepFocus() {
  if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
}

function banners() {
  if (!app.banners.size) return null;
  const lines = [...app.banners.values()].map((banner) => banner());
  return h('div', { class: 'banners', key: 'banners' }, lines);
}

/**
 * Show an icon in the browser's tab, with a badge when it is the player's turn.
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
      { class: 'home', href: '/', 'aria-label': texts.page.home },
      h('svg', { class: 'mark', viewBox: '0 0 32 32', 'aria-hidden': 'true' }, h('use', { href: '#mark' })),
      h('span', null, 'Turnstream'),
    ),
    h('div', { class: 'bar-middle' }, shown.bar?.()),
    feedStatus(shown),
    nameButton(),
    languageField(),
    h('div', { class: 'switches' }, soundButton(), themeButton()),
  );
}

/** The languages, each by its own name. */
function languageField() {
  const codes = Object.keys(LANGUAGES);
  const onchange = (/** @type {Event} */ event) =>
    switchLanguage(codes[/** @type {HTMLSelectElement} */ (event.target).selectedIndex] ?? language);
  const options = Object.entries(LANGUAGES).map(([code, { name }]) =>
    h('option', { key: code, lang: code, selected: code === language }, name),
  );
  return h(
    'select',
    { key: 'language', class: 'quiet language', 'aria-label': texts.page.language, onchange },
    options,
  );
}

/**
 * A warning when the page may be out of date.
 * @param {Page} shown
 */
function feedStatus({ feedStatus: status }) {
  if (!status || status === 'connected') return null;
  return h('span', { class: `feed-status ${status}`, role: 'status', key: 'status' }, texts.page[status]);
}

/** The name that others see, and a button to change it. */
function nameButton() {
  const { nickname, token } = guest;
  const label = token ? texts.page.youAre(nickname) : texts.page.chooseName;
  return h(
    'button',
    { class: 'quiet me', type: 'button', key: 'name', onclick: () => void changeName(), 'aria-label': label },
    token ? h('strong', null, nickname) : texts.page.chooseName,
  );
}

async function changeName() {
  const { nameDialog } = await import('./forms/name_dialog.js');
  const close = () => {
    app.dialog = null;
    redraw();
  };
  app.dialog = () => nameDialog(close);
  redraw();
}

/** Turn sounds off or on, and remember it on the device. */
function switchSound() {
  app.isSoundOn = !app.isSoundOn;
  store(SOUND_KEY, app.isSoundOn ? 'on' : 'off');
  redraw();
}

function soundButton() {
  const { isSoundOn } = app;
  const label = isSoundOn ? texts.page.soundOn : texts.page.soundOff;
  const waves = isSoundOn ? 'M3 -4 A5 5 0 0 1 3 4 M6 -7 A9 9 0 0 1 6 7' : 'M3 -3 L9 3 M9 -3 L3 3';
  return h(
    'button',
    { class: 'quiet', type: 'button', key: 'sound', onclick: switchSound, 'aria-label': label, title: label },
    h(
      'svg',
      { class: 'icon', viewBox: '-10 -10 20 20', 'aria-hidden': 'true' },
      h('path', { d: 'M-9 -3 H-5 L0 -7 V7 L-5 3 H-9 Z' }),
      h('path', { d: waves, fill: 'none' }),
    ),
  );
}

function themeButton() {
  const theme = currentTheme();
  return h(
    'button',
    { class: 'quiet', type: 'button', key: 'theme', onclick: switchTheme, 'aria-label': texts.page.themes[theme] },
    h('span', { 'aria-hidden': 'true' }, THEME_ICONS[theme]),
  );
}

/** @returns {Theme} */
function currentTheme() {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'device';
}

/** Switch to the next theme and remember it; `apply_choices.js` reads it at the next visit. */
function switchTheme() {
  const next = NEXT_THEME[currentTheme()];
  if (next === 'device') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  store(THEME_KEY, next);
  redraw();
}

// The events of the whole page.

/** @param {Event} event */
function skipToContent(event) {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  const path = link?.getAttribute('href') ?? '';
  const isModified = event.metaKey || event.ctrlKey || event.shiftKey;
  if (
    !/^\/($|[rmi]\/|games\/|learn\/|players\/|devices$|(ratings|tv|tournaments)(\/|$))/.test(path) ||
    event.defaultPrevented ||
    isModified
  )
    return;
  if (link?.getAttribute('target') === '_blank') return;
  event.preventDefault();
  app.go(path);
});

/** Remove all messages, as a tap does. A dialog keeps its own: without them, its buttons would move away. */
function dismissAll() {
  if (!app.notices.length || document.querySelector('dialog[open]')) return;
  app.notices = [];
  redraw();
}

document.addEventListener('click', dismissAll, { capture: true });

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

/** Load the typeface once the page shows what it is about, and use it; see `style/apply_choices.js`. */
async function loadTypeface() {
  while (document.querySelector('.waiting, [aria-busy="true"]'))
    await new Promise((resolve) => setTimeout(resolve, 200));
  const faces = await document.fonts.load('1em Figtree').catch(() => []); // the one of the device does as well
  if (!faces.length) return;
  document.documentElement.dataset.typeface = '';
  store('turnstream.typeface', TYPEFACE);
}

/** Continue to look for other players after a reload; see `people/quick_play.js`. */
async function resumeSearch() {
  try {
    if (!sessionStorage.getItem('turnstream.seek')) return;
  } catch {
    return; // there is no storage
  }
  const [{ quickPlay }] = await Promise.all([import('./people/quick_play.js'), loadStyle('people')]);
  await quickPlay.resume();
}

/** Notify the player as on earlier visits, once there is nothing more urgent. */
async function startNotifying() {
  if (isNotifying()) await (await import('./people/notifications.js')).start();
}

/** Show challenges, as soon as there is a guest; see `challenges/desk.js`. */
async function startChallenges() {
  if (!guest.token) return;
  const [{ desk }] = await Promise.all([import('./challenges/desk.js'), loadStyle('people')]);
  await desk.start();
}

app.onGuest = () => void setTimeout(() => void startChallenges(), isOpening ? OPENING_MS : 0);

app.showPerson = (id, nickname) =>
  void attempt(async () => (await import('./people/person_dialog.js')).openPerson(id, nickname));

app.switchNotifications = () => void attempt(async () => (await import('./people/notifications.js')).toggle());

document.querySelector('meta[name="description"]')?.setAttribute('content', texts.page.description);
addEventListener('popstate', () => void show());
void resumeSearch();
const onLoad = () => Promise.all([install(), startNotifying(), startChallenges(), loadTypeface()]);
if (document.readyState === 'complete') void onLoad();
else addEventListener('load', () => void onLoad(), { once: true });
void show();
