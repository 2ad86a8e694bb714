/** All rooms, also private ones, as operators see them. */

import { loadCatalogue, titleOf } from '../app.js';
import { dateAndTime, h, isolated } from '../dom.js';
import { operateTexts as WORDS } from './texts.js';
import { choice, entries, entry } from './entries.js';

/** @import { Requests } from '../../client/requests.js' */
/** @import { OperatePage } from './operate_page.js' */
/**
 * @typedef {{room: string, epoch: string, title: string, game: string, status: keyof typeof WORDS.statuses,
 *   changed: string, members: Record<string, string>}} AdminRoom
 */

export class Rooms {
  /**
   * @param {OperatePage} page
   * @param {Requests} client
   */
  constructor(page, client) {
    this.page = page;
    this.client = client;
    /** @type {AdminRoom[]} */
    this.rooms = [];
    this.hasClosed = false;
    /** The `cursor` of the next page. @type {string | null} */
    this.next = null;
  }

  async load() {
    [this.rooms, this.next] = [[], null];
    await Promise.all([this.loadMore(), loadCatalogue()]);
  }

  async loadMore() {
    const query = new URLSearchParams(this.hasClosed ? { all: 'true' } : {});
    if (this.next) query.set('cursor', this.next);
    const found = await this.client.get(`/v1/admin/rooms?${query}`);
    this.rooms = [...this.rooms, ...found.rooms];
    this.next = found.next;
  }

  view() {
    const include = (/** @type {boolean} */ on) => {
      this.hasClosed = on;
      return this.page.run(() => this.load());
    };
    return [
      choice('with-closed', WORDS.withClosed, this.hasClosed, include),
      entries(
        this.rooms.map((room) => this.room(room)),
        WORDS.empty.rooms,
        this.next ? () => this.page.run(() => this.loadMore()) : null,
      ),
    ];
  }

  /** @param {AdminRoom} room */
  room({ room, epoch, title, game, status, changed, members }) {
    const key = `${room}:${epoch}`;
    const people = Object.entries(members).map(([id, nickname]) => this.member(id, nickname));
    const close = (/** @type {string} */ reason) => this.client.post(`/v1/admin/rooms/${key}/close`, { reason });
    return entry(
      key,
      status === 'closed' ? title : h('a', { href: `/r/${encodeURIComponent(room)}`, target: '_blank' }, title),
      [
        [titleOf(game), WORDS.statuses[status], WORDS.changed(dateAndTime(changed))].join(' · '),
        people.length ? people : null,
      ],
      [status === 'closed' ? null : this.page.act('shut', { key, name: title }, close)],
    );
  }

  /**
   * @param {string} id
   * @param {string} nickname
   */
  member(id, nickname) {
    const onclick = () => void this.page.showPlayer(id);
    return [h('button', { key: id, type: 'button', class: 'person', onclick }, isolated(nickname)), ' '];
  }
}
