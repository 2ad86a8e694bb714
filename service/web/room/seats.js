/** The seats: colour, player, presence, score and clock. The room’s creator can move players between them. */

import { announce, redraw } from '../app.js';
import { badge } from '../boards/pieces.js';
import { capitalized, characterName, h, remaining } from '../dom.js';
import { nameButton } from '../forms/seat_names.js';
import { roomTexts } from '../languages/room.js';
import { avatar } from '../looks/avatar.js';
import { isBeforeFirstTurn, seatTag } from './describe.js';

/** @import { Room } from './room.js' */
/** @import { Content, Props, Seat } from '../types.d.ts' */

/** Below this a clock is highlighted. */
const SHORT_MS = 20_000;

/** @param {Room} room */
export function seats(room) {
  const shown = room.onScreen;
  const cards = shown.view.seats.map((seat) => card(shown, seat));
  return h('ul', { class: `seats of-${cards.length}`, key: 'seats', 'aria-label': roomTexts.seats.label }, cards);
}

/**
 * @param {Room} room
 * @param {Seat} seat
 */
function card(room, seat) {
  const { match } = room.shown;
  const isToMove = match?.status === 'playing' && match.to_move.includes(seat.seat);
  const count = match ? (room.gameView.count?.(room, seat.seat) ?? null) : null;
  const held = match && !room.isHidden ? room.gameView.held?.(room, seat.seat) : null;
  const classes = [
    'seat',
    seat.seat === (room.mySeats[0] ?? 0) && 'near',
    isToMove && 'moving',
    room.mySeats.includes(seat.seat) && 'mine',
    match?.result?.places[seat.seat] === 1 && 'won',
    room.uiState.moving === seat.seat && 'chosen',
  ];
  return h(
    'li',
    {
      key: seat.seat,
      class: classes.filter(Boolean).join(' '),
      'aria-current': isToMove ? 'true' : null,
      ...dragging(room, seat),
    },
    badge(seat.colour),
    seat.player && !room.isShared ? avatar(seat.player, seat.bot) : null,
    holder(room, seat),
    count === null
      ? null
      : h('span', { class: 'seat-count', title: room.gameView.countLabel ?? roomTexts.seats.onBoard }, count),
    clock(room, seat.seat),
    status(room, seat),
    held ? h('div', { class: 'held', key: 'held' }, held) : null,
    buttons(room, seat),
  );
}

/**
 * The props with which a player is dragged from this seat or dropped on it.
 * @param {Room} room
 * @param {Seat} seat
 * @returns {Props}
 */
function dragging(room, seat) {
  return {
    draggable: canAssign(room) && seat.player ? 'true' : null,
    ondragstart: (/** @type {DragEvent} */ event) => {
      event.dataTransfer?.setData('text/plain', seat.colour);
      room.uiState.moving = seat.seat;
    },
    ondragend: () => setMoving(room, undefined),
    ondragover: (/** @type {Event} */ event) => canAssign(room) && event.preventDefault(),
    ondrop: (/** @type {Event} */ event) => {
      event.preventDefault();
      swap(room, seat.seat);
    },
  };
}

/**
 * @param {Room} room
 * @param {Seat} seat
 */
function holder(room, seat) {
  const isOwn = room.mySeats.includes(seat.seat) && !room.isShared;
  const kind = seat.bot ?? room.view.players.find(({ id }) => id === seat.player)?.bot;
  const colour = h(
    'span',
    { class: 'seat-colour' },
    room.colourName(seat.seat),
    isOwn ? h('em', null, ` ${roomTexts.seats.you}`) : null,
    kind ? h('span', { class: 'seat-level' }, ` · ${roomTexts.levels[kind]}`) : null,
  );
  const own = room.isShared && room.mySeats.includes(seat.seat) ? room.seatNames.get(seat.seat) : '';
  const name = own || (seat.player ? room.holderName(seat) || roomTexts.seats.away : roomTexts.seats.free);
  const rating = ratingOf(room, seat);
  return h(
    'div',
    { class: 'seat-who' },
    colour,
    h('span', { class: 'seat-name' }, presence(room, seat), name, rating === undefined ? null : ratingMark(rating)),
  );
}

/**
 * The rating of a player at a rated table: the new one, once the match has been rated.
 * @param {Room} room
 * @param {Seat} seat
 */
function ratingOf({ rating, ratings }, { player }) {
  return rating?.rated?.seats?.find((each) => each.player === player)?.rating ?? ratings.get(player ?? '');
}

/** @param {number} rating */
function ratingMark(rating) {
  return h('span', { class: 'seat-rating', key: 'rating' }, ` ${Math.round(rating)}`);
}

/**
 * @param {Room} room
 * @param {Seat} seat
 */
function presence(room, { player, bot }) {
  const isOnline = room.view.players.find(({ id }) => id === player)?.presence?.online;
  if (isOnline === undefined || bot) return null;
  const look = isOnline ? 'here' : 'away';
  const label = roomTexts.seats[look];
  return h('span', { class: `presence ${look}`, role: 'img', 'aria-label': label, title: label });
}

/**
 * @param {Room} room
 * @param {Seat} seat
 */
function status(room, seat) {
  if (room.isPlaying) {
    const tag = seatTag(room, seat.seat);
    return tag ? h('span', { class: 'tag', key: 'tag' }, tag) : null;
  }
  const isReady = seat.player && seat.ready && !room.isShared && !room.history.past && !room.view.restart_at;
  return isReady ? h('span', { class: 'tag free', key: 'ready' }, roomTexts.seats.ready) : null;
}

/**
 * The time that a seat has left. After a match, only the time for the whole match matters.
 * @param {Room} room
 * @param {number} seat
 */
function clock(room, seat) {
  const { settings } = room.view;
  const match = room.timedMatch;
  if (!match?.clock || room.history.earlier) return null;
  if (match.status !== 'playing' && settings.clock.type !== 'fischer') return null;
  const isRunning = match.clock.deadline !== null && match.to_move.includes(seat);
  const left = room.timeLeft(seat);
  const classes = ['clock', isRunning && 'running', isRunning && left < SHORT_MS && 'short'];
  const label = roomTexts.seats.time(room.colourName(seat), remaining(left));
  return h(
    'span',
    { class: classes.filter(Boolean).join(' '), key: 'clock', role: 'timer', 'aria-label': label },
    remaining(left),
  );
}

/**
 * @param {Room} room
 * @param {Seat} seat
 */
function buttons(room, seat) {
  if (room.history.earlier) return null;
  const claims = room.isPlaying ? claimButtons(room, seat) : null;
  const isNamedHere = room.isShared && room.mySeats.includes(seat.seat) && isBeforeFirstTurn(room);
  if (isNamedHere) return h('span', { class: 'seat-buttons', key: 'buttons' }, nameButton(room, seat.seat));
  return claims || (room.isPlaying && seat.player) ? claims : seatButtons(room, seat);
}

/**
 * @param {Room} room
 * @param {Seat} seat
 */
function seatButtons(room, seat) {
  const isMoving = room.uiState.moving !== undefined;
  const isFree = !seat.player && !isMoving;
  /** @type {Content[]} */
  const found = [
    canAssign(room) && (seat.player || isMoving) ? moveButton(room, seat) : null,
    isFree && room.member && !room.mySeats.includes(seat.seat) ? sitButton(room, seat) : null,
    isFree && room.isCreator && room.game.bots.length && !room.view.settings.rated ? botField(room, seat) : null,
    seat.bot && room.isCreator
      ? smallButton(
          'remove bot',
          roomTexts.seats.removeBot,
          roomTexts.seats.removeBotOf(room.colourName(seat.seat)),
          () => {
            void room.command({ type: 'remove_bot', seat: seat.seat });
          },
        )
      : null,
  ];
  return found.some(Boolean) ? h('span', { class: 'seat-buttons', key: 'buttons' }, found) : null;
}

/**
 * What can be claimed against a player who has been absent for too long.
 * @param {Room} room
 * @param {Seat} seat
 */
function claimButtons(room, { seat, claimable_at: since }) {
  if (!since || !room.mySeats.length || room.mySeats.includes(seat)) return null;
  const left = Math.ceil((Date.parse(since) - room.now) / 1000);
  if (left > 0) return h('span', { key: 'gone', class: 'small soft' }, roomTexts.seats.goneFor(left));
  /** @type {(outcome: 'win' | 'draw' | 'bot', label: string) => Content} */
  const button = (outcome, label) =>
    smallButton(outcome, label, null, () => void room.command({ type: 'claim_abandoned', seat, outcome }));
  return h(
    'span',
    {
      key: 'claims',
      class: 'seat-buttons',
      role: 'group',
      'aria-label': roomTexts.seats.gone(capitalized(room.colourName(seat))),
    },
    button('win', roomTexts.seats.claimWin),
    button('draw', roomTexts.seats.claimDraw),
    button('bot', roomTexts.seats.letBotPlay),
  );
}

/**
 * @param {string} key
 * @param {string} text
 * @param {string | null} label for screen readers, if the text is not enough
 * @param {() => void} onclick
 */
function smallButton(key, text, label, onclick) {
  return h('button', { key, type: 'button', class: 'small-button', 'aria-label': label, onclick }, text);
}

/**
 * @param {Room} room
 * @param {Seat} seat
 */
function sitButton(room, { seat }) {
  const { sit, sitAs } = roomTexts.seats;
  return smallButton('sit', sit, sitAs(room.colourName(seat)), () => void room.command({ type: 'take_seat', seat }));
}

/**
 * @param {Room} room
 * @param {Seat} seat
 */
function botField(room, { seat }) {
  const { bots } = room.game;
  const onchange = (/** @type {Event} */ event) => {
    const field = /** @type {HTMLSelectElement} */ (event.target);
    const level = bots[field.selectedIndex - 1];
    field.value = '';
    if (level) void room.command({ type: 'add_bot', seat, level });
  };
  return h(
    'select',
    { key: 'bot', 'aria-label': roomTexts.seats.addBotAs(room.colourName(seat)), value: '', onchange },
    h('option', { value: '' }, roomTexts.seats.addBot),
    bots.map((level) =>
      h(
        'option',
        { key: level, value: level },
        roomTexts.characters.option(characterName(level), roomTexts.levels[level]),
      ),
    ),
  );
}

// Moving players to other seats.

/** @param {Room} room */
function canAssign(room) {
  const isPossible = !room.isPlaying && !room.view.restart_at && room.view.status !== 'closed';
  return isPossible && room.isCreator && !room.history.earlier && !room.isShared;
}

/**
 * @param {Room} room
 * @param {Seat} seat
 */
function moveButton(room, { seat }) {
  const { moving } = room.uiState;
  const { swap: swapText, swapPlayer, chooseOther, stay, swapHere, swapWith } = roomTexts.seats;
  const colour = room.colourName(seat);
  if (moving === undefined) {
    return smallButton('move', swapText, swapPlayer(colour), () => {
      announce(chooseOther);
      setMoving(room, seat);
    });
  }
  if (moving === seat) return smallButton('move', stay, null, () => setMoving(room, undefined));
  return h(
    'button',
    {
      key: 'move',
      type: 'button',
      class: 'small-button primary',
      'aria-label': swapWith(colour),
      onclick: () => swap(room, seat),
    },
    swapHere,
  );
}

/**
 * @param {Room} room
 * @param {number | undefined} seat whose player is being moved
 */
function setMoving({ uiState }, seat) {
  uiState.moving = seat;
  redraw();
}

/**
 * Swap the player who is being moved with that of another seat.
 * @param {Room} room
 * @param {number} to
 */
function swap(room, to) {
  const from = room.uiState.moving;
  setMoving(room, undefined);
  if (from === undefined || from === to) return;
  const players = room.view.seats.map(({ player }) => player);
  [players[from], players[to]] = [players[to] ?? null, players[from] ?? null];
  void room.command({ type: 'assign_seats', seats: players });
}
