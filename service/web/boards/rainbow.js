/** Tic-Tac-Rainbow: two-sided pegs of every owner's own outline, on a square or a hexagonal board. */

import { changed } from '../app.js';
import { h } from '../dom.js';
import { board, UNIT } from './board.js';
import { badge, outline } from './pieces.js';

/** @typedef {import('../room/room.js').Table} Table */

/** @type {Record<string, string>} */
const SIDES = { R: 'red', O: 'orange', Y: 'yellow', G: 'green', B: 'blue', V: 'violet', W: 'white', K: 'black' };

/** @type {import('./game_views.js').Face} */
export const rainbow = {
  draw(table) {
    const { geometry } = /** @type {import('../app.js').Game} */ (table.game);
    const isHex = (table.memory.view ?? table.view.options.grid) === 'hex';
    const { state } = table;
    return [
      h('div', { class: 'rainbow-top', key: 'top' }, die(state), viewSwitch(table, isHex)),
      board({
        table,
        geometry,
        label: 'Board',
        look: `rainbow ${isHex ? 'hexagonal' : ''}`,
        letters: !isHex,
        place: isHex ? hexPlace : undefined,
        cell: cells(state, table, isHex),
        target: (name) =>
          state.cells[name] ? h('circle', { class: 'take-mark', r: 18 }) : h('circle', { class: 'free-mark', r: 4.5 }),
      }),
    ];
  },
  tray(table) {
    const seats = table.view.seats.map((/** @type {any} */ seat) => seat.seat);
    const own = table.acting ?? table.mySeats[0] ?? -1;
    const order = [own, ...seats.filter((/** @type {number} */ seat) => seat !== own)].filter((seat) => seat >= 0);
    return h(
      'div',
      { class: 'pegs', key: 'pegs' },
      order.map((seat) => rack(table, seat)),
    );
  },
  count: (table, seat) => (table.state ? String(table.state.off_board[table.colourOf(seat)]?.length ?? '') : null),
  counted: 'Pegs in hand',
  phase(table) {
    const { die: rolled } = table.shown.match.state;
    const turn = 'Place a peg, flip one or move one.';
    return rolled ? `The die shows ${SIDES[rolled]}: use a peg with that colour. ${turn}` : turn;
  },
  foresee(state, move, owner) {
    const cells_ = { ...state.cells };
    const off = { ...state.off_board };
    if (move.type === 'place') {
      cells_[move.at] = { owner, peg: move.peg, up: move.side };
      off[owner] = off[owner].filter((/** @type {string} */ peg) => peg !== move.peg);
    } else if (move.type === 'flip') {
      const { peg, up } = cells_[move.at];
      cells_[move.at] = { owner, peg, up: under(peg, up) };
    } else {
      cells_[move.to] = cells_[move.from];
      delete cells_[move.from];
    }
    return { ...state, cells: cells_, off_board: off, last: [] };
  },
  whyNot(table, step) {
    const { cells: standing, resting } = table.view.match.state;
    const mine = table.colourOf(/** @type {number} */ (table.acting));
    const there = step.kind === 'cell' ? standing[step.value] : null;
    if (step.kind === 'cell' && !there) return 'Choose one of your pegs and its side first.';
    if (there && there.owner !== mine) return 'That peg is not yours.';
    const peg = there?.peg ?? step.value;
    if (resting[mine]?.includes(peg)) return 'That peg is resting on this turn.';
    if (peg === 'WK') return 'The white and black peg comes when all six coloured ones are on the board.';
    return 'That peg can’t be used on this turn: it doesn’t carry the colour of the die.';
  },
  tell(event, table) {
    const who = event.seat === undefined ? '' : table.seatName(event.seat);
    if (event.type === 'placed')
      return `${who} placed ${SIDES[event.side ?? event.up] ?? event.peg} on ${event.at.toUpperCase()}.`;
    if (event.type === 'flipped') return `${who} flipped the peg on ${event.at.toUpperCase()}.`;
    if (event.type === 'moved') return `${who} moved ${event.from.toUpperCase()} to ${event.to.toUpperCase()}.`;
    if (event.type === 'rolled') return `The die shows ${SIDES[event.value] ?? event.value}.`;
    return null;
  },
  ply(event) {
    if (event.type === 'placed') return `${event.peg}:${event.side ?? event.up ?? ''} ${event.at}`;
    if (event.type === 'flipped') return `${event.at} ⟲`;
    if (event.type === 'rolled') return null;
    return undefined;
  },
  picture: (game) =>
    board({
      table: null,
      geometry: game.geometry,
      label: '',
      look: 'rainbow',
      cell: (name) => ({
        draw: [h('circle', { class: 'well', r: 17 }), PICTURE[name] ? peg(PICTURE[name]) : null],
        says: '',
      }),
    }),
  advice: (move) =>
    move.type === 'place'
      ? `place ${SIDES[move.side]} on ${move.at.toUpperCase()}, with ${SIDES[under(move.peg, move.side)]} underneath`
      : null,
};

/** @type {Record<string, any>} */
const PICTURE = {
  c5: { owner: 'one', peg: 'RO', up: 'R' },
  b4: { owner: 'two', peg: 'OY', up: 'O' },
  c3: { owner: 'one', peg: 'YG', up: 'G' },
  d3: { owner: 'two', peg: 'GB', up: 'B' },
  d2: { owner: 'two', peg: 'YG', up: 'G' },
  b2: { owner: 'one', peg: 'BV', up: 'V' },
  c1: { owner: 'one', peg: 'OY', up: 'Y' },
  e4: { owner: 'two', peg: 'WK', up: 'W' },
};

/** The board turned by 45 degrees: the rows are the diagonals that run as a1 to e5. @param {import('../app.js').Cell} cell */
function hexPlace({ x, y }) {
  return { x: ((x + y) / 2) * UNIT * 1.12, y: (x - y) * UNIT * 1.12 * 0.866 };
}

/** @param {string} peg_ @param {string} up @returns {string} */
function under(peg_, up) {
  return peg_.replace(up, '');
}

/** @param {{owner: string, peg: string, up: string}} standing */
function peg({ owner, peg: name, up }) {
  const down = under(name, up);
  return [
    h('path', { class: `piece side-${up}`, d: outline(owner, 15.5) }),
    h('text', { class: `peg-letter on-${up}`, y: 0.5 }, up),
    h('circle', { class: `under-side side-${down}`, cx: 10.5, cy: 10.5, r: 6 }),
    h('text', { class: `under-letter on-${down}`, x: 10.5, y: 11 }, down),
  ];
}

/** @param {any} state @param {Table} table @param {boolean} isHex */
function cells(state, table, isHex) {
  const latest = (state.last ?? [])
    .filter((/** @type {any} */ event) => ['placed', 'moved', 'flipped'].includes(event.type))
    .at(-1);
  const last = latest?.to ?? latest?.at;
  const mover = table.acting === null ? null : table.colourOf(table.acting);
  return (/** @type {string} */ name) => {
    const standing = state.cells[name];
    const well = isHex ? h('path', { class: 'well', d: HEXAGON }) : h('circle', { class: 'well', r: 18 });
    const inLine = state.line?.includes(name);
    if (!standing) return { draw: [well, isHex ? h('text', { class: 'cell-name' }, name) : null], says: 'empty' };
    const isResting = standing.owner === mover && state.resting[standing.owner]?.includes(standing.peg);
    return {
      draw: [
        well,
        last === name && !inLine ? h('circle', { key: 'last', class: 'last', r: 19 }) : null,
        h(
          'g',
          {
            key: `${standing.peg}${standing.up}${standing.owner}`,
            class: latest?.type === 'flipped' && last === name ? 'turned' : 'peg',
          },
          peg(standing),
        ),
        inLine ? h('circle', { key: 'line', class: 'in-line', r: 19 }) : null,
      ],
      says: `${SIDES[standing.up]} peg of ${standing.owner}, ${SIDES[under(standing.peg, standing.up)]} underneath${isResting ? ', resting' : ''}${inLine ? ', in the line' : ''}`,
      look: `${isResting ? 'resting' : ''} ${table.pending && (table.pending.move.to ?? table.pending.move.at) === name ? 'pending' : ''}`,
    };
  };
}

const HEXAGON =
  [30, 90, 150, 210, 270, 330]
    .map(
      (angle, corner) =>
        `${corner ? 'L' : 'M'}${(Math.cos((angle * Math.PI) / 180) * 24).toFixed(2)} ${(Math.sin((angle * Math.PI) / 180) * 24).toFixed(2)}`,
    )
    .join(' ') + ' Z';

/** @param {any} state */
function die(state) {
  if (!state.die) return h('span', { key: 'die' });
  return h(
    'span',
    { key: 'die', class: 'die', role: 'img', 'aria-label': `The die shows ${SIDES[state.die]}` },
    h(
      'svg',
      { viewBox: '-16 -16 32 32', 'aria-hidden': 'true' },
      h('rect', { class: `die-face side-${state.die}`, x: -14, y: -14, width: 28, height: 28, rx: 6 }),
      h('text', { class: `peg-letter on-${state.die}` }, state.die),
    ),
  );
}

/** @param {Table} table @param {boolean} isHex */
function viewSwitch(table, isHex) {
  const show = (/** @type {string} */ view) => () => {
    table.memory.view = view;
    changed();
  };
  return h(
    'div',
    { class: 'switch', role: 'group', 'aria-label': 'View', key: 'switch' },
    h('button', { type: 'button', 'aria-pressed': String(!isHex), onclick: show('square') }, 'Square'),
    h('button', { type: 'button', 'aria-pressed': String(isHex), onclick: show('hex') }, 'Hexagonal'),
  );
}

/** The pegs that a seat has not yet placed: each side is a button for whoever is to move. @param {Table} table @param {number} seat */
function rack(table, seat) {
  const owner = table.colourOf(seat);
  const pegs = table.state.off_board[owner] ?? [];
  const isMine = table.acting === seat;
  const usable = new Set(
    isMine ? table.legal.filter((move) => move.type === 'place').map((move) => `${move.peg}${move.side}`) : [],
  );
  const picked = table.picks.map((pick) => pick.value).join('');
  return h(
    'div',
    { class: `rack ${isMine ? 'own' : ''}`, key: owner, role: 'group', 'aria-label': `Pegs of ${owner} in hand` },
    h('span', { class: 'rack-name' }, badge(owner)),
    pegs.length ? null : h('span', { class: 'soft small' }, 'all on the board'),
    pegs.map((/** @type {string} */ name) =>
      h(
        'span',
        { key: name, class: 'rack-peg' },
        [...name].map((side) =>
          isMine
            ? h(
                'button',
                {
                  key: side,
                  type: 'button',
                  class: table.hinted.has(name) && table.hinted.has(side) ? 'rack-side hinted' : 'rack-side',
                  disabled: !usable.has(`${name}${side}`),
                  'aria-pressed': String(picked === `${name}${side}`),
                  'aria-label': `Peg ${SIDES[name[0]]} and ${SIDES[name[1]]}, ${SIDES[side]} up`,
                  onclick: () => table.pick({ kind: 'peg', value: name }, { kind: 'side', value: side }),
                },
                half(owner, side),
              )
            : h('span', { key: side, class: 'rack-side', role: 'img', 'aria-label': SIDES[side] }, half(owner, side)),
        ),
      ),
    ),
  );
}

/** @param {string} owner @param {string} side */
function half(owner, side) {
  return h(
    'svg',
    { viewBox: '-18 -18 36 36', 'aria-hidden': 'true', focusable: 'false' },
    h('path', { class: `piece side-${side}`, d: outline(owner, 15) }),
    h('text', { class: `peg-letter on-${side}`, y: 0.5 }, side),
  );
}
