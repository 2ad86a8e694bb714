/** The position at which the matches of a room begin, for rooms that were opened from one: shown while they wait. */

import { TurnstreamError } from '../../client/requests.js';
import { client, redraw } from '../app.js';

/** @import { CopiedPosition } from '../../schema.d.ts' */
/** @import { Room } from '../room/room.js' */
/** @import { EventPage, RoomView } from '../types.d.ts' */

/** Among how many of the first events of a room that of its position is. */
const FIRST = 5;

/**
 * Load the position at which a room begins, if it has one that the player may read.
 * @param {Room} room
 */
export async function showStart(room) {
  try {
    const path = `/v1/rooms/${encodeURIComponent(room.name)}/events?limit=${FIRST}`;
    const { events } = /** @type {EventPage} */ (await client.get(path));
    const copied = events.find(({ type }) => type === 'position_copied');
    if (!copied) return;
    const { match, version } = /** @type {{position: CopiedPosition}} */ (/** @type {unknown} */ (copied)).position;
    const found = await client.get(`/v1/matches/${encodeURIComponent(match)}?at=${version}`);
    const { match: played, options } = /** @type {{view: RoomView}} */ (found).view;
    room.starting = { match: played, options };
  } catch (problem) {
    if (!(problem instanceof TurnstreamError)) throw problem; // the empty board of the game is shown
  }
  redraw();
}
