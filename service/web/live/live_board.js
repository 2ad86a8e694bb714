/** The live board of the lobby: one of the matches that are being played, as those who watch it see it. */

import { Room as FollowedRoom } from '../../client/room.js';
import { client, loadGame, loadStyle, redraw } from '../app.js';
import { badge } from '../boards/pieces.js';
import { h } from '../dom.js';
import { gameTexts } from '../languages/games.js';
import { boardLook } from '../looks/board_looks.js';
import { headline } from '../room/results.js';
import { Room } from '../room/room.js';

/** @import { LobbyEntry } from '../../schema.d.ts' */
/** @import { RoomView } from '../types.d.ts' */

/** How long the last position of a match stays, if no other match begins in its room. */
const ENDED_MS = 8000;

export class LiveBoard {
  constructor() {
    /** The room on the screen, or the one that is being loaded. @type {Room | null} */
    this.room = null;
    /** The matches that can be watched. @type {LobbyEntry[]} */
    this.choices = [];
    /** Rooms that cannot be followed, by name. @type {Set<string>} */
    this.refused = new Set();
    this.timer = 0;
  }

  /**
   * Show one of these rooms. The one on the screen stays as long as it is among them, and a little longer.
   * @param {LobbyEntry[]} choices newest first
   */
  choose(choices) {
    this.choices = choices.filter(({ room }) => !this.refused.has(room));
    const isListed = this.choices.some(({ room }) => room === this.room?.name);
    clearTimeout(this.timer);
    if (this.room && !isListed) this.timer = setTimeout(() => this.change(), ENDED_MS);
    else if (!this.room) this.change();
  }

  /** Show the newest match instead of the one on the screen. */
  change() {
    this.close();
    const [first] = this.choices;
    if (first) void this.follow(first);
    redraw();
  }

  /** @param {LobbyEntry} entry */
  async follow({ room: name, game }) {
    const room = (this.room = new Room(name));
    const followed = (room.followed = new FollowedRoom(client, name));
    try {
      const [loaded] = await Promise.all([loadGame(game), loadStyle('boards'), followed.open()]);
      room.loadedGame = loaded;
    } catch {
      this.refuse(room);
      return;
    }
    followed.subscribe(() => this.update(room));
    this.update(room);
  }

  /** @param {Room} room */
  update(room) {
    if (room !== this.room) return;
    if (room.followed.failure) this.refuse(room);
    else room.setView(room.followedView);
    redraw();
  }

  /**
   * Show another room: this one has become private, say, or has as many connections as allowed.
   * @param {Room} room
   */
  refuse(room) {
    if (room !== this.room) return;
    this.refused.add(room.name);
    this.choices = this.choices.filter(({ room: name }) => name !== room.name);
    this.change();
  }

  close() {
    clearTimeout(this.timer);
    const { room } = this;
    this.room = null;
    room?.followed.close();
  }

  view() {
    const { room } = this;
    if (!room?.loadedView?.match) return null;
    const { view } = room;
    return h(
      'section',
      { class: 'live', key: 'live', 'aria-labelledby': 'live-title' },
      h('h2', { id: 'live-title' }, gameTexts.live.title),
      h(
        'a',
        { class: 'live-link', href: `/r/${view.room}`, 'data-board': boardLook(view.game) },
        h('div', { class: 'live-board', inert: true, key: room.name }, room.gameView.draw(room)),
        h(
          'p',
          { class: 'live-words' },
          h('strong', null, gameTexts.live.watch(room.game.title)),
          ' ',
          players(room, view),
        ),
      ),
    );
  }
}

/**
 * Who plays, and how many points everybody has, or how the match has ended.
 * @param {Room} room
 * @param {RoomView} view
 */
function players(room, { seats, match }) {
  if (match?.result) return h('span', { key: 'result' }, headline(match.result, room));
  return seats.map((seat) =>
    h(
      'span',
      { key: seat.seat, class: 'live-player' },
      badge(seat.colour),
      ` ${room.holderName(seat)} `,
      h('b', null, room.gameView.count?.(room, seat.seat) ?? null),
    ),
  );
}
