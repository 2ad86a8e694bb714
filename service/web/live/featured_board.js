/** A large board for wide pages while no match is live: the final position of a notable match, or one of the games. */

import { app, client, loadGame, loadStyle, redraw } from '../app.js';
import { gameViewOf } from '../boards/game_views.js';
import { badge } from '../boards/pieces.js';
import { h, shownName, texts } from '../dom.js';
import { gameTexts } from '../languages/games.js';
import { boardLook } from '../looks/board_looks.js';
import { headline } from '../room/results.js';
import { Room } from '../room/room.js';

/** @import { NotableMatch } from '../../schema.d.ts' */
/** @import { Content, Game, RoomView } from '../types.d.ts' */

const { notable: WORDS } = gameTexts;
const DAY_MS = 86_400_000;

export class FeaturedBoard {
  /** @param {NotableMatch | undefined} notable the match to show, if there is one */
  constructor(notable) {
    this.notable = notable;
    /** The room of the match, once it has been loaded. @type {Room | null} */
    this.room = null;
    /** Another game each day, without a match. @type {Game | null} */
    this.game = null;
  }

  /** Load what is shown. Throws `TurnstreamError`. */
  async load() {
    const style = loadStyle('boards');
    const games = app.catalogue ?? [];
    const slug = this.notable?.game ?? games[Math.floor(Date.now() / DAY_MS) % games.length]?.slug;
    if (!slug) return;
    const game = await loadGame(slug);
    if (this.notable) this.room = await roomOf(this.notable, game);
    else this.game = game;
    await style;
    redraw();
  }

  view() {
    const { room, game, notable } = this;
    if (room && notable) return matchBoard(room, notable);
    return game
      ? section(game.title, `/learn/${game.slug}`, game, gameViewOf(game.slug).picture(game), introduction(game))
      : null;
  }
}

/**
 * The room of a match that is over, as nobody follows it.
 * @param {NotableMatch} notable
 * @param {Game} game
 */
async function roomOf({ match }, game) {
  const found = await client.get(`/v1/matches/${encodeURIComponent(match.id)}`);
  const room = new Room(match.room);
  room.loadedGame = game;
  room.isPicture = true;
  room.setView(/** @type {{view: RoomView}} */ (found).view);
  return room;
}

/**
 * @param {Room} room
 * @param {NotableMatch} notable
 */
function matchBoard(room, { fact, value, match }) {
  const { game, view } = room;
  const names = view.seats.map((seat) => {
    const { nickname } = match.players[seat.seat] ?? {};
    return h('span', { key: seat.seat, class: 'live-player' }, badge(seat.colour), ` ${shownName(nickname ?? '')}`);
  });
  const result = view.match?.result;
  const words = [result ? h('strong', { key: 'result' }, headline(result, room)) : null, names];
  const href = `/m/${encodeURIComponent(match.id)}`;
  return section(WORDS.facts[fact](game.title, value), href, game, room.gameView.draw(room), words);
}

/** @param {Game} game */
function introduction({ tagline }) {
  return [h('span', { key: 'tagline' }, tagline), h('strong', { key: 'learn' }, texts.page.learn)];
}

/**
 * @param {string} title
 * @param {string} href
 * @param {Game} game
 * @param {Content} drawing
 * @param {Content} words
 */
function section(title, href, { slug }, drawing, words) {
  return h(
    'section',
    { class: 'live featured', key: 'featured', 'aria-labelledby': 'featured-title' },
    h('h2', { id: 'featured-title' }, title),
    h(
      'a',
      { class: 'live-link', href, 'data-board': boardLook(slug) },
      h('div', { class: 'live-board', inert: true, 'aria-hidden': 'true' }, drawing),
      h('p', { class: 'live-words' }, words),
    ),
  );
}
