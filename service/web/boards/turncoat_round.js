/** A round of Turncoat, step by step: what both sides selected, then each turn. */

import { colourName } from '../app.js';
import { capitalized } from '../dom.js';
import { gameTexts } from '../languages/games.js';
import { withMarks } from './ground.js';

/** @import { AnimationStep, Match, RoomEvent, Turned, TurncoatState } from '../types.d.ts' */

/** The sides of a disc by their mark. @type {Record<string, string>} */
export const SIDES = { B: 'black', W: 'white' };

/**
 * @param {RoomEvent} event
 * @returns {event is Turned}
 */
export function isTurned(event) {
  return event.type === 'turned';
}

/**
 * A turn as a sentence.
 * @param {Turned} event
 */
export function describeTurn({ board, half, at, to, trapped }) {
  const { sides, turnedByOwn, turnedByOther } = gameTexts.turncoat;
  const say = half === 1 ? turnedByOwn : turnedByOther;
  return say(nameOf(board), at.toUpperCase(), sides[to], trapped.length);
}

/** @param {string} side */
function nameOf(side) {
  return capitalized(colourName('turncoat', side));
}

/**
 * The positions of a round, derived backwards from the latest one.
 * @param {Match} match
 * @param {RoomEvent[]} events
 * @returns {AnimationStep[]}
 */
export function animationSteps(match, events) {
  const turns = events.filter(isTurned);
  if (!turns.length) return [];
  const latest = /** @type {TurncoatState} */ (match.state);
  const round = latest.round - (events.some(({ type }) => type === 'round_begun') ? 1 : 0);
  const after = [];
  let { boards } = latest;
  for (const turn of [...turns].reverse()) {
    after.unshift({
      state: stateWith(latest, round, boards, [turn]),
      board: turn.board,
      description: describeTurn(turn),
    });
    boards = { ...boards, [turn.board]: beforeTurn(boards[turn.board] ?? [], turn) };
  }
  const selections = turns.filter(({ half }) => half === 1).map((turn) => /** @type {const} */ ([turn.board, turn.at]));
  const selected = selections.map(([side, at]) => gameTexts.turncoat.selectedAt(nameOf(side), at.toUpperCase()));
  const first = { state: stateWith(latest, round, boards, []), marks: Object.fromEntries(selections) };
  return [{ ...first, description: `${selected.join(', ')}.` }, ...after];
}

/**
 * @param {TurncoatState} state
 * @param {number} round
 * @param {TurncoatState['boards']} boards
 * @param {Turned[]} last
 * @returns {TurncoatState}
 */
function stateWith(state, round, boards, last) {
  const open = { red: false, yellow: false };
  return {
    ...state,
    boards,
    round,
    black: blackDiscs(boards),
    last,
    own_selection: null,
    selected: open,
    committed: open,
  };
}

/**
 * The board before a turn.
 * @param {string[]} lines
 * @param {Turned} turn
 */
function beforeTurn(lines, { at, to, trapped }) {
  const mark = to === 'B' ? 'W' : 'B';
  return withMarks(lines, Object.fromEntries([at, ...trapped].map((cell) => [cell, mark])));
}

/** @param {Record<string, string[]>} boards */
function blackDiscs(boards) {
  const count = (/** @type {string[]} */ lines) => [...lines.join('')].filter((mark) => mark === 'B').length;
  return Object.fromEntries(Object.entries(boards).map(([side, lines]) => [side, count(lines)]));
}
