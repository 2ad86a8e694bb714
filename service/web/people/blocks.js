/** The players whom the player has blocked. The service knows only their ids; the device remembers their names. */

import { Account } from '../../client/account.js';
import { app, client, redraw } from '../app.js';
import { recallObject, store } from '../dom.js';

const KEY = 'turnstream.blocked';

/**
 * The name of a blocked player when they were blocked on this device, or their id.
 * @param {string} id
 * @returns {string}
 */
export function blockedName(id) {
  return recallObject(KEY)[id] ?? id;
}

/**
 * Block a player, and show none of their messages from now on. Throws `TurnstreamError`.
 * @param {string} id
 * @param {string} nickname
 */
export async function block(id, nickname) {
  await new Account(client).block(id);
  store(KEY, JSON.stringify({ ...recallObject(KEY), [id]: nickname }));
  app.blocked.add(id);
  redraw();
}

/**
 * End a block. Throws `TurnstreamError`.
 * @param {string} id
 */
export async function unblock(id) {
  await new Account(client).unblock(id);
  const { [id]: _, ...others } = recallObject(KEY);
  store(KEY, JSON.stringify(others));
  app.blocked.delete(id);
}
