/** Ternio: discs in three colours, and crosses in the mover's colour where a disc can be placed. */

import { h } from '../dom.js';
import { board, markAt, squares, withMarks } from './board.js';
import { disc } from './pieces.js';

/** @type {Record<string, string>} */
export const COLOURS = { r: 'red', g: 'green', b: 'blue' };

/** @type {import('./game_views.js').Face} */
export const ternio = {
  draw(table) {
    const { geometry } = /** @type {import('../app.js').Game} */ (table.game);
    const mover = table.acting === null ? '' : table.colourOf(table.acting);
    return board({
      table,
      geometry,
      label: 'Board',
      look: 'ternio',
      under: squares(geometry),
      cell: cells(table.state, table.pending),
      target: () => h('path', { class: `cross ${mover}`, d: 'M-7 -7 L7 7 M-7 7 L7 -7' }),
    });
  },
  count: (table, seat) => scoreOf(table, seat),
  phase: () => 'Place a disc where it captures: on a cross.',
  foresee: foreseePlace,
  whyNot: () => 'A disc there captures nothing. The crosses show where you can play.',
  picture: (game) =>
    board({
      table: null,
      geometry: game.geometry,
      label: '',
      look: 'ternio',
      under: squares(game.geometry),
      cell: cells({ board: PICTURE }, null),
    }),
};

const PICTURE = [
  '.........',
  '.........',
  '..r.b....',
  '..rrbg...',
  '..ggbbb..',
  '...rrgg..',
  '...r.g...',
  '.........',
  '.........',
];

/** A seat's number of cells. @param {import('../room/room.js').Table} table @param {number} seat */
export function scoreOf(table, seat) {
  const score = table.state?.scores?.[table.colourOf(seat)];
  return score === undefined ? null : String(score);
}

/** The mover's piece lies there; what it captures is for the service to say. @param {any} state @param {any} move @param {string} colour */
export function foreseePlace(state, move, colour) {
  return { ...state, board: withMarks(state.board, { [move.at]: colour.charAt(0) }), last: [] };
}

/** @param {any} state @param {import('../room/room.js').Pending | null} pending */
function cells(state, pending) {
  const latest = latestOf(state);
  return (/** @type {string} */ name) => {
    const colour = COLOURS[markAt(state.board, name)];
    if (!colour) return { draw: null, says: 'empty' };
    const was = latest.captured.has(name) ? `turned ${latest.version}` : 'disc';
    return {
      draw: [
        h('g', { key: `${was}`, class: latest.captured.has(name) ? 'turned' : 'disc' }, disc(colour)),
        latest.at === name ? h('circle', { key: 'last', class: 'last', r: 18 }) : null,
      ],
      says: `${colour} disc${latest.at === name ? ', placed last' : ''}`,
      look: pending?.move.at === name ? 'pending' : '',
    };
  };
}

/** What was placed last and what it captured. @param {any} state @returns {{at: string | null, captured: Set<string>, version: number}} */
export function latestOf(state) {
  const placed = (state.last ?? []).filter((/** @type {any} */ event) => event.type === 'placed').at(-1);
  return { at: placed?.at ?? null, captured: new Set(placed?.captured ?? []), version: placed?.version ?? 0 };
}
