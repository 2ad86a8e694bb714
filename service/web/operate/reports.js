/** The reports of players that wait for an operator. */

import { dateAndTime, h } from '../dom.js';
import { operateTexts as WORDS } from './texts.js';
import { entries, entry, playerName } from './entries.js';

/** @import { Requests } from '../../client/requests.js' */
/** @import { OperatePage } from './operate_page.js' */
/** @typedef {{id: string, time: string, by: string, player: string, reason: string, room: string | null}} Report */

export class Reports {
  /**
   * @param {OperatePage} page
   * @param {Requests} client
   */
  constructor(page, client) {
    this.page = page;
    this.client = client;
    /** @type {Report[]} */
    this.reports = [];
    /** @type {Record<string, string[]>} */
    this.nicknames = {};
    /** The `after` of the next page. @type {string | null} */
    this.next = null;
  }

  async load() {
    [this.reports, this.next] = [[], null];
    await this.loadMore();
  }

  async loadMore() {
    const found = await this.client.get(`/v1/admin/reports${this.next ? `?after=${this.next}` : ''}`);
    this.reports = [...this.reports, ...found.reports];
    this.nicknames = { ...this.nicknames, ...found.nicknames };
    this.next = found.next;
  }

  view() {
    const items = this.reports.map((report) => this.report(report));
    return entries(items, WORDS.empty.reports, this.next ? () => this.page.run(() => this.loadMore()) : null);
  }

  /** @param {Report} report */
  report({ id, time, by, player, reason, room }) {
    const name = this.name(player);
    const link = room && h('a', { href: `/r/${encodeURIComponent(room)}`, target: '_blank' }, room);
    const onclick = () => void this.page.showPlayer(player);
    const show = { key: 'show', type: 'button', class: 'small-button', onclick };
    const label = WORDS.of(WORDS.show, name);
    const close = (/** @type {string} */ why) => this.client.post(`/v1/admin/reports/${id}/close`, { reason: why });
    return entry(
      id,
      name,
      [reason, [WORDS.reported(this.name(by), dateAndTime(time)), link ? [` ${WORDS.inRoom} `, link] : null]],
      [h('button', { ...show, 'aria-label': label }, WORDS.show), this.page.act('settle', { key: id, name }, close)],
    );
  }

  /** @param {string} player */
  name(player) {
    return player in this.nicknames ? playerName(player, this.nicknames[player]) : WORDS.erased;
  }
}
