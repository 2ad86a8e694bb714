/** Ternio: discs in three colours, and crosses where the player to move can place one. */

import { colourName } from '../app.js';
import { h } from '../dom.js';
import { gameTexts } from '../languages/games.js';
import { changesOf, NO_CHANGES } from '../motion/changes.js';
import { board, picture } from './board.js';
import { COLOURS, countOf, isOut, latestPlaced, pieceProps, premoveOf, previewOf, previewPlace } from './colours.js';
import { markAt, squares } from './ground.js';
import { CROSS, disc } from './pieces.js';

/** @import { CellView } from './board.js' */
/** @import { Changes } from '../motion/changes.js' */
/** @import { Pending } from '../room/room.js' */
/** @import { ColourState, GameState, GameView } from '../types.d.ts' */

const EXAMPLE = [
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

/** @type {GameView} */
export const ternio = {
  draw(room) {
    const { geometry } = room;
    return board(room, {
      geometry,
      label: gameTexts.board.label,
      look: 'ternio',
      under: squares(geometry),
      cell: cells(room.state, room.pending, changesOf(room)),
      preview: (at) => previewOf(room, at, disc(room.actingColour)),
      target: () => h('path', { class: `cross ${room.actingColour}`, d: CROSS }),
    });
  },

  picture({ geometry }, isEmpty) {
    const cell = cells({ board: isEmpty ? [] : EXAMPLE }, null, NO_CHANGES);
    return picture({ geometry, label: '', look: 'ternio', under: squares(geometry), cell, hasLetters: isEmpty });
  },

  count: countOf,
  isOut,
  phase: () => gameTexts.ternio.phase,
  preview: previewPlace,
  premove: premoveOf,
  explain: () => gameTexts.ternio.capturesNothing,
};

/**
 * @param {GameState} state
 * @param {Pending | null} pending
 * @param {Changes} changes
 * @returns {(name: string) => CellView}
 */
function cells(state, pending, changes) {
  const { board: lines } = /** @type {ColourState} */ (state);
  const latest = latestPlaced(state);
  return (name) => {
    const colour = COLOURS[markAt(lines, name)];
    if (!colour) return { draw: null, label: gameTexts.board.empty };
    const isLatest = latest.at === name;
    const { disc: label, lastDisc } = gameTexts.ternio;
    const piece = pieceProps(latest, name, changes);
    return {
      draw: [h('g', piece, disc(colour)), isLatest ? h('circle', { key: 'last', class: 'last', r: 18 }) : null],
      label: (isLatest ? lastDisc : label)(colourName('ternio', colour)),
      look: pending?.move.at === name ? 'pending' : '',
    };
  };
}
