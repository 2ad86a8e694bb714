/**
 * A card of the lobby plays three moves of its game, once, while it is pointed at or has the focus, or after a touch.
 * The positions are those by which the game's lesson shows it. Nothing moves for people who prefer that.
 */

import { loadGame, redraw } from '../app.js';
import { h } from '../dom.js';
import { boardLook } from '../looks/board_looks.js';
import { endMotion, isStill } from '../motion/motion.js';
import { Room } from '../room/room.js';

/** @import { Game, GameState, RoomView } from '../types.d.ts' */

/** How long a card waits before the first position, shows each, and keeps the last one, in milliseconds. */
const PAUSES = { first: 250, each: 1100, last: 1400 };

class CardMoves {
  constructor() {
    /** The game whose card is pointed at, or an empty text. */
    this.slug = '';
    /** Shows the position, until the moves have been played. @type {Room | null} */
    this.room = null;
    /** The number of the latest change of `slug`. */
    this.number = 0;
  }

  /**
   * A card is pointed at, touched or focused, or no longer. A touch ends at once: its moves are played to the end.
   * @param {Event} event
   */
  follow(event) {
    const isTouch = event instanceof PointerEvent && event.pointerType !== 'mouse';
    const isEnd = event.type === 'pointerleave' || event.type === 'focusout';
    const slug = gameAt(event instanceof FocusEvent && isEnd ? event.relatedTarget : event.target);
    if (isEnd) {
      if (!slug && !isTouch) this.stop();
      return;
    }
    const isPlaying = slug === this.slug && (this.room || !isTouch);
    if (!isPlaying) void this.play(slug).catch(() => this.stop()); // the picture stays
  }

  stop() {
    this.number += 1;
    if (this.room) endMotion();
    [this.slug, this.room] = ['', null];
    redraw();
  }

  /**
   * Throws `TurnstreamError`.
   * @param {string} slug an empty text for none
   */
  async play(slug) {
    this.stop();
    this.slug = slug;
    const { number } = this;
    const isOver = async (/** @type {number} */ ms) => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      return number !== this.number;
    };
    if (!slug || isStill() || (await isOver(PAUSES.first))) return;
    const game = await loadGame(slug);
    const room = roomOf(game);
    for (const position of positionsOf(game)) {
      if (isStill()) break;
      room.setView(viewOf(game, position));
      this.room = room;
      redraw();
      if (await isOver(PAUSES.each)) return;
    }
    if (!isStill() && (await isOver(PAUSES.last))) return;
    this.room = null;
    redraw();
  }

  /**
   * The board over the picture of a card, while its moves are played.
   * @param {string} slug
   */
  view(slug) {
    const { room } = this;
    if (!room || slug !== this.slug) return null;
    const props = { class: `card-moves game-${slug}`, key: 'moves', inert: true, 'data-board': boardLook(slug) };
    return h('div', props, room.gameView.draw(room));
  }
}

export const cardMoves = new CardMoves();

/**
 * The game of the card that contains an element, or an empty text.
 * @param {EventTarget | null} element
 */
function gameAt(element) {
  return (element instanceof Element && element.closest('[data-game]')?.getAttribute('data-game')) || '';
}

/** @param {Game} game */
function positionsOf({ lesson }) {
  return /** @type {GameState[]} */ (lesson?.steps.find(({ positions }) => positions.length)?.positions ?? []);
}

/** @param {Game} game */
function roomOf(game) {
  const room = new Room('');
  room.loadedGame = game;
  room.isPicture = true;
  return room;
}

/**
 * What a room shows of a position, in which nobody holds a seat.
 * @param {Game} game
 * @param {GameState} state
 */
function viewOf({ slug, lesson, seats: [usual] }, state) {
  const seats = usual?.seats.map((seat) => ({ ...seat, player: null, bot: null }));
  const match = { id: slug, number: 1, status: 'finished', state, to_move: [], legal_moves: [] };
  const view = { room: '', game: slug, options: lesson?.options, seats, players: [], match, version: 0 };
  return /** @type {RoomView} */ (/** @type {unknown} */ (view));
}
