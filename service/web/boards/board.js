/**
 * A board from the catalogue's geometry: its cells in rows for people who listen, one stop of the Tab key with arrows
 * that walk from cell to cell, and whatever a face draws on each cell.
 */

import { changed } from '../app.js';
import { h } from '../dom.js';

/** @typedef {import('../dom.js').Tree} Tree */
/** @typedef {import('../dom.js').Anything} Anything */
/** @typedef {import('../app.js').Cell} Cell */
/** @typedef {import('../app.js').Geometry} Geometry */
/** @typedef {{x: number, y: number}} Spot in units of a cell, y downwards */

/**
 * What a face says of its board.
 * @typedef {object} BoardPlan
 * @property {import('../room/room.js').Table | null} table null for a picture
 * @property {Geometry} geometry
 * @property {string} [name] which of several boards
 * @property {string} label the board, for people who listen
 * @property {string} [look] classes of the whole board
 * @property {(name: string) => {draw: Anything, says: string, look?: string}} cell what lies on a cell
 * @property {(name: string) => Anything} [target] how a cell that can be picked is marked
 * @property {Anything} [under]
 * @property {Anything} [over]
 * @property {(cell: Cell) => Spot} [place] where a cell is drawn, if not where the geometry says
 * @property {boolean} [letters] whether columns and rows are named at the edge
 * @property {boolean} [isStill] whether nothing can be picked on this board
 * @property {boolean} [showTargets]
 * @property {boolean} [isUpright] whether a wide board stands on its side: columns downwards, rows to the right
 */

export const UNIT = 40;
const EDGE = 0.62;
/** What a hint is marked with. */
const CROSSHAIR = 'M-11 0 A11 11 0 1 1 11 0 A11 11 0 1 1 -11 0 M0 -18 V-7 M0 7 V18 M-18 0 H-7 M7 0 H18';

const ARROWS = /** @type {Record<string, Spot>} */ ({
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
});

/** Where the geometry draws a cell, in units of the picture. @param {Geometry} geometry @param {boolean} [isUpright] @returns {(cell: Cell) => Spot} */
export function plainPlace(geometry, isUpright = false) {
  if (isUpright) return ({ x, y }) => ({ x: y * UNIT, y: x * UNIT });
  return ({ x, y }) => ({ x: x * UNIT, y: (geometry.height - y) * UNIT });
}

/** @param {BoardPlan} plan @returns {Tree} */
export function board(plan) {
  const place = plan.place ?? plainPlace(plan.geometry, plan.isUpright);
  const spots = new Map(plan.geometry.cells.map((cell) => [cell.name, place(cell)]));
  return plan.table ? liveBoard(plan, plan.table, spots) : picture(plan, spots);
}

/** @param {BoardPlan} plan @param {Map<string, Spot>} spots */
function picture(plan, spots) {
  return h(
    'svg',
    { class: `board ${plan.look ?? ''}`, viewBox: viewBox(plan, spots), role: 'img', 'aria-label': plan.label },
    plan.under,
    [...spots].map(([name, { x, y }]) =>
      h('g', { class: `cell ${plan.cell(name).look ?? ''}`, transform: `translate(${x} ${y})` }, plan.cell(name).draw),
    ),
    plan.over,
  );
}

/** @param {BoardPlan} plan @param {import('../room/room.js').Table} table @param {Map<string, Spot>} spots */
function liveBoard(plan, table, spots) {
  const picking = table.picking;
  const targets = plan.isStill ? new Set() : picking.targets;
  const picked = new Set(plan.isStill ? [] : picking.pickedCells);
  const focus = focusOf(plan, table, spots, targets);
  const draw = (/** @type {string} */ name) =>
    cell(plan, table, name, /** @type {Spot} */ (spots.get(name)), {
      isTarget: targets.has(name),
      isPicked: picked.has(name),
      isFocus: focus === name,
    });
  return h(
    'div',
    {
      class: 'board-hold',
      role: 'grid',
      key: plan.name ?? 'board',
      'aria-label': plan.label,
      'aria-readonly': plan.isStill ? 'true' : null,
      onkeydown: (/** @type {KeyboardEvent} */ event) => keyed(event, plan, table, spots),
    },
    h(
      'svg',
      { class: `board ${plan.look ?? ''}`, viewBox: viewBox(plan, spots), role: 'none', focusable: 'false' },
      plan.under && h('g', { role: 'none', 'aria-hidden': 'true', class: 'under' }, plan.under),
      plan.letters === false
        ? null
        : h('g', { class: 'letters', 'aria-hidden': 'true' }, letters(plan.geometry, plan.isUpright)),
      rows(spots).map(([row, names]) => h('g', { role: 'row', key: `row ${row}` }, names.map(draw))),
      plan.over && h('g', { class: 'over', 'aria-hidden': 'true' }, plan.over),
    ),
  );
}

/**
 * @param {BoardPlan} plan @param {import('../room/room.js').Table} table @param {string} name @param {Spot} spot
 * @param {{isTarget: boolean, isPicked: boolean, isFocus: boolean}} how
 */
function cell(plan, table, name, { x, y }, { isTarget, isPicked, isFocus }) {
  const { draw, says, look } = plan.cell(name);
  const shows = isTarget && plan.showTargets !== false;
  const isHinted = !plan.isStill && !table.history.past && table.hinted.has(name);
  return h(
    'g',
    {
      key: name,
      role: 'gridcell',
      id: cellId(plan, name),
      tabindex: isFocus ? 0 : -1,
      class:
        `cell ${look ?? ''} ${shows ? 'target' : ''} ${isTarget ? 'open' : ''} ${isPicked ? 'picked' : ''} ${isHinted ? 'hinted' : ''}`
          .replace(/ +/g, ' ')
          .trim(),
      'data-cell': name,
      transform: `translate(${x} ${y})`,
      'aria-label': `${name.toUpperCase()}, ${says}${isPicked ? ', picked' : ''}${isHinted ? ', a good move' : ''}${shows ? ', can be played' : ''}`,
      'aria-selected': isPicked ? 'true' : null,
      onclick: () => {
        if (!plan.isStill) chosen(plan, table, name);
      },
      onfocus: () => focused(plan, table, name),
    },
    h('rect', { class: 'hit', x: -UNIT / 2, y: -UNIT / 2, width: UNIT, height: UNIT }),
    draw,
    shows ? h('g', { class: 'target-mark', key: 'target' }, plan.target?.(name) ?? h('circle', { r: 5 })) : null,
    isHinted
      ? h(
          'g',
          { class: 'hint-mark', key: 'hint' },
          h('path', { class: 'halo', d: CROSSHAIR }),
          h('path', { d: CROSSHAIR }),
        )
      : null,
    h('rect', { class: 'focus-ring', key: 'focus', x: -18.5, y: -18.5, width: 37, height: 37, rx: 6 }),
  );
}

/** @param {BoardPlan} plan @param {string} name */
function cellId(plan, name) {
  return `cell-${plan.name ?? 'board'}-${name}`;
}

/** @param {BoardPlan} plan @param {import('../room/room.js').Table} table @param {string} name */
function chosen(plan, table, name) {
  focused(plan, table, name);
  table.pick({ kind: 'cell', value: name });
}

/** @param {BoardPlan} plan @param {import('../room/room.js').Table} table @param {string} name */
function focused(plan, table, name) {
  const place = `focus ${plan.name ?? 'board'}`;
  if (table.memory[place] === name) return;
  table.memory[place] = name;
  changed();
}

/** The one cell that Tab comes to. @param {BoardPlan} plan @param {import('../room/room.js').Table} table @param {Map<string, Spot>} spots @param {Set<any>} targets */
function focusOf(plan, table, spots, targets) {
  const kept = table.memory[`focus ${plan.name ?? 'board'}`];
  if (spots.has(kept)) return kept;
  const [first] = targets;
  return first ?? [...spots.keys()][Math.floor(spots.size / 2)];
}

/** @param {KeyboardEvent} event @param {BoardPlan} plan @param {import('../room/room.js').Table} table @param {Map<string, Spot>} spots */
function keyed(event, plan, table, spots) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const name = /** @type {Element} */ (event.target).getAttribute('data-cell');
  const from = name ? spots.get(name) : undefined;
  if (!name || !from) return;
  if (event.key in ARROWS) {
    const next = nearest(spots, from, ARROWS[event.key]);
    if (next) document.getElementById(cellId(plan, next))?.focus();
  } else if ((event.key === 'Enter' || event.key === ' ') && !plan.isStill) chosen(plan, table, name);
  else if (event.key === 'Escape') table.putBack();
  else return;
  event.preventDefault();
}

/** The next cell in a direction: near, and rather straight ahead than aside. @param {Map<string, Spot>} spots @param {Spot} from @param {Spot} way */
function nearest(spots, from, way) {
  let best = '';
  let least = Infinity;
  for (const [name, spot] of spots) {
    const [across, down] = [spot.x - from.x, spot.y - from.y];
    const ahead = across * way.x + down * way.y;
    const aside = Math.abs(across * way.y) + Math.abs(down * way.x);
    const cost = ahead + 2.5 * aside;
    if (ahead > UNIT / 4 && aside <= 2 * ahead && cost < least) [best, least] = [name, cost];
  }
  return best;
}

/** Cells by their row from the top, each from the left. @param {Map<string, Spot>} spots @returns {[number, string[]][]} */
function rows(spots) {
  /** @type {Map<number, string[]>} */
  const found = new Map();
  const sorted = [...spots].sort(([, one], [, other]) => Math.round(one.y - other.y) || one.x - other.x);
  for (const [name, { y }] of sorted) found.set(Math.round(y), [...(found.get(Math.round(y)) ?? []), name]);
  return [...found];
}

/** The names of columns and rows, at the left and below. @param {Geometry} geometry @param {boolean} [isUpright] */
function letters({ width, height, cells }, isUpright = false) {
  /** @type {Map<string, Spot>} */
  const named = new Map();
  for (const { name, x, y } of cells) {
    const below = { x: (isUpright ? y : x) * UNIT, y: ((isUpright ? width : height) + EDGE / 2) * UNIT };
    const aside = { x: (-EDGE / 2) * UNIT, y: (isUpright ? x : height - y) * UNIT };
    named.set(name.replace(/\d+$/, ''), isUpright ? aside : below);
    named.set(name.replace(/^\D+/, ''), isUpright ? below : aside);
  }
  return [...named].map(([text, { x, y }]) => h('text', { x, y, key: text }, text));
}

/** @param {BoardPlan} plan @param {Map<string, Spot>} spots */
function viewBox(plan, spots) {
  const [width, height] = plan.isUpright
    ? [plan.geometry.height, plan.geometry.width]
    : [plan.geometry.width, plan.geometry.height];
  if (plan.place) {
    const [xs, ys] = [[...spots.values()].map((spot) => spot.x), [...spots.values()].map((spot) => spot.y)];
    const [left, top] = [Math.min(...xs) - UNIT * 0.62, Math.min(...ys) - UNIT * 0.62];
    return `${left} ${top} ${Math.max(...xs) + UNIT * 0.62 - left} ${Math.max(...ys) + UNIT * 0.62 - top}`;
  }
  const edge = plan.table && plan.letters !== false ? EDGE * UNIT : 0;
  return `${-edge} ${-4} ${width * UNIT + edge + 4} ${height * UNIT + edge + 8}`;
}

/** The squares of a grid, drawn once below the cells. @param {Geometry} geometry */
export function squares({ cells, height }) {
  return cells.map(({ name, x, y }) =>
    h('rect', {
      key: `ground ${name}`,
      class: `ground ${(Math.floor(x) + Math.floor(y)) % 2 ? 'odd' : 'even'}`,
      x: (x - 0.5) * UNIT,
      y: (height - y - 0.5) * UNIT,
      width: UNIT,
      height: UNIT,
    }),
  );
}

/** A cell's mark in rows of text, the top row first. @param {string[]} lines @param {string} name */
export function markAt(lines, name) {
  const column = name.charCodeAt(0) - 97;
  return lines[lines.length - Number(name.slice(1))]?.[column] ?? '.';
}

/** Rows of text with other marks on some cells. @param {string[]} lines @param {Record<string, string>} marks @returns {string[]} */
export function withMarks(lines, marks) {
  const changedLines = lines.map((line) => [...line]);
  for (const [name, mark] of Object.entries(marks))
    changedLines[lines.length - Number(name.slice(1))][name.charCodeAt(0) - 97] = mark;
  return changedLines.map((line) => line.join(''));
}
