/**
 * Quick play: looking for other players, on any page, and going to the room when they are found. A seek belongs to its
 * tab: it is renewed as long as the tab is open, even after a reload.
 */

import { makeSeek, ownSeeks, RENEW_MS, withdrawSeek } from '../../client/seeks.js';
import { RefusedError, TurnstreamError } from '../../client/requests.js';
import {
  announce,
  app,
  asGuest,
  attempt,
  client,
  ensureGuest,
  notify,
  redraw,
  sentenceOf,
  showProblem,
  titleOf,
} from '../app.js';
import { timeOfDay } from '../dom.js';
import { peopleTexts } from '../languages/people.js';
import { play } from '../motion/sound.js';
import { Arrival } from './arrival.js';
import { listen, follow } from './own_events.js';
import { banner } from './quick_banner.js';

/** @import { PlayerEvent, SeekMatchedEvent, SeekRequest } from '../../schema.d.ts' */
/** @typedef {'idle' | 'seeking' | 'opening' | 'found'} Phase */
/**
 * What a tab remembers. `isCancelled` says that the seek has to be withdrawn.
 * @typedef {{request: SeekRequest, title: string, isCancelled?: boolean}} Kept
 */

const { quick: WORDS } = peopleTexts;
const KEY = 'turnstream.seek';
const TICK_MS = 1000;
/** How long after its deadline the end of a pairing is looked up, if no event has arrived. */
const LATE_MS = 4000;

class QuickPlay {
  constructor() {
    /** @type {Phase} */
    this.phase = 'idle';
    /** @type {Kept | null} */
    this.kept = null;
    /** The id of the seek, once it was created. */
    this.seek = '';
    /** The id of the seek that is being created, empty if others are found at once. @type {Promise<string> | null} */
    this.making = null;
    /** Resolves when the previous seek has been withdrawn. @type {Promise<void>} */
    this.withdrawal = Promise.resolve();
    /** When the search began, by the clock of `performance`. */
    this.since = 0;
    /** The room that was found. @type {Arrival | null} */
    this.found = null;
    this.renewal = 0;
    this.ticking = 0;
    /** Removes the listener. @type {(() => void) | null} */
    this.unlisten = null;
    document.addEventListener('visibilitychange', () => void this.appear());
  }

  // From the player.

  /**
   * Look for other players, instead of the previous search.
   * @param {SeekRequest} request
   * @param {string} title of the game
   */
  async start(request, title) {
    await this.cancel();
    await attempt(async () => {
      await ensureGuest();
      this.begin({ request, title });
      await this.listen();
      await this.renew();
    });
  }

  /** @param {Kept} kept */
  begin(kept) {
    this.kept = kept;
    this.since = performance.now();
    this.setPhase('seeking');
    keep(kept);
    announce(WORDS.looking(kept.title));
    app.banners.set('quick', () => banner(this));
    clearInterval(this.ticking);
    this.ticking = setInterval(() => this.tick(), TICK_MS);
  }

  /** Continue after the page was reloaded, if the seek or its room still exists. */
  async resume() {
    const kept = recall();
    if (kept?.isCancelled) this.withdrawal = this.withdraw(kept, openSeek(kept));
    if (!kept || kept.isCancelled) return;
    this.begin(kept);
    try {
      await this.listen();
      await this.sync();
    } catch (problem) {
      if (!(problem instanceof TurnstreamError)) throw problem;
      this.stop(sentenceOf(problem));
    }
  }

  /** Stop looking. Resolves when the seek has been withdrawn. */
  cancel() {
    const { seek, phase } = this;
    if (phase !== 'idle') this.stop('', phase === 'seeking' ? seek : '');
    return this.withdrawal;
  }

  /** Go to the room that was found although another match is being played. */
  accept() {
    this.found?.go();
    void this.appear();
    redraw();
  }

  // What the service knows.

  async listen() {
    this.unlisten ??= await listen({
      onEvent: (event) => this.onEvent(event),
      onRestart: () => void attempt(() => this.sync()),
    });
  }

  /** Create the seek, or renew it for another minute. */
  async renew() {
    clearTimeout(this.renewal);
    const { kept } = this;
    if (!kept || this.phase === 'idle' || this.phase === 'found') return;
    this.renewal = setTimeout(() => void this.renew(), RENEW_MS);
    try {
      await follow(); // the feed of a guest who is new, if need be
      if (this.kept === kept && !this.making) await this.make(kept);
    } catch (problem) {
      if (this.kept === kept || !(problem instanceof TurnstreamError)) this.onRefusal(problem);
    }
  }

  /** @param {Kept} kept */
  async make(kept) {
    const { seek } = this;
    const request = asGuest(() => makeSeek(client, kept.request));
    const making = request.then(
      ({ id, paired }) => (paired ? '' : id),
      () => seek, // the one that was to be continued
    );
    this.making = making;
    try {
      const { id, paired } = await request;
      if (this.kept !== kept) return; // it ended meanwhile, and is being withdrawn
      this.seek = id;
      if (paired && this.phase === 'seeking') this.setPhase('opening');
    } finally {
      if (this.making === making) this.making = null;
    }
  }

  /**
   * Withdraw a seek. The tab remembers this until it is answered, because it may be reloaded before that.
   * @param {Kept} kept
   * @param {Promise<string> | string} seek empty if there is none after all
   */
  async withdraw(kept, seek) {
    keep({ ...kept, isCancelled: true });
    try {
      const id = await seek;
      if (id) await withdrawSeek(client, id);
    } catch (problem) {
      showProblem(problem);
      if (!(problem instanceof RefusedError)) return;
    }
    keep(null);
  }

  /** @param {unknown} problem */
  onRefusal(problem) {
    if (!(problem instanceof TurnstreamError)) throw problem;
    if (!(problem instanceof RefusedError)) return; // it is made again later
    if (problem.code === 'already_paired') return void attempt(() => this.sync());
    const { until } = problem.problem.params ?? {};
    const isPaused = problem.code === 'seeking_paused' && typeof until === 'string';
    this.stop(isPaused ? WORDS.paused(timeOfDay(until)) : sentenceOf(problem));
  }

  /** Read the current state of the seek. Throws `TurnstreamError`. */
  async sync() {
    const { kept } = this;
    if (!kept) return;
    const { seeks, pairing } = await ownSeeks(client);
    if (this.kept !== kept) return;
    const open = seeks.find(({ game }) => game === kept.request.game);
    if (pairing?.room && pairing.deadline)
      this.onFound(pairing.room, pairing.game, Date.parse(pairing.deadline) - Date.now());
    else if (pairing) this.setPhase('opening');
    else if (open) {
      this.found = null;
      app.alerts.delete('quick');
      [this.seek, this.since] = [open.id, performance.now() - Math.max(0, Date.now() - Date.parse(open.made))];
      this.setPhase('seeking');
      await this.renew();
    } else this.stop('');
  }

  /** @param {PlayerEvent} event */
  onEvent(event) {
    if (this.phase === 'idle') return;
    if (event.type === 'seek_matched') this.onMatched(event);
    else if (event.type === 'match_began' && event.room === this.found?.room) this.stop('');
    else if (event.type === 'seek_resumed') this.onResumed();
    else if (event.type === 'seek_dropped') this.onDropped(event.reason);
  }

  /**
   * All seeks of the player have ended. Only the tab that created the matched one goes to the room.
   * @param {SeekMatchedEvent} event
   */
  onMatched({ seek, room, game, deadline, time }) {
    if (this.seek && seek !== this.seek) this.stop('');
    else this.onFound(room, game, Date.parse(deadline) - Date.parse(time));
  }

  /**
   * Go to the room, or ask whether to go there.
   * @param {string} room
   * @param {string} game
   * @param {number} ms how long it waits for the player
   */
  onFound(room, game, ms) {
    if (this.found?.room === room) return;
    clearTimeout(this.renewal);
    this.found = new Arrival(room, game, performance.now() + ms);
    this.setPhase('found');
    app.alerts.set('quick', WORDS.foundTitle);
    play('found');
    announce(WORDS.found(this.title));
    if (!this.found.isAsked) this.accept();
  }

  /** Send `ready` in the room that was found, as soon as the player sees it. */
  async appear() {
    if (await this.found?.appear()) app.alerts.delete('quick');
  }

  onResumed() {
    const wasThere = this.isThere;
    this.found = null;
    app.alerts.delete('quick');
    this.setPhase('seeking');
    notify(WORDS.resumed);
    announce(WORDS.resumed);
    if (wasThere) app.go('/');
    void this.renew();
  }

  /** @param {string} reason */
  onDropped(reason) {
    if (reason === 'expired' && this.phase === 'seeking')
      void this.renew(); // the browser has slowed this tab down
    else if (reason !== 'expired') this.stop(reason === 'absent' ? WORDS.absent : WORDS.refused);
  }

  tick() {
    const { found } = this;
    void this.appear();
    if (found && performance.now() > found.until + LATE_MS) {
      found.until = performance.now(); // once in a while, until it is known
      void attempt(() => this.sync());
    }
    redraw();
  }

  /**
   * End the search, and show the reason. A seek that is being created is withdrawn.
   * @param {string} reason empty where the player knows it
   * @param {string} [seek] the id of one that has to be withdrawn, too
   */
  stop(reason, seek = '') {
    const { kept, making } = this;
    [this.kept, this.found, this.seek, this.making] = [null, null, '', null];
    this.setPhase('idle');
    clearTimeout(this.renewal);
    clearInterval(this.ticking);
    this.unlisten?.();
    this.unlisten = null;
    app.banners.delete('quick');
    app.alerts.delete('quick');
    keep(null);
    if (kept && (making || seek)) this.withdrawal = this.withdraw(kept, making ?? seek);
    if (reason) {
      notify(reason, 'error');
      announce(reason);
    }
    redraw();
  }

  /** @param {Phase} phase */
  setPhase(phase) {
    this.phase = phase;
    redraw();
  }

  // The contents of the banner.

  /** Whether the page is the room that was found. */
  get isThere() {
    return this.found?.isThere ?? false;
  }

  get title() {
    return this.kept?.title ?? titleOf(this.found?.game ?? '');
  }

  /** How long the search has lasted, in milliseconds. */
  get elapsed() {
    return performance.now() - this.since;
  }

  /** How long the room waits for the player, in milliseconds. */
  get left() {
    return this.found ? Math.max(0, this.found.until - performance.now()) : 0;
  }
}

/**
 * The id of the seek that is open after the page was reloaded, empty if there is none.
 * @param {Kept} kept
 */
async function openSeek({ request }) {
  const { seeks } = await ownSeeks(client);
  return seeks.find(({ game }) => game === request.game)?.id ?? '';
}

/**
 * Remember a search for this tab.
 * @param {Kept | null} kept
 */
function keep(kept) {
  try {
    if (kept) sessionStorage.setItem(KEY, JSON.stringify(kept));
    else sessionStorage.removeItem(KEY);
  } catch {
    // Without storage it ends with the page.
  }
}

/** @returns {Kept | null} */
function recall() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
  } catch {
    return null;
  }
}

export const quickPlay = new QuickPlay();
