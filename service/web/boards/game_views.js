/** Which face each game wears. A game without one is drawn from its geometry alone. */

import { generic } from './generic.js';
import { morris } from './morris.js';
import { rainbow } from './rainbow.js';
import { ternio } from './ternio.js';
import { triboard } from './triboard.js';
import { turncoat } from './turncoat.js';

/** @typedef {import('../room/room.js').Table} Table */
/** @typedef {import('../dom.js').Anything} Anything */
/** @typedef {import('../app.js').Game} Game */

/**
 * How a game looks and speaks; all but `draw` and `picture` may be absent.
 * @typedef {object} Face
 * @property {(table: Table) => Anything} draw the boards
 * @property {(table: Table) => Anything} [tray] what lies beside them
 * @property {(table: Table, seat: number) => string | null} [count] the number beside a seat
 * @property {string} [counted] what that number counts, if not what is on the board
 * @property {(table: Table) => string | null} [phase] what the mover is to do
 * @property {(state: any, move: any, colour: string) => any} [foresee] the position as it will be, as far as the move itself tells
 * @property {(match: any, events: any[], before: any) => any[]} [stages] positions to show one after the other
 * @property {(table: Table, step: import('../room/moves.js').Step) => string | null} [whyNot]
 * @property {(table: Table, cell: string) => string | null} [pickAnyway] what is said of a cell that can be taken up without a move
 * @property {(event: any, table: Table) => string | null | undefined} [tell]
 * @property {(event: any, table: Table) => string | null | undefined} [ply] undefined for an event that every game has
 * @property {(move: any) => string | null} [advice] a move in words, where its fields don't read well one after the other
 * @property {(game: Game) => Anything} picture a small position for the lobby
 * @property {boolean} [helpsOnRequest] whether what can be played is shown only when asked for
 * @property {boolean} [hidesReady] whether the face offers complete moves by itself
 */

/** @type {Record<string, Face>} */
const FACES = { ternio, triboard, morris, turncoat, rainbow };

/** @param {string} slug @returns {Face} */
export function faceOf(slug) {
  return FACES[slug] ?? generic;
}
