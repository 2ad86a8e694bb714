/** Nine Men's Morris: men on points, the mills that are closed, and men that are picked up and put back. */

import { colourName } from '../app.js';
import { h } from '../dom.js';
import { startDrag } from '../hands/drag.js';
import { gameTexts } from '../languages/games.js';
import { roomTexts } from '../languages/room.js';
import { changesOf, PENDING } from '../motion/changes.js';
import { comeFrom, goTo, slide } from '../motion/motion.js';
import { board, picture } from './board.js';
import { spotsOf } from './geometry.js';
import { edges, line } from './ground.js';
import { disc } from './pieces.js';

/** @import { CellView } from './board.js' */
/** @import { Preview } from '../hands/preview.js' */
/** @import { Room } from '../room/room.js' */
/** @import { GameEvent, GameView, Geometry, MorrisEvent, MorrisState } from '../types.d.ts' */

const { morris: WORDS } = gameTexts;
const MEN = 9;
const DISTANCE = 17;
const RADIUS = 15;
/** @type {Record<string, string>} */
const PAST = { place: 'placed', move: 'moved', remove: 'removed' };
/** @type {Record<string, string>} */
const OTHER = { white: 'black', black: 'white' };

/** @type {Record<string, string>} */
const EXAMPLE = {
  ...{ d7: 'white', d6: 'white', d5: 'white', b4: 'white', a1: 'white', a4: 'white' },
  ...{ g7: 'black', f6: 'black', e4: 'black', c3: 'black', d2: 'black', f2: 'black' },
};

/** @type {GameView<MorrisEvent>} */
export const morris = {
  draw(room) {
    const { geometry } = room;
    const state = stateOf(room);
    const isRemoving = room.legalMoves.some(({ type }) => type === 'remove');
    return board(room, {
      geometry,
      label: gameTexts.board.label,
      look: isRemoving ? 'morris removing' : 'morris',
      under: ground(geometry, state.mills),
      cell: cells(room, state),
      preview: (name) => previewOf(room, state, name),
      target: (name) => targetMark(isRemoving, Boolean(state.points[name])),
    });
  },

  picture: ({ geometry }, isEmpty) =>
    isEmpty
      ? example(geometry, 'morris', {}, [], '', true)
      : example(geometry, 'morris', EXAMPLE, [['d7', 'd6', 'd5']], ''),

  held: (room, seat) => men(room, seat),

  premove(room, steps) {
    const { points, phase } = latestState(room);
    const own = room.colourOf(room.mySeats[0] ?? 0);
    const [first, second, ...more] = steps.map(({ value }) => value);
    if (!first || more.length) return 'none';
    if (phase[own] === 'placing') return second || points[first] ? 'none' : 'complete';
    if (points[first] !== own) return 'none';
    if (!second) return 'more';
    return points[second] === own ? 'none' : 'complete';
  },

  count(room, seat) {
    const { on_board: onBoard, hand: inHand } = stateOf(room);
    const colour = room.colourOf(seat);
    return String((onBoard[colour] ?? 0) + (inHand[colour] ?? 0));
  },
  countLabel: WORDS.count,

  phase(room) {
    const { removals_owed: removals, phase, hand: inHand } = latestState(room);
    const colour = room.colourOf(room.match.to_move[0] ?? 0);
    if (removals) return WORDS.remove(removals);
    if (phase[colour] === 'placing') return WORDS.placing(inHand[colour] ?? 0);
    if (phase[colour] === 'flying') return WORDS.flying;
    return WORDS.moving;
  },

  preview(state, move, colour) {
    const { points: before, hand: inHand, mills } = /** @type {MorrisState} */ (state);
    const points = { ...before };
    if (move.from && move.to) [points[move.from], points[move.to]] = [null, points[move.from] ?? null];
    else if (move.at) points[move.at] = move.type === 'remove' ? null : colour;
    const hands = move.type === 'place' ? { ...inHand, [colour]: (inHand[colour] ?? 0) - 1 } : inHand;
    const emptied = move.from ?? (move.type === 'remove' ? move.at : undefined);
    const closed = mills.filter((mill) => !emptied || !mill.includes(emptied));
    const event = { ...move, type: PAST[move.type] ?? move.type, version: PENDING, time: '' };
    return { ...state, points, hand: hands, last: [event], mills: closed };
  },

  explain(room, step) {
    const { points, removals_owed: removals, phase } = latestState(room);
    const [own, there] = [room.actingColour, points[step.value]];
    if (removals) {
      if (!there) return WORDS.removeOne;
      return there === own ? WORDS.ownMan : WORDS.safe;
    }
    if (phase[own] === 'placing') return WORDS.taken;
    if (there && there !== own) return WORDS.notYours;
    return room.picks.length ? WORDS.cannotMoveThere : WORDS.pickFirst;
  },

  stuckMessage(room, cell) {
    const { points, phase, removals_owed: removals } = latestState(room);
    const own = room.actingColour;
    const isStuck = own && !removals && phase[own] !== 'placing' && points[cell] === own;
    return isStuck ? WORDS.stuck : null;
  },

  describe(event, room) {
    const seat = room.seatName(event.seat);
    if (event.type === 'began') return WORDS.begins(seat);
    if (event.type === 'removed') return WORDS.removed(seat, event.at.toUpperCase());
    if (event.type === 'placed') return WORDS.placed(seat, event.at.toUpperCase(), event.mills.length);
    if (event.type !== 'moved') return null;
    return WORDS.moved(seat, event.from.toUpperCase(), event.to.toUpperCase(), event.mills.length);
  },

  ply(event) {
    if (event.type === 'rolled') return roomTexts.plies.rolled(event.value);
    if (event.type === 'began') return roomTexts.plies.began;
    if (event.type === 'placed') return `${event.at}${'+'.repeat(event.mills.length)}`;
    if (event.type === 'moved') return `${event.from}–${event.to}${'+'.repeat(event.mills.length)}`;
    return event.type === 'removed' ? `×${event.at}` : undefined;
  },
};

/**
 * The position on the screen.
 * @param {Room} room
 */
function stateOf(room) {
  return /** @type {MorrisState} */ (room.state);
}

/**
 * The latest position.
 * @param {Room} room
 */
function latestState(room) {
  return /** @type {MorrisState} */ (room.match.state);
}

/**
 * @param {Geometry} geometry
 * @param {string[][]} mills
 */
function ground(geometry, mills) {
  const spots = spotsOf(geometry);
  const grooves = edges(geometry);
  const glint = h('g', { key: 'glint', class: 'glint', transform: 'translate(1 1.3)' }, edges(geometry));
  return [glint, grooves, mills.map((mill) => line('mill', mill, spots))];
}

/**
 * A small board with some men.
 * @param {Geometry} geometry
 * @param {string} look
 * @param {Record<string, string>} men colours by point
 * @param {string[][]} mills
 * @param {string} label
 * @param {boolean} [hasLetters]
 */
export function example(geometry, look, men, mills, label, hasLetters) {
  const cell = (/** @type {string} */ name) => {
    const colour = men[name];
    return { draw: colour ? disc(colour, 14) : h('circle', { class: 'point', r: 4 }), label: '' };
  };
  return picture({ geometry, label, look, under: ground(geometry, mills), cell, hasLetters });
}

/**
 * What a move to a point would do: the man there, and the mills that he would close.
 * @param {Room} room
 * @param {MorrisState} state
 * @param {string} name
 * @returns {Preview}
 */
function previewOf(room, { points }, name) {
  if (points[name]) return { piece: null, affected: [] };
  const own = room.actingColour;
  const [from] = room.picking.pickedCells;
  const isOwn = (/** @type {string} */ point) => point === name || (point !== from && points[point] === own);
  const mills = room.geometry.lines.filter((points) => points.includes(name) && points.every(isOwn));
  return { piece: disc(own, RADIUS), affected: mills.flat().filter((point) => point !== name) };
}

/**
 * @param {boolean} isRemoving
 * @param {boolean} isTaken
 */
function targetMark(isRemoving, isTaken) {
  if (isRemoving) return h('path', { class: 'remove-mark', d: 'M-8 -8 L8 8 M-8 8 L8 -8' });
  return isTaken ? h('circle', { class: 'take-mark', r: 17 }) : h('circle', { class: 'free-mark', r: 5.5 });
}

/**
 * The men that a seat has not placed yet, which can be dragged to the board, and those that it has taken.
 * @param {Room} room
 * @param {number} seat
 */
function men(room, seat) {
  const { hand: inHand, on_board: onBoard, lost } = stateOf(room);
  const colour = room.colourOf(seat);
  const other = OTHER[colour] ?? '';
  const [left, taken] = [inHand[colour] ?? 0, lost[other] ?? 0];
  const row = [
    ...Array.from({ length: left }, (_, index) => man(`hand ${index}`, index, colour, 'man')),
    ...Array.from({ length: taken }, (_, index) => man(`taken ${index}`, MEN - 1 - index, other, 'man taken')),
  ];
  const label = WORDS.held(colourName('morris', colour), left, onBoard[colour] ?? 0, lost[colour] ?? 0);
  const frame = { viewBox: `-10 -10 ${MEN * DISTANCE + 3} 20`, role: 'img', 'aria-label': label };
  const onpointerdown = (/** @type {PointerEvent} */ event) => {
    const top = /** @type {Element} */ (event.currentTarget).querySelector('.man:not(.taken)');
    const canPlace = room.actingSeat === seat && room.legalMoves.some(({ type }) => type === 'place');
    if (canPlace) startDrag(event, room, top?.firstElementChild?.firstElementChild, []);
  };
  return h('svg', { class: `men of-${colour}`, ...frame, onpointerdown }, h('title', null, label), row);
}

/**
 * A man beside the board.
 * @param {string} key
 * @param {number} place
 * @param {string} colour
 * @param {string} look
 */
function man(key, place, colour, look) {
  const piece = h('g', { transform: `scale(${7 / RADIUS})` }, h('g', null, disc(colour, RADIUS)));
  return h('g', { key, transform: `translate(${place * DISTANCE} 0)`, class: look }, piece);
}

/**
 * @param {Room} room
 * @param {MorrisState} state
 * @returns {(name: string) => CellView}
 */
function cells(room, state) {
  const changes = changesOf(room);
  const before = /** @type {Partial<MorrisState>} */ (changes.before).points ?? {};
  const removed = new Map(state.last.filter(({ type }) => type === 'removed').map(({ at, version }) => [at, version]));
  const arrived = state.last.filter(({ type }) => type === 'placed' || type === 'moved').at(-1);
  const last = arrived?.to ?? arrived?.at;
  return (name) => {
    const colour = state.points[name];
    const goneBy = removed.get(name);
    if (!colour) return emptyPoint(goneBy === undefined ? null : changes.isNew(goneBy) ? (before[name] ?? '') : '');
    const mills = state.mills.filter((mill) => mill.includes(name)).length;
    const man =
      last === name && arrived ? arrival(room, arrived, colour, changes.isNew(arrived.version)) : { key: 'man' };
    const isPicked = room.picks.some(({ value }) => value === name);
    return {
      draw: [
        h('g', { ...man, class: isPicked ? 'man lifted' : 'man' }, disc(colour, RADIUS)),
        mills > 0 ? h('circle', { key: 'mill', class: 'in-mill', r: 9 }) : null,
        mills > 1 ? h('circle', { key: 'mills', class: 'in-mill', r: 5 }) : null,
        last === name ? h('circle', { key: 'last', class: 'last', r: 17.5 }) : null,
      ],
      label: WORDS.man(colourName('morris', colour), Math.min(mills, 2), last === name),
      look: room.isPendingAt(name) ? 'pending' : '',
    };
  };
}

/**
 * The props of a man who has just arrived at his point.
 * @param {Room} room
 * @param {GameEvent} event
 * @param {string} colour
 * @param {boolean} isNew
 */
function arrival({ geometry }, { from, to }, colour, isNew) {
  const spots = spotsOf(geometry);
  const [start, end] = [spots.get(from ?? ''), spots.get(to ?? '')];
  const came = start && end ? slide({ x: start.x - end.x, y: start.y - end.y }) : comeFrom(`.men.of-${colour}`);
  return { key: `${from ?? 'hand'} ${to ?? ''}`, created: isNew ? came : null };
}

/**
 * @param {string | null} removed the colour of the man who is just being removed here; empty if he is gone already
 * @returns {CellView}
 */
function emptyPoint(removed) {
  const point = h('circle', { class: 'point', r: 4 });
  if (removed === null) return { draw: point, label: gameTexts.board.empty };
  const created = removed ? goTo(disc(removed, RADIUS), `.men.of-${OTHER[removed]}`) : null;
  const mark = h('path', { key: 'gone', class: 'gone-mark', d: 'M-6 -6 L6 6 M-6 6 L6 -6', created });
  return { draw: [point, mark], label: WORDS.removedHere };
}
