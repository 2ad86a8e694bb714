/** The seats: colour, who sits there and whether they are here, score, clock; the creator drags or clicks to assign. */

import { announce, changed } from '../app.js';
import { badge } from '../boards/pieces.js';
import { h } from '../dom.js';
import { remaining } from '../times.js';

/** @typedef {import('./room.js').Table} Table */

const SHORT_MS = 20_000;

/** @param {Table} table */
export function seats(table) {
  const seen = table.onScreen;
  const { seats: shown } = seen.view;
  return h(
    'ul',
    { class: `seats of-${shown.length}`, key: 'seats', 'aria-label': 'Seats' },
    shown.map((/** @type {any} */ seat) => card(seen, seat, seen.shown.match)),
  );
}

/** @param {Table} table @param {any} seat @param {any} match */
function card(table, seat, match) {
  const isMoving = match?.status === 'playing' && match.to_move.includes(seat.seat);
  const isMine = table.mySeats.includes(seat.seat);
  const place = match?.result?.places?.[seat.seat];
  const count = match ? (table.face.count?.(table, seat.seat) ?? null) : null;
  const isChosen = table.memory.moving === seat.seat;
  return h(
    'li',
    {
      key: seat.seat,
      class: `seat ${isMoving ? 'moving' : ''} ${isMine ? 'mine' : ''} ${place === 1 ? 'won' : ''} ${isChosen ? 'chosen' : ''}`,
      'aria-current': isMoving ? 'true' : null,
      draggable: canAssign(table) && seat.player ? 'true' : null,
      ondragstart: (/** @type {DragEvent} */ event) => {
        event.dataTransfer?.setData('text/plain', seat.colour);
        table.memory.moving = seat.seat;
      },
      ondragend: () => {
        delete table.memory.moving;
        changed();
      },
      ondragover: (/** @type {Event} */ event) => canAssign(table) && event.preventDefault(),
      ondrop: (/** @type {Event} */ event) => {
        event.preventDefault();
        swap(table, seat.seat);
      },
    },
    badge(seat.colour),
    h(
      'div',
      { class: 'seat-who' },
      h(
        'span',
        { class: 'seat-colour' },
        seat.colour,
        isMine && !table.isShared ? h('em', null, ' you') : null,
        seat.bot ? h('span', { class: 'seat-level' }, ` · ${seat.bot}`) : null,
      ),
      h('span', { class: 'seat-name' }, presence(table, seat), seat.player ? table.holderOf(seat) || 'away' : 'free'),
    ),
    count === null ? null : h('span', { class: 'seat-count', title: table.face.counted ?? 'On the board' }, count),
    clock(table, seat.seat),
    seatMark(table, seat),
    seatButtons(table, seat),
  );
}

/** @param {Table} table @param {any} seat */
function presence(table, seat) {
  const isHere = table.presence[seat.player]?.online;
  if (isHere === undefined || seat.bot) return null;
  return h('span', {
    class: `presence ${isHere ? 'here' : 'away'}`,
    role: 'img',
    'aria-label': isHere ? 'here' : 'away',
    title: isHere ? 'here' : 'away',
  });
}

/** @param {Table} table @param {any} seat */
function seatMark(table, seat) {
  const match = table.view.match;
  if (match?.status === 'playing' && isOut(table, seat.seat)) return h('span', { class: 'tag', key: 'out' }, 'out');
  if (
    match?.status === 'playing' ||
    !seat.player ||
    !seat.ready ||
    table.isShared ||
    table.history.past ||
    table.view.restart_at
  )
    return null;
  return h('span', { class: 'tag free', key: 'ready' }, 'ready');
}

/** Of three, one may be out while the others go on. @param {Table} table @param {number} seat */
function isOut({ view, history }, seat) {
  return view.seats.length > 2 && !history.past && history.plies.some((ply) => ply.seat === seat && ply.text === 'out');
}

/** What a seat has left; a time that counts for one move says nothing once the match is over. @param {Table} table @param {number} seat */
function clock(table, seat) {
  const { match, settings } = table.view;
  if (!match?.clock || table.history.past) return null;
  if (match.status !== 'playing' && settings.clock.type !== 'fischer') return null;
  const isRunning = match.clock.deadline !== null && match.to_move.includes(seat);
  const left = match.clock.remaining[seat] - (isRunning ? table.now - Date.parse(match.clock.server_time) : 0);
  return h(
    'span',
    {
      class: `clock ${isRunning && left < SHORT_MS ? 'short' : ''} ${isRunning ? 'running' : ''}`,
      key: 'clock',
      role: 'timer',
      'aria-label': `${table.colourOf(seat)}’s time: ${remaining(left)}`,
    },
    remaining(left),
  );
}

// Assigning.

/** @param {Table} table */
function canAssign(table) {
  return (
    table.isCreator &&
    !table.history.earlier &&
    !table.view.restart_at &&
    table.view.match?.status !== 'playing' &&
    table.view.status !== 'closed' &&
    !table.isShared
  );
}

/** @param {Table} table @param {any} seat */
function seatButtons(table, seat) {
  if (table.history.earlier) return null;
  const claims = table.view.match?.status === 'playing' ? claimButtons(table, seat) : null;
  if (claims || (table.view.match?.status === 'playing' && seat.player)) return claims;
  /** @type {import('../dom.js').Anything[]} */
  const buttons = [];
  if (canAssign(table) && (seat.player || table.memory.moving !== undefined)) buttons.push(moveButton(table, seat));
  const isFree = !seat.player;
  if (isFree && table.me && !table.mySeats.includes(seat.seat) && table.memory.moving === undefined)
    buttons.push(
      h(
        'button',
        {
          key: 'sit',
          type: 'button',
          class: 'small-button',
          'aria-label': `Sit down as ${seat.colour}`,
          onclick: () => void table.command({ type: 'take_seat', seat: seat.seat }),
        },
        'Sit here',
      ),
    );
  if (isFree && table.isCreator && table.game?.bots.length && table.memory.moving === undefined)
    buttons.push(botButton(table, seat));
  if (seat.bot && table.isCreator)
    buttons.push(
      h(
        'button',
        {
          key: 'unbot',
          type: 'button',
          class: 'small-button',
          'aria-label': `Send the bot of ${seat.colour} away`,
          onclick: () => void table.command({ type: 'remove_bot', seat: seat.seat }),
        },
        'Remove',
      ),
    );
  return buttons.length ? h('span', { class: 'seat-buttons', key: 'buttons' }, buttons) : null;
}

/** Whoever is gone for too long can be claimed against. @param {Table} table @param {any} seat */
function claimButtons(table, seat) {
  const since = seat.claimable_at ?? null;
  if (!since || !table.mySeats.length || table.mySeats.includes(seat.seat)) return null;
  const left = Math.ceil((Date.parse(since) - table.now) / 1000);
  if (left > 0) return h('span', { key: 'gone', class: 'small soft' }, `gone, claim in ${left} s`);
  const claim = (/** @type {string} */ outcome, /** @type {string} */ words) =>
    h(
      'button',
      {
        key: outcome,
        type: 'button',
        class: 'small-button',
        onclick: () => void table.command({ type: 'claim_abandoned', seat: seat.seat, outcome }),
      },
      words,
    );
  return h(
    'span',
    { key: 'claims', class: 'seat-buttons', role: 'group', 'aria-label': `${seat.colour} is gone` },
    claim('win', 'Claim'),
    claim('draw', 'Draw'),
    claim('bot', 'Bot plays on'),
  );
}

/** @param {Table} table @param {any} seat */
function botButton(table, seat) {
  return h(
    'select',
    {
      key: 'bot',
      'aria-label': `Put a bot on ${seat.colour}`,
      value: '',
      onchange: (/** @type {any} */ event) => {
        const level = event.target.value;
        event.target.value = '';
        if (level) void table.command({ type: 'add_bot', seat: seat.seat, level });
      },
    },
    h('option', { value: '' }, 'Add a bot'),
    table.game?.bots.map((level) => h('option', { key: level, value: level }, level)),
  );
}

/** @param {Table} table @param {any} seat */
function moveButton(table, seat) {
  const moving = table.memory.moving;
  if (moving === undefined)
    return h(
      'button',
      {
        key: 'move',
        type: 'button',
        class: 'small-button',
        'aria-label': `Move the player of ${seat.colour} to another seat`,
        onclick: () => {
          table.memory.moving = seat.seat;
          announce('Choose the other seat.');
          changed();
        },
      },
      'Swap',
    );
  if (moving === seat.seat)
    return h(
      'button',
      {
        key: 'move',
        type: 'button',
        class: 'small-button',
        onclick: () => {
          delete table.memory.moving;
          changed();
        },
      },
      'Stay',
    );
  return h(
    'button',
    {
      key: 'move',
      type: 'button',
      class: 'small-button primary',
      'aria-label': `Swap with ${seat.colour}`,
      onclick: () => swap(table, seat.seat),
    },
    'Here',
  );
}

/** @param {Table} table @param {number} to */
function swap(table, to) {
  const from = table.memory.moving;
  delete table.memory.moving;
  changed();
  if (from === undefined || from === to) return;
  const players = table.view.seats.map((/** @type {any} */ seat) => seat.player);
  [players[from], players[to]] = [players[to], players[from]];
  void table.command({ type: 'assign_seats', seats: players });
}
