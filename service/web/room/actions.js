/** What can be done in a match: choices of a move, take back, offer a draw, resign, start again, hints and help. */

import { announce, attempt, client, notify, redraw } from '../app.js';
import { h, readable } from '../dom.js';
import { roomTexts } from '../languages/room.js';
import { matchMenu } from './match_menu.js';

/** @import { Room } from './room.js' */
/** @import { Command, Hint, Move } from '../types.d.ts' */

/**
 * The buttons for the move that is being picked.
 * @param {Room} room
 */
export function moveChoices(room) {
  const { picking, gameView } = room;
  const moves = gameView.hasMoveButtons ? [] : picking.ready;
  const choices = gameView.hasChoiceButtons ? [] : [...picking.choices];
  return h(
    'div',
    { class: 'choices', key: 'choices', role: 'group', 'aria-label': roomTexts.actions.thisMove },
    moves.map((move) => moveButton(room, move)),
    choices.map(([field, values]) => choice(room, field, [...values])),
    room.picks.length
      ? h('button', { key: 'put back', type: 'button', onclick: () => room.clearPicks() }, roomTexts.actions.putBack)
      : null,
  );
}

/**
 * @param {Room} room
 * @param {Move} move
 */
function moveButton(room, move) {
  const label = moveType(move.type);
  return h('button', { key: label, type: 'button', class: 'primary', onclick: () => void room.play(move) }, label);
}

/**
 * A type of move as a button.
 * @param {string} type
 */
function moveType(type) {
  const { moveTypes } = roomTexts;
  return type in moveTypes ? moveTypes[/** @type {keyof typeof moveTypes} */ (type)] : readable(type);
}

/**
 * @param {Room} room
 * @param {string} field
 * @param {string[]} values
 */
function choice(room, field, values) {
  return h(
    'span',
    { key: field, class: 'row', role: 'group', 'aria-label': readable(field) },
    h('span', { class: 'soft' }, readable(field)),
    values.map((value) =>
      h('button', { key: value, type: 'button', onclick: () => room.pick({ kind: field, value }) }, value),
    ),
  );
}

/** @param {Room} room */
export function actions(room) {
  if (!room.mySeats.length || room.history.past) return null;
  return h(
    'div',
    { class: 'actions', key: 'actions', role: 'group', 'aria-label': roomTexts.actions.thisMatch },
    room.isPlaying ? matchButtons(room) : null,
  );
}

/** @param {Room} room */
function matchButtons(room) {
  const { hint, takeBack, undo, offerDraw } = roomTexts.actions;
  return [
    room.gameView.showsTargetsOnRequest ? helpButton(room) : null,
    mayHint(room) ? h('button', { key: 'hint', type: 'button', onclick: () => void requestHint(room) }, hint) : null,
    room.game.simultaneous || room.isRated
      ? null
      : commandButton(room, { type: 'request_takeback' }, hasHumanOpponent(room) ? takeBack : undo),
    hasOpponent(room) ? commandButton(room, { type: 'offer_draw' }, offerDraw) : null,
    resignButton(room),
    room.isRated ? null : matchMenu(room, !hasHumanOpponent(room)),
  ];
}

/**
 * @param {Room} room
 * @param {Command} command
 * @param {string} label
 */
function commandButton(room, command, label) {
  return h('button', { key: command.type, type: 'button', onclick: () => void room.command(command) }, label);
}

/**
 * Whether a seat is held by somebody else, or by a bot, which also answers draw offers.
 * @param {Room} room
 */
function hasOpponent({ view, mySeats }) {
  return view.seats.some(({ seat, player }) => player && !mySeats.includes(seat));
}

/**
 * Whether a seat is held by another person.
 * @param {Room} room
 */
export function hasHumanOpponent({ view, mySeats }) {
  return view.seats.some(({ seat, player, bot }) => player && !bot && !mySeats.includes(seat));
}

/** @param {Room} room */
function helpButton(room) {
  const onclick = () => {
    room.showsTargets = !room.showsTargets;
    if (room.showsTargets) announce(roomTexts.actions.possible(room.legalMoves.length));
    redraw();
  };
  return h(
    'button',
    { key: 'help', type: 'button', 'aria-pressed': String(room.showsTargets), onclick },
    roomTexts.actions.help,
  );
}

/** @param {Room} room */
function mayHint(room) {
  const { hints } = room.view.settings;
  if (!room.legalMoves.length || room.isRated) return false;
  return hints === 'on' || (hints === 'bots_only' && !hasHumanOpponent(room) && !room.isShared);
}

/** @param {Room} room */
async function requestHint(room) {
  const seat = room.isShared ? `?seat=${room.actingSeat}` : '';
  /** @type {Hint | undefined} */
  const hint = await attempt(() => client.get(`${room.path}/hint${seat}`));
  if (!hint) return;
  room.hinted = new Set(Object.values(hint.move).map(String));
  notify(roomTexts.actions.botWould(room.gameView.describeMove?.(hint.move) ?? inWords(hint.move)));
}

/** @param {Move} move */
function inWords({ type, ...fields }) {
  const values = Object.values(fields).map((value) => String(value).toUpperCase());
  return roomTexts.actions.clause(type, values.join(' → '));
}

/**
 * A button that asks for confirmation in its own place.
 * @param {Room} room
 */
function resignButton(room) {
  const setResigning = (/** @type {boolean} */ isResigning) => {
    room.uiState.resigning = isResigning;
    redraw();
  };
  if (!room.uiState.resigning) {
    const { resign: resignText } = roomTexts.actions;
    return h(
      'button',
      { key: 'resign', type: 'button', class: 'danger', onclick: () => setResigning(true) },
      resignText,
    );
  }
  const resign = () => {
    const seat = room.actingSeat ?? room.mySeats[0];
    setResigning(false);
    void room.command(room.isShared && seat !== undefined ? { type: 'resign', seat } : { type: 'resign' });
  };
  return h(
    'span',
    { key: 'resigning', class: 'row' },
    h('button', { key: 'yes', type: 'button', class: 'danger primary', onclick: resign }, roomTexts.actions.yesResign),
    h('button', { key: 'no', type: 'button', onclick: () => setResigning(false) }, roomTexts.actions.no),
  );
}
