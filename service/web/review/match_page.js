/** The page of a match that is over, by its id. It can be read even if its room plays another match or is closed. */

import { TurnstreamError } from '../../client/requests.js';
import { app, client, guest, isNotFound, loadGame, redraw, sentenceOf } from '../app.js';
import { h, texts } from '../dom.js';
import { gameTexts } from '../languages/games.js';
import { RoomKeys } from '../hands/keys.js';
import { boardLook, lookMenu } from '../looks/board_looks.js';
import { boardArea } from '../room/room_page.js';
import { titleOfRoom } from '../room/results.js';
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
  /** There is no current position to return to: go to the end. @override */
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
    this.keys = new RoomKeys(this.room);
  }

  get title() {
    const { earlier } = this.room.history;
    return earlier
      ? `${gameTexts.history.matchTitle(earlier.number, titleOfRoom(this.room))} · Turnstream`
      : 'Turnstream';
  }

  get hasStatus() {
    return this.room.history.earlier !== null;
  }

  enter() {
    void this.room.open();
    this.keys.enter();
  }

  leave() {
    this.room.close();
    this.keys.leave();
  }

  bar() {
    const { room } = this;
    if (!room.history.earlier) return null;
    return [h('span', { class: 'room-name', key: 'name' }, titleOfRoom(room)), lookMenu(room), this.keys.button()];
  }

  view() {
    const { room } = this;
    if (room.loadError) return notShown(room.loadError);
    const { earlier } = room.history;
    if (!earlier) return h('p', { class: 'soft plain' }, gameTexts.history.loading);
    room.keepAddress();
    const { view } = room;
    return h(
      'div',
      { class: `room game-${view.game}`, 'data-board': boardLook(view.game), key: room.id },
      h('h1', { class: 'unseen', key: 'title' }, gameTexts.history.matchTitle(earlier.number, titleOfRoom(room))),
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
      this.keys.dialog(),
    );
  }
}

/** @param {Error} problem */
function notShown(problem) {
  const isUnknown = isNotFound(problem);
  const { notFound, notFoundNote, otherBrowser, notShown: cannot } = gameTexts.history;
  const advice = guest.token ? '' : ` ${otherBrowser}`;
  return h(
    'div',
    { class: 'plain', key: 'missing' },
    h('h1', null, isUnknown ? notFound : cannot),
    h('p', null, isUnknown ? `${notFoundNote}${advice}` : sentenceOf(problem)),
    h('p', null, h('a', { href: '/' }, texts.page.toLobby)),
  );
}
