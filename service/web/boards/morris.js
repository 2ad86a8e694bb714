/** Nine Men's Morris: men on points, the mills that stand, and men that are picked up and put back. */

import { changed } from '../app.js';
import { h } from '../dom.js';
import { board, plainPlace, UNIT } from './board.js';
import { disc } from './pieces.js';

const MEN = 9;

/** @type {import('./game_views.js').Face} */
export const morris = {
  draw(table) {
    const { geometry } = /** @type {import('../app.js').Game} */ (table.game);
    const state = table.state;
    const isRemoving = table.legal.some((move) => move.type === 'remove');
    return board({
      table,
      geometry,
      label: 'Board',
      look: `morris ${isRemoving ? 'removing' : ''}`,
      under: [ground(geometry), mills(geometry, state.mills)],
      cell: cells(state, table),
      target: (name) =>
        isRemoving
          ? h('path', { class: 'remove-mark', d: 'M-8 -8 L8 8 M-8 8 L8 -8' })
          : state.points[name]
            ? h('circle', { class: 'take-mark', r: 17 })
            : h('circle', { class: 'free-mark', r: 7 }),
    });
  },
  tray(table) {
    const { hand, lost, on_board: onBoard } = table.state;
    return h(
      'div',
      { class: 'hands', key: 'hands' },
      table.view.seats.map((/** @type {any} */ { colour }) =>
        h(
          'div',
          { key: colour, class: 'hand' },
          h(
            'svg',
            {
              class: 'men',
              viewBox: `-10 -10 ${MEN * 17 + 3} 20`,
              role: 'img',
              'aria-label': `${colour}: ${hand[colour]} in hand, ${onBoard[colour]} on the board, ${lost[colour]} lost`,
            },
            Array.from({ length: MEN }, (_, place) =>
              h(
                'g',
                {
                  key: place,
                  transform: `translate(${place * 17} 0)`,
                  class: place < hand[colour] ? 'man' : 'man gone',
                },
                disc(colour, 7),
              ),
            ),
          ),
          h(
            'span',
            { class: 'small' },
            `${hand[colour]} in hand · ${onBoard[colour]} on the board · ${lost[colour]} lost`,
          ),
        ),
      ),
    );
  },
  count: (table, seat) =>
    table.state ? String(table.state.on_board[table.colourOf(seat)] + table.state.hand[table.colourOf(seat)]) : null,
  counted: 'Men left',
  phase(table) {
    const match = table.shown.match;
    const owed = match.state.removals_owed;
    const colour = table.colourOf(match.to_move[0]);
    if (owed) return `A mill! Remove ${owed === 1 ? 'a man' : `${owed} men`} of the other side.`;
    const phase = match.state.phase[colour];
    if (phase === 'placing')
      return `Placing: ${match.state.hand[colour]} ${match.state.hand[colour] === 1 ? 'man' : 'men'} in hand.`;
    if (phase === 'flying') return 'Flying: a man goes to any free point.';
    return 'Moving: a man goes along a line to the next free point.';
  },
  foresee(state, move, colour) {
    const points = { ...state.points };
    if (move.from) [points[move.from], points[move.to]] = [null, points[move.from]];
    else points[move.at] = move.type === 'remove' ? null : colour;
    const hand = move.type === 'place' ? { ...state.hand, [colour]: state.hand[colour] - 1 } : state.hand;
    return {
      ...state,
      points,
      hand,
      last: [],
      mills: state.mills.filter(
        (/** @type {string[]} */ mill) => !mill.includes(move.from ?? (move.type === 'remove' ? move.at : '')),
      ),
    };
  },
  whyNot(table, step) {
    const { points, removals_owed: owed, phase } = table.view.match.state;
    const mine = table.colourOf(/** @type {number} */ (table.acting));
    if (owed)
      return points[step.value] === null
        ? 'Remove one of the other side’s men.'
        : points[step.value] === mine
          ? 'That is your own man. Remove one of the other side’s.'
          : 'That man stands in a mill and is safe.';
    if (phase[mine] === 'placing') return 'That point is taken.';
    if (points[step.value] && points[step.value] !== mine) return 'That man is not yours.';
    return table.picks.length ? 'Your man can’t go there.' : 'Pick up one of your men first.';
  },
  pickAnyway(table, cell) {
    const { points, phase, removals_owed: owed } = table.view.match.state;
    if (table.acting === null || owed) return null;
    const mine = table.colourOf(table.acting);
    return phase[mine] !== 'placing' && points[cell] === mine ? 'This man has no way to go. Put him back.' : null;
  },
  tell(event, table) {
    const who = event.seat === undefined ? '' : table.seatName(event.seat);
    const closed = event.mills?.length ? `, closing ${event.mills.length === 1 ? 'a mill' : 'two mills'}` : '';
    if (event.type === 'placed') return `${who} placed a man on ${event.at.toUpperCase()}${closed}.`;
    if (event.type === 'moved')
      return `${who} moved ${event.from.toUpperCase()} to ${event.to.toUpperCase()}${closed}.`;
    if (event.type === 'removed') return `${who} removed the man on ${event.at.toUpperCase()}.`;
    return null;
  },
  ply(event) {
    const mark = '+'.repeat(event.mills?.length ?? 0);
    if (event.type === 'placed') return `${event.at}${mark}`;
    if (event.type === 'moved') return `${event.from}–${event.to}${mark}`;
    if (event.type === 'removed') return `×${event.at}`;
    return undefined;
  },
  picture: (game) =>
    board({
      table: null,
      geometry: game.geometry,
      label: '',
      look: 'morris',
      under: [ground(game.geometry), mills(game.geometry, [['d6', 'd7', 'd5']])],
      cell: (name) =>
        PICTURE[name]
          ? { draw: disc(PICTURE[name], 14), says: '' }
          : { draw: h('circle', { class: 'point', r: 4 }), says: '' },
    }),
};

/** @type {Record<string, string>} */
const PICTURE = {
  d7: 'white',
  d6: 'white',
  d5: 'white',
  g7: 'black',
  f6: 'black',
  b4: 'white',
  e4: 'black',
  c3: 'black',
  d2: 'black',
  a1: 'white',
  f2: 'black',
  a4: 'black',
};

/** @param {import('../app.js').Geometry} geometry */
function ground(geometry) {
  const spots = spotsOf(geometry);
  return geometry.edges.map(([one, other]) => line('edge', [one, other], spots));
}

/** @param {import('../app.js').Geometry} geometry */
function spotsOf(geometry) {
  const place = plainPlace(geometry);
  return new Map(geometry.cells.map((cell) => [cell.name, place(cell)]));
}

/** @param {string} look @param {string[]} points @param {Map<string, import('./board.js').Spot>} spots */
function line(look, points, spots) {
  const ends = points
    .map((name) => spots.get(name) ?? { x: 0, y: 0 })
    .sort((one, other) => one.x - other.x || one.y - other.y);
  const [from, to] = [ends[0], ends[ends.length - 1]];
  return h('line', { key: `${look} ${points.join(' ')}`, class: look, x1: from.x, y1: from.y, x2: to.x, y2: to.y });
}

/** @param {import('../app.js').Geometry} geometry @param {string[][]} standing */
function mills(geometry, standing) {
  const spots = spotsOf(geometry);
  return standing.map((mill) => line('mill', mill, spots));
}

/** @param {any} state @param {import('../room/room.js').Table} table */
function cells(state, table) {
  const latest = (state.last ?? []).filter((/** @type {any} */ event) =>
    ['placed', 'moved', 'removed'].includes(event.type),
  );
  const last = latest
    .map((/** @type {any} */ event) => (event.type === 'removed' ? null : (event.to ?? event.at)))
    .filter(Boolean)
    .at(-1);
  const gone = latest
    .filter((/** @type {any} */ event) => event.type === 'removed')
    .map((/** @type {any} */ event) => event.at);
  return (/** @type {string} */ name) => {
    const colour = state.points[name];
    const inMills = state.mills.filter((/** @type {string[]} */ mill) => mill.includes(name)).length;
    if (!colour) {
      const wasTaken = gone.includes(name);
      return {
        draw: [
          h('circle', { class: 'point', r: 4 }),
          wasTaken ? h('path', { key: 'gone', class: 'gone-mark', d: 'M-6 -6 L6 6 M-6 6 L6 -6' }) : null,
        ],
        says: wasTaken ? 'empty, a man was removed here' : 'empty',
      };
    }
    const isPicked = table.picks.some((pick) => pick.value === name);
    return {
      draw: [
        h('g', { key: 'man', class: isPicked ? 'man lifted' : 'man' }, disc(colour, 15)),
        inMills > 0 ? h('circle', { key: 'mill', class: 'in-mill', r: 9 }) : null,
        inMills > 1 ? h('circle', { key: 'mills', class: 'in-mill', r: 5 }) : null,
        last === name ? h('circle', { key: 'last', class: 'last', r: 17.5 }) : null,
      ],
      says: `${colour} man${['', ', in a mill', ', in two mills'][Math.min(inMills, 2)]}${last === name ? ', moved last' : ''}`,
      look: table.pending && (table.pending.move.to ?? table.pending.move.at) === name ? 'pending' : '',
    };
  };
}

/** What the hand offers while a man is up. @param {import('../room/room.js').Table} table */
export function putBackButton(table) {
  return h(
    'button',
    {
      key: 'put back',
      type: 'button',
      onclick: () => {
        table.putBack();
        changed();
      },
    },
    'Put back',
  );
}

export { UNIT };
