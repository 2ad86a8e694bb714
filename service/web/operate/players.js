/** The players whom operators look for, mute and ban. */

import { dateAndTime, h } from '../dom.js';
import { inputField, submitted } from '../forms/fields.js';
import { operateTexts as WORDS } from './texts.js';
import { choice, entries, entry, playerName } from './entries.js';

/** @import { Requests } from '../../client/requests.js' */
/** @import { OperatePage } from './operate_page.js' */
/** @typedef {{since: string, reason: string, by: string}} Restriction */
/**
 * @typedef {{player: string, nicknames: string[], muted: Restriction | null, banned: Restriction | null,
 *   erased: boolean}} Player
 */

export class Players {
  /**
   * @param {OperatePage} page
   * @param {Requests} client
   */
  constructor(page, client) {
    this.page = page;
    this.client = client;
    /** @type {Player[]} */
    this.players = [];
    this.query = '';
    this.isRestricted = false;
    /** The `cursor` of the next page. @type {string | null} */
    this.next = null;
  }

  /** @param {string} query */
  searchFor(query) {
    [this.query, this.isRestricted] = [query, false];
  }

  async load() {
    [this.players, this.next] = [[], null];
    await this.loadMore();
  }

  /** Load the next page that is not empty. */
  async loadMore() {
    do {
      const query = new URLSearchParams(this.isRestricted ? { restricted: 'true' } : { q: this.query });
      if (this.next) query.set('cursor', this.next);
      const found = await this.client.get(`/v1/admin/players?${query}`);
      this.players = [...this.players, ...found.players];
      this.next = found.next;
    } while (this.next && !this.players.length);
  }

  view() {
    const onsubmit = (/** @type {SubmitEvent} */ event) => {
      this.searchFor(submitted(event)('query')?.trim() ?? '');
      void this.page.run(() => this.load());
    };
    const restrict = (/** @type {boolean} */ on) => {
      this.isRestricted = on;
      return this.page.run(() => this.load());
    };
    return [
      h(
        'form',
        { class: 'code-form', key: 'search', onsubmit },
        inputField('player-query', WORDS.search, { name: 'query', type: 'search', value: this.query, maxlength: 60 }),
        h('button', { type: 'submit' }, WORDS.find),
      ),
      choice('only-restricted', WORDS.onlyRestricted, this.isRestricted, restrict),
      entries(
        this.players.map((player) => this.player(player)),
        WORDS.empty.players,
        this.next ? () => this.page.run(() => this.loadMore()) : null,
      ),
    ];
  }

  /** @param {Player} player */
  player({ player: id, nicknames, muted, banned, erased }) {
    const subject = { key: id, name: playerName(id, nicknames) };
    const change = (/** @type {'mute' | 'ban'} */ what, /** @type {boolean} */ on) => (/** @type {string} */ reason) =>
      this.client.post(`/v1/admin/players/${id}/${what}`, { on, reason });
    return entry(
      id,
      subject.name,
      [id, erased && WORDS.gone, muted && stated(WORDS.muted, muted), banned && stated(WORDS.banned, banned)],
      [
        this.page.act(muted ? 'unmute' : 'mute', subject, change('mute', !muted)),
        this.page.act(banned ? 'unban' : 'ban', subject, change('ban', !banned)),
      ],
    );
  }
}

/**
 * @param {string} what
 * @param {Restriction} restriction
 */
function stated(what, { since, reason, by }) {
  const text = WORDS.since(what, dateAndTime(since), by);
  return reason ? `${text}: ${reason}` : text;
}
