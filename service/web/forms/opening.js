/**
 * A room before it is there: the empty board of its game is shown at once, and the view with which the service answers
 * is drawn before the room is followed.
 */

import { app, colourName } from '../app.js';
import { gameViewOf } from '../boards/game_views.js';
import { badge } from '../boards/pieces.js';
import { h } from '../dom.js';
import { roomTexts } from '../languages/room.js';
import { boardLook } from '../looks/board_looks.js';

/** @import { Game, RoomView } from '../types.d.ts' */

/** What is being opened on this page: the slug of the game, and the room's first view. */
export const opening = { game: '', view: /** @type {RoomView | null} */ (null) };

/** The page until the room has a name. */
export class OpeningPage {
  get title() {
    return `${app.games.get(opening.game)?.title ?? ''} · Turnstream`;
  }

  enter() {}

  leave() {}

  view() {
    return emptyRoom();
  }
}

/** The room that is being opened, without pieces; a line of text if its game is unknown. */
export function emptyRoom() {
  const game = app.games.get(opening.game);
  const words = h('p', { class: 'headline', role: 'status' }, roomTexts.room.loading);
  if (!game) return h('div', { class: 'plain soft' }, words);
  const board = gameViewOf(game.slug).picture(game, true);
  return h(
    'div',
    { class: `room game-${game.slug}`, 'data-board': boardLook(game.slug), key: 'opening' },
    h(
      'div',
      { class: 'play' },
      h('div', { class: 'stack' }, h('div', { class: 'status' }, words)),
      emptySeats(game),
      h('div', { class: 'waiting-board opening', 'aria-hidden': 'true' }, board),
    ),
    h('div', { class: 'aside' }),
  );
}

/** @param {Game} game */
function emptySeats({ slug, seats: [usual] }) {
  const seats = usual?.seats ?? [];
  return h(
    'ul',
    { class: `seats of-${seats.length}` },
    seats.map(({ seat, colour }) => {
      const who = h('span', { class: 'seat-colour' }, colourName(slug, colour));
      const name = h('span', { class: 'seat-name' }, '\u00a0');
      return h('li', { class: seat ? 'seat' : 'seat near' }, badge(colour), h('div', { class: 'seat-who' }, who, name));
    }),
  );
}
