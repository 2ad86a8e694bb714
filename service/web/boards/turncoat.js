/** Turncoat: two boards behind tabs, a secret selection, and rounds that are shown step by step. */

import { colourName, redraw } from '../app.js';
import { capitalized, filled, h } from '../dom.js';
import { gameTexts } from '../languages/games.js';
import { changesOf } from '../motion/changes.js';
import { turnOver } from '../motion/motion.js';
import { board, picture } from './board.js';
import { distance } from './colours.js';
import { markAt, squares } from './ground.js';
import { badge, CORNERS, plainDisc } from './pieces.js';
import { animationSteps, describeTurn, isTurned, SIDES } from './turncoat_round.js';

/** @import { CellView } from './board.js' */
/** @import { Room } from '../room/room.js' */
/** @import { GameView, Turned, TurncoatEvent, TurncoatState } from '../types.d.ts' */

const { turncoat: WORDS } = gameTexts;
const COLOURS = /** @type {const} */ (['red', 'yellow']);
const EXAMPLE = ['WWWWWWWW', 'WBWWBWWW', 'WWBBBBWB', 'W.WBBWWW', 'WWBBWWWW', 'WWWBWWWW', '.WWW.WWB', 'WWWWWWWW'];

/** @type {GameView<TurncoatEvent>} */
export const turncoat = {
  draw(room) {
    const shown = shownTab(room);
    const labels = { role: 'tabpanel', id: 'turncoat-panel', 'aria-labelledby': `tab-${shown}` };
    return h('div', { ...labels, class: 'turncoat-board', key: 'turncoat' }, largeBoard(room, shown));
  },

  picture({ geometry }, isEmpty) {
    const cell = (/** @type {string} */ name) => ({ draw: isEmpty ? null : disc(markAt(EXAMPLE, name)), label: '' });
    const look = isEmpty ? { look: 'turncoat red', hasLetters: true, title: WORDS.yourBoard } : { look: 'turncoat' };
    return picture({ geometry, label: '', ...look, under: squares(geometry), cell });
  },

  tray(room) {
    const [step] = room.animationSteps;
    const isChoosing = room.actingColour && !room.history.past && room.match.status === 'playing';
    return h(
      'div',
      { class: 'turncoat-tray', key: 'tray' },
      tabs(room),
      step
        ? [
            h('p', { key: 'text', class: 'animation-text' }, step.description),
            h('button', { key: 'skip', type: 'button', onclick: () => room.playback.skip() }, WORDS.skip),
          ]
        : isChoosing && selection(room),
      selectsOnlyWhite(room) ? h('p', { key: 'white', class: 'soft small' }, WORDS.onlyWhite) : null,
    );
  },

  phase(room) {
    const { committed } = stateOf(room);
    const own = room.actingColour;
    if (!own) return WORDS.inSecret;
    return committed[own] ? WORDS.waiting : WORDS.select;
  },

  progress(room) {
    return WORDS.round(stateOf(room).round, Number(room.view.options.round_limit));
  },

  preview(state, move, colour) {
    const { committed, selected } = /** @type {TurncoatState} */ (state);
    if (move.type === 'commit') return { ...state, committed: { ...committed, [colour]: true } };
    return {
      ...state,
      own_selection: move.at,
      selected: { ...selected, [colour]: true },
      committed: { ...committed, [colour]: false },
    };
  },

  animationSteps,
  hasMoveButtons: true,

  explain(room, step) {
    const own = room.actingColour;
    if (!own) return WORDS.watching;
    const { boards } = /** @type {TurncoatState} */ (room.match.state);
    if (markAt(boards[own] ?? [], step.value) === '.') return WORDS.blankSquare;
    return WORDS.notWhite;
  },

  describe(event, room) {
    if (event.type === 'selected') return WORDS.selected(room.seatName(event.seat));
    if (event.type === 'committed') return WORDS.committed(room.seatName(event.seat));
    if (event.type === 'turned') return describeTurn(event);
    return event.type === 'round_begun' ? WORDS.roundBegins(event.round) : null;
  },

  ply(event) {
    if (event.type !== 'turned')
      return ['selected', 'committed', 'round_begun'].includes(event.type) ? null : undefined;
    const trapped = event.trapped.length ? ` +${event.trapped.length}` : '';
    return `${event.half === 2 ? '← ' : ''}${event.at} ${event.to === 'B' ? '●' : '○'}${trapped}`;
  },
};

/**
 * The position on the screen.
 * @param {Room} room
 */
function stateOf(room) {
  return /** @type {TurncoatState} */ (room.state);
}

/** @param {Room} room */
function selectsOnlyWhite(room) {
  return room.view.options.selectable === 'white_only';
}

/**
 * The colour of the large board: the one that is turning, the one chosen, or the player's own.
 * @param {Room} room
 */
function shownTab(room) {
  const own = room.actingColour || room.colourOf(room.mySeats[0] ?? 0);
  return room.animationSteps[0]?.board ?? room.uiState.tab ?? own;
}

/** @param {Room} room */
function tabs(room) {
  const shown = shownTab(room);
  const buttons = COLOURS.map((colour) => tab(room, colour, shown));
  return h('div', { key: 'tabs', class: 'tabs', role: 'tablist', 'aria-label': WORDS.boards }, buttons);
}

/**
 * Whether a side has a secret selection: until the round is resolved or the match is over.
 * @param {Room} room
 * @param {string} colour
 */
function hasSecret(room, colour) {
  const { selected, last } = stateOf(room);
  return selected[colour] && room.shown.match?.status === 'playing' && !last.some(isTurned);
}

/**
 * @param {Room} room
 * @param {string} colour
 * @param {string} shown
 */
function tab(room, colour, shown) {
  const { committed, black } = stateOf(room);
  const isOwn = colour === room.actingColour;
  const isSecret = hasSecret(room, colour);
  const status = isSecret ? (committed[colour] ? 'committed' : 'selected') : 'black';
  return h(
    'button',
    {
      key: colour,
      type: 'button',
      role: 'tab',
      id: `tab-${colour}`,
      'aria-selected': String(colour === shown),
      'aria-controls': 'turncoat-panel',
      class: `tab ${colour}`,
      tabindex: colour === shown ? 0 : -1,
      onclick: () => showTab(room, colour),
      onkeydown: (/** @type {KeyboardEvent} */ event) => onTabKey(event, room, shown),
    },
    h('span', { class: 'tab-mini', 'aria-hidden': 'true' }, smallBoard(room, colour)),
    h(
      'span',
      { class: 'tab-name' },
      badge(colour),
      ' ',
      isOwn ? WORDS.yourTab : capitalized(colourName('turncoat', colour)),
    ),
    ' ',
    h(
      'span',
      { class: `tab-count ${isSecret ? 'has-selected' : ''}` },
      isSecret ? 'X' : black[colour],
      h('small', null, ` ${WORDS.tab[status]}`),
    ),
  );
}

/**
 * @param {Room} room
 * @param {string} colour
 */
function showTab({ uiState }, colour) {
  uiState.tab = colour;
  redraw();
}

/**
 * @param {KeyboardEvent} event
 * @param {Room} room
 * @param {string} shown
 */
function onTabKey(event, room, shown) {
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
  event.preventDefault();
  const other = shown === COLOURS[0] ? COLOURS[1] : COLOURS[0];
  showTab(room, other);
  setTimeout(() => document.getElementById(`tab-${other}`)?.focus());
}

/**
 * @param {Room} room
 * @param {string} colour
 */
function smallBoard(room, colour) {
  const lines = stateOf(room).boards[colour] ?? [];
  const cell = (/** @type {string} */ name) => ({ draw: disc(markAt(lines, name)), label: '' });
  return picture({ geometry: room.geometry, label: '', look: `turncoat mini ${colour}`, cell });
}

/**
 * @param {Room} room
 * @param {string} colour
 */
function largeBoard(room, colour) {
  const { geometry } = room;
  const isOwn = colour === room.actingColour;
  const seat = room.view.seats.findIndex((_, number) => room.colourOf(number) === colour);
  const title = isOwn ? WORDS.yourBoard : WORDS.boardOf(room.seatName(seat));
  return board(room, {
    geometry,
    name: colour,
    label: title,
    title,
    look: `turncoat ${colour}`,
    under: squares(geometry),
    isReadOnly: !isOwn && !room.animationSteps.length,
    showsTargets: selectsOnlyWhite(room),
    target: () => h('circle', { class: 'white-hint', r: 4 }),
    cell: cells(room, colour, isOwn ? stateOf(room).own_selection : null),
  });
}

/**
 * @param {Room} room
 * @param {string} colour
 * @param {string | null} selected the player's selection
 * @returns {(name: string) => CellView}
 */
function cells(room, colour, selected) {
  const { boards, last } = stateOf(room);
  const turn = last.filter(isTurned).findLast((event) => event.board === colour);
  const marked = room.animationSteps[0]?.marks?.[colour];
  const { isNew } = changesOf(room);
  return (name) => {
    const mark = markAt(boards[colour] ?? [], name);
    const isTrapped = turn?.trapped.includes(name) ?? false;
    const isSelected = selected === name;
    const isTurning = turn?.at === name;
    const piece = turn && (isTurning || isTrapped) ? turnedProps(turn, name, isNew(turn.version)) : { key: 'disc' };
    const corners = { key: 'corners', class: isSelected ? 'selection' : 'last', d: CORNERS };
    const change = isTurning ? WORDS.turned : isTrapped ? WORDS.trapped : null;
    const side = mark === 'B' || mark === 'W' ? WORDS.sides[mark] : WORDS.blank;
    return {
      draw: [h('g', piece, disc(mark)), isSelected || isTurning || marked === name ? h('path', corners) : null],
      label: [side, isSelected && WORDS.yourSelection, change].filter(Boolean).join(', '),
      look: mark === '.' ? 'blank' : '',
    };
  };
}

/**
 * The props of a disc that has turned over.
 * @param {Turned} turn
 * @param {string} name
 * @param {boolean} isNew
 */
function turnedProps({ at, to, version }, name, isNew) {
  const before = to === 'B' ? 'var(--man-white)' : 'var(--man-black)';
  return { key: `turned ${version}`, created: isNew ? turnOver(before, distance(at, name)) : null };
}

/** @param {string} mark */
function disc(mark) {
  const side = SIDES[mark];
  return side ? plainDisc(side, 15, 11) : null;
}

/**
 * The player's selection, and the button that commits it.
 * @param {Room} room
 */
function selection(room) {
  const { own_selection: at, committed } = stateOf(room);
  const commit = room.legalMoves.find(({ type }) => type === 'commit');
  const onclick = () => {
    if (commit) void room.play(commit);
  };
  const label = committed[room.actingColour]
    ? WORDS.hasCommitted
    : at
      ? WORDS.commitSquare(at.toUpperCase())
      : WORDS.commit;
  return h(
    'div',
    { key: 'choice', class: 'choice' },
    h(
      'p',
      { class: 'selection-label' },
      at ? filled(WORDS.selection, h('strong', null, at.toUpperCase())) : WORDS.nothingSelected,
    ),
    h('button', { type: 'button', class: 'primary', disabled: !commit, onclick }, label),
  );
}
