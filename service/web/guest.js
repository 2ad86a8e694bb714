/** The guest who plays on this device: id, nickname and token, kept in the browser's storage. */

/** @import { Player } from './types.d.ts' */
/** @typedef {{id: string | null, nickname: string, token: string | null}} Guest */

const STORAGE_KEY = 'turnstream.guest';

/** @type {Guest} */
export const guest = { id: null, nickname: '', token: null, ...load() };

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

/** Forget the guest, except for the nickname. */
export function clearGuest() {
  Object.assign(guest, { id: null, token: null });
  save();
}
