/** The view of any game without its own: the geometry, and what the state says about each cell. */

import { h, readable } from '../dom.js';
import { gameTexts } from '../languages/games.js';
import { board, picture } from './board.js';
import { edges, hexagons, markAt, squares } from './ground.js';
import { disc } from './pieces.js';

/** @import { CellView } from './board.js' */
/** @import { GameState, GameView, Geometry } from '../types.d.ts' */

/** @type {GameView} */
export const generic = {
  draw(room) {
    const { geometry, view, state } = room;
    const names = new Map(view.seats.map(({ seat, colour }) => [colour, room.colourName(seat)]));
    return geometry.boards.map((name) =>
      h(
        'div',
        { key: name, class: 'generic' },
        geometry.boards.length > 1 ? h('h2', null, readable(name)) : null,
        board(room, {
          geometry,
          name,
          label: readable(name),
          look: 'plain',
          under: ground(geometry),
          cell: (at) => cellView(valueAt(state, name, at), names),
          target: () => h('circle', { r: 5 }),
        }),
      ),
    );
  },

  picture({ geometry, title }, isEmpty) {
    const cell = () => ({ draw: null, label: '' });
    return picture({ geometry, label: title, look: 'plain', under: ground(geometry), cell, hasLetters: isEmpty });
  },
};

/** @param {Geometry} geometry */
function ground(geometry) {
  if (geometry.kind === 'hexagons') return hexagons(geometry);
  return geometry.kind === 'grid' ? squares(geometry) : edges(geometry);
}

/**
 * What a state says about a cell of a board, in rows of text or in an object with the cells' names.
 * @param {GameState} state
 * @param {string} name of the board
 * @param {string} at
 * @returns {unknown}
 */
function valueAt(state, name, at) {
  const { boards } = state;
  for (const field of [isObject(boards) ? boards[name] : undefined, state[name], state.board]) {
    if (Array.isArray(field) && typeof field[0] === 'string') return markAt(field, at);
  }
  return (
    Object.values(state)
      .filter(isObject)
      .find((field) => at in field)?.[at] ?? null
  );
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * @param {unknown} value
 * @param {Map<string, string>} names those of the colours
 * @returns {CellView}
 */
function cellView(value, names) {
  if (value === null || value === undefined || value === '.') return { draw: null, label: gameTexts.board.empty };
  const text = isObject(value) ? Object.values(value).join(' ') : String(value);
  const colour = [...names.keys()].find((one) => one === text || one.charAt(0) === text);
  if (colour) return { draw: disc(colour), label: names.get(colour) ?? colour };
  return { draw: h('text', { class: 'mark' }, text), label: text === '#' ? gameTexts.board.wall : text };
}
