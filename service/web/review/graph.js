/**
 * The graph of a reviewed match: the chance of each seat to win as a line, told apart by colour, dashes and the seat's
 * badge, with dots where a move cost something. It is a slider that moves from ply to ply, with a slider's keys, by
 * click and by dragging; a table has the same numbers.
 */

import { redraw } from '../app.js';
import { badge } from '../boards/pieces.js';
import { capitalized, h } from '../dom.js';
import { gameTexts } from '../languages/games.js';

/** @import { MatchAnalysis } from '../../schema.d.ts' */
/** @import { Analysis } from './analysis.js' */
/** @import { Content } from '../types.d.ts' */

const SIZE = { width: 340, height: 104 };
const MARGIN = { left: 24, right: 30, top: 10, bottom: 8 };
/** The least distance between two badges. */
const BADGE = 19;
/** The most points that a line is drawn through. */
const POINTS = 400;
/** How many plies the keys Page up and Page down go. */
const PAGE = 10;
/** How many rows the table has at most. */
const ROWS = 1000;

/** A chance of each seat in percent, by ply. @typedef {number[][]} Values */
/** @typedef {{x: (ply: number) => number, y: (value: number) => number}} Scale */

/**
 * The graph, or nothing for a match without a review.
 * @param {Analysis} analysis
 * @returns {Content}
 */
export function graph(analysis) {
  const { match, ply } = analysis;
  if (match?.review !== 'done') return null;
  const values = valuesOf(match);
  const scale = scaleOf(values);
  return h(
    'figure',
    { class: 'graph', key: 'graph' },
    h('figcaption', { class: 'small soft' }, gameTexts.review.chances),
    h(
      'div',
      { class: 'graph-slider', ...slider(analysis, match, values[ply] ?? []) },
      h(
        'svg',
        { viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, 'aria-hidden': 'true', focusable: 'false' },
        axes(scale, values.length - 1),
        colours(analysis).map((colour, seat) => line(colour, seat, values, scale)),
        turn(match, scale),
        mark(analysis, ply, values, scale),
        dots(analysis, values, scale),
        ends(analysis, values, scale),
      ),
    ),
    legend(analysis, values[ply] ?? []),
    table(analysis, match, values),
  );
}

/** Those of the position before, where a position was not evaluated. @param {MatchAnalysis} match @returns {Values} */
function valuesOf({ positions }) {
  let last = positions.find(({ chances }) => chances)?.chances ?? [];
  return positions.map(({ chances }) => (last = chances ?? last));
}

/** The colours of the seats. @param {Analysis} analysis */
function colours({ history }) {
  return history.shownRoom.view.seats.map(({ colour }) => colour);
}

/** Their names. @param {Analysis} analysis */
function names({ history: { shownRoom } }) {
  return shownRoom.view.seats.map(({ seat }) => capitalized(shownRoom.colourName(seat)));
}

/**
 * @param {Values} values
 * @returns {Scale}
 */
function scaleOf(values) {
  const width = SIZE.width - MARGIN.left - MARGIN.right;
  const height = SIZE.height - MARGIN.top - MARGIN.bottom;
  const last = Math.max(1, values.length - 1);
  return {
    x: (ply) => MARGIN.left + (ply / last) * width,
    y: (value) => MARGIN.top + (1 - value / 100) * height,
  };
}

// The slider.

/**
 * @param {Analysis} analysis
 * @param {MatchAnalysis} match
 * @param {number[]} now
 */
function slider(analysis, match, now) {
  const { ply, history } = analysis;
  const numbers = names(analysis).map((name, seat) => gameTexts.review.number(name, `${now[seat] ?? ''} %`));
  return {
    role: 'slider',
    tabindex: 0,
    'aria-label': gameTexts.review.graph,
    'aria-valuemin': 0,
    'aria-valuemax': match.plies,
    'aria-valuenow': ply,
    'aria-valuetext': gameTexts.review.graphValue(history.position, numbers.join(', ')),
    onkeydown: (/** @type {KeyboardEvent} */ event) => onKey(event, analysis),
    onpointerdown: (/** @type {PointerEvent} */ event) => onPointer(event, analysis),
    onpointermove: (/** @type {PointerEvent} */ event) => onPointer(event, analysis),
  };
}

/**
 * @param {KeyboardEvent} event
 * @param {Analysis} analysis
 */
function onKey(event, analysis) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const { ply, match } = analysis;
  const last = match?.plies ?? 0;
  /** @type {Record<string, number>} */
  const targets = {
    ArrowLeft: previous(analysis),
    ArrowDown: previous(analysis),
    ArrowRight: next(analysis),
    ArrowUp: next(analysis),
    PageDown: ply - PAGE,
    PageUp: ply + PAGE,
    Home: 0,
    End: last,
  };
  const target = targets[event.key];
  if (target === undefined) return;
  event.preventDefault();
  void analysis.goTo(target);
}

/**
 * The ply before the one on the screen that has another position.
 * @param {Analysis} analysis
 */
function previous({ ply, entries }) {
  const here = entries[ply] ?? 0;
  return entries.findLastIndex((entry) => entry < here);
}

/**
 * The ply after the one on the screen that has another position.
 * @param {Analysis} analysis
 */
function next({ ply, entries }) {
  const here = entries[ply] ?? 0;
  const found = entries.findIndex((entry) => entry > here);
  return found < 0 ? entries.length - 1 : found;
}

/**
 * Go where the pointer is while it is pressed.
 * @param {PointerEvent} event
 * @param {Analysis} analysis
 */
function onPointer(event, analysis) {
  if (!(event.buttons & 1)) return;
  const place = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
  const x = ((event.clientX - place.left) / place.width) * SIZE.width;
  const share = (x - MARGIN.left) / (SIZE.width - MARGIN.left - MARGIN.right);
  const ply = Math.round(Math.min(Math.max(0, share), 1) * (analysis.match?.plies ?? 0));
  if (ply !== analysis.ply) void analysis.goTo(ply);
}

// The drawing.

/**
 * @param {Scale} scale
 * @param {number} last
 */
function axes({ x, y }, last) {
  const rows = [100, 50, 0].map((value) =>
    h('path', { key: `row ${value}`, class: 'graph-row', d: `M${x(0)} ${y(value)} H${x(last)}` }),
  );
  const numbers = [100, 0].map((value) =>
    h('text', { key: `number ${value}`, class: 'graph-number', x: MARGIN.left - 5, y: y(value) }, value),
  );
  return [rows, numbers];
}

/**
 * @param {string} colour
 * @param {number} seat
 * @param {Values} values
 * @param {Scale} scale
 */
function line(colour, seat, values, { x, y }) {
  const step = Math.ceil(values.length / POINTS);
  const plies = values.map((_, ply) => ply).filter((ply) => ply % step === 0 || ply === values.length - 1);
  const points = plies.map((ply) => `${x(ply).toFixed(1)} ${y(values[ply]?.[seat] ?? 0).toFixed(1)}`);
  const d = `M${points.join(' L')}`;
  return [
    h('path', { key: `edge ${seat}`, class: `graph-edge seat-${seat}`, d }),
    h('path', { key: `line ${seat}`, class: `graph-line seat-${seat} ${colour}`, d }),
  ];
}

/**
 * Where the position on the screen is.
 * @param {Analysis} analysis
 * @param {number} ply
 * @param {Values} values
 * @param {Scale} scale
 */
function mark(analysis, ply, values, { x, y }) {
  const dots = colours(analysis).map((colour, seat) =>
    h('circle', { key: `dot ${seat}`, class: `piece ${colour}`, cx: x(ply), cy: y(values[ply]?.[seat] ?? 0), r: 4.5 }),
  );
  const d = `M${x(ply)} ${MARGIN.top - 6} V${SIZE.height - MARGIN.bottom + 6}`;
  return [h('path', { key: 'here', class: 'graph-here', d }), dots];
}

/**
 * Where the match turned: the position after that move.
 * @param {MatchAnalysis} match
 * @param {Scale} scale
 */
function turn({ turning_point: ply = null }, { x }) {
  if (ply === null) return null;
  return h('path', {
    key: 'turn',
    class: 'graph-turn',
    d: `M${x(ply + 1)} ${MARGIN.top} V${SIZE.height - MARGIN.bottom}`,
  });
}

/**
 * The moves that cost something, on the line of their seat after them.
 * @param {Analysis} analysis
 * @param {Values} values
 * @param {Scale} scale
 */
function dots({ mistakes }, values, { x, y }) {
  return mistakes.map(({ ply, move, mark: kind }) => {
    const value = (values[ply + 1] ?? values[ply])?.[move.seat] ?? 0;
    return h('circle', {
      key: `${kind} ${ply} ${move.seat}`,
      class: `graph-dot ${kind}`,
      cx: x(ply + 1),
      cy: y(value),
      r: 3.6,
    });
  });
}

/**
 * The badges of the seats at the ends of their lines, where none covers another.
 * @param {Analysis} analysis
 * @param {Values} values
 * @param {Scale} scale
 */
function ends(analysis, values, { y }) {
  const last = values.at(-1) ?? [];
  const order = colours(analysis)
    .map((colour, seat) => ({ colour, seat, at: y(last[seat] ?? 0) }))
    .sort((one, other) => one.at - other.at || one.seat - other.seat);
  const lowest = SIZE.height - BADGE / 2;
  let free = BADGE / 2;
  const placed = order.map(({ colour, at }, index) => {
    const top = Math.min(Math.max(at, free), lowest - BADGE * (order.length - 1 - index));
    free = top + BADGE;
    return { colour, top };
  });
  const x = SIZE.width - MARGIN.right + 8;
  return placed.map(({ colour, top }) =>
    h('g', { key: `end ${colour}`, class: 'graph-end', transform: `translate(${x} ${top - 9})` }, small(colour)),
  );
}

/**
 * The badge of a seat inside the drawing, where the size of badges on the page does not apply.
 * @param {string} colour
 */
function small(colour) {
  const sign = badge(colour);
  return { ...sign, props: { ...sign.props, class: 'graph-badge', width: 18, height: 18 } };
}

/**
 * The numbers at the position on the screen.
 * @param {Analysis} analysis
 * @param {number[]} now
 */
function legend(analysis, now) {
  const seats = colours(analysis).map((colour, seat) =>
    h(
      'span',
      { key: colour, class: 'graph-value' },
      badge(colour),
      h('span', { class: 'unseen' }, names(analysis)[seat]),
      h('strong', null, `${now[seat] ?? ''} %`),
    ),
  );
  return h('p', { class: 'graph-values', key: 'values' }, seats);
}

/**
 * The same numbers as a table, for people who cannot see the lines.
 * @param {Analysis} analysis
 * @param {MatchAnalysis} match
 * @param {Values} values
 */
function table(analysis, match, values) {
  const { uiState } = analysis.history.room;
  const isOpen = uiState.showsNumbers ?? false;
  const onclick = (/** @type {Event} */ event) => {
    event.preventDefault();
    uiState.showsNumbers = !isOpen;
    redraw();
  };
  return h(
    'details',
    { class: 'graph-table', key: 'table', open: isOpen },
    h('summary', { class: 'small', onclick }, gameTexts.review.asTable),
    isOpen ? rows(analysis, match, values) : null,
  );
}

/**
 * @param {Analysis} analysis
 * @param {MatchAnalysis} match
 * @param {Values} values
 */
function rows(analysis, { positions }, values) {
  const heads = [gameTexts.review.ply, gameTexts.review.move, ...names(analysis)];
  return h(
    'div',
    { class: 'graph-rows', tabindex: 0, role: 'region', 'aria-label': gameTexts.review.asTable },
    h(
      'table',
      null,
      h('caption', { class: 'unseen' }, gameTexts.review.tableCaption),
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          heads.map((head) => h('th', { key: head, scope: 'col' }, head)),
        ),
      ),
      h(
        'tbody',
        null,
        values.slice(0, ROWS).map((numbers, ply) =>
          h(
            'tr',
            { key: ply },
            h('th', { scope: 'row' }, String(ply)),
            h('td', null, ply ? (positions[ply - 1]?.played[0]?.notation ?? '') : ''),
            numbers.map((number, seat) => h('td', { key: seat }, String(number))),
          ),
        ),
      ),
    ),
  );
}
