/** The sounds of a room: events on the board, the player's turn, the end, and a clock that runs out. */

import { play } from './sound.js';
import { PENDING } from './changes.js';

/** @import { Room } from '../room/room.js' */
/** @import { Sound } from './sound.js' */
/** @import { GameEvent } from '../types.d.ts' */

/** A clock below this is announced once per turn. */
const LOW_MS = 20_000;
/** The types of events at which a piece moves. */
const MOVES = new Set(['placed', 'moved', 'flipped', 'turned', 'removed']);

/** The latest sounds: the match, its latest event, and whether the turn, the end and a short clock were heard. */
const SILENCE = { match: '', version: 0, isPending: false, isMyTurn: false, hasEnded: false, lowAt: -1 };

export class RoomSounds {
  constructor() {
    this.heard = SILENCE;
  }

  /**
   * Play the sounds of what is new on the screen. The first time, nothing is new.
   * @param {Room} room
   */
  follow(room) {
    const { match } = room.view;
    if (!match || room.history.past) return;
    const { heard } = this;
    const events = room.state.last ?? [];
    const stored = events.filter(({ version }) => version !== PENDING);
    const isBusy = room.animationSteps.length > 0;
    this.heard = {
      match: match.id,
      version: Math.max(stored.at(-1)?.version ?? 0, heard.match === match.id ? heard.version : 0),
      isPending: room.pending !== null,
      isMyTurn: room.isMyTurn && !room.isShared && !isBusy,
      hasEnded: match.result !== null && !isBusy,
      lowAt: isLow(room) ? (stored.at(-1)?.version ?? 0) : heard.lowAt,
    };
    if (heard.match !== match.id) return;
    this.playMoves(heard, stored);
    if (this.heard.hasEnded && !heard.hasEnded) play(hasLost(room) ? 'lost' : 'end');
    else if (this.heard.isMyTurn && !heard.isMyTurn) play('turn');
    if (this.heard.lowAt !== heard.lowAt) play('low');
  }

  /**
   * A move of the player is heard when it is sent; its captures when they are known.
   * @param {typeof SILENCE} heard
   * @param {GameEvent[]} stored
   */
  playMoves(heard, stored) {
    const sounds = stored.filter(({ version }) => version > heard.version).flatMap(soundOf);
    const loudest = ['mill', 'capture', 'move'].find((sound) => sounds.includes(/** @type {Sound} */ (sound)));
    if (this.heard.isPending && !heard.isPending) play('move');
    else if (loudest && !(loudest === 'move' && heard.isPending)) play(/** @type {Sound} */ (loudest));
  }
}

/**
 * @param {GameEvent} event
 * @returns {Sound[]}
 */
function soundOf({ type, captured, mills, trapped }) {
  if (!MOVES.has(type)) return [];
  if (mills?.length) return ['mill'];
  return captured?.length || trapped?.length || type === 'removed' ? ['capture'] : ['move'];
}

/**
 * Whether the player had a seat, and another one has won.
 * @param {Room} room
 */
function hasLost({ view, mySeats }) {
  const { result } = view.match ?? {};
  return Boolean(result?.winners.length && mySeats.length) && !mySeats.some((seat) => result?.winners.includes(seat));
}

/**
 * Whether the player's own clock runs out.
 * @param {Room} room
 */
function isLow({ view, mySeats, now }) {
  const { clock, to_move: toMove } = view.match ?? {};
  const seat = mySeats.find((one) => toMove?.includes(one));
  if (!clock?.deadline || seat === undefined) return false;
  return (clock.remaining[seat] ?? 0) - (now - Date.parse(clock.server_time)) < LOW_MS;
}
