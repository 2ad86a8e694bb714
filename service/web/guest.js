/** The guest who plays on this device: id, nickname and token, kept in the browser's storage. */

import { Client, FeedClosedError, RefusedError } from '../client.js';

/** @import { Player } from './types.d.ts' */
/** @typedef {{id: string | null, nickname: string, token: string | null}} Guest */

const STORAGE_KEY = 'turnstream.guest';

/** @type {Guest} */
export const guest = { id: null, nickname: '', token: null, ...load() };

/** What sends the guest's requests to the server of this page. */
export const client = new Client(location.origin, { ...guest, retries: { longest: 8000, patience: 10_000 } });

/** @returns {Partial<Guest>} */
function load() {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}');
  } catch {
    return {};
  }
}

function save() {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(guest));
  } catch {
    // Without storage the guest lasts as long as the page.
  }
}

/**
 * Play as this guest from now on.
 * @param {Player} player
 * @param {string} token
 */
export function setGuest(player, token) {
  Object.assign(guest, player, { token });
  Object.assign(client, { id: player.id, token });
  save();
}

/**
 * Change the nickname of the guest.
 * @param {string} nickname
 */
export function rename(nickname) {
  guest.nickname = nickname;
  save();
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
    save();
  }
  return isUnknown;
}
