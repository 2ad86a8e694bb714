/** Tic-Tac-Rainbow: two-sided pegs, with an outline for each owner, on a square or a hexagonal board. */

import { colourName, redraw } from '../app.js';
import { h } from '../dom.js';
import { gameTexts } from '../languages/games.js';
import { changesOf, PENDING } from '../motion/changes.js';
import { comeFrom, roll, slide, turnOver } from '../motion/motion.js';
import { board, picture } from './board.js';
import { spotsOf } from './geometry.js';
import { HEXAGON } from './ground.js';
import { colourOf, drawLetter, drawPeg, heldPegs, letterOf, lineCells, otherSide, rack } from './pegs.js';

/** @import { CellView } from './board.js' */
/** @import { Preview } from '../hands/preview.js' */
/** @import { Room } from '../room/room.js' */
/** @import { GameEvent, GameView, Peg, RainbowEvent, RainbowState } from '../types.d.ts' */

const { rainbow: WORDS } = gameTexts;

/** @type {Record<string, Peg>} */
const EXAMPLE = {
  c5: { owner: 'one', peg: 'RO', up: 'R' },
  b4: { owner: 'two', peg: 'OY', up: 'O' },
  c3: { owner: 'one', peg: 'YG', up: 'G' },
  d3: { owner: 'two', peg: 'GB', up: 'B' },
  d2: { owner: 'two', peg: 'YG', up: 'G' },
  b2: { owner: 'one', peg: 'BV', up: 'V' },
  c1: { owner: 'one', peg: 'OY', up: 'Y' },
  e4: { owner: 'two', peg: 'WK', up: 'W' },
};

/** @type {Record<string, string>} */
const PAST = { place: 'placed', move: 'moved', flip: 'flipped' };

/** @type {GameView<RainbowEvent>} */
export const rainbow = {
  draw(room) {
    const geometry = geometryOnScreen(room);
    const isHex = geometry.kind === 'hexagons';
    const state = stateOf(room);
    return board(room, {
      geometry,
      label: gameTexts.board.label,
      look: isHex ? 'rainbow hexagonal' : 'rainbow',
      hasLetters: !isHex,
      cell: cells(room, state, isHex),
      preview: (name) => previewOf(room, state, name),
      target: (name) =>
        state.cells[name] ? h('circle', { class: 'take-mark', r: 18 }) : h('circle', { class: 'free-mark', r: 4.5 }),
    });
  },

  picture({ geometry }, isEmpty) {
    const cell = (/** @type {string} */ name) => {
      const peg = isEmpty ? undefined : EXAMPLE[name];
      return { draw: [roundWell(17), peg ? drawPeg(peg) : null], label: '' };
    };
    return picture({ geometry, label: '', look: 'rainbow', cell, hasLetters: isEmpty });
  },

  tray(room) {
    const seat = rackSeat(room);
    return h(
      'div',
      { class: 'pegs', key: 'pegs' },
      h('div', { class: 'rainbow-top', key: 'top' }, die(room), gridSwitch(room)),
      seat === null ? null : rack(room, seat),
    );
  },

  held: (room, seat) => (seat === rackSeat(room) ? null : heldPegs(stateOf(room), room.colourOf(seat))),

  count: (room, seat) => String(stateOf(room).off_board[room.colourOf(seat)]?.length ?? ''),
  countLabel: WORDS.count,

  phase(room) {
    const { die: rolled } = latestState(room);
    return rolled ? WORDS.phaseWithDie(colourOf(rolled)) : WORDS.phase;
  },

  preview(state, move, owner) {
    const { cells: before, off_board: offBoard } = /** @type {RainbowState} */ (state);
    const { at = '', from = '', to = '', peg = '', side = '' } = move;
    const [after, inHand] = [{ ...before }, { ...offBoard }];
    const moved = before[at || from];
    if (move.type === 'place') {
      after[at] = { owner, peg, up: side };
      inHand[owner] = inHand[owner]?.filter((name) => name !== peg) ?? [];
    } else if (moved && move.type === 'flip') after[at] = { ...moved, up: otherSide(moved.peg, moved.up) };
    else if (moved) {
      after[to] = moved;
      delete after[from];
    }
    const event = { ...move, type: PAST[move.type] ?? move.type, version: PENDING, time: '' };
    return { ...state, cells: after, off_board: inHand, last: [event] };
  },

  explain(room, step) {
    const { cells: pegs, resting } = latestState(room);
    const own = room.actingColour;
    const there = step.kind === 'cell' ? pegs[step.value] : undefined;
    if (step.kind === 'cell' && !there) return WORDS.chooseFirst;
    if (there && there.owner !== own) return WORDS.notYours;
    const peg = there?.peg ?? step.value;
    if (resting[own]?.includes(peg)) return WORDS.resting;
    if (peg === 'WK') return WORDS.colouredFirst;
    return WORDS.wrongColour;
  },

  premove(room, steps) {
    const own = room.colourOf(room.mySeats[0] ?? 0);
    const { cells: pegs } = latestState(room);
    const [first, ...others] = steps;
    const last = others.at(-1);
    const isPeg = first?.kind === 'peg';
    if (!first || steps.length > (isPeg ? 3 : 2) || (!isPeg && pegs[first.value]?.owner !== own)) return 'none';
    if (!last || last.kind === 'side') return 'more';
    return last.kind === 'cell' && !pegs[last.value] ? 'complete' : 'none';
  },

  hasChoiceButtons: true,

  describe(event, room) {
    if (event.type === 'rolled') return WORDS.rolled(colourOf(event.value));
    const seat = room.seatName(event.seat);
    if (event.type === 'placed') return WORDS.placed(seat, colourOf(event.side), event.at.toUpperCase());
    if (event.type === 'flipped') return WORDS.flipped(seat, event.at.toUpperCase());
    return event.type === 'moved' ? WORDS.moved(seat, event.from.toUpperCase(), event.to.toUpperCase()) : null;
  },

  ply(event) {
    if (event.type === 'placed') {
      return `${[...event.peg].map(letterOf).join('')}:${letterOf(event.side)} ${event.at}`;
    }
    if (event.type === 'flipped') return `${event.at} ⟲`;
    return event.type === 'rolled' ? null : undefined;
  },

  describeMove({ type, peg = '', side = '', at = '' }) {
    if (type !== 'place') return null;
    return WORDS.placeClause(colourOf(side), at.toUpperCase(), colourOf(otherSide(peg, side)));
  },
};

/**
 * The position on the screen.
 * @param {Room} room
 */
function stateOf(room) {
  return /** @type {RainbowState} */ (room.state);
}

/**
 * The latest position.
 * @param {Room} room
 */
function latestState(room) {
  return /** @type {RainbowState} */ (room.match.state);
}

/** @param {number} r */
function roundWell(r) {
  return [h('circle', { class: 'well', r }), h('circle', { class: 'hollow', r })];
}

/**
 * What a move to a cell would do: the peg there, and the lines that it would form.
 * @param {Room} room
 * @param {RainbowState} state
 * @param {string} name
 * @returns {Preview}
 */
function previewOf(room, { cells: pegs }, name) {
  const [first, second] = room.picks.map(({ value }) => value);
  const { [first ?? '']: lifted, ...others } = pegs;
  if (!first || pegs[name] || (!lifted && !second)) return { piece: null, affected: [] };
  const moved = lifted ?? { owner: room.actingColour, peg: first, up: second ?? '' };
  return { piece: drawPeg(moved), affected: lineCells(room.geometry.lines, others, name, moved.up) };
}

/**
 * @param {Room} room
 * @param {RainbowState} state
 * @param {boolean} isHex
 * @returns {(name: string) => CellView}
 */
function cells(room, state, isHex) {
  const latest = state.last.findLast(({ type }) => ['placed', 'moved', 'flipped'].includes(type));
  const last = latest?.to ?? latest?.at;
  const { isNew } = changesOf(room);
  return (name) => {
    const peg = state.cells[name];
    const well = isHex
      ? [h('path', { class: 'well', d: HEXAGON }), h('path', { class: 'hollow', d: HEXAGON })]
      : roundWell(18);
    const empty = isHex ? h('text', { class: 'cell-name', y: 15 }, name) : null;
    if (!peg) return { draw: [well, empty], label: gameTexts.board.empty };
    const inLine = state.line?.includes(name) ?? false;
    const isResting = peg.owner === room.actingColour && (state.resting[peg.owner]?.includes(peg.peg) ?? false);
    const created = latest && last === name && isNew(latest.version) ? arrival(room, latest, peg) : null;
    const piece = { key: `${peg.peg}${peg.up}${peg.owner}`, class: 'peg', created };
    const under = otherSide(peg.peg, peg.up);
    const owner = colourName('rainbow', peg.owner);
    const sides = WORDS.peg(owner, colourOf(peg.up), colourOf(under), `${letterOf(peg.up)} ${letterOf(under)}`);
    return {
      draw: [
        well,
        last === name && !inLine ? h('circle', { key: 'last', class: 'last', r: 19 }) : null,
        h('g', piece, drawPeg(peg)),
        inLine ? h('circle', { key: 'line', class: 'in-line', r: 19 }) : null,
      ],
      label: [sides, isResting && WORDS.isResting, inLine && WORDS.inLine].filter(Boolean).join(', '),
      look: `${isResting ? 'resting' : ''} ${room.isPendingAt(name) ? 'pending' : ''}`,
    };
  };
}

/**
 * How a peg came to its cell.
 * @param {Room} room
 * @param {GameEvent} event
 * @param {Peg} peg
 */
function arrival(room, { type, from, to }, { owner, peg, up }) {
  if (type === 'flipped') return turnOver(`var(--side-${otherSide(peg, up)})`, 0);
  const spots = spotsOf(geometryOnScreen(room));
  const [start, end] = [spots.get(from ?? ''), spots.get(to ?? '')];
  if (start && end) return slide({ x: start.x - end.x, y: start.y - end.y });
  return comeFrom(`.rack.of-${owner}, .held-pegs.of-${owner}`);
}

/** @param {Room} room */
function die(room) {
  const state = stateOf(room);
  if (!state.die) return h('span', { key: 'die' });
  const rolled = state.last.findLast(({ type }) => type === 'rolled')?.version ?? 0;
  return h(
    'span',
    { key: `die ${rolled}`, class: 'die', role: 'img', 'aria-label': WORDS.die(colourOf(state.die)) },
    h(
      'svg',
      { viewBox: '-16 -16 32 32', 'aria-hidden': 'true', created: changesOf(room).isNew(rolled) ? roll() : null },
      h('rect', { class: `die-face side-${state.die}`, x: -14, y: -14, width: 28, height: 28, rx: 6 }),
      h('rect', { class: 'sheen', x: -14, y: -14, width: 28, height: 28, rx: 6 }),
      drawLetter('peg-letter', state.die),
    ),
  );
}

/** @param {Room} room */
function gridSwitch(room) {
  const isHex = geometryOnScreen(room).kind === 'hexagons';
  const onclick = () => {
    room.uiState.grid = isHex ? 'square' : 'hex';
    redraw();
  };
  const label = { type: 'button', class: 'small-button', 'aria-pressed': String(isHex) };
  return h('button', { key: 'switch', ...label, onclick }, WORDS.hexagonal);
}

/**
 * The board that the player sees: that of the room, unless the other one was chosen.
 * @param {Room} room
 */
function geometryOnScreen({ uiState, game, geometry }) {
  const chosen = game.geometries.find(({ options }) => (options.grid ?? 'square') === uiState.grid);
  return chosen?.geometry ?? geometry;
}

/**
 * The seat whose pegs are offered on this device, or null.
 * @param {Room} room
 */
function rackSeat({ actingSeat, mySeats }) {
  return actingSeat ?? mySeats[0] ?? null;
}
