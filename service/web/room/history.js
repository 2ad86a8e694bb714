/** A match as a list of plies, and looking back at any of them while the present goes on. */

import { ask } from '../api.js';
import { announce, attempt, changed, notify } from '../app.js';
import { outcome, ply } from './describe.js';

/** @typedef {{version: number, seat: number | null, text: string, told: string}} Ply */
/** @typedef {{number: number, events: any[], view: any}} Earlier a match that is no longer on the table; `view` tells who played */

const PAGE = 1000;

export class History {
  /** @param {import('./room.js').Table} table */
  constructor(table) {
    this.table = table;
    /** @type {any[]} the events of the match on the table */
    this.events = [];
    /** The version up to which events have been heard. */
    this.version = 0;
    /** @type {any} the view that is looked back at, or null for the present */
    this.past = null;
    /** @type {Earlier | null} the match that is looked back at, if it isn't the one on the table */
    this.earlier = null;
    /** @type {Map<string, any>} */
    this.seen = new Map();
    this.asked = 0;
    /** @type {number | null} the place that is being gone to, until its position has come */
    this.heading = null;
  }

  // Hearing.

  /** Read the events of the match on the table. */
  async load() {
    const { matches } = (await attempt(() => ask(`${this.table.path}/matches?limit=1`))) ?? { matches: [] };
    const found = await this.read(matches.length ? matches[0].versions.first - 1 : this.table.view.version);
    if (!found) return;
    if (this.past && this.past.match?.id !== this.table.view.match?.id) this.keep();
    const version = found.at(-1)?.version ?? this.version;
    this.events = [...found, ...this.events.filter((event) => event.version > version)];
    this.version = Math.max(this.version, version);
    changed();
  }

  /** The room's events after a version and up to another, or null if they can't be had. @param {number} since @param {number} [until] @returns {Promise<any[] | null>} */
  async read(since, until = Infinity) {
    /** @type {any[]} */
    const found = [];
    for (let from = since; from !== null && from < until;) {
      const page = await attempt(() =>
        ask(`${this.table.path}/events?since=${from}&limit=${Math.min(PAGE, until - from)}`),
      );
      if (!page) return null;
      found.push(...page.events);
      from = page.next;
    }
    return found;
  }

  /** @param {any} event */
  add(event) {
    if (event.version <= this.version) return;
    this.version = event.version;
    if (event.type === 'match_started') this.beginAnew();
    if (event.type === 'taken_back' && !this.earlier && this.past?.version > event.to_version) this.backToNow();
    this.events.push(event);
  }

  /** Another match begins. What is looked back at stays on the screen, as one of an earlier match. */
  beginAnew() {
    if (this.past && !this.earlier) {
      this.keep();
      notify('A new match has begun.');
    }
    this.events = [];
    if (!this.past) this.seen.clear();
  }

  keep() {
    this.earlier ??= { number: this.past.match.number, events: this.events, view: this.past };
  }

  // The plies of the match that is looked at.

  /** What was played and still stands: what was taken back is left out. @returns {Ply[]} */
  get plies() {
    const table = this.earlier ? this.table.asOf(this.earlier.view) : this.table;
    /** @type {Ply[]} */
    let plies = [];
    for (const event of this.earlier?.events ?? this.events) {
      if (event.type === 'taken_back') plies = plies.filter((one) => one.version <= event.to_version);
      const one = ply(event, table);
      if (one) plies.push(one);
    }
    return plies;
  }

  /** The version before the first ply. */
  get start() {
    const first = this.plies[0]?.version;
    const begun = (this.earlier?.events ?? this.events).filter(
      (event) => event.match && (first === undefined || event.version < first),
    );
    return begun.at(-1)?.version ?? this.table.view.version;
  }

  /** Where the shown position stands among the plies: 0 is the start. */
  get place() {
    const plies = this.plies;
    if (!this.past) return plies.length;
    return plies.filter((one) => one.version <= this.past.version).length;
  }

  /** Whether nothing comes after what is shown. */
  get isAtEnd() {
    return this.earlier ? this.past.version >= this.end : !this.past;
  }

  /** The last version of an earlier match. @returns {number} */
  get end() {
    return this.earlier?.events.filter((event) => event.match).at(-1)?.version ?? 0;
  }

  /** Which position is shown. */
  get where() {
    const { place, plies } = this;
    const at =
      this.earlier && this.isAtEnd ? 'the end' : place ? `after move ${place} of ${plies.length}` : 'the start';
    return this.earlier ? `match ${this.earlier.number}: ${at}` : at;
  }

  /** What the shown position came from, or how the earlier match ended. */
  get told() {
    if (this.earlier && this.isAtEnd && this.past.match?.result)
      return outcome(this.past.match.result, this.table.asOf(this.earlier.view));
    return this.plies[this.place - 1]?.told ?? '';
  }

  // Looking back.

  /** Go so many plies forward, or back where negative; steps taken quickly add up. @param {number} count */
  step(count) {
    return this.go((this.heading ?? this.place) + count);
  }

  /** Look at the position after so many plies; that after the last one is the present, or the end of an earlier match. @param {number} place */
  async go(place) {
    const plies = this.plies;
    if (place >= plies.length && !this.earlier) return this.backToNow();
    this.heading = Math.min(Math.max(0, place), plies.length);
    const version = this.heading === 0 ? this.start : plies[this.heading - 1].version;
    return this.look(place >= plies.length ? this.end : version);
  }

  /** Look at a match that was played here before, from its end. @param {any} card @param {any} view who played */
  async visit(card, view) {
    const number = (this.asked += 1);
    const events = await this.read(card.versions.first - 1, card.versions.last);
    if (!events || number !== this.asked) return;
    const past = await this.viewAt(card.versions.last);
    if (!past || number !== this.asked) return;
    this.earlier = { number: card.number, events, view };
    this.show(past);
  }

  /** @param {number} version */
  async look(version) {
    const number = (this.asked += 1);
    const view = await this.viewAt(version);
    if (number !== this.asked) return;
    this.heading = null;
    if (view) this.show(view);
  }

  /** @param {any} view */
  show(view) {
    this.heading = null;
    this.past = view;
    this.table.picks = [];
    announce(`Looking back: ${this.where}. ${this.told}`);
    changed();
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

  /** What was heard holds no longer: the room's history is another. */
  reset() {
    this.forget();
    [this.events, this.version] = [[], 0];
  }

  backToNow() {
    this.asked += 1;
    this.heading = null;
    if (!this.past) return;
    this.past = null;
    this.earlier = null;
    announce('Back to now.');
    changed();
  }
}
