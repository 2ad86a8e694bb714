/** What all pages share: the guest, the catalogue of games, messages, navigation and redrawing. */

import { FeedClosedError, pauses, RefusedError, Requests, TurnstreamError } from '../client/requests.js';
import { h, language, recall, recallObject, store, texts } from './dom.js';

/** @import { Catalogue, Codes, Content, Game, GameSummary, Me, Player } from './types.d.ts' */
/**
 * A message: an error, another answer to what the player did, or what others have done.
 * @typedef {{number: number, text: string, kind: 'error' | 'info' | 'news'}} Notice
 */
/**
 * `hasAccount` says that other devices may be signed in as the same player.
 * @typedef {{id: string | null, nickname: string, token: string | null, hasAccount?: boolean}} Guest
 */

const NOTICE_MS = 7000;
const MAX_NOTICES = 2;
const GUEST_KEY = 'turnstream.guest';
export const SOUND_KEY = 'turnstream.sound';
export const NOTIFY_KEY = 'turnstream.notify';
const RETRIES = { longest: 8000, patience: 10_000 };
/** The pauses of `keepTrying`. */
const PAUSES = { first: 1000, longest: 30_000, patience: Infinity };

/**
 * The state of the client. `games` holds each game that has been loaded, `catalogue` is null until it has been.
 * `main.js` sets the functions, and `looks/avatar.js` sets `avatar`.
 */
export const app = {
  /** @type {Map<string, Game>} */
  games: new Map(),
  /** @type {GameSummary[] | null} */
  catalogue: null,
  /** @type {Notice[]} */
  notices: [],
  isSoundOn: recall(SOUND_KEY) !== 'off',
  /** Draws the dialog of the page or of `main.js`, while one is open. */
  dialog: /** @type {(() => Content) | null} */ (null),
  /** Draw lines under the bar, by what they are about. @type {Map<string, () => Content>} */
  banners: new Map(),
  /** Players who were blocked on this page; the service sends none of their messages later. @type {Set<string>} */
  blocked: new Set(),
  /** What waits for the player, as the title of the tab, by what it is about. @type {Map<string, string>} */
  alerts: new Map(),
  /** Whether the player has a seat in the match on the page. @type {() => boolean} */
  isPlaying: () => false,
  /** @type {() => void} */
  draw: () => {},
  /** @type {(path: string) => void} */
  go: () => {},
  /** The slug of the game on the page, or an empty text. @type {() => string} */
  shownGame: () => '',
  /** The device has its first guest, or another one. @type {() => void} */
  onGuest: () => {},
  /** Load what rooms need, once. Rejects if it cannot be loaded. @type {() => Promise<unknown>} */
  prepare: () => Promise.resolve(),
  /** Show the empty board of a game until its room is open. @type {(slug: string) => Promise<void>} */
  showOpening: () => Promise.resolve(),
  /** Show the page of the address again. @type {() => Promise<void>} */
  show: () => Promise.resolve(),
  /** Show what can be done with another player. @type {(id: string, nickname: string) => void} */
  showPerson: () => {},
  avatar: /** @type {(id: string) => Content} */ (() => null),
  /** @type {() => void} */
  switchNotifications: () => {},
};

/** The guest who plays on this device, kept in the browser's storage. @type {Guest} */
export const guest = { id: null, nickname: '', token: null, ...recallObject(GUEST_KEY) };

/** Sends the guest's requests to the server of this page. */
export const client = new Requests(location.origin, { ...guest, language, retries: RETRIES });

/** Sends requests that are the same for everyone: the page itself may have requested their answers already. */
const reader = new Requests(location.origin, { language, retries: RETRIES });

/** The meanings of refusals by their codes, in a language other than English. @type {Map<string, string>} */
const meanings = new Map();
/** @type {Promise<void> | null} */
let loadingMeanings = null;

let isScheduled = false;
let noticeCount = 0;
let lastAnnouncement = '';

/** Whether the browser notifies the player of what waits in rooms; see `people/notifications.js`. */
export function isNotifying() {
  return recall(NOTIFY_KEY) === 'on' && globalThis.Notification?.permission === 'granted';
}

/** The button that turns notifications on or off, or null if the browser does not support them. */
export function notifyButton() {
  if (!globalThis.Notification) return null;
  const props = {
    key: 'notify',
    type: 'button',
    class: 'small-button',
    'aria-pressed': String(isNotifying()),
    onclick: () => app.switchNotifications(),
  };
  return h('button', { ...props, title: texts.page.notifyNote }, texts.page.notify);
}

/** Redraw the page soon. Several calls in a row lead to one redraw. */
export function redraw() {
  if (isScheduled) return;
  isScheduled = true;
  queueMicrotask(() => {
    isScheduled = false;
    app.draw();
  });
}

/**
 * Show a message for a few seconds.
 * @param {string} text
 * @param {Notice['kind']} [kind]
 */
export function notify(text, kind = 'info') {
  app.notices = app.notices.filter((notice) => notice.text !== text);
  const number = (noticeCount += 1);
  app.notices = [...app.notices, { number, text, kind }].slice(-MAX_NOTICES);
  setTimeout(() => dismiss(number), NOTICE_MS);
  redraw();
}

/**
 * Remove a message.
 * @param {number} number
 */
function dismiss(number) {
  app.notices = app.notices.filter((notice) => notice.number !== number);
  redraw();
}

/**
 * The messages above the page. A dialog shows them too, since it covers the page.
 * @param {boolean} [hasStatus] whether the page shows answers in its status; see `answer`
 */
export function notices(hasStatus = false) {
  return h(
    'div',
    { class: 'notices', key: 'notices', role: 'region', 'aria-label': texts.page.messages },
    app.notices
      .filter(({ kind }) => !hasStatus || kind === 'news')
      .map(({ number, text, kind }) =>
        h('div', { key: number, class: `notice ${kind}`, role: kind === 'error' ? 'alert' : null }, text),
      ),
  );
}

/** The latest message that answers what the player did, for the status of a room. */
export function answer() {
  const latest = app.notices.findLast(({ kind }) => kind !== 'news');
  if (!latest) return null;
  const { number, text, kind } = latest;
  return h('p', { key: `answer ${number}`, class: `answer ${kind}`, role: kind === 'error' ? 'alert' : null }, text);
}

/** Remove all error messages. */
export function clearErrors() {
  app.notices = app.notices.filter((notice) => notice.kind !== 'error');
}

/**
 * Show why a request failed. Anything but a `TurnstreamError` is a bug and is thrown again.
 * @param {unknown} problem
 */
export function showProblem(problem) {
  if (forgetUnknownGuest(problem)) notify(guest.token ? texts.problems.newToken : texts.problems.newGuest, 'error');
  else if (problem instanceof RefusedError) void loadMeanings().then(() => notify(sentenceOf(problem), 'error'));
  else notify(sentenceOf(problem), 'error');
}

/** Load the meanings of refusals in the language of the page, once. Without them, the English ones are shown. */
function loadMeanings() {
  const load = async () => {
    /** @type {Codes} */
    const { codes } = await reader.get('/v1/codes');
    for (const { code, meaning } of codes) meanings.set(code, meaning);
    redraw();
  };
  loadingMeanings ??= language === 'en' ? Promise.resolve() : load().catch(() => {});
  return loadingMeanings;
}

/**
 * Why a request failed or a room cannot be followed. Anything but a `TurnstreamError` is a bug and is thrown again.
 * @param {unknown} problem
 */
export function sentenceOf(problem) {
  if (!(problem instanceof TurnstreamError)) throw problem;
  if (problem instanceof FeedClosedError) return texts.problems.closed(problem.code, problem.reason);
  if (!(problem instanceof RefusedError)) return texts.problems.unreachable;
  void loadMeanings();
  const { code, detail, retry_after: seconds } = problem.problem;
  const sentence = meanings.get(code) ?? detail; // in English, the detail says more than the meaning of its code
  return problem.status === 429 && seconds ? texts.problems.tryAgainIn(sentence, seconds) : sentence;
}

/**
 * Whether something does not exist, or is private.
 * @param {unknown} problem
 */
export function isNotFound(problem) {
  const isInvalidName = problem instanceof FeedClosedError && problem.code === 4202;
  return isInvalidName || (problem instanceof RefusedError && problem.status === 404);
}

/**
 * Run an action that the service may refuse. A refusal is shown, and the result is undefined.
 * @template T
 * @param {() => Promise<T>} action
 * @returns {Promise<T | undefined>}
 */
export async function attempt(action) {
  try {
    return await action();
  } catch (problem) {
    showProblem(problem);
    return undefined;
  }
}

/**
 * Announce something to screen readers.
 * @param {string} text
 */
export function announce(text) {
  const announcer = document.getElementById('announcer');
  if (!announcer || !text) return;
  // The same text again would not be read out.
  lastAnnouncement = lastAnnouncement === text ? `${text}\u00a0` : text;
  announcer.textContent = lastAnnouncement;
}

// Games and their drawing code.

/** The style sheets that are being loaded, by address. @type {Map<string, Promise<unknown>>} */
const loadingStyles = new Map();

/**
 * Add a style sheet, unless the page has it. Rejects if it cannot be loaded.
 * @param {string} name
 */
export async function loadStyle(name) {
  const { href } = new URL(`./style/${name}.css`, import.meta.url);
  if ([...document.styleSheets].some((sheet) => sheet.href === href)) return;
  const load = () => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
    document.head.append(link);
    return new Promise((resolve, reject) => Object.assign(link, { onload: resolve, onerror: reject }));
  };
  const loading = loadingStyles.get(href) ?? load();
  loadingStyles.set(href, loading);
  await loading.finally(() => loadingStyles.delete(href));
}

/**
 * A game of the catalogue, requested once. Throws `TurnstreamError`.
 * @param {string} slug
 * @returns {Promise<Game>}
 */
export async function loadGame(slug) {
  const known = app.games.get(slug);
  if (known) return known;
  /** @type {Game} */
  const game = await reader.get(`/v1/games/${encodeURIComponent(slug)}`);
  app.games.set(slug, game);
  return game;
}

/** Load the list of games, once. Throws `TurnstreamError`. */
export async function loadCatalogue() {
  if (app.catalogue) return;
  /** @type {Catalogue} */
  const { games } = await reader.get('/v1/games');
  app.catalogue = games;
}

/**
 * The title of a game, if that is known.
 * @param {string} slug
 */
export function titleOf(slug) {
  return app.catalogue?.find((game) => game.slug === slug)?.title ?? app.games.get(slug)?.title ?? slug;
}

/**
 * The name of a seat's colour within a sentence. Only loaded games are shown.
 * @param {string} slug
 * @param {string} colour
 */
export function colourName(slug, colour) {
  return app.games.get(slug)?.labels.colours[colour] ?? colour;
}

/**
 * Load something, and retry after growing pauses until it has arrived or is no longer wanted. Retries are harmless, so
 * every failure except a bug leads to one.
 * @param {() => Promise<void>} load
 * @param {() => boolean} isWanted
 * @param {(problem: unknown) => void} onFailure
 */
export async function keepTrying(load, isWanted, onFailure) {
  for (const pause of pauses(PAUSES)) {
    try {
      return await load();
    } catch (problem) {
      if (!isWanted()) return;
      onFailure(problem);
    }
    await new Promise((resolve) => {
      setTimeout(resolve, pause);
      addEventListener('online', resolve, { once: true });
    });
    if (!isWanted()) return;
  }
}

// The guest.

function storeGuest() {
  store(GUEST_KEY, JSON.stringify(guest));
}

/**
 * Create a guest, unless there is one; without a nickname, under the earlier one or a generated one. Throws
 * `TurnstreamError`.
 * @param {string} [nickname]
 */
export async function ensureGuest(nickname) {
  if (!guest.token) await becomeGuest(nickname || guest.nickname || madeUpName());
}

/**
 * Play as a new guest from now on. Throws `TurnstreamError`.
 * @param {string} nickname
 */
async function becomeGuest(nickname) {
  become(await client.createGuest(nickname), false);
}

/**
 * Act as this player on this device from now on.
 * @param {{player: Player, token: string}} signedIn
 * @param {boolean} hasAccount
 */
export function become({ player, token }, hasAccount) {
  Object.assign(guest, player, { token, hasAccount });
  Object.assign(client, { id: player.id, token });
  storeGuest();
  app.onGuest();
}

/** Use the token that another tab has stored, if it differs; return whether it does. */
function adoptStored() {
  const stored = recallObject(GUEST_KEY);
  if (!stored.token || stored.token === guest.token) return false;
  if (guest.id && stored.id !== guest.id) location.reload(); // the page shows what belongs to somebody else
  Object.assign(guest, stored);
  Object.assign(client, { id: guest.id, token: guest.token });
  app.onGuest();
  return true;
}

addEventListener('storage', ({ key }) => key === GUEST_KEY && adoptStored() && redraw());

/**
 * Run an action as the guest, who is created if there is none or if the token is no longer accepted. Throws
 * `TurnstreamError`.
 * @template T
 * @param {() => Promise<T>} action
 * @returns {Promise<T>}
 */
export async function asGuest(action) {
  await ensureGuest();
  try {
    return await action();
  } catch (problem) {
    if (!forgetUnknownGuest(problem)) throw problem;
    await ensureGuest();
    return action();
  }
}

/**
 * Use another nickname in rooms from now on.
 * @param {string} nickname
 */
export function rename(nickname) {
  guest.nickname = nickname;
  storeGuest();
}

/**
 * Change the nickname everywhere: a token's nickname is fixed, so a player without rooms becomes a new guest. A player
 * with rooms or other devices keeps the token and the nickname there and in the lobby's chat. Throws `TurnstreamError`.
 * @param {string} nickname
 */
export async function changeNickname(nickname) {
  if (guest.token && nickname === guest.nickname) return;
  const { rooms } = guest.token ? await loadMe() : { rooms: [] };
  if (rooms.length || guest.hasAccount) rename(nickname);
  else await becomeGuest(nickname);
}

/**
 * The guest's rooms, and whether it is their turn there. Throws `TurnstreamError`.
 * @returns {Promise<Pick<Me, 'rooms'>>}
 */
export async function loadMe() {
  try {
    return await client.get('/v1/players/me');
  } catch (problem) {
    if (!forgetUnknownGuest(problem)) throw problem;
    return { rooms: [] };
  }
}

/**
 * Remove the guest, but keep the nickname, if the current token was refused. Returns whether it or an earlier one was.
 * @param {unknown} problem
 */
export function forgetUnknownGuest(problem) {
  const isUnknown =
    (problem instanceof RefusedError && problem.code === 'unauthenticated') ||
    (problem instanceof FeedClosedError && problem.code >= 4100 && problem.code < 4200);
  if (isUnknown && problem.hasUsed(guest.token) && !adoptStored()) forgetGuest(guest.nickname);
  return isUnknown;
}

/**
 * Start without a guest, with an initial nickname.
 * @param {string} nickname
 */
export function forgetGuest(nickname) {
  Object.assign(guest, { id: null, token: null, hasAccount: false, nickname });
  Object.assign(client, { id: null, token: null });
  storeGuest();
}

/** A name for players who have not chosen one, such as "Merry Otter". */
export function madeUpName() {
  const { first, second } = texts.names;
  return [first, second]
    .map((names) => names.split(' '))
    .map((names) => names[Math.floor(Math.random() * names.length)])
    .join(' ');
}
