/** The lobby: the games, the player's rooms, the rooms that can be joined or watched, and the chat. */

import { Lobby } from '../../client/feed.js';
import {
  app,
  attempt,
  client,
  forgetUnknownGuest,
  guest,
  keepTrying,
  loadCatalogue,
  loadGame,
  loadMe,
  redraw,
  sentenceOf,
} from '../app.js';
import { chat, ChatPane, chatPane } from '../chat.js';
import { h, texts } from '../dom.js';
import { countsOf, failure, matchesToWatch, nameOf, openRooms, ownRooms, urgency } from './room_list.js';

/** @import { Frame } from '../../client/feed.js' */
/** @import { LobbyEntry } from '../../schema.d.ts' */
/** @import { cardMoves } from '../live/card_moves.js' */
/** @import { FeaturedBoard } from '../live/featured_board.js' */
/** @import { Here } from '../live/here.js' */
/** @import { LiveBoard } from '../live/live_board.js' */
/** @import { NotableList } from '../live/notable_list.js' */
/** @import { MetList } from '../people/met_list.js' */
/** @import { ComingList } from '../tournaments/coming_list.js' */
/** @import { Content, GameSummary, MyRoom } from '../types.d.ts' */

/** How often the player's rooms are read again: during a match in one of them, otherwise, and in a hidden tab. */
const POLL_MS = { playing: 5000, waiting: 30_000, hidden: 60_000 };
/** A tab that has been hidden for this many reads is not updated until it is shown. */
const MAX_HIDDEN_POLLS = 480;
/** How long after the first view what rooms need, the live board, tournaments and notable matches are loaded. */
const LIVE_MS = 1000;
/** To how many of the player's rooms the lobby can send messages. */
const MAX_PLACES = 5;
/** Where the lobby has a column for a large board. */
const WIDE = '(min-width: 108rem)';
/** How many people whom the player has met are shown. */
const MAX_MET = 6;
const SKELETONS = [1, 2, 3, 4, 5];

export class LobbyPage {
  constructor() {
    this.isShown = false;
    this.lobby = new Lobby(client);
    /** Null until they have arrived. @type {LobbyEntry[] | null} */
    this.rooms = null;
    /** @type {MyRoom[]} */
    this.ownRooms = [];
    /** Whether a guest's rooms have not arrived yet; their place is reserved, so that little moves when they do. */
    this.isWaiting = guest.token !== null;
    /** The game whose rooms are listed, or null for all. @type {string | null} */
    this.filter = null;
    /** Draws the dialog that opens a room, while that is open. @type {(() => Content) | null} */
    this.dialog = null;
    /** Why the list of games, or that of the player's rooms, has not arrived. @type {Record<string, string>} */
    this.failures = {};
    /** The game whose room is being opened, or an empty text. */
    this.opening = '';
    this.hiddenPolls = 0;
    this.timer = 0;
    this.pane = new ChatPane(null, () => [
      { room: null, title: texts.chat.lobby },
      ...this.ownRooms.slice(0, MAX_PLACES).map((own) => ({ room: own.room, title: nameOf(own) })),
    ]);
    /** The live board, once it has been loaded. @type {LiveBoard | null} */
    this.live = null;
    /** Whether loading it has been started. */
    this.isLive = false;
    /** Below the rooms, once they have been loaded. @type {(ComingList | MetList | NotableList)[]} */
    this.lists = [];
    /** Who is here, once it has been loaded. @type {Here | null} */
    this.here = null;
    /** What a wide page shows while no match is live, once it has been loaded. @type {FeaturedBoard | null} */
    this.featured = null;
    /** Plays moves on the cards, once it has been loaded. @type {typeof cardMoves | null} */
    this.moves = null;
    this.onVisible = () => document.visibilityState === 'visible' && void Promise.all([this.poll(), this.here?.load()]);
  }

  get title() {
    return 'Turnstream';
  }

  /** The number of rooms in which it is the player's turn. */
  get turns() {
    return this.ownRooms.filter((room) => room.my_turn).length;
  }

  /** The status of the connection; one that has ended is opened again. */
  get feedStatus() {
    const { status } = this.lobby;
    return status === 'closed' ? 'reconnecting' : status;
  }

  enter() {
    this.isShown = true;
    document.addEventListener('visibilitychange', this.onVisible);
    void this.keepTrying('games', loadCatalogue);
    void this.keepTrying('feed', () => this.follow());
    void this.prepare();
    void this.showLists();
    void this.poll();
  }

  /** Load what a first tap needs, once the page is idle: rooms, and the board of each game. */
  async prepare() {
    await new Promise((resolve) => setTimeout(resolve, LIVE_MS));
    const load = async () => {
      await app.prepare();
      await loadCatalogue();
      for (const { slug } of app.catalogue ?? []) if (this.isShown) await loadGame(slug);
    };
    await keepTrying(
      load,
      () => this.isShown,
      () => {}, // what is missing when a room is opened is loaded then
    );
  }

  leave() {
    this.isShown = false;
    document.removeEventListener('visibilitychange', this.onVisible);
    clearTimeout(this.timer);
    this.live?.close();
    this.moves?.stop();
    this.lobby.close();
  }

  /**
   * Load a part of the page, with retries, and remember the reason while it has not arrived.
   * @param {string} part
   * @param {() => Promise<void>} load
   */
  async keepTrying(part, load) {
    await keepTrying(
      load,
      () => this.isShown,
      (problem) => {
        if (!forgetUnknownGuest(problem)) this.failures[part] = sentenceOf(problem);
        redraw();
      },
    );
    delete this.failures[part];
    redraw();
  }

  // The lists.

  /** Follow the list of rooms. */
  async follow() {
    const lobby = (this.lobby = new Lobby(client, { chat: 'all' }));
    lobby.subscribe((frame) => this.onFrame(frame));
    await lobby.open();
    lobby.subscribe(() => {
      if (!lobby.failure || !this.isShown) return;
      forgetUnknownGuest(lobby.failure);
      void this.keepTrying('feed', () => this.follow());
    });
  }

  /** @param {Frame | null} frame */
  onFrame(frame) {
    chat.onFrame(frame);
    if (frame?.type === 'lobby') {
      this.rooms = this.lobby.rooms;
      void this.showLive();
      if (!frame.snapshot && frame.upsert?.some(({ room }) => this.isOwn(room))) void this.poll();
    }
    redraw();
  }

  /** Follow TV, once a match is being played; its code is loaded after the first view. */
  async showLive() {
    if (this.isLive || !matchesToWatch(this).length) return;
    this.isLive = true;
    await new Promise((resolve) => setTimeout(resolve, LIVE_MS));
    const found = await import('../live/live_board.js').catch(() => null); // the lobby is complete without it
    if (!found || !this.isShown) return;
    this.live = new found.LiveBoard((room) => this.isOwn(room));
    await this.live.open();
  }

  /** Show people, tournaments and notable matches; what that needs is loaded after the first view. */
  async showLists() {
    await new Promise((resolve) => setTimeout(resolve, LIVE_MS));
    if (!this.isShown) return;
    const modules = Promise.all([
      import('../people/met_list.js'),
      import('../tournaments/coming_list.js'),
      import('../live/notable_list.js'),
    ]);
    const found = await modules.catch(() => null); // they are not needed to play
    if (!found || !this.isShown) return;
    const [{ MetList }, { ComingList }, { NotableList }] = found;
    const notable = new NotableList();
    this.lists = [new MetList('lobby-list', MAX_MET), new ComingList(), notable];
    await Promise.all(this.lists.map((list) => list.load()));
    if (this.isShown) await this.showOthers(notable);
  }

  /**
   * Show who is here, and on a wide page a large board.
   * @param {NotableList} notable
   */
  async showOthers({ found, matches }) {
    const here = await import('../live/here.js').catch(() => null); // as above
    if (here) this.here = new here.Here(() => countsOf(this), found);
    const isWide = matchMedia(WIDE).matches;
    const featured = isWide ? await import('../live/featured_board.js').catch(() => null) : null;
    if (featured) this.featured = new featured.FeaturedBoard(matches[0]);
    await Promise.all([this.here?.load(), attempt(async () => this.featured?.load())]);
  }

  /** Read the player's rooms now, and again after a while. */
  async poll() {
    clearTimeout(this.timer);
    await this.keepTrying('own', async () => {
      const { rooms } = guest.token ? await loadMe() : { rooms: [] };
      this.ownRooms = rooms.sort((one, other) => urgency(one) - urgency(other));
      this.isWaiting = false;
    });
    const isHidden = document.visibilityState === 'hidden';
    this.hiddenPolls = isHidden ? this.hiddenPolls + 1 : 0;
    if (!this.isShown || !this.ownRooms.length || this.hiddenPolls > MAX_HIDDEN_POLLS) return;
    const isPlaying = this.ownRooms.some(({ status }) => status === 'playing');
    const pause = isHidden ? POLL_MS.hidden : isPlaying ? POLL_MS.playing : POLL_MS.waiting;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.poll(), pause);
  }

  /** @param {string} name */
  isOwn(name) {
    return this.ownRooms.some(({ room }) => room === name);
  }

  // Opening a room.

  /**
   * Begin a match against bots immediately.
   * @param {GameSummary} game
   */
  async play(game) {
    if (this.opening) return;
    this.opening = game.slug;
    redraw();
    const isOpen = await attempt(async () => {
      try {
        return await (await import('../forms/play_bots.js')).playBots(game);
      } catch (problem) {
        await app.show(); // instead of the empty board
        throw problem;
      }
    });
    if (isOpen === false) await this.openDialog(game.slug, 'device');
    this.opening = '';
    redraw();
  }

  /**
   * @param {string} slug
   * @param {'friends' | 'bots' | 'device'} opponents
   */
  async openDialog(slug, opponents) {
    await attempt(async () => {
      const [{ createDialog, Creation }, game] = await Promise.all([
        import('../forms/create_dialog.js'),
        loadGame(slug),
      ]);
      const creation = new Creation(game, opponents, () => {
        this.dialog = null;
        redraw();
      });
      this.dialog = () => createDialog(creation);
    });
    redraw();
  }

  /**
   * Choose what to look for, and look for other players.
   * @param {string} slug
   */
  async findOpponents(slug) {
    await attempt(async () => (await import('../people/seek_dialog.js')).openSeekDialog(slug));
  }

  // Drawing.

  view() {
    return h(
      'div',
      { class: 'lobby' },
      welcome(),
      ownRooms(this),
      this.games(),
      h(
        'div',
        { class: 'lobby-below', key: 'below' },
        h(
          'div',
          { key: 'matches', class: 'lobby-lists' },
          openRooms(this),
          this.lists.map((list) => list.view()),
        ),
        this.chatPanel(),
      ),
      this.dialog?.(),
      footer(),
    );
  }

  games() {
    const cards = app.catalogue?.map((game) => this.gameCard(game)) ?? SKELETONS.map(skeletonCard);
    const touch = (/** @type {Event} */ event) => void this.touch(event).catch(() => {}); // loaded again for a room
    const starts = { onpointerover: touch, onpointerdown: touch, onfocusin: touch };
    const label = { 'aria-labelledby': 'games-title', 'aria-busy': app.catalogue ? null : 'true' };
    const props = { class: 'games', ...label, ...starts, onpointerleave: touch, onfocusout: touch };
    return h(
      'section',
      { key: 'games', class: 'lobby-games', 'aria-labelledby': 'games-title' },
      h('h2', { id: 'games-title', class: 'unseen' }, texts.lobby.games),
      app.catalogue ? null : failure(this.failures.games, texts.lobby.gamesMissing),
      h('ul', props, cards),
    );
  }

  /**
   * A card is touched: load what a room needs, and show moves of the game.
   * @param {Event} event
   */
  async touch(event) {
    await app.prepare();
    this.moves = (await import('../live/card_moves.js')).cardMoves;
    if (this.isShown) this.moves.follow(event);
  }

  /** @param {GameSummary} game */
  gameCard(game) {
    const { slug, title, tagline } = game;
    const counts = [...new Set(game.seats.map(({ seats }) => seats.length))].sort();
    const { lobby } = texts;
    const bots = counts[0] === 2 ? lobby.againstBot : lobby.againstBots;
    const play = {
      onclick: () => void this.play(game),
      disabled: Boolean(this.opening),
      'aria-label': lobby.playGame(title),
    };
    const friends = {
      onclick: () => void this.openDialog(slug, 'friends'),
      'aria-label': lobby.friendsGame(title),
    };
    const options = { onclick: () => void this.openDialog(slug, 'bots'), 'aria-label': lobby.optionsOf(title) };
    const isPair = counts.at(-1) === 2;
    const find = {
      onclick: () => void this.findOpponents(slug),
      'aria-label': (isPair ? lobby.findGame : lobby.findManyGame)(title),
    };
    return h(
      'li',
      { key: slug, class: this.opening === slug ? 'game pressed' : 'game', 'data-game': slug },
      gamePicture(slug, title, this.moves?.view(slug)),
      h('h3', null, title),
      h('p', { class: 'small tagline' }, tagline),
      h(
        'div',
        { class: 'start' },
        h('button', { type: 'button', class: 'primary play-now', ...play }, lobby.play),
        h('span', { class: 'soft small' }, game.bots.length ? bots : lobby.againstPeople),
        h('button', { type: 'button', class: 'find', ...find }, isPair ? lobby.find : lobby.findMany),
      ),
      h(
        'div',
        { class: 'more' },
        h('button', { type: 'button', class: 'link', ...friends }, lobby.friends),
        h('button', { type: 'button', class: 'link', ...options }, lobby.options),
        game.lesson_steps
          ? h('a', { href: `/learn/${slug}`, 'aria-label': lobby.learnGame(title) }, texts.page.learn)
          : null,
        h('a', { href: `/games/${slug}`, 'aria-label': lobby.rulesOf(title) }, texts.page.rules),
      ),
    );
  }

  chatPanel() {
    return h(
      'div',
      { key: 'talk', class: 'lobby-side' },
      this.live?.view() ?? this.featured?.view(),
      this.here?.view(),
      h('h2', { key: 'title' }, texts.lobby.chat),
      chatPane(this.pane),
    );
  }
}

// Parts of the page.

function welcome() {
  return h(
    'section',
    { class: 'welcome', key: 'welcome' },
    h('h1', null, location.pathname === '/' ? texts.lobby.welcome : texts.lobby.noSuchPage),
    h('p', null, texts.lobby.lead),
    h(
      'div',
      { class: 'welcome-links' },
      h('a', { href: '/tournaments' }, texts.lobby.tournaments),
      h('a', { href: '/ratings' }, texts.lobby.ratings),
    ),
  );
}

/**
 * The picture of a game, which is part of the page; for other games, a letter.
 * @param {string} slug
 * @param {string} title
 * @param {Content} moves shown over it
 */
function gamePicture(slug, title, moves) {
  const id = `picture-${slug}`;
  const isKnown = document.getElementById(id) !== null;
  const picture = isKnown
    ? h('svg', { viewBox: '0 0 200 150', preserveAspectRatio: 'xMidYMid slice' }, h('use', { href: `#${id}` }))
    : title.charAt(0);
  return h('div', { class: 'game-picture', 'aria-hidden': 'true' }, picture, moves);
}

/** @param {number} key */
function skeletonCard(key) {
  return h('li', { key: `skeleton ${key}`, class: 'game skeleton' }, h('div', { class: 'game-picture' }));
}

function footer() {
  return h(
    'footer',
    { class: 'foot', key: 'foot' },
    h('a', { href: '/docs' }, texts.lobby.api),
    ' · ',
    h('a', { href: '/asyncapi.json' }, texts.lobby.feeds),
    ` · ${texts.lobby.nothingElse}`,
  );
}
