/** What operators have done, the latest first. */

import { redraw } from '../app.js';
import { dateAndTime } from '../dom.js';
import { operateTexts as WORDS } from './texts.js';
import { entries, entry } from './entries.js';

/** @import { Requests } from '../../client/requests.js' */
/**
 * @typedef {{id: string, time: string, deed: {type: string, by?: string, reason: string, on?: boolean, player?: string,
 *   room?: string, name?: string, match?: string, host?: string}}} Entry
 */

/** How many entries are shown at first, and how many more each time. */
const PAGE = 50;

export class Log {
  /** @param {Requests} client */
  constructor(client) {
    this.client = client;
    /** @type {Entry[]} */
    this.entries = [];
    this.shown = PAGE;
  }

  /** Load what is new: the service lists the oldest first. */
  async load() {
    let after = this.entries.at(-1)?.id ?? null;
    do {
      const page = await this.client.get(`/v1/admin/log${after ? `?after=${after}` : ''}`);
      this.entries.push(...page.entries);
      after = page.next;
    } while (after);
  }

  view() {
    const latest = this.entries.slice(-this.shown).reverse();
    const more = async () => {
      this.shown += PAGE;
      redraw();
    };
    return entries(latest.map(line), WORDS.empty.log, this.shown < this.entries.length ? more : null);
  }
}

/** @param {Entry} entry */
function line({ id, time, deed }) {
  const { type, by, reason, on, player, room, name, match, host } = deed;
  const key = /** @type {keyof typeof WORDS.done} */ (on === false ? type.replace('player_', 'player_un') : type);
  const what = [by || WORDS.anonymous, WORDS.done[key], name ?? player ?? room ?? match ?? host];
  return entry(id, what.filter(Boolean).join(' '), [dateAndTime(time), reason], []);
}
