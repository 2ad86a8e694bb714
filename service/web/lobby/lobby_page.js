/** The lobby: the games, the tables that are open now, mine, and the chat. */

import { ask } from '../api.js';
import { allGames, app, attempt, changed } from '../app.js';
import { faceOf } from '../boards/game_views.js';
import { Chat, chatPanel } from '../chat.js';
import { feed } from '../connection.js';
import { createDialog, Creation } from './create_dialog.js';
import { h } from '../dom.js';
import { guest } from '../guest.js';
import { BLURBS } from '../help/labels.js';
import { nameForm } from './name_form.js';
import { ago } from '../times.js';

export class LobbyPage {
  constructor() {
    /** @type {any[]} */
    this.rooms = [];
    this.isRead = false;
    /** @type {any[] | null} null until they are read, so that nothing moves under a finger */
    this.mine = guest.token ? null : [];
    /** @type {Creation | null} */
    this.creation = null;
    /** @type {string | null} */
    this.only = null;
    this.chat = new Chat('/lobby', () => guest.token !== null);
  }

  get title() {
    return 'Turnstream';
  }

  enter() {
    void attempt(allGames).then(changed);
    void this.readMine();
    feed.follow(this);
  }

  leave() {
    feed.unfollow(this);
  }

  get topic() {
    return { lobby: true };
  }

  subscription() {
    return {};
  }

  /** @param {any} frame */
  concerns(frame) {
    return frame.type === 'lobby' || (frame.type === 'chat' && !frame.room);
  }

  /** @param {any} frame */
  take(frame) {
    if (frame.type === 'chat') this.chat.take(frame);
    else this.takeCards(frame);
    if (frame.snapshot) void this.chat.load();
    changed();
  }

  /** A snapshot replaces what is shown; everything else changes it. @param {{upsert?: any[], remove?: any[], snapshot?: boolean}} frame */
  takeCards({ upsert = [], remove = [], snapshot = false }) {
    const touched = new Set([...upsert, ...remove].map((card) => `${card.room} ${card.epoch}`));
    const kept = snapshot ? [] : this.rooms.filter((card) => !touched.has(`${card.room} ${card.epoch}`));
    this.rooms = [...upsert, ...kept].sort((one, other) => other.opened.localeCompare(one.opened));
    this.isRead = true;
  }

  async readMine() {
    if (!guest.token) return;
    const me = await ask('/players/me').catch(() => null);
    this.mine = me?.rooms ?? [];
    changed();
  }

  bar() {
    return guest.token ? h('span', { class: 'me' }, 'Playing as ', h('strong', null, guest.nickname)) : null;
  }

  view() {
    return h(
      'div',
      { class: 'lobby' },
      h(
        'section',
        { class: 'welcome', key: 'welcome' },
        h('h1', null, 'Pull up a chair.'),
        h('p', null, 'Five board games for two and three, at one device or many. No account, just a name.'),
        nameForm(),
        joinForm(),
      ),
      h(
        'section',
        { key: 'games', 'aria-labelledby': 'games-title' },
        h('h2', { id: 'games-title' }, 'Games'),
        h(
          'ul',
          { class: 'games' },
          app.catalogue.map((game) => this.card(game)),
        ),
      ),
      h(
        'div',
        { class: 'lobby-below', key: 'below' },
        this.tables(),
        chatPanel(this.chat, { label: 'Lobby chat', hint: 'Say hello', before: 'Say your nickname to talk.' }),
      ),
      this.creation ? createDialog(this.creation) : null,
      h(
        'footer',
        { class: 'foot', key: 'foot' },
        h('a', { href: '/docs' }, 'The API'),
        ' · ',
        h('a', { href: '/asyncapi.json' }, 'The feeds'),
        ' · Everything here uses them and nothing else.',
      ),
    );
  }

  /** @param {import('../app.js').Game} game */
  card(game) {
    const counts = [...new Set(game.seats.map(({ seats }) => seats.length))].sort();
    return h(
      'li',
      { key: game.slug, class: 'game' },
      h('div', { class: 'game-picture', 'aria-hidden': 'true' }, faceOf(game.slug).picture(game)),
      h('h3', null, game.title),
      h('p', { class: 'small' }, BLURBS[game.slug] ?? ''),
      h('p', { class: 'soft small' }, `${counts.join(' or ')} players`),
      h(
        'div',
        { class: 'buttons' },
        h(
          'button',
          { type: 'button', class: 'primary', onclick: () => this.create(game), 'aria-label': `Play ${game.title}` },
          'Play',
        ),
        h('a', { class: 'button', href: `/games/${game.slug}`, 'aria-label': `Rules of ${game.title}` }, 'Rules'),
      ),
    );
  }

  /** @param {import('../app.js').Game} game */
  create(game) {
    this.creation = new Creation(game, () => {
      this.creation = null;
      changed();
    });
    changed();
  }

  tables() {
    const shown = (this.mine ? this.rooms : [])
      .filter((room) => !this.only || room.game === this.only)
      .sort((one, other) => Number(awaitsPlayers(other)) - Number(awaitsPlayers(one)));
    return h(
      'section',
      { class: 'tables', 'aria-labelledby': 'tables-title', key: 'tables' },
      this.mine?.length
        ? [
            h('h2', { key: 'mine-title' }, 'Your tables'),
            h(
              'ul',
              { key: 'mine', class: 'rooms' },
              this.mine.map((room) => mineLine(room)),
            ),
          ]
        : null,
      h('h2', { id: 'tables-title', key: 'title' }, 'Open tables'),
      h(
        'div',
        { class: 'filter', key: 'filter', role: 'group', 'aria-label': 'Game' },
        [null, ...app.catalogue.map((game) => game.slug)].map((slug) =>
          h(
            'button',
            {
              key: slug ?? 'all',
              type: 'button',
              'aria-pressed': String(this.only === slug),
              onclick: () => {
                this.only = slug;
                changed();
              },
            },
            slug ? app.games.get(slug)?.title : 'All',
          ),
        ),
      ),
      h(
        'ul',
        { key: 'rooms', class: 'rooms' },
        shown.map((room) => roomLine(room)),
      ),
      this.isRead && this.mine && !shown.length
        ? h('p', { key: 'none', class: 'soft' }, 'No table is open. Begin one, others will see it here.')
        : null,
    );
  }
}

/** Whether one can still sit down there. @param {any} room */
function awaitsPlayers(room) {
  return room.status !== 'playing' && room.seats > room.seats_taken;
}

/** @param {any} room */
function roomLine(room) {
  const free = room.seats - room.seats_taken;
  const state = room.status === 'playing' ? 'playing' : free ? `${free} ${free === 1 ? 'seat' : 'seats'} free` : 'full';
  return h(
    'li',
    { key: `${room.room} ${room.epoch}` },
    h(
      'a',
      { href: `/r/${room.room}`, class: 'room-line' },
      h('span', { class: 'room-title' }, room.title),
      h('span', { class: 'soft' }, app.games.get(room.game)?.title ?? room.game),
      h('span', { class: awaitsPlayers(room) ? 'tag free' : 'tag' }, state),
      h('span', { class: 'soft small' }, ago(room.opened, Date.now())),
    ),
  );
}

/** @param {any} room */
function mineLine(room) {
  return h(
    'li',
    { key: room.room },
    h(
      'a',
      { href: `/r/${room.room}`, class: 'room-line' },
      h('span', { class: 'room-title' }, room.title ?? room.room),
      h('span', { class: 'soft' }, app.games.get(room.game)?.title ?? room.game),
      room.your_turn || room.to_move?.length
        ? h('span', { class: 'tag free' }, 'your turn')
        : h('span', { class: 'tag' }, room.status),
    ),
  );
}

function joinForm() {
  return h(
    'form',
    {
      class: 'join-form',
      key: 'join',
      onsubmit: (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const name = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get('room') ?? '').trim();
        if (name) app.go(`/r/${encodeURIComponent(name.toLowerCase().replace(/\s+/g, '-'))}`);
      },
    },
    h('label', { for: 'join-room' }, 'Join a table by its name'),
    h(
      'span',
      { class: 'row' },
      h('input', {
        id: 'join-room',
        name: 'room',
        required: true,
        maxlength: 60,
        autocomplete: 'off',
        placeholder: 'friday-night',
      }),
      h('button', { type: 'submit' }, 'Go'),
    ),
  );
}
