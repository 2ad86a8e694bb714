/** What all pages share: the guest, the catalogue of games, messages, navigation and redrawing. */

import { FeedClosedError, pauses, RefusedError, Requests, TurnstreamError } from '../client/requests.js';
import { h } from './dom.js';

/** @import { OpenRoomRequest } from '../schema.d.ts' */
/** @import { Catalogue, Game, GameSummary, Me } from './types.d.ts' */
/** @typedef {{number: number, text: string, kind: 'error' | 'info'}} Notice */
/** @typedef {{id: string | null, nickname: string, token: string | null}} Guest */

const NOTICE_MS = 7000;
const MAX_NOTICES = 3;
const GUEST_KEY = 'turnstream.guest';
const RETRIES = { longest: 8000, patience: 10_000 };
/** The pauses of `keepTrying`. */
const PAUSES = { first: 1000, longest: 30_000, patience: Infinity };

const MOODS =
  'Bold Brave Bright Calm Clever Curious Eager Gentle Happy Jolly Keen Kind Lucky Merry Nimble Quick Quiet Witty';
const ANIMALS =
  'Badger Beaver Crane Dolphin Falcon Hare Heron Ibex Lynx Marten Otter Owl Panda Puffin Raven Robin Seal Swan';

/**
 * The state of the client. `games` holds each game that has been loaded, `catalogue` is null until it has been.
 * `main.js` sets the functions.
 */
export const app = {
  /** @type {Map<string, Game>} */
  games: new Map(),
  /** @type {GameSummary[] | null} */
  catalogue: null,
  /** @type {Notice[]} */
  notices: [],
  /** @type {() => void} */
  draw: () => {},
  /** @type {(path: string) => void} */
  go: () => {},
  /** Load what a room needs, before it is opened. @type {() => void} */
  prepare: () => {},
};

/** The guest who plays on this device, kept in the browser's storage. @type {Guest} */
export const guest = { id: null, nickname: '', token: null, ...storedGuest() };

/** What sends the guest's requests to the server of this page. */
export const client = new Requests(location.origin, { ...guest, retries: RETRIES });

/** What requests that are the same for everyone: their answers may have been requested by the page itself. */
const reader = new Requests(location.origin, { retries: RETRIES });

let isScheduled = false;
let noticeCount = 0;
let lastAnnouncement = '';

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
export function dismiss(number) {
  app.notices = app.notices.filter((notice) => notice.number !== number);
  redraw();
}

/** The messages. A dialog shows them too, since it covers the page. */
export function notices() {
  return h(
    'div',
    { class: 'notices', key: 'notices', role: 'region', 'aria-label': 'Messages' },
    app.notices.map(({ number, text, kind }) =>
      h(
        'div',
        { key: number, class: `notice ${kind}`, role: kind === 'error' ? 'alert' : null },
        h('span', null, text),
        h(
          'button',
          { class: 'quiet', type: 'button', 'aria-label': 'Dismiss', onclick: () => dismiss(number) },
          cross(),
        ),
      ),
    ),
  );
}

/** A cross as a drawing: as text it would have to be in the name of the button. */
function cross() {
  const shape = h('path', { d: 'M-5 -5 L5 5 M-5 5 L5 -5' });
  return h('svg', { viewBox: '-10 -10 20 20', 'aria-hidden': 'true', class: 'icon' }, shape);
}

/** The pixels between messages and the window's edge, and between the places that are tried. */
const GAP = 12;

/** What messages never cover, and what they rather not cover. */
const CONTROLS = 'button, a, input, select, textarea, summary';
const CONTENT = '.cell.open, .status-words, .seat, .ply, p, h1, h2, h3';

/** Move the messages of the page to where they cover no control: near the bottom right, or else anywhere. */
export function placeNotices() {
  const box = /** @type {HTMLElement | null} */ (document.querySelector('#app > .notices'));
  if (!box?.childElementCount) return;
  const [controls, content] = [CONTROLS, CONTENT].map((selector) => rectsOutside(box, selector));
  const cost = (/** @type {DOMRect} */ rect) => 1000 * overlaps(rect, controls) + overlaps(rect, content);
  const size = box.getBoundingClientRect();
  if (box.style.top && size.bottom <= innerHeight && !overlaps(size, controls)) return;
  const best = spots(size).reduce((one, other) => (cost(other) < cost(one) ? other : one));
  box.style.inset = `${best.y}px auto auto ${best.x}px`;
}

/**
 * The places where a box fits, the best ones first.
 * @param {DOMRect} box
 */
function spots({ width, height }) {
  const [right, bottom] = [document.documentElement.clientWidth - width, innerHeight - height - GAP];
  const lefts = [right - GAP, right / 2, GAP].filter((left) => left >= 0);
  const rows = Array.from({ length: Math.max(1, Math.floor(bottom / GAP)) }, (_, row) => bottom - row * GAP);
  return rows.flatMap((top) => (lefts.length ? lefts : [0]).map((left) => new DOMRect(left, top, width, height)));
}

/**
 * @param {Element} box
 * @param {string} selector
 */
function rectsOutside(box, selector) {
  const found = [...document.querySelectorAll(selector)].filter((element) => !box.contains(element));
  return found.map((element) => element.getBoundingClientRect()).filter(({ width }) => width);
}

/**
 * How many of these rectangles a box covers in part.
 * @param {DOMRect} box
 * @param {DOMRect[]} [rects]
 */
function overlaps(box, rects = []) {
  const isHit = (/** @type {DOMRect} */ { left, right, top, bottom }) =>
    left < box.right && right > box.left && top < box.bottom && bottom > box.top;
  return rects.filter(isHit).length;
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
  if (forgetUnknownGuest(problem))
    notify('Your token is no longer accepted. You are a new guest now: try again.', 'error');
  else notify(sentenceOf(problem), 'error');
}

/**
 * Why a request failed or a room cannot be followed. Anything but a `TurnstreamError` is a bug and is thrown again.
 * @param {unknown} problem
 */
export function sentenceOf(problem) {
  if (!(problem instanceof TurnstreamError)) throw problem;
  if (problem instanceof FeedClosedError) return `The server closed the connection: ${problem.reason}.`;
  if (!(problem instanceof RefusedError)) return 'The server cannot be reached.';
  const { detail, retry_after: seconds } = problem.problem;
  return problem.status === 429 && seconds ? `${detail} Try again in ${seconds} s.` : detail;
}

/**
 * Whether there is no such thing, or it is private.
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
 * Say something to screen readers.
 * @param {string} text
 */
export function announce(text) {
  const announcer = document.getElementById('announcer');
  if (!announcer || !text) return;
  // The same text again would not be read out.
  lastAnnouncement = lastAnnouncement === text ? `${text}\u00a0` : text;
  announcer.textContent = lastAnnouncement;
}

// Games and what they are drawn with.

/**
 * Add a style sheet, unless the page has it. Rejects if it cannot be loaded.
 * @param {string} name
 */
export async function loadStyle(name) {
  const { href } = new URL(`./style/${name}.css`, import.meta.url);
  if ([...document.styleSheets].some((sheet) => sheet.href === href)) return;
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
  const loaded = new Promise((resolve, reject) => Object.assign(link, { onload: resolve, onerror: reject }));
  document.head.append(link);
  await loaded;
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
 * Load something, and after growing pauses again until it has arrived or is not wanted. What fails once and is
 * repeated harms nobody, so every failure but a bug is repeated.
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

/**
 * Open a room with bots on all other seats, in which the match begins at once, and go there. Returns whether the game
 * has bots. Throws `TurnstreamError`.
 * @param {GameSummary} game
 */
export async function playBots({ slug, bots, seats: [usual] }) {
  const level = bots.includes('medium') ? 'medium' : bots[0];
  if (!level || !usual) return false;
  app.prepare();
  const { newSalt } = await import('./fairness/salts.js'); // not needed before
  const { room } = await asGuest(() =>
    client.openRoom({
      game: /** @type {OpenRoomRequest['game']} */ (slug),
      nickname: guest.nickname,
      salt: newSalt(),
      settings: { visibility: 'unlisted', restart: null },
      seats: usual.seats.map((_, seat) => (seat ? { bot: level } : 'me')),
    }),
  );
  app.go(`/r/${room}`);
  return true;
}

// The guest.

/** @returns {Partial<Guest>} */
function storedGuest() {
  try {
    return JSON.parse(localStorage.getItem(GUEST_KEY) ?? '{}');
  } catch {
    return {};
  }
}

function storeGuest() {
  try {
    localStorage.setItem(GUEST_KEY, JSON.stringify(guest));
  } catch {
    // Without storage the guest lasts as long as the page.
  }
}

/**
 * Create a guest, unless there is one; without a nickname under the earlier one or a made-up one. Throws
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
  const { player, token } = await client.createGuest(nickname);
  Object.assign(guest, player, { token });
  storeGuest();
}

/**
 * Run an action as the guest, who is created if there is none; also if the token is no longer accepted. Throws
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
 * Change the nickname everywhere: a token has one for good, so someone without rooms becomes a new guest. Who has rooms
 * keeps the token, and the nickname there and in the lobby's chat. Throws `TurnstreamError`.
 * @param {string} nickname
 */
export async function changeNickname(nickname) {
  if (guest.token && nickname === guest.nickname) return;
  const { rooms } = guest.token ? await loadMe() : { rooms: [] };
  if (rooms.length) rename(nickname);
  else await becomeGuest(nickname);
}

/**
 * The guest's rooms, and where it is their turn. Throws `TurnstreamError`.
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
 * Forget the guest, except for the nickname, if this is why a request failed. Returns whether it is.
 * @param {unknown} problem
 */
export function forgetUnknownGuest(problem) {
  const isUnknown =
    (problem instanceof RefusedError && problem.code === 'unauthenticated') ||
    (problem instanceof FeedClosedError && problem.code >= 4100 && problem.code < 4200);
  if (isUnknown) {
    Object.assign(guest, { id: null, token: null });
    Object.assign(client, { id: null, token: null });
    storeGuest();
  }
  return isUnknown;
}

/** A name for those who have not chosen one, such as "Merry Otter". */
export function madeUpName() {
  return [MOODS, ANIMALS]
    .map((names) => names.split(' '))
    .map((names) => names[Math.floor(Math.random() * names.length)])
    .join(' ');
}
