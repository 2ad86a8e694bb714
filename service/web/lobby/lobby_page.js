/** The lobby: the games, the rooms that are open, one's own rooms, and the chat. */

import { Lobby } from '../../client.js';
import { app, attempt, loadCatalogue, redraw } from '../app.js';
import { gameViewOf } from '../boards/game_views.js';
import { Chat, chatPanel } from '../chat.js';
import { h } from '../dom.js';
import { client, forgetUnknownGuest, guest } from '../guest.js';
import { TAGLINES } from '../help/labels.js';
import { createDialog, Creation } from './create_dialog.js';
import { nameForm } from './name_form.js';
import { joinableFirst, joinForm, openRoom, ownRoom } from './room_list.js';

/** @import { Frame } from '../../client.js' */
/** @import { Game, Me, MyRoom } from '../types.d.ts' */

export class LobbyPage {
  constructor() {
    this.lobby = new Lobby(client);
    this.isLoaded = false;
    /** Null until loaded, so that nothing moves under the pointer. @type {MyRoom[] | null} */
    this.ownRooms = guest.token ? null : [];
    /** @type {Creation | null} */
    this.creation = null;
    /** The game whose rooms are listed, or null for all. @type {string | null} */
    this.filter = null;
    this.chat = new Chat(null, () => guest.token !== null);
  }

  get title() {
    return 'Turnstream';
  }

  enter() {
    void attempt(loadCatalogue).then(redraw);
    void this.loadOwnRooms();
    void this.follow();
  }

  leave() {
    this.lobby.close();
  }

  async follow() {
    this.lobby.subscribe((frame) => this.onFrame(frame));
    await this.lobby.open().catch(() => {}); // `onFrame` sees the failure
  }

  /** The status of the connection. */
  get feedStatus() {
    return this.lobby.status;
  }

  /** @param {Frame | null} frame */
  onFrame(frame) {
    if (forgetUnknownGuest(this.lobby.failure)) {
      this.lobby = new Lobby(client);
      void this.follow();
    }
    if (frame?.type === 'chat') this.chat.onFrame(frame);
    if (frame?.type === 'lobby') {
      this.isLoaded = true;
      if (frame.snapshot) void this.chat.load();
    }
    redraw();
  }

  async loadOwnRooms() {
    if (!guest.token) return;
    try {
      /** @type {Me} */
      const { rooms } = await client.get('/v1/players/me');
      this.ownRooms = rooms;
    } catch (problem) {
      forgetUnknownGuest(problem);
      this.ownRooms = [];
    }
    redraw();
  }

  bar() {
    return guest.token ? h('span', { class: 'me' }, 'Playing as ', h('strong', null, guest.nickname)) : null;
  }

  view() {
    return h(
      'div',
      { class: 'lobby' },
      welcome(),
      this.games(),
      h('div', { class: 'lobby-below', key: 'below' }, this.roomLists(), this.chatPanel()),
      this.creation ? createDialog(this.creation) : null,
      footer(),
    );
  }

  chatPanel() {
    return chatPanel(this.chat, {
      label: 'Lobby chat',
      placeholder: 'Say hello',
      instead: 'Enter your nickname to write here.',
    });
  }

  games() {
    return h(
      'section',
      { key: 'games', 'aria-labelledby': 'games-title' },
      h('h2', { id: 'games-title' }, 'Games'),
      h(
        'ul',
        { class: 'games' },
        app.catalogue.map((game) => this.gameCard(game)),
      ),
    );
  }

  /** @param {Game} game */
  gameCard(game) {
    const counts = [...new Set(game.seats.map(({ seats }) => seats.length))].sort();
    return h(
      'li',
      { key: game.slug, class: 'game' },
      h('div', { class: 'game-picture', 'aria-hidden': 'true' }, gameViewOf(game.slug).picture(game)),
      h('h3', null, game.title),
      h('p', { class: 'small' }, TAGLINES[game.slug] ?? ''),
      h('p', { class: 'soft small' }, `${counts.join(' or ')} players`),
      h('div', { class: 'buttons' }, this.playButton(game), rulesLink(game)),
    );
  }

  /** @param {Game} game */
  playButton(game) {
    const onclick = () => {
      this.creation = new Creation(game, () => {
        this.creation = null;
        redraw();
      });
      redraw();
    };
    return h('button', { type: 'button', class: 'primary', onclick, 'aria-label': `Play ${game.title}` }, 'Play');
  }

  roomLists() {
    const own = this.ownRooms;
    const shown = joinableFirst(own ? this.lobby.rooms.filter(({ game }) => !this.filter || game === this.filter) : []);
    return h(
      'section',
      { class: 'room-lists', 'aria-labelledby': 'rooms-title', key: 'rooms' },
      own?.length
        ? [h('h2', { key: 'own-title' }, 'Your rooms'), h('ul', { key: 'own', class: 'rooms' }, own.map(ownRoom))]
        : null,
      h('h2', { id: 'rooms-title', key: 'title' }, 'Open rooms'),
      h(
        'div',
        { class: 'filter', key: 'filter', role: 'group', 'aria-label': 'Game' },
        this.filterButton(null, 'All'),
        app.catalogue.map(({ slug, title }) => this.filterButton(slug, title)),
      ),
      h('ul', { key: 'rooms', class: 'rooms' }, shown.map(openRoom)),
      this.isLoaded && own && !shown.length
        ? h('p', { key: 'none', class: 'soft' }, 'No room is open. Open one, and others will see it here.')
        : null,
    );
  }

  /**
   * @param {string | null} slug
   * @param {string} label
   */
  filterButton(slug, label) {
    const onclick = () => {
      this.filter = slug;
      redraw();
    };
    return h(
      'button',
      { key: slug ?? 'all', type: 'button', 'aria-pressed': String(this.filter === slug), onclick },
      label,
    );
  }
}

function welcome() {
  return h(
    'section',
    { class: 'welcome', key: 'welcome' },
    h('h1', null, 'Pull up a chair.'),
    h('p', null, 'Five board games for two or three players, on one device or many. No account, just a nickname.'),
    nameForm(),
    joinForm(),
  );
}

/** @param {Game} game */
function rulesLink({ slug, title }) {
  return h('a', { class: 'button', href: `/games/${slug}`, 'aria-label': `Rules of ${title}` }, 'Rules');
}

function footer() {
  return h(
    'footer',
    { class: 'foot', key: 'foot' },
    h('a', { href: '/docs' }, 'The API'),
    ' · ',
    h('a', { href: '/asyncapi.json' }, 'The feeds'),
    ' · This site uses nothing else.',
  );
}
