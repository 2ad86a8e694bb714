/** Triboard: cells in three colours between walls. Possible jumps are shown on request. */

import { colourName, redraw } from '../app.js';
import { h } from '../dom.js';
import { gameTexts } from '../languages/games.js';
import { changesOf, NO_CHANGES } from '../motion/changes.js';
import { board, picture } from './board.js';
import { COLOURS, countOf, isOut, latestPlaced, pieceProps, premoveOf, previewOf, previewPlace } from './colours.js';
import { markAt } from './ground.js';
import { emblem } from './pieces.js';

/** @import { CellView } from './board.js' */
/** @import { Changes } from '../motion/changes.js' */
/** @import { Pending } from '../room/room.js' */
/** @import { ColourState, GameState, GameView, KnownEvent } from '../types.d.ts' */
/** @typedef {Extract<KnownEvent, {type: 'placed' | 'passed' | 'dropped'}>} TriboardEvent */

const EXAMPLE = [
  '......b.#..#....',
  '.g..r.......r.bb',
  'g.g..........b#.',
  'g.....g.rrrr....',
  '.bbbbbr.........',
  '...b.....rr....r',
  'g...g#.b.#...b..',
  '........#.#r.r..',
  '..g.bggg#..bbb..',
  'r.....b##.g...r.',
  '....r..gg.#.g...',
];

/** Bricks. */
export const WALL =
  'M-18 -18 H4 V-7 H-18 Z M7 -18 H18 V-7 H7 Z M-18 -4 H-7 V7 H-18 Z M-4 -4 H18 V7 H-4 Z ' +
  'M-18 10 H4 V18 H-18 Z M7 10 H18 V18 H7 Z';

/** On a phone held upright the board is turned, so that its cells are large enough for a finger. */
const narrow = matchMedia('(max-width: 48rem) and (orientation: portrait)');
narrow.addEventListener('change', redraw);

/** @type {GameView<TriboardEvent>} */
export const triboard = {
  draw(room) {
    return board(room, {
      geometry: room.geometry,
      label: gameTexts.board.label,
      look: 'triboard',
      cell: cells(room.state, room.pending, changesOf(room)),
      preview: (at) => previewOf(room, at, [tile(`piece ${room.actingColour}`), emblem(room.actingColour)]),
      target: () => jumpMark(room.actingColour),
      showsTargets: room.showsTargets,
      isUpright: narrow.matches,
    });
  },

  picture({ geometry }, isEmpty = false) {
    const cell = cells({ board: isEmpty ? [] : EXAMPLE }, null, NO_CHANGES);
    const isUpright = isEmpty && narrow.matches;
    return picture({ geometry, label: '', look: 'triboard', cell, hasLetters: isEmpty, isUpright });
  },

  count: countOf,
  isOut,
  phase: () => gameTexts.triboard.phase,
  preview: previewPlace,
  premove: premoveOf,
  explain: () => gameTexts.triboard.noJump,
  showsTargetsOnRequest: true,

  describe(event, room) {
    if (event.type !== 'placed') return null;
    return gameTexts.triboard.took(room.seatName(event.seat), event.at.toUpperCase(), event.captured?.length ?? 0);
  },
};

/** @param {string} colour */
export function jumpMark(colour) {
  return h('rect', { class: `jump ${colour}`, x: -7, y: -7, width: 14, height: 14, rx: 3 });
}

/** @param {string} look */
export function tile(look) {
  return h('rect', { class: look, x: -17, y: -17, width: 34, height: 34, rx: 5 });
}

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
    const mark = markAt(lines, name);
    if (mark === '#')
      return { draw: h('path', { class: 'wall', d: WALL }), label: gameTexts.board.wall, look: 'walled' };
    const colour = COLOURS[mark];
    if (!colour) return { draw: tile('well'), label: gameTexts.board.empty };
    const isLatest = latest.at === name;
    const { cell: label, lastCell } = gameTexts.triboard;
    const piece = pieceProps(latest, name, changes);
    const frame = { key: 'last', class: 'last', x: -18.5, y: -18.5, width: 37, height: 37, rx: 6 };
    return {
      draw: [h('g', piece, tile(`piece ${colour}`), tile('sheen'), emblem(colour)), isLatest ? h('rect', frame) : null],
      label: (isLatest ? lastCell : label)(colourName('triboard', colour)),
      look: pending?.move.at === name ? 'pending' : '',
    };
  };
}
