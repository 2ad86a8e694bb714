/** Turncoat: two boards behind tabs, a secret selection, and a round that is told in steps. */

import { changed } from '../app.js';
import { h } from '../dom.js';
import { board, markAt, squares, withMarks } from './board.js';
import { badge } from './pieces.js';

/** @typedef {import('../room/room.js').Table} Table */

const SIDES = ['red', 'yellow'];
const NAMES = /** @type {Record<string, string>} */ ({ B: 'black', W: 'white' });

/** @type {import('./game_views.js').Face} */
export const turncoat = {
  draw(table) {
    const shown = tabOf(table);
    return h(
      'div',
      { class: 'turncoat-table', key: 'turncoat' },
      h(
        'div',
        { class: 'tabs', role: 'tablist', 'aria-label': 'Boards' },
        SIDES.map((side) => tab(table, side, shown)),
      ),
      h('div', { role: 'tabpanel', id: 'turncoat-panel', 'aria-labelledby': `tab-${shown}` }, bigBoard(table, shown)),
    );
  },
  tray(table) {
    const { state } = table;
    const own = own_(table);
    const parts = [];
    if (table.stages.length) {
      parts.push(
        h('p', { key: 'told', class: 'stage-told' }, table.stages[0].told),
        h('button', { key: 'skip', type: 'button', onclick: () => table.skipStages() }, 'Skip'),
      );
    } else if (own && !table.history.past && table.view.match.status === 'playing')
      parts.push(choice(table, state, own));
    if (table.view.options.selectable === 'white_only')
      parts.push(h('p', { key: 'white', class: 'soft small' }, 'In this match only white discs can be selected.'));
    return h('div', { class: 'turncoat-tray', key: 'tray' }, parts);
  },
  phase(table) {
    const { state } = table;
    const own = own_(table);
    if (!own) return `Round ${state.round}: both select in secret.`;
    if (state.committed[own]) return `Round ${state.round}: waiting for the other side.`;
    return `Round ${state.round}: select a disc on your own board, in secret.`;
  },
  foresee(state, move, side) {
    if (move.type === 'commit') return { ...state, committed: { ...state.committed, [side]: true } };
    return {
      ...state,
      own_selection: move.at,
      selected: { ...state.selected, [side]: true },
      committed: { ...state.committed, [side]: false },
    };
  },
  stages,
  hidesReady: true,
  whyNot(table, step) {
    const side = own_(table);
    if (!side) return 'You are watching.';
    if (markAt(table.view.match.state.boards[side], step.value) === '.')
      return 'This square is blank: there is no disc to select.';
    return 'Only a disc that shows white can be selected in this match.';
  },
  tell(event, table) {
    const { type } = event;
    if (type === 'selected') return `${table.seatName(event.seat)} has selected.`;
    if (type === 'committed') return `${table.seatName(event.seat)} has committed.`;
    if (type === 'turned') return turnedText(event);
    if (type === 'round_begun') return `Round ${event.round} begins.`;
    return null;
  },
  ply(event) {
    if (event.type === 'turned')
      return `${event.half === 2 ? '← ' : ''}${event.at} ${event.to === 'B' ? '●' : '○'}${event.trapped.length ? ` +${event.trapped.length}` : ''}`;
    if (event.type === 'selected' || event.type === 'committed' || event.type === 'round_begun') return null;
    return undefined;
  },
  picture: (game) =>
    board({
      table: null,
      geometry: game.geometry,
      label: '',
      look: 'turncoat',
      under: squares(game.geometry),
      cell: (name) => ({ draw: disc(markAt(PICTURE, name)), says: '' }),
    }),
};

const PICTURE = ['WWWWWWWW', 'WBWWBWWW', 'WWBBBBWB', 'W.WBBWWW', 'WWBBWWWW', 'WWWBWWWW', '.WWW.WWB', 'WWWWWWWW'];

/** The own side, or null for who has none on the screen. @param {Table} table */
function own_(table) {
  return table.acting === null ? null : table.colourOf(table.acting);
}

/** Which board is large: the one chosen, the one that is being turned, the own one. @param {Table} table */
function tabOf(table) {
  return table.stages[0]?.board ?? table.memory.tab ?? own_(table) ?? table.colourOf(table.mySeats[0] ?? 0);
}

/** @param {Table} table @param {string} side @param {string} shown */
function tab(table, side, shown) {
  const { state, game } = table;
  const count = state.selected[side] ? 'X' : state.black[side];
  const told = state.selected[side]
    ? `has ${state.committed[side] ? 'committed' : 'selected'}`
    : `${state.black[side]} black`;
  return h(
    'button',
    {
      key: side,
      type: 'button',
      role: 'tab',
      id: `tab-${side}`,
      'aria-selected': String(side === shown),
      'aria-controls': 'turncoat-panel',
      class: `tab ${side}`,
      tabindex: side === shown ? 0 : -1,
      'aria-label': `${side === own_(table) ? 'Your board, ' : ''}${side}: ${told}`,
      onclick: () => {
        table.memory.tab = side;
        changed();
      },
      onkeydown: (/** @type {KeyboardEvent} */ event) => turnedTabs(event, table, shown),
    },
    h(
      'span',
      { class: 'tab-mini', 'aria-hidden': 'true' },
      board({
        table: null,
        geometry: /** @type {any} */ (game).geometry,
        label: '',
        look: 'turncoat mini',
        under: null,
        cell: (name) => ({ draw: disc(markAt(state.boards[side], name)), says: '' }),
      }),
    ),
    h(
      'span',
      { class: 'tab-name' },
      badge(side),
      ' ',
      side === own_(table) ? 'Your board' : side.charAt(0).toUpperCase() + side.slice(1),
    ),
    h(
      'span',
      { class: `tab-count ${state.selected[side] ? 'has-selected' : ''}` },
      count,
      h('small', null, state.selected[side] ? (state.committed[side] ? ' committed' : ' selected') : ' black'),
    ),
  );
}

/** @param {KeyboardEvent} event @param {Table} table @param {string} shown */
function turnedTabs(event, table, shown) {
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
  event.preventDefault();
  const other = SIDES[1 - SIDES.indexOf(shown)];
  table.memory.tab = other;
  changed();
  setTimeout(() => document.getElementById(`tab-${other}`)?.focus());
}

/** @param {Table} table @param {string} side */
function bigBoard(table, side) {
  const { state } = table;
  const { geometry } = /** @type {import('../app.js').Game} */ (table.game);
  const isOwn = side === own_(table);
  return board({
    table,
    geometry,
    name: side,
    label: isOwn ? 'Your board' : `${side} board`,
    look: `turncoat ${side} ${isOwn ? 'own' : ''}`,
    under: squares(geometry),
    isStill: !isOwn && !table.stages.length,
    showTargets: table.view.options.selectable === 'white_only',
    target: () => h('circle', { class: 'white-hint', r: 4 }),
    cell: cells(table, side, isOwn ? state.own_selection : null),
  });
}

/** @param {Table} table @param {string} side @param {string | null} selection */
function cells(table, side, selection) {
  const { state } = table;
  const turned = (state.last ?? [])
    .filter((/** @type {any} */ event) => event.type === 'turned' && event.board === side)
    .at(-1);
  const marked = table.stages[0]?.marks?.[side] ?? null;
  return (/** @type {string} */ name) => {
    const mark = markAt(state.boards[side], name);
    const isTurned = turned && (turned.at === name || turned.trapped.includes(name));
    const isChosen = selection === name || marked === name || turned?.at === name;
    const draw = [
      h('g', { key: isTurned ? `turned ${turned.version}` : 'disc', class: isTurned ? 'turned' : '' }, disc(mark)),
      isChosen
        ? h('path', {
            key: 'chosen',
            class: selection === name ? 'selection' : 'last',
            d: 'M-18 -9 V-18 H-9 M9 -18 H18 V-9 M18 9 V18 H9 M-9 18 H-18 V9',
          })
        : null,
    ];
    return {
      draw,
      says: `${NAMES[mark] ?? 'blank'}${selection === name ? ', your selection' : ''}${turned?.at === name ? ', turned' : isTurned ? ', trapped' : ''}`,
      look: mark === '.' ? 'blank' : '',
    };
  };
}

/** @param {string} mark */
function disc(mark) {
  if (mark === '.') return null;
  return [h('circle', { class: `piece ${NAMES[mark]}`, r: 15 }), h('circle', { class: 'rim', r: 11 })];
}

/** @param {Table} table @param {any} state @param {string} own */
function choice(table, state, own) {
  const selection = state.own_selection;
  const commit = table.legal.find((move) => move.type === 'commit');
  return h(
    'div',
    { key: 'choice', class: 'choice' },
    h(
      'p',
      { class: 'selection-label' },
      selection ? ['Your selection: ', h('strong', null, selection.toUpperCase())] : 'Nothing selected yet.',
    ),
    h(
      'button',
      { type: 'button', class: 'primary', disabled: !commit, onclick: () => commit && void table.play(commit) },
      state.committed[own] ? 'Committed' : selection ? `Commit ${selection.toUpperCase()}` : 'Commit',
    ),
  );
}

/** @param {any} event */
function turnedText(event) {
  const whose = event.board.charAt(0).toUpperCase() + event.board.slice(1);
  const why = event.half === 1 ? 'own choice' : 'the other side’s choice';
  const trapped = event.trapped.length ? `, trapping ${event.trapped.length}` : '';
  return `${whose}’s board: ${event.at.toUpperCase()} turns ${NAMES[event.to]} by ${why}${trapped}.`;
}

/** A resolved round as positions: what both chose, then each turn. @param {any} match @param {any[]} events */
function stages(match, events) {
  const turns = events.filter((event) => event.type === 'turned');
  if (!turns.length) return [];
  const round = match.state.round - (events.some((event) => event.type === 'round_begun') ? 1 : 0);
  let boards = match.state.boards;
  const after = [...turns]
    .reverse()
    .map((turn) => {
      const shown = boards;
      boards = { ...boards, [turn.board]: untwisted(boards[turn.board], turn) };
      return stage(match.state, shown, round, turn);
    })
    .reverse();
  const marks = Object.fromEntries(turns.filter((turn) => turn.half === 1).map((turn) => [turn.board, turn.at]));
  const told = Object.entries(marks)
    .map(([side, at]) => `${side.charAt(0).toUpperCase() + side.slice(1)} chose ${at.toUpperCase()}`)
    .join(', ');
  return [
    {
      state: { ...match.state, boards, round, black: blackIn(boards), last: [], own_selection: null },
      marks,
      told: `${told}.`,
    },
    ...after,
  ];
}

/** @param {any} state @param {any} boards @param {number} round @param {any} turn */
function stage(state, boards, round, turn) {
  return {
    state: { ...state, boards, round, black: blackIn(boards), last: [turn], own_selection: null },
    board: turn.board,
    told: turnedText(turn),
  };
}

/** The board before a turn. @param {string[]} lines @param {any} turn */
function untwisted(lines, turn) {
  const before = turn.to === 'B' ? 'W' : 'B';
  return withMarks(lines, Object.fromEntries([turn.at, ...turn.trapped].map((at) => [at, before])));
}

/** @param {Record<string, string[]>} boards */
function blackIn(boards) {
  return Object.fromEntries(
    Object.entries(boards).map(([side, lines]) => [side, [...lines.join('')].filter((mark) => mark === 'B').length]),
  );
}
