/** Small positions that show what the rules say: before and after. */

import { board, markAt, plainPlace, squares } from '../boards/board.js';
import { disc, emblem, outline } from '../boards/pieces.js';
import { h } from '../dom.js';

/** @typedef {import('../app.js').Geometry} Geometry */

/** A grid of this size. @param {number} width @param {number} height @returns {Geometry} */
function grid(width, height) {
  const cells = Array.from({ length: width * height }, (_, place) => {
    const [x, y] = [place % width, Math.floor(place / width)];
    return { name: `${String.fromCharCode(97 + x)}${y + 1}`, x: x + 0.5, y: y + 0.5 };
  });
  return { kind: 'grid', width, height, cells, edges: [], boards: ['board'] };
}

/** @type {Record<string, (game: import('../app.js').Game) => import('../dom.js').Anything>} */
const DRAWINGS = {
  ternio: () => [
    figure('Red places at A1. The blue row turns; the row of blue and green is mixed and holds.', [
      lines(
        ['r...', 'g...', 'b...', 'xbbr'],
        'ternio',
        'Before: a row of two blue discs ends at a red one, a column of blue and green ends at a red one.',
      ),
      lines(['r...', 'g...', 'b...', 'rrrr'], 'ternio', 'After: the row is red, the column is as it was.'),
    ]),
  ],
  triboard: () => [
    figure('Blue takes the cell at the left and jumps over all of the red row; the wall stops the other direction.', [
      lines(
        ['b....', '#....', 'g....', 'xrrrb'],
        'triboard',
        'Before: three red cells in a row end at a blue one; above stand a green cell, a wall and a blue cell.',
      ),
      lines(
        ['b....', '#....', 'g....', 'bbbbb'],
        'triboard',
        'After: the whole row is blue, the green cell is as it was.',
      ),
    ]),
  ],
  morris: (game) => [
    figure('White moves to D6 and closes a mill: a black man that stands in no mill is taken.', [
      morris(
        game,
        { d7: 'white', d5: 'white', b6: 'white', g7: 'black', g4: 'black', f6: 'black' },
        [],
        'Before: white men on D7, D5 and B6.',
      ),
      morris(
        game,
        { d7: 'white', d5: 'white', d6: 'white', g4: 'black', f6: 'black' },
        [['d5', 'd6', 'd7']],
        'After: white men on D5, D6 and D7 are a mill, and the black man on G7 is gone.',
      ),
    ]),
  ],
  turncoat: () => [
    figure(
      'A2 turns black. The white discs between it and the next black one are trapped and turn as well. A row that ends at a blank or at the edge holds.',
      [
        lines(['WW.W', 'wWWB', 'WWWW'], 'turncoat', 'Before: A2 shows white, B2 and C2 white, D2 black.'),
        lines(['WW.W', 'BBBB', 'WWWW'], 'turncoat', 'After: the whole row A2 to D2 shows black.'),
      ],
    ),
  ],
  rainbow: () => [
    figure('Three cells in a row that show one colour win, whoever owns the pegs. White counts as any colour.', [
      lines(['.k.', 'gWg', 'r.o'], 'rainbow', 'A row of green, white and green is a line; black counts as nothing.'),
    ]),
  ],
};

/** What there is to see of a game. @param {import('../app.js').Game} game */
export function drawings(game) {
  return h('div', { class: 'figures' }, DRAWINGS[game.slug]?.(game) ?? null);
}

/** @param {string} words @param {import('../dom.js').Anything[]} pictures */
function figure(words, pictures) {
  const shown = pictures.flatMap((picture, place) =>
    place ? [h('span', { class: 'then', 'aria-hidden': 'true' }, '→'), picture] : [picture],
  );
  return h('figure', null, h('div', { class: 'figure-row' }, shown), h('figcaption', null, words));
}

/** @param {string[]} rows @param {string} look @param {string} label */
function lines(rows, look, label) {
  const geometry = grid(rows[0].length, rows.length);
  const under = look === 'triboard' || look === 'rainbow' ? null : squares(geometry);
  return board({
    table: null,
    geometry,
    label,
    look: `${look} small`,
    under,
    cell: (name) => ({ draw: piece(look, markAt(rows, name)), says: '' }),
  });
}

const COLOURS = /** @type {Record<string, string>} */ ({
  r: 'red',
  g: 'green',
  b: 'blue',
  B: 'black',
  W: 'white',
  w: 'white',
});

/** @param {string} look @param {string} mark */
function piece(look, mark) {
  if (look === 'rainbow') return rainbowPeg(mark);
  const colour = COLOURS[mark];
  if (look === 'turncoat')
    return colour
      ? [
          h('circle', { class: `piece ${colour}`, r: 15 }),
          h('circle', { class: 'rim', r: 11 }),
          mark === 'w'
            ? h('path', { class: 'selection', d: 'M-18 -9 V-18 H-9 M9 -18 H18 V-9 M18 9 V18 H9 M-9 18 H-18 V9' })
            : null,
        ]
      : null;
  if (look === 'triboard') return triboardCell(mark, colour);
  if (mark === 'x') return h('path', { class: 'cross red', d: 'M-7 -7 L7 7 M-7 7 L7 -7' });
  return colour ? disc(colour) : null;
}

/** @param {string} mark @param {string | undefined} colour */
function triboardCell(mark, colour) {
  if (mark === '#')
    return h('path', {
      class: 'wall',
      d: 'M-18 -18 H4 V-7 H-18 Z M7 -18 H18 V-7 H7 Z M-18 -4 H-7 V7 H-18 Z M-4 -4 H18 V7 H-4 Z M-18 10 H4 V18 H-18 Z M7 10 H18 V18 H7 Z',
    });
  const well = h('rect', { class: colour ? `piece ${colour}` : 'well', x: -17, y: -17, width: 34, height: 34, rx: 5 });
  if (mark === 'x') return [well, h('rect', { class: 'jump blue', x: -7, y: -7, width: 14, height: 14, rx: 3 })];
  return colour ? [well, emblem(colour)] : well;
}

/** @param {string} mark */
function rainbowPeg(mark) {
  const side = mark.toUpperCase();
  const well = h('circle', { class: 'well', r: 18 });
  return mark === '.'
    ? well
    : [
        well,
        h('path', { class: `piece side-${side}`, d: outline(mark === side ? 'two' : 'one', 15.5) }),
        h('text', { class: `peg-letter on-${side}`, y: 0.5 }, side),
      ];
}

/** @param {import('../app.js').Game} game @param {Record<string, string>} men @param {string[][]} mills @param {string} label */
function morris({ geometry }, men, mills, label) {
  const place = plainPlace(geometry);
  const spots = new Map(geometry.cells.map((cell) => [cell.name, place(cell)]));
  const line = (/** @type {string} */ look, /** @type {string} */ one, /** @type {string} */ other) =>
    h('line', {
      class: look,
      x1: spots.get(one)?.x,
      y1: spots.get(one)?.y,
      x2: spots.get(other)?.x,
      y2: spots.get(other)?.y,
    });
  return board({
    table: null,
    geometry,
    label,
    look: 'morris small',
    under: [
      geometry.edges.map(([one, other]) => line('edge', one, other)),
      mills.map((mill) => line('mill', mill[0], mill[2])),
    ],
    cell: (name) => ({ draw: men[name] ? disc(men[name], 14) : h('circle', { class: 'point', r: 4 }), says: '' }),
  });
}
