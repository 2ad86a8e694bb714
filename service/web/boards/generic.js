/** Any game, from its geometry and whatever of its state names cells. */

import { h } from '../dom.js';
import { humane } from '../room/moves.js';
import { board, markAt, plainPlace, squares } from './board.js';
import { disc } from './pieces.js';

/** @type {import('./game_views.js').Face} */
export const generic = {
  draw(table) {
    const { geometry } = /** @type {import('../app.js').Game} */ (table.game);
    const colours = table.view.seats.map((/** @type {any} */ seat) => seat.colour);
    return geometry.boards.map((name) =>
      h(
        'div',
        { key: name, class: 'generic' },
        geometry.boards.length > 1 ? h('h3', null, humane(name)) : null,
        board({
          table,
          geometry,
          name,
          label: humane(name),
          look: 'plain',
          under: ground(geometry),
          cell: (at) => shown(valueAt(table.state, name, at), colours),
        }),
      ),
    );
  },
  picture(game) {
    return board({
      table: null,
      geometry: game.geometry,
      label: game.title,
      look: 'plain',
      under: ground(game.geometry),
      cell: () => ({ draw: null, says: '' }),
    });
  },
};

/** @param {import('../app.js').Geometry} geometry */
function ground(geometry) {
  if (geometry.kind === 'grid') return squares(geometry);
  const place = plainPlace(geometry);
  const spots = new Map(geometry.cells.map((cell) => [cell.name, place(cell)]));
  return geometry.edges.map(([one, other]) => {
    const [from, to] = [spots.get(one), spots.get(other)];
    return h('line', { class: 'edge', x1: from?.x, y1: from?.y, x2: to?.x, y2: to?.y });
  });
}

/** What a state says of a cell: rows of text, or cells by name, of the board or of this one of several. @param {any} state @param {string} name @param {string} at */
function valueAt(state, name, at) {
  for (const field of [state?.boards?.[name], state?.[name], state?.board]) {
    if (Array.isArray(field) && typeof field[0] === 'string') return markAt(field, at);
  }
  for (const field of Object.values(state ?? {})) {
    if (field && typeof field === 'object' && !Array.isArray(field) && at in field) return field[at];
  }
  return null;
}

/** @param {any} value @param {string[]} colours */
function shown(value, colours) {
  if (value === null || value === undefined || value === '.') return { draw: null, says: 'empty' };
  const text = typeof value === 'object' ? Object.values(value).join(' ') : String(value);
  const colour = colours.find((one) => one === text || one.charAt(0) === text);
  if (colour) return { draw: disc(colour), says: colour };
  return { draw: h('text', { class: 'mark' }, text), says: text === '#' ? 'a wall' : text };
}
