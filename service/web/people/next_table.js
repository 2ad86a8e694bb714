/** The way from a room to the next one in which it is the player's turn. */

import { announce, app, client, guest, notify, redraw, titleOf } from '../app.js';
import { h } from '../dom.js';
import { peopleTexts } from '../languages/people.js';
import { listen } from './own_events.js';

/** @import { JoinedRoom, PlayerEvent } from '../../schema.d.ts' */
/** @import { Room } from '../room/room.js' */

const { tables: WORDS } = peopleTexts;

export class NextTable {
  /** @param {Room} room the one on the page */
  constructor(room) {
    this.room = room;
    /** The other rooms that wait for the player. @type {string[]} */
    this.waiting = [];
    /** How many events have arrived. */
    this.news = 0;
    this.isOpen = true;
    this.end = () => {};
  }

  /** Keep the waiting rooms up to date, if there are other rooms at all. */
  async open() {
    if (!guest.token) return;
    const rooms = await this.refresh();
    if (!rooms.some(({ room }) => room !== this.room.name)) return;
    const end = await listen({ onEvent: (event) => this.onEvent(event), onRestart: () => void this.refresh() });
    if (!this.isOpen) {
      end();
      return;
    }
    this.end = end;
    await this.refresh(); // what has happened before the feed was open
  }

  close() {
    this.isOpen = false;
    this.end();
  }

  /** Read the rooms with the player's turn. Without an answer, nothing changes. @returns {Promise<JoinedRoom[]>} */
  async refresh() {
    const { news } = this;
    const found = await client.me().catch(() => null);
    if (!found) return [];
    if (news !== this.news) return this.refresh(); // what has been read may be older than the latest event
    const { rooms } = found;
    this.waiting = rooms.filter(({ my_turn: isMyTurn }) => isMyTurn).map(({ room }) => room);
    redraw();
    return rooms;
  }

  /** @param {PlayerEvent} event */
  onEvent(event) {
    this.news += 1;
    if (event.type === 'turn_began') {
      this.waiting = [...this.waiting.filter((room) => room !== event.room), event.room];
      if (event.room !== this.room.name) announce(WORDS.yourTurn(titleOf(event.game)));
    } else if (event.type === 'match_finished' || event.type === 'removed_from_room') {
      this.waiting = this.waiting.filter((room) => room !== event.room);
    }
    redraw();
  }

  /** The rooms that wait, without the one on the page. */
  get others() {
    return this.waiting.filter((room) => room !== this.room.name);
  }

  /** Go to the room that has waited longest, if it still waits. */
  async go() {
    await this.refresh();
    const [next] = this.others;
    if (next) app.go(`/r/${encodeURIComponent(next)}`);
    else notify(WORDS.none);
  }

  /** The button, while there is somewhere to go. */
  button() {
    const { length } = this.others;
    if (!length) return null;
    const props = { key: 'next', type: 'button', class: 'next-table', onclick: () => void this.go() };
    return h('button', props, WORDS.next(length));
  }
}
