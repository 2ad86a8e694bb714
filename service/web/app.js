/** What all pages share: the catalogue, messages to the person, going from page to page, and drawing anew. */

import { ask, Problem } from './api.js';
import { become, guest } from './guest.js';

/** @typedef {{name: string, x: number, y: number}} Cell */
/** @typedef {{kind: string, width: number, height: number, cells: Cell[], edges: [string, string][], boards: string[]}} Geometry */
/** @typedef {{slug: string, title: string, rules: string, seats: {options: any, seats: {seat: number, colour: string}[]}[],
 *   simultaneous: boolean, options: any, moves: any, bots: string[], geometry: Geometry}} Game */
/** @typedef {{number: number, text: string, kind: 'refusal' | 'news'}} Notice */

/** `games` are those that are known, `catalogue` all of them once they are there, so that cards don't come one by one. @type {{games: Map<string, Game>, catalogue: Game[], notices: Notice[], draw: () => void, go: (path: string) => void}} */
export const app = { games: new Map(), catalogue: [], notices: [], draw: () => {}, go: () => {} };

let asked = false;

/** Draw the page soon; many changes at once are one drawing. */
export function changed() {
  if (asked) return;
  asked = true;
  queueMicrotask(() => {
    asked = false;
    app.draw();
  });
}

let notices = 0;
const NOTICE_MS = 7000;
const MOST_NOTICES = 3;

/** Tell the person something for a moment. @param {string} text @param {'refusal' | 'news'} [kind] */
export function notify(text, kind = 'news') {
  app.notices = app.notices.filter((notice) => notice.text !== text);
  const number = (notices += 1);
  app.notices = [...app.notices, { number, text, kind }].slice(-MOST_NOTICES);
  setTimeout(() => dismiss(number), NOTICE_MS);
  changed();
}

/** @param {number} number */
export function dismiss(number) {
  app.notices = app.notices.filter((notice) => notice.number !== number);
  changed();
}

/** What was refused before is no matter any more. */
export function forgive() {
  app.notices = app.notices.filter((notice) => notice.kind !== 'refusal');
}

/** Tell why something was refused; what is no refusal is a fault of ours and is thrown on. @param {unknown} problem */
export function refuse(problem) {
  if (!(problem instanceof Problem)) throw problem;
  if (problem.code === 'unauthenticated')
    return notify('This server doesn’t know you any more. Say your name again.', 'refusal');
  const wait = problem.retryAfter ? ` Try again in ${problem.retryAfter} s.` : '';
  return notify(problem.message + (problem.status === 429 ? wait : ''), 'refusal');
}

/** Do something that the service may refuse; a refusal is told. @template T @param {() => Promise<T>} deed @returns {Promise<T | undefined>} */
export async function attempt(deed) {
  try {
    return await deed();
  } catch (problem) {
    refuse(problem);
    return undefined;
  }
}

let lastSaid = '';

/** Say something to people who listen rather than look. @param {string} text */
export function announce(text) {
  const announcer = document.getElementById('announcer');
  if (!announcer || !text) return;
  lastSaid = lastSaid === text ? `${text}\u00a0` : text;
  announcer.textContent = lastSaid;
}

/** The page of a game, asked for once. @param {string} slug @returns {Promise<Game>} */
export async function gameOf(slug) {
  const known = app.games.get(slug);
  if (known) return known;
  const game = await ask(`/games/${encodeURIComponent(slug)}`, { token: null });
  app.games.set(slug, game);
  return game;
}

/** Read all games, in the catalogue's order. */
export async function allGames() {
  const { games } = await ask('/games', { token: null });
  app.catalogue = await Promise.all(games.map((/** @type {{slug: string}} */ card) => gameOf(card.slug)));
}

/** Make sure that we are somebody. Throws `Problem`. @param {string} nickname */
export async function beSomebody(nickname) {
  if (guest.token) return;
  const { player, token } = await ask('/players', { method: 'POST', body: { nickname }, token: null });
  become(player, token);
}
