/** The live board: the match that a channel of TV shows, as spectators see it. */

import { Room as FollowedRoom } from '../../client/room.js';
import { Requests, TurnstreamError } from '../../client/requests.js';
import { Tv } from '../../client/tv.js';
import { app, client, loadGame, loadStyle, redraw } from '../app.js';
import { badge } from '../boards/pieces.js';
import { h, recall, store } from '../dom.js';
import { gameTexts } from '../languages/games.js';
import { boardLook } from '../looks/board_looks.js';
import { headline } from '../room/results.js';
import { Room } from '../room/room.js';

/** @import { TvMatch } from '../../schema.d.ts' */
/** @import { RoomView } from '../types.d.ts' */

const { live: WORDS } = gameTexts;
/** The channel of all games. */
const BEST = 'best';
const KEY = 'turnstream.tv';
/** Follows matches without a token, and on a feed of many rooms: no room goes on because it is on TV. */
const spectator = new Requests(client.url, { retries: client.retries });

export class LiveBoard {
  /** @param {(room: string) => boolean} isHidden whether the match of a room is not to be shown, as the player's own */
  constructor(isHidden = () => false) {
    this.isHidden = isHidden;
    /** @type {Tv | null} */
    this.tv = null;
    this.channel = recall(KEY) ?? BEST;
    /** The match on TV. @type {TvMatch | null} */
    this.match = null;
    /** The room on the screen, or the one that is being loaded. @type {Room | null} */
    this.room = null;
  }

  /**
   * Follow a channel instead of the previous one.
   * @param {string} [channel]
   */
  async open(channel = this.channel) {
    this.close();
    this.channel = channel;
    const tv = (this.tv = new Tv(client, channel));
    try {
      await tv.open();
    } catch (problem) {
      if (!(problem instanceof TurnstreamError)) throw problem;
      if (tv === this.tv && channel !== BEST) await this.open(BEST); // its game was removed, say
      return;
    }
    if (tv !== this.tv) return;
    tv.subscribe(() => this.show(tv));
    this.show(tv);
  }

  /**
   * Choose another channel, and remember it on the device.
   * @param {string} channel
   */
  async choose(channel) {
    store(KEY, channel);
    await this.open(channel);
  }

  /** @param {Tv} tv */
  show(tv) {
    if (tv !== this.tv || tv.match?.match_id === this.match?.match_id) return redraw();
    const before = this.match;
    this.match = tv.match;
    const isSameRoom = before?.room === tv.match?.room && before?.epoch === tv.match?.epoch;
    if (isSameRoom && this.room) return redraw();
    this.leaveRoom();
    if (tv.match) void this.follow(tv.match);
    redraw();
  }

  /** @param {TvMatch} match */
  async follow({ room: name, game }) {
    const room = (this.room = new Room(name));
    room.isPicture = true;
    const followed = (room.followed = new FollowedRoom(spectator, name, null, '/v1/feed'));
    try {
      const [loaded] = await Promise.all([loadGame(game), loadStyle('boards'), followed.open()]);
      room.loadedGame = loaded;
    } catch (problem) {
      if (!(problem instanceof TurnstreamError)) throw problem;
      if (room === this.room) this.leaveRoom(); // it has become private, say, or has as many connections as allowed
      redraw();
      return;
    }
    followed.subscribe(() => this.update(room));
    this.update(room);
  }

  /** @param {Room} room */
  update(room) {
    if (room !== this.room) return;
    if (room.followed.failure) this.leaveRoom();
    else room.setView(room.followedView);
    redraw();
  }

  leaveRoom() {
    const { room } = this;
    this.room = null;
    room?.followed.close();
  }

  close() {
    this.leaveRoom();
    const { tv } = this;
    [this.tv, this.match] = [null, null];
    tv?.close();
  }

  /** Whether there is a match to see. */
  get isOn() {
    return Boolean(this.room?.loadedView?.match && this.match && !this.isHidden(this.match.room));
  }

  /** The board with its title, if there is a match, or if a channel other than that of all games was chosen. */
  view() {
    if (!this.isOn && this.channel === BEST) return null;
    return h(
      'section',
      { class: 'live', key: 'live', 'aria-labelledby': 'live-title' },
      h(
        'div',
        { class: 'live-head' },
        h('h2', { id: 'live-title' }, h('a', { href: `/tv/${this.channel}` }, WORDS.title)),
        this.channelField((channel) => void this.choose(channel)),
      ),
      this.content(),
    );
  }

  /** @param {(channel: string) => void} onChange */
  channelField(onChange) {
    const channels = [BEST, ...(app.catalogue ?? []).map(({ slug }) => slug)];
    const titles = [WORDS.allGames, ...(app.catalogue ?? []).map(({ title }) => title)];
    const onchange = (/** @type {Event} */ event) =>
      onChange(channels[/** @type {HTMLSelectElement} */ (event.target).selectedIndex] ?? BEST);
    const options = channels.map((channel, index) =>
      h('option', { key: channel, selected: channel === this.channel }, titles[index]),
    );
    return h('select', { class: 'live-channel', 'aria-label': WORDS.channel, onchange }, options);
  }

  /** The board of the match and its players, or a message that there is none. */
  content() {
    const { room, match } = this;
    if (!this.isOn || !room || !match) return h('p', { key: 'none', class: 'soft' }, WORDS.none);
    const { view } = room;
    return h(
      'a',
      { key: room.name, class: 'live-link', href: `/r/${view.room}`, 'data-board': boardLook(view.game) },
      h('div', { class: 'live-board', inert: true }, room.gameView.draw(room)),
      h(
        'p',
        { class: 'live-words' },
        h('strong', null, WORDS.watch(room.game.title)),
        match.rated ? h('span', { class: 'tag' }, WORDS.rated) : null,
        ' ',
        players(room, view, match),
      ),
    );
  }
}

/**
 * The players, their ratings and points, or how the match has ended.
 * @param {Room} room
 * @param {RoomView} view
 * @param {TvMatch} shown
 */
function players(room, { seats, match }, shown) {
  if (match?.result) return h('span', { key: 'result' }, headline(match.result, room));
  return seats.map((seat) => {
    const rating = shown.seats.find(({ player }) => player === seat.player)?.rating;
    return h(
      'span',
      { key: seat.seat, class: 'live-player' },
      badge(seat.colour),
      ` ${room.holderName(seat)} `,
      rating ? h('span', { class: 'soft' }, `(${rating}) `) : null,
      h('b', null, room.gameView.count?.(room, seat.seat) ?? null),
    );
  });
}
