/** Triboard: a walled field of cells in three colours; where one can jump is shown on request. */

import { changed } from '../app.js';
import { h } from '../dom.js';
import { board, markAt } from './board.js';
import { emblem } from './pieces.js';
import { COLOURS, foreseePlace, latestOf, scoreOf } from './ternio.js';

/** On a phone that is held upright the board stands upright too, so that its cells are large enough for a finger. */
const narrow = matchMedia('(max-width: 34rem) and (orientation: portrait)');
narrow.addEventListener('change', changed);

/** @type {import('./game_views.js').Face} */
export const triboard = {
  draw(table) {
    const { geometry } = /** @type {import('../app.js').Game} */ (table.game);
    const mover = table.acting === null ? '' : table.colourOf(table.acting);
    return board({
      table,
      geometry,
      label: 'Board',
      look: 'triboard',
      cell: cells(table.state, table.pending),
      showTargets: table.wantsHelp,
      isUpright: narrow.matches,
      target: () => h('rect', { class: `jump ${mover}`, x: -7, y: -7, width: 14, height: 14, rx: 3 }),
    });
  },
  count: (table, seat) => scoreOf(table, seat),
  phase: () => 'Choose an empty cell from which you jump over others to a cell of your own.',
  foresee: foreseePlace,
  whyNot: () => 'There is no jump from there. Help shows where there is one.',
  picture: (game) =>
    board({ table: null, geometry: game.geometry, label: '', look: 'triboard', cell: cells({ board: PICTURE }, null) }),
  helpsOnRequest: true,
  tell: (event, table) =>
    event.type === 'placed' ? `${table.seatName(event.seat)} took ${event.at.toUpperCase()}${jumped(event)}.` : null,
};

const PICTURE = [
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

/** @param {any} event */
function jumped(event) {
  return event.captured.length ? ` and jumped over ${event.captured.length}` : '';
}

/** @param {any} state @param {import('../room/room.js').Pending | null} pending */
function cells(state, pending) {
  const latest = latestOf(state);
  return (/** @type {string} */ name) => {
    const mark = markAt(state.board, name);
    const colour = COLOURS[mark];
    if (mark === '#') return { draw: h('path', { class: 'wall', d: WALL }), says: 'a wall', look: 'walled' };
    if (!colour)
      return { draw: h('rect', { class: 'well', x: -17, y: -17, width: 34, height: 34, rx: 5 }), says: 'empty' };
    const isCaptured = latest.captured.has(name);
    return {
      draw: [
        h(
          'g',
          { key: isCaptured ? `turned ${latest.version}` : 'tile', class: isCaptured ? 'turned' : 'tile' },
          h('rect', { class: `piece ${colour}`, x: -17, y: -17, width: 34, height: 34, rx: 5 }),
          emblem(colour),
        ),
        latest.at === name
          ? h('rect', { key: 'last', class: 'last', x: -18.5, y: -18.5, width: 37, height: 37, rx: 6 })
          : null,
      ],
      says: `${colour} cell${latest.at === name ? ', taken last' : ''}`,
      look: pending?.move.at === name ? 'pending' : '',
    };
  };
}

/** Bricks. */
const WALL =
  'M-18 -18 H4 V-7 H-18 Z M7 -18 H18 V-7 H7 Z M-18 -4 H-7 V7 H-18 Z M-4 -4 H18 V7 H-4 Z M-18 10 H4 V18 H-18 Z M7 10 H18 V18 H7 Z';
