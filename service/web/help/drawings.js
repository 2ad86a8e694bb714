/** Small positions that illustrate the rules: before and after. */

import { picture } from '../boards/board.js';
import { markAt, squares } from '../boards/ground.js';
import { example } from '../boards/morris.js';
import { drawLetter } from '../boards/pegs.js';
import { CORNERS, CROSS, disc, emblem, outline, plainDisc } from '../boards/pieces.js';
import { jumpMark, tile, WALL } from '../boards/triboard.js';
import { h } from '../dom.js';
import { gameTexts } from '../languages/games.js';

/** @import { Content, Game, Geometry } from '../types.d.ts' */

/** @type {Record<string, string>} */
const COLOURS = { r: 'red', g: 'green', b: 'blue', B: 'black', W: 'white', w: 'white' };

/**
 * How a game's cells are drawn.
 * @typedef {{name: string, piece: (mark: string) => Content, hasSquares: boolean}} Look
 */
/** @type {Look} */
const TERNIO = { name: 'ternio', piece: ternioDisc, hasSquares: true };
/** @type {Look} */
const TRIBOARD = { name: 'triboard', piece: triboardCell, hasSquares: false };
/** @type {Look} */
const TURNCOAT = { name: 'turncoat', piece: turncoatDisc, hasSquares: true };
/** @type {Look} */
const RAINBOW = { name: 'rainbow', piece: rainbowPeg, hasSquares: false };

const { drawings: WORDS } = gameTexts;

/** The drawings by game. @type {Record<string, (game: Game) => Content>} */
const DRAWINGS = {
  ternio: () =>
    figure(WORDS.ternio.caption, [
      position(['r...', 'g...', 'b...', 'xbbr'], TERNIO, WORDS.ternio.before),
      position(['r...', 'g...', 'b...', 'rrrr'], TERNIO, WORDS.ternio.after),
    ]),

  triboard: () =>
    figure(WORDS.triboard.caption, [
      position(['b....', '#....', 'g....', 'xrrrb'], TRIBOARD, WORDS.triboard.before),
      position(['b....', '#....', 'g....', 'bbbbb'], TRIBOARD, WORDS.triboard.after),
    ]),

  morris: ({ geometry }) =>
    figure(WORDS.morris.caption, [
      example(
        geometry,
        'morris small',
        { d7: 'white', d5: 'white', b6: 'white', g7: 'black', g4: 'black', f6: 'black' },
        [],
        WORDS.morris.before,
      ),
      example(
        geometry,
        'morris small',
        { d7: 'white', d5: 'white', d6: 'white', g4: 'black', f6: 'black' },
        [['d5', 'd6', 'd7']],
        WORDS.morris.after,
      ),
    ]),

  turncoat: () =>
    figure(WORDS.turncoat.caption, [
      position(['WW.W', 'wWWB', 'WWWW'], TURNCOAT, WORDS.turncoat.before),
      position(['WW.W', 'BBBB', 'WWWW'], TURNCOAT, WORDS.turncoat.after),
    ]),

  rainbow: () => figure(WORDS.rainbow.caption, [position(['.k.', 'gWg', 'r.o'], RAINBOW, WORDS.rainbow.line)]),
};

/**
 * The drawings for a game's help.
 * @param {Game} game
 */
export function drawings(game) {
  return h('div', { class: 'figures' }, DRAWINGS[game.slug]?.(game) ?? null);
}

/**
 * Pictures in a row, with an arrow from one to the next.
 * @param {string} caption
 * @param {Content[]} pictures
 */
function figure(caption, pictures) {
  const shown = pictures.flatMap((one, index) =>
    index ? [h('span', { class: 'then', 'aria-hidden': 'true' }, '→'), one] : [one],
  );
  return h('figure', null, h('div', { class: 'figure-row' }, shown), h('figcaption', null, caption));
}

/**
 * A small grid from rows of text.
 * @param {string[]} rows
 * @param {Look} look
 * @param {string} label
 */
function position(rows, { name: look, piece, hasSquares }, label) {
  const geometry = grid(rows[0]?.length ?? 0, rows.length);
  const under = hasSquares ? squares(geometry) : null;
  const cell = (/** @type {string} */ name) => ({ draw: piece(markAt(rows, name)), label: '' });
  return picture({ geometry, label, look: `${look} small`, under, cell });
}

/**
 * @param {number} width
 * @param {number} height
 * @returns {Geometry}
 */
function grid(width, height) {
  const cells = Array.from({ length: width * height }, (_, index) => {
    const [x, y] = [index % width, Math.floor(index / width)];
    return { name: `${String.fromCharCode(97 + x)}${y + 1}`, x: x + 0.5, y: y + 0.5 };
  });
  return { kind: 'grid', width, height, cells, edges: [], lines: [], boards: ['board'] };
}

/** @param {string} mark */
function ternioDisc(mark) {
  const colour = COLOURS[mark];
  if (mark === 'x') return h('path', { class: 'cross red', d: CROSS });
  return colour ? disc(colour) : null;
}

/** @param {string} mark */
function triboardCell(mark) {
  const colour = COLOURS[mark];
  if (mark === '#') return h('path', { class: 'wall', d: WALL });
  if (mark === 'x') return [tile('well'), jumpMark('blue')];
  return colour ? [tile(`piece ${colour}`), emblem(colour)] : tile('well');
}

/** @param {string} mark */
function turncoatDisc(mark) {
  const colour = COLOURS[mark];
  const corners = mark === 'w' ? h('path', { class: 'selection', d: CORNERS }) : null;
  return colour ? [plainDisc(colour, 15, 11), corners] : null;
}

/** @param {string} mark */
function rainbowPeg(mark) {
  const side = mark.toUpperCase();
  const well = h('circle', { class: 'well', r: 18 });
  if (mark === '.') return well;
  return [
    well,
    h('path', { class: `piece side-${side}`, d: outline(mark === side ? 'two' : 'one', 15.5) }),
    drawLetter('peg-letter', side),
  ];
}
