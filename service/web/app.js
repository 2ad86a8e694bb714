/** What all pages share: the catalogue of games, messages, navigation and redrawing. */

import { FeedClosedError, RefusedError, TurnstreamError } from '../client.js';
import { client, forgetUnknownGuest, guest, setGuest } from './guest.js';

/** @import { Catalogue, Game } from './types.d.ts' */
/** @typedef {{number: number, text: string, kind: 'error' | 'info'}} Notice */

const NOTICE_MS = 7000;
const MAX_NOTICES = 3;

/**
 * The state of the client. `games` holds each game that has been loaded, `catalogue` is empty until all have been.
 * `main.js` sets `draw` and `go`.
 */
export const app = {
  /** @type {Map<string, Game>} */
  games: new Map(),
  /** @type {Game[]} */
  catalogue: [],
  /** @type {Notice[]} */
  notices: [],
  /** @type {() => void} */
  draw: () => {},
  /** @type {(path: string) => void} */
  go: () => {},
};

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

/** Remove all error messages. */
export function clearErrors() {
  app.notices = app.notices.filter((notice) => notice.kind !== 'error');
}

/**
 * Show why a request failed. Anything but a `TurnstreamError` is a bug and is thrown again.
 * @param {unknown} problem
 */
export function showProblem(problem) {
  if (forgetUnknownGuest(problem)) notify('Your token is no longer accepted. Enter your nickname again.', 'error');
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

/**
 * A game of the catalogue, requested once. Throws `TurnstreamError`.
 * @param {string} slug
 * @returns {Promise<Game>}
 */
export async function loadGame(slug) {
  const known = app.games.get(slug);
  if (known) return known;
  /** @type {Game} */
  const game = await client.get(`/v1/games/${encodeURIComponent(slug)}`);
  app.games.set(slug, game);
  return game;
}

/** Load all games, in the catalogue's order. Throws `TurnstreamError`. */
export async function loadCatalogue() {
  /** @type {Catalogue} */
  const { games } = await client.get('/v1/games');
  app.catalogue = await Promise.all(games.map(({ slug }) => loadGame(slug)));
}

/**
 * Create a guest, unless there is one. Throws `TurnstreamError`.
 * @param {string} nickname
 */
export async function ensureGuest(nickname) {
  if (guest.token) return;
  const { player, token } = await client.createGuest(nickname);
  setGuest(player, token);
}
