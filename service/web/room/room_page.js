/** The page of a room: the status on top, seats, board, what can be done, and beside it moves and chat. */

import { actions, choices } from './actions.js';
import { order } from '../api.js';
import { attempt, beSomebody, changed, forgive, notify } from '../app.js';
import { chatPanel } from '../chat.js';
import { h } from '../dom.js';
import { earlierPanel } from './earlier_matches.js';
import { guest, rename } from '../guest.js';
import { handOver } from './hand_over.js';
import { movePanel, stepper } from './move_list.js';
import { offers } from './offers.js';
import { seats } from './seats.js';
import { status } from './status.js';
import { Table } from './room.js';
import { tablePanel } from './room_panel.js';

const TICK_MS = 200;

export class RoomPage {
  /** @param {string} name */
  constructor(name) {
    this.table = new Table(name);
    this.ticking = 0;
    /** @type {'moves' | 'chat' | 'table'} */
    this.side = 'moves';
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.keyed(event);
  }

  get title() {
    const { view } = this.table;
    if (!view) return 'Turnstream';
    const isMine =
      this.table.acting !== null && !this.table.isShared && view.match?.to_move.includes(this.table.acting);
    return `${isMine ? '● Your turn · ' : ''}${view.title} · Turnstream`;
  }

  enter() {
    void this.table.open();
    addEventListener('keydown', this.onKey);
    this.tick();
  }

  leave() {
    clearTimeout(this.ticking);
    removeEventListener('keydown', this.onKey);
    this.table.close();
  }

  /** Clocks and count-downs run on by themselves. */
  tick() {
    const { view } = this.table;
    if (view?.match?.clock || view?.restart_at || view?.seats.some((/** @type {any} */ seat) => seat.claimable_at))
      changed();
    this.ticking = setTimeout(() => this.tick(), TICK_MS);
  }

  /** Comma and full stop step through the match from anywhere; Escape puts back or returns to now. @param {KeyboardEvent} event */
  keyed(event) {
    const isTyping = event.target instanceof Element && event.target.closest('input, select, textarea, dialog');
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !this.table.view) return;
    const { history } = this.table;
    if (event.key === ',') void history.step(-1);
    else if (event.key === '.') void history.step(1);
    else if (event.key === 'Escape' && history.past) history.backToNow();
    else return;
    event.preventDefault();
  }

  bar() {
    const { view } = this.table;
    if (!view) return null;
    return [
      h('span', { class: 'room-name', key: 'name' }, view.title),
      h('button', { class: 'quiet', type: 'button', key: 'share', onclick: () => void share(view) }, 'Copy link'),
      h(
        'a',
        { class: 'button quiet', key: 'help', href: `/games/${view.game}`, target: '_blank', rel: 'noopener' },
        'Rules',
      ),
    ];
  }

  view() {
    const { table } = this;
    if (table.missing) return missing(table);
    if (!table.view) return h('p', { class: 'soft plain' }, 'Looking for the table …');
    return h(
      'div',
      { class: `room game-${table.view.game}`, key: table.name },
      h('h1', { class: 'unseen', key: 'title' }, `${table.view.title}: ${table.game?.title}`),
      h(
        'div',
        { class: 'play', key: 'play' },
        h('div', { class: 'stack', key: 'stack' }, status(table), offers(table)),
        seats(table),
        boardArea(table),
      ),
      h('div', { class: 'aside', key: 'aside' }, this.aside()),
    );
  }

  aside() {
    const { table } = this;
    const panels = /** @type {const} */ ([
      ['moves', 'Moves'],
      ['chat', shownUnread(table, this.side)],
      ['table', 'Table'],
    ]);
    const shown = panels.some(([name]) => name === this.side) ? this.side : 'moves';
    return [
      joinPanel(table),
      h(
        'div',
        { class: 'tabs', role: 'tablist', 'aria-label': 'Beside the board', key: 'tabs' },
        panels.map(([name, words]) =>
          h(
            'button',
            {
              key: name,
              type: 'button',
              role: 'tab',
              id: `side-${name}`,
              'aria-selected': String(name === shown),
              'aria-controls': 'side-panel',
              class: 'tab',
              onclick: () => {
                this.side = /** @type {any} */ (name);
                changed();
              },
            },
            words,
          ),
        ),
      ),
      h(
        'div',
        { class: 'side-panel', role: 'tabpanel', id: 'side-panel', key: 'panel', 'aria-labelledby': `side-${shown}` },
        shown === 'moves'
          ? [movePanel(table), earlierPanel(table.earlier)]
          : shown === 'chat'
            ? chatPanel(table.chat, { label: 'Chat', hint: 'Say something, or /ready', before: 'Join to talk.' })
            : tablePanel(table),
      ),
    ];
  }
}

/** @param {Table} table @param {string} side */
function shownUnread({ chat }, side) {
  return chat.unread && side !== 'chat' ? `Chat (${chat.unread} new)` : 'Chat';
}

/** @param {Table} table */
function boardArea(table) {
  if (!table.shown.match)
    return h(
      'div',
      { class: 'waiting-board', key: 'waiting', 'aria-hidden': 'true' },
      table.game ? table.face.picture(table.game) : null,
    );
  const seen = table.onScreen;
  return [
    handOver(table),
    h(
      'div',
      { class: `boards ${table.history.past ? 'past' : ''} ${table.legal.length ? 'mine' : ''}`, key: 'boards' },
      table.isVeiled ? null : seen.face.draw(seen),
    ),
    choices(table),
    h('div', { class: 'tray', key: 'tray' }, table.isVeiled ? null : seen.face.tray?.(seen)),
    h('div', { class: 'below', key: 'below' }, stepper(table), actions(table)),
  ];
}

/** @param {Table} table */
function missing(table) {
  const isUnknown = table.missing?.status === 404;
  return h(
    'div',
    { class: 'plain', key: 'missing' },
    h('h1', null, isUnknown ? 'No such table' : 'This table can’t be shown'),
    h('p', null, isUnknown ? 'Nobody has a table of this name open, or it is a private one.' : table.missing?.message),
    isUnknown ? passwordForm(table) : null,
    h('p', null, h('a', { href: '/' }, 'To the lobby')),
  );
}

/** A private room opens to its password. @param {Table} table */
function passwordForm(table) {
  return h(
    'form',
    {
      class: 'name-form',
      onsubmit: (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
        void attempt(async () => {
          await join(table, String(form.get('nickname') ?? guest.nickname), { password: String(form.get('password')) });
          table.missing = null;
          forgive();
          await table.open();
        });
      },
    },
    nicknameField(),
    h('label', { for: 'password' }, 'If it is private: its password'),
    h(
      'span',
      { class: 'row' },
      h('input', { id: 'password', name: 'password', type: 'password', required: true, autocomplete: 'off' }),
      h('button', { type: 'submit' }, 'Come in'),
    ),
  );
}

function nicknameField() {
  if (guest.token) return null;
  return [
    h('label', { for: 'join-nickname', key: 'label' }, 'Your nickname'),
    h('input', {
      id: 'join-nickname',
      key: 'field',
      name: 'nickname',
      required: true,
      maxlength: 24,
      autocomplete: 'nickname',
    }),
  ];
}

/** For whoever is not in the room yet. @param {Table} table */
function joinPanel(table) {
  if (table.me && (table.mySeats.length || table.me.as === 'player')) return null;
  const free = table.view.seats.filter((/** @type {any} */ seat) => !seat.player && !seat.bot);
  const isWatching = table.me !== null;
  if (isWatching && !free.length) return null;
  return h(
    'form',
    { class: 'join', key: 'join', onsubmit: (/** @type {SubmitEvent} */ event) => submitJoin(event, table) },
    nicknameField(),
    h(
      'span',
      { class: 'row' },
      free.length
        ? h(
            'button',
            { type: 'submit', class: 'primary', name: 'as', value: 'player' },
            isWatching ? 'Take a seat' : 'Join and take a seat',
          )
        : null,
      isWatching ? null : h('button', { type: 'submit', name: 'as', value: 'spectator' }, 'Watch'),
    ),
  );
}

/** @param {SubmitEvent} event @param {Table} table */
function submitJoin(event, table) {
  event.preventDefault();
  const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
  const as = /** @type {HTMLButtonElement | null} */ (event.submitter)?.value ?? 'player';
  const free = table.view.seats.find((/** @type {any} */ seat) => !seat.player);
  void attempt(() =>
    table.me
      ? table.command({ type: 'take_seat', seat: free.seat })
      : join(table, String(form.get('nickname') ?? guest.nickname), { as }),
  );
}

/** @param {Table} table @param {string} nickname @param {Record<string, any>} how */
async function join(table, nickname, how) {
  await beSomebody(nickname);
  if (nickname) rename(nickname);
  await order(`${table.path}/commands`, {
    type: 'join',
    ...(guest.nickname ? { nickname: guest.nickname } : {}),
    ...how,
  });
  if (table.view) table.look(null);
}

/** @param {any} view */
async function share(view) {
  const link = `${location.origin}/r/${view.room}`;
  try {
    await navigator.clipboard.writeText(link);
    notify('The link is copied: send it to whoever is to join.');
  } catch {
    notify(`The link to this table: ${link}`);
  }
}
