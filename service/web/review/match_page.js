/** The page of a match that is over, by its id. It can be read also when its room plays another match or is closed. */

import { TurnstreamError } from '../../client/requests.js';
import { app, client, guest, isNotFound, loadGame, redraw, sentenceOf } from '../app.js';
import { h } from '../dom.js';
import { keysButton, keysDialog, onRoomKey } from '../hands/keys.js';
import { boardLook, lookMenu } from '../looks/board_looks.js';
import { boardArea } from '../room/room_page.js';
import { Room } from '../room/room.js';
import { seats } from '../room/seats.js';
import { status } from '../room/status.js';
import { viewOf } from './earlier_matches.js';
import { History } from './history.js';
import { movePanel } from './move_list.js';
import { addressOf, reviewPanel } from './review_panel.js';

/** @import { MatchSummary, RoomView } from '../types.d.ts' */

/** The match, as a room that nobody follows. */
class PastRoom extends Room {
  /**
   * @param {string} id
   * @param {number | undefined} ply
   */
  constructor(id, ply) {
    super(id.split('.')[0] ?? '');
    this.id = id;
    this.ply = ply;
    this.history = new PastHistory(this);
  }

  /** @override */
  async open() {
    try {
      const path = `/v1/matches/${encodeURIComponent(this.id)}`;
      const match = /** @type {MatchSummary & {view: RoomView}} */ (await client.get(path));
      if (!match.result) app.go(`/r/${this.name}`);
      this.loadedGame = await loadGame(match.view.game);
      this.setView(match.view);
      await this.history.openMatch(match, viewOf(this, match), this.ply);
    } catch (problem) {
      if (!(problem instanceof TurnstreamError)) throw problem;
      this.loadError = problem;
    }
    redraw();
  }

  /** @override */
  get followedView() {
    return this.view;
  }

  /** @override */
  get isPast() {
    return true;
  }

  /** @override */
  get address() {
    const { earlier, analysis } = this.history;
    return earlier && addressOf(this.id, analysis.match && analysis.ply);
  }
}

class PastHistory extends History {
  /** There is no present to return to: go to the end. @override */
  returnToNow() {
    if (this.earlier) void this.goTo(this.plies.length);
  }
}

export class MatchPage {
  /**
   * @param {string} id
   * @param {number | undefined} ply
   */
  constructor(id, ply) {
    this.room = new PastRoom(id, ply);
    this.showsKeys = false;
    this.onKey = (/** @type {KeyboardEvent} */ event) => onRoomKey(event, this.room, () => this.showKeys(true));
  }

  get title() {
    const { earlier } = this.room.history;
    return earlier ? `Match ${earlier.number} of ${this.room.view.title} · Turnstream` : 'Turnstream';
  }

  enter() {
    void this.room.open();
    addEventListener('keydown', this.onKey);
  }

  leave() {
    this.room.close();
    removeEventListener('keydown', this.onKey);
  }

  /** @param {boolean} isShown */
  showKeys(isShown) {
    this.showsKeys = isShown;
    redraw();
  }

  bar() {
    const { room } = this;
    if (!room.history.earlier) return null;
    return [
      h('span', { class: 'room-name', key: 'name' }, room.view.title),
      lookMenu(room),
      keysButton(() => this.showKeys(true)),
    ];
  }

  view() {
    const { room } = this;
    if (room.loadError) return notShown(room.loadError);
    const { earlier } = room.history;
    if (!earlier) return h('p', { class: 'soft plain' }, 'Loading the match …');
    room.keepAddress();
    const { view, game } = room;
    return h(
      'div',
      { class: `room game-${view.game}`, 'data-board': boardLook(view.game), key: room.id },
      h('h1', { class: 'unseen', key: 'title' }, `Match ${earlier.number} of ${view.title}: ${game.title}`),
      h(
        'div',
        { class: 'play', key: 'play' },
        h('div', { class: 'stack' }, status(room)),
        seats(room),
        boardArea(room),
      ),
      h(
        'div',
        { class: 'aside of-review', key: 'aside' },
        h('div', { class: 'side-panel', key: 'panel' }, reviewPanel(room), movePanel(room)),
      ),
      this.showsKeys ? keysDialog(() => this.showKeys(false)) : null,
    );
  }
}

/** @param {Error} problem */
function notShown(problem) {
  const isUnknown = isNotFound(problem);
  const advice = guest.token ? '' : ' If you were in it, open it with the browser in which you played.';
  return h(
    'div',
    { class: 'plain', key: 'missing' },
    h('h1', null, isUnknown ? 'Match not found' : 'This match cannot be shown'),
    h('p', null, isUnknown ? `No match has this address, or its room is private.${advice}` : sentenceOf(problem)),
    h('p', null, h('a', { href: '/' }, 'To the lobby')),
  );
}
