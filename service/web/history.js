/** The match as a list of plies, and looking back at any of them while the present goes on. */

import { ask } from './api.js';
import { announce, attempt, changed } from './app.js';
import { ply } from './telling.js';

/** @typedef {{version: number, seat: number | null, text: string, told: string}} Ply */

const PAGE = 1000;

export class History {
  /** @param {import('./table.js').Table} table */
  constructor(table) {
    this.table = table;
    /** @type {any[]} the events of the match on the table */
    this.events = [];
    /** The version up to which events have been heard. */
    this.version = 0;
    /** @type {any} the view that is looked back at, or null for the present */
    this.past = null;
    /** @type {Map<string, any>} */
    this.seen = new Map();
    this.asked = 0;
    /** @type {number | null} the place that is being gone to, until its position has come */
    this.heading = null;
  }

  /** Read the events of the match on the table. */
  async load() {
    const { matches } = (await attempt(() => ask(`${this.table.path}/matches?limit=1`))) ?? { matches: [] };
    let since = matches.length ? matches[0].versions.first - 1 : this.table.view.version;
    /** @type {any[]} */
    const found = [];
    for (let more = true; more;) {
      const page = await attempt(() => ask(`${this.table.path}/events?since=${since}&limit=${PAGE}`));
      if (!page) return;
      found.push(...page.events);
      more = page.next !== null;
      since = page.next ?? since;
    }
    const version = found.at(-1)?.version ?? this.version;
    this.events = [...found, ...this.events.filter((event) => event.version > version)];
    this.version = Math.max(this.version, version);
    changed();
  }

  /** @param {any} event */
  add(event) {
    if (event.version <= this.version) return;
    this.version = event.version;
    if (event.type === 'match_started') {
      this.events = [];
      this.seen.clear();
    }
    this.events.push(event);
  }

  /** What was played and still stands: what was taken back is left out. @returns {Ply[]} */
  get plies() {
    /** @type {Ply[]} */
    let plies = [];
    for (const event of this.events) {
      if (event.type === 'taken_back') plies = plies.filter((one) => one.version <= event.to_version);
      const one = ply(event, this.table);
      if (one) plies.push(one);
    }
    return plies;
  }

  /** The version before the first ply. */
  get start() {
    const first = this.plies[0]?.version;
    const begun = this.events.filter((event) => event.match && (first === undefined || event.version < first));
    return begun.at(-1)?.version ?? this.table.view.version;
  }

  /** Where the shown position stands among the plies: 0 is the start. */
  get place() {
    const plies = this.plies;
    if (!this.past) return plies.length;
    return plies.filter((one) => one.version <= this.past.version).length;
  }

  /** Go so many plies forward, or back where negative; steps taken quickly add up. @param {number} count */
  step(count) {
    return this.go((this.heading ?? this.place) + count);
  }

  /** Look at the position after so many plies; that after the last one is the present. @param {number} place */
  async go(place) {
    const plies = this.plies;
    if (place >= plies.length) return this.backToNow();
    const version = place <= 0 ? this.start : plies[place - 1].version;
    const number = (this.asked += 1);
    this.heading = Math.max(0, place);
    const view = await this.viewAt(version);
    if (number !== this.asked) return undefined;
    this.heading = null;
    if (!view) return undefined;
    this.past = view;
    this.table.picks = [];
    announce(place <= 0 ? 'The start of the match.' : `Move ${place} of ${plies.length}: ${plies[place - 1].told}`);
    return changed();
  }

  /** @param {number} version */
  async viewAt(version) {
    const { eyes, path } = this.table;
    const seat = eyes === null ? '' : `&seat=${eyes}`;
    const place = `${version}${seat}`;
    const view = this.seen.get(place) ?? (await attempt(() => ask(`${path}?at=${version}${seat}`)));
    if (view) this.seen.set(place, view);
    return view;
  }

  /** Forget what was seen of the past, and return to now: other eyes may look soon. */
  forget() {
    this.seen.clear();
    this.backToNow();
  }

  backToNow() {
    this.asked += 1;
    this.heading = null;
    if (!this.past) return;
    this.past = null;
    announce('Back to now.');
    changed();
  }
}
