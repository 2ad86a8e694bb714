/** A match against bots that begins immediately, without a question. */

import { app, asGuest, client, guest } from '../app.js';
import { newSalt } from '../fairness/salts.js';

/** @import { OpenRoomRequest } from '../../schema.d.ts' */
/** @import { GameSummary, Level, RoomView } from '../types.d.ts' */

/**
 * The level that is chosen at first, or undefined without bots.
 * @param {Level[]} levels those of a game's bots
 * @returns {Level | undefined}
 */
export function usualLevel(levels) {
  return levels.includes('medium') ? 'medium' : levels[0];
}

/**
 * Open a room with bots on all other seats, in which the match begins immediately, and go there. Returns whether
 * the game has bots. Throws `TurnstreamError`.
 * @param {GameSummary} game
 */
export async function playBots({ slug, bots, seats: [usual] }) {
  const level = usualLevel(bots);
  if (!level || !usual) return false;
  void app.showOpening(slug);
  const { room, view } = await asGuest(() =>
    client.openRoom({
      game: /** @type {OpenRoomRequest['game']} */ (slug),
      nickname: guest.nickname,
      salt: newSalt(),
      settings: { visibility: 'unlisted', restart: null },
      seats: usual.seats.map((_, seat) => (seat ? { bot: level } : 'me')),
    }),
  );
  const { opening } = await import('./opening.js');
  opening.view = /** @type {RoomView} */ (view);
  app.go(`/r/${room}`);
  return true;
}
