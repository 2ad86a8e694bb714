/** A new room whose match begins at the position on the screen. */

import { app, asGuest, attempt, client, guest } from '../app.js';
import { newSalt } from '../fairness/salts.js';
import { usualLevel } from '../forms/play_bots.js';

/** @import { OpenRoomRequest, PositionAnalysis } from '../../schema.d.ts' */
/** @import { Room } from '../room/room.js' */

/**
 * Open it and go there. One keeps the seat that one had in the match, or takes one that is to move.
 * @param {Room} room
 * @param {string} match the id of the match
 * @param {PositionAnalysis} position
 * @param {'bots' | 'link'} opponents who has the other seats: bots, or people who follow a link
 */
export async function playFromHere(room, match, { version, to_move: [mover] }, opponents) {
  const { game } = room;
  const { seats } = room.history.shownRoom.view;
  const own = seats.find(({ player }) => player !== null && player === guest.id)?.seat ?? mover;
  const level = usualLevel(game.bots);
  const other = opponents === 'bots' && level ? { bot: level } : null;
  const opened = await attempt(() =>
    asGuest(() =>
      client.openRoom({
        game: /** @type {OpenRoomRequest['game']} */ (game.slug),
        from: { match, version },
        nickname: guest.nickname,
        salt: newSalt(),
        settings: { visibility: 'unlisted', restart: null, start: 'full' },
        seats: seats.map(({ seat }) => (seat === own ? 'me' : other)),
      }),
    ),
  );
  if (opened) app.go(`/r/${opened.room}`);
}
