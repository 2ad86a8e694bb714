/**
 * A board drawn from the catalogue's geometry. For screen readers it is a grid: rows of cells, one tab stop, and arrow
 * keys that move from cell to cell. A game's view draws what is on the cells.
 */

import { redraw } from '../app.js';
import { h } from '../dom.js';
import { startDrag } from '../hands/drag.js';
import { drawings, startDrawing, wipe } from '../hands/drawings.js';
import { previewHandlers, startLongPress } from '../hands/preview.js';
import { gameTexts } from '../languages/games.js';
import { edgeOf, frame, letters, nearest, rows, spotsOf, UNIT } from './geometry.js';

/** @import { Spot } from './geometry.js' */
/** @import { Preview } from '../hands/preview.js' */
/** @import { Room } from '../room/room.js' */
/** @import { Content, Geometry, VNode } from '../types.d.ts' */

/**
 * What is on a cell: its drawing, its text for screen readers, and its CSS classes.
 * @typedef {{draw: Content, label: string, look?: string}} CellView
 */

/**
 * What a view provides for its board.
 * @typedef {object} BoardPlan
 * @property {Geometry} geometry
 * @property {string} [name] which one of several boards
 * @property {string} label the board's name for screen readers
 * @property {string} look the CSS classes of the board
 * @property {(name: string) => CellView} cell what is on a cell
 * @property {Content} [under] what is drawn below the cells
 */

/**
 * A board that can be played on.
 * @typedef {object} LivePlan
 * @property {(name: string) => Content} target the mark of a cell that can be picked
 * @property {(name: string) => Preview} [preview] what a move to a cell would do
 * @property {boolean} [hasLetters] whether columns and rows are named at the edge, which is the default
 * @property {boolean} [isReadOnly] whether nothing can be picked on this board
 * @property {boolean} [showsTargets] whether cells that can be picked are marked, which is the default
 * @property {string} [title] what the upper edge says
 * @property {boolean} [isUpright] whether a wide board is turned: columns downwards, rows to the right
 */

const CROSSHAIR = 'M-11 0 A11 11 0 1 1 11 0 A11 11 0 1 1 -11 0 M0 -18 V-7 M0 7 V18 M-18 0 H-7 M7 0 H18';

const MARK = { x: -18.5, y: -18.5, width: 37, height: 37 };

/** @type {Record<string, Spot>} */
const ARROWS = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/**
 * A board that only shows a position; with letters, as large as one that can be played on.
 * @param {BoardPlan & Pick<LivePlan, 'hasLetters' | 'isUpright' | 'title'>} plan
 */
export function picture(plan) {
  const spots = spotsOf(plan.geometry, plan.isUpright);
  const cells = [...spots].map(([name, { x, y }]) => {
    const { draw, look } = plan.cell(name);
    return h('g', { class: `cell ${look ?? ''}`, transform: `translate(${x} ${y})` }, draw);
  });
  const edge = plan.hasLetters ? edgeOf(plan.geometry) : 0;
  const { props, backdrop } = frame(plan.geometry, spots, edge, plan.isUpright, plan.title);
  return h(
    'svg',
    { class: `board ${plan.look}`, ...props, role: 'img', 'aria-label': plan.label },
    backdrop,
    plan.under,
    plan.hasLetters ? letters(plan.geometry, plan.isUpright) : null,
    cells,
  );
}

/**
 * The board of a room.
 * @param {Room} room
 * @param {BoardPlan & LivePlan} plan
 * @returns {VNode}
 */
export function board(room, plan) {
  const spots = spotsOf(plan.geometry, plan.isUpright);
  const { targets, pickedCells } = room.picking;
  const isOpen = (/** @type {string} */ name) => !plan.isReadOnly && targets.has(name);
  const focus = focusOf(room, plan, spots, isOpen);
  const edge = plan.hasLetters === false ? 0 : edgeOf(plan.geometry);
  const { props, backdrop } = frame(plan.geometry, spots, edge, plan.isUpright, plan.title);
  const { hover } = room.uiState;
  const preview = hover !== undefined && isOpen(hover) ? plan.preview?.(hover) : undefined;
  const cells = rows(spots).map(([row, names]) =>
    h(
      'g',
      { role: 'row', key: `row ${row}` },
      names.map(([name, spot]) =>
        cell(room, plan, name, spot, {
          isTarget: isOpen(name),
          isPicked: !plan.isReadOnly && pickedCells.includes(name),
          isFocus: focus === name,
          ghost: hover === name ? preview?.piece : undefined,
          isAffected: preview?.affected.includes(name) ?? false,
        }),
      ),
    ),
  );
  return h(
    'div',
    {
      class: 'board-hold',
      role: 'grid',
      key: plan.name ?? 'board',
      'aria-label': plan.label,
      'aria-readonly': plan.isReadOnly ? 'true' : null,
      onkeydown: (/** @type {KeyboardEvent} */ event) => onKey(event, room, plan, spots),
      oncontextmenu: (/** @type {Event} */ event) => event.preventDefault(),
    },
    h(
      'svg',
      {
        class: `board ${plan.look}`,
        ...props,
        role: 'none',
        focusable: 'false',
      },
      backdrop,
      plan.under && h('g', { role: 'none', 'aria-hidden': 'true', class: 'under' }, plan.under),
      plan.hasLetters === false ? null : letters(plan.geometry, plan.isUpright),
      cells,
      drawings(room, plan.name ?? 'board', spots),
    ),
  );
}

/**
 * The current marks of a cell.
 * @typedef {{isTarget: boolean, isPicked: boolean, isFocus: boolean, ghost: Content, isAffected: boolean}} CellState
 */

/**
 * @param {Room} room
 * @param {BoardPlan & LivePlan} plan
 * @param {string} name
 * @param {Spot} spot
 * @param {CellState} state
 */
function cell(room, plan, name, { x, y }, { isTarget, isPicked, isFocus, ghost, isAffected }) {
  const { draw, label, look } = plan.cell(name);
  const isPremove = !plan.isReadOnly && !room.history.past && room.premove.has(name);
  const isMarked = isTarget && plan.showsTargets !== false;
  const isHinted = isGood(room, plan, name);
  const classes = ['cell', look, isMarked && 'target', isTarget && 'open', isPicked && 'picked'];
  const isRefused = room.refused.cell === name && !plan.isReadOnly;
  const { count } = room.refused;
  classes.push(isHinted && 'hinted', isPremove && 'premove', room.uiState.dragged === name && 'dragged');
  classes.push(isRefused && `refused-${count % 2}`);
  const words = gameTexts.board;
  const labels = [
    words.cell(name.toUpperCase(), label),
    isPicked && words.picked,
    isHinted && words.goodMove,
    isPremove && words.premove,
    isMarked && words.playable,
  ];
  return h(
    'g',
    {
      key: name,
      role: 'gridcell',
      id: room.isPicture ? null : cellId(plan, name),
      tabindex: room.isPicture ? null : isFocus ? 0 : -1,
      class: classes.filter(Boolean).join(' '),
      'data-cell': name,
      transform: `translate(${x} ${y})`,
      'aria-label': labels.filter(Boolean).join(', '),
      'aria-selected': isPicked ? 'true' : null,
      onclick: () => choose(room, plan, name),
      onfocus: () => setFocus(room, plan, name),
      onpointerdown: (/** @type {PointerEvent} */ event) => onPointerDown(event, room, plan, name),
      ...previewHandlers(room, name),
    },
    h('rect', { class: 'hit', x: -UNIT / 2, y: -UNIT / 2, width: UNIT, height: UNIT }),
    draw,
    isMarked && !ghost ? h('g', { class: 'target-mark', key: 'target' }, plan.target(name)) : null,
    ghost ? h('g', { class: 'ghost', key: 'ghost' }, ghost) : null,
    isAffected ? h('circle', { class: `affected ${room.actingColour}`, key: 'affected', r: 18 }) : null,
    isPremove ? h('rect', { class: 'premove-mark', key: 'premove', ...MARK, rx: 6 }) : null,
    isHinted ? hintMark() : null,
    isRefused ? h('rect', { class: 'refusal', key: `refusal ${count}`, ...MARK, rx: 6 }) : null,
    h('rect', { class: 'focus-ring', key: 'focus', ...MARK, rx: 6 }),
  );
}

/**
 * Whether a cell belongs to a hint, or in a review to the bot's move on this board.
 * @param {Room} room
 * @param {BoardPlan & LivePlan} plan
 * @param {string} name
 */
function isGood({ hinted, history }, plan, name) {
  if (history.past) return hinted.has(name) || hinted.has(`${plan.name} ${name}`);
  return !plan.isReadOnly && hinted.has(name);
}

function hintMark() {
  const paths = [h('path', { class: 'halo', d: CROSSHAIR }), h('path', { d: CROSSHAIR })];
  return h('g', { class: 'hint-mark', key: 'hint' }, paths);
}

/**
 * @param {BoardPlan} plan
 * @param {string} name
 */
function cellId(plan, name) {
  return `cell-${plan.name ?? 'board'}-${name}`;
}

/**
 * @param {Room} room
 * @param {BoardPlan & LivePlan} plan
 * @param {string} name
 */
function choose(room, plan, name) {
  if (wipe(room, plan.name ?? 'board') || plan.isReadOnly) return;
  setFocus(room, plan, name);
  room.pick({ kind: 'cell', value: name });
}

/**
 * A piece may be dragged, a finger may rest, or the right button draws.
 * @param {PointerEvent} event
 * @param {Room} room
 * @param {BoardPlan & LivePlan} plan
 * @param {string} name
 */
function onPointerDown(event, room, plan, name) {
  startDrawing(event, room, plan.name ?? 'board', name);
  if (plan.isReadOnly) return;
  startLongPress(event, room, name);
  const piece = /** @type {Element} */ (event.currentTarget).querySelector('.man, .peg');
  const canMove = room.legalMoves.some(({ from }) => from === name);
  if (canMove) startDrag(event, room, piece, [{ kind: 'cell', value: name }]);
}

/**
 * @param {Room} room
 * @param {BoardPlan} plan
 * @param {string} name
 */
function setFocus({ uiState }, plan, name) {
  const id = plan.name ?? 'board';
  if (uiState.focus[id] === name) return;
  uiState.focus[id] = name;
  redraw();
}

/**
 * The cell that is the board's tab stop: the latest one, the first that can be picked, or the middle one.
 * @param {Room} room
 * @param {BoardPlan} plan
 * @param {Map<string, Spot>} spots
 * @param {(name: string) => boolean} isOpen
 */
function focusOf({ uiState, picking }, plan, spots, isOpen) {
  const kept = uiState.focus[plan.name ?? 'board'];
  if (kept !== undefined && spots.has(kept)) return kept;
  return [...picking.targets].find(isOpen) ?? [...spots.keys()][Math.floor(spots.size / 2)];
}

/**
 * @param {KeyboardEvent} event
 * @param {Room} room
 * @param {BoardPlan & LivePlan} plan
 * @param {Map<string, Spot>} spots
 */
function onKey(event, room, plan, spots) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const name = /** @type {Element} */ (event.target).getAttribute('data-cell');
  const from = name ? spots.get(name) : undefined;
  if (!name || !from) return;
  const arrow = ARROWS[event.key];
  if (arrow) {
    room.uiState.hover = nearest(spots, from, arrow);
    document.getElementById(cellId(plan, room.uiState.hover))?.focus();
    redraw();
  } else if ((event.key === 'Enter' || event.key === ' ') && !plan.isReadOnly) choose(room, plan, name);
  else if (event.key === 'Escape') room.clearPicks();
  else return;
  event.preventDefault();
}
