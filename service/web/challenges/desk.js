/** Challenges: received and made by the player, and the way to their rooms. */

import { Challenges } from '../../client/challenges.js';
import { RefusedError } from '../../client/requests.js';
import { announce, app, asGuest, client, guest, keepTrying, loadGame, notify, redraw, showProblem } from '../app.js';
import { forgetUnknownGuest } from '../app.js';
import { isolated, listed } from '../dom.js';
import { peopleTexts } from '../languages/people.js';
import { play } from '../motion/sound.js';
import { Arrival } from '../people/arrival.js';
import { listen, refollow } from '../people/own_events.js';
import { banners } from './challenge_banner.js';

/** @import { Challenge, ChallengeRequest, Decline, PlayerEvent } from '../../schema.d.ts' */
/** The challenges that this tab made or accepted, whose rooms it goes to, and the names of players. */
/** @typedef {{own: string[], names: Record<string, string>}} Kept */

const { challenges: WORDS } = peopleTexts;
const KEY = 'turnstream.challenges';
const TICK_MS = 1000;

class Desk {
  constructor() {
    this.challenges = new Challenges(client);
    /** The challenges that others made, the oldest first. @type {Challenge[]} */
    this.received = [];
    /** The challenges that the player made. @type {Challenge[]} */
    this.made = [];
    /** The ids of the challenges that the player has accepted. @type {Set<string>} */
    this.accepted = new Set();
    /** The room of a challenge that everybody has accepted. @type {Arrival | null} */
    this.arrival = null;
    this.kept = recall();
    /** The player whose challenges these are. @type {string | null} */
    this.player = null;
    /** Whether something has happened since they were requested. */
    this.isStale = false;
    this.isListening = false;
    this.ticking = 0;
    document.addEventListener('visibilitychange', () => void this.appear());
  }

  /** Show the challenges of the guest, who may have changed. */
  async start() {
    if (this.player !== guest.id) [this.received, this.made, this.player] = [[], [], guest.id];
    if (this.isListening) await refollow();
    this.isListening = true;
    await listen(this);
    await this.load();
  }

  /** Events may be missing. */
  onRestart() {
    void this.load();
  }

  async load() {
    const { player } = this;
    const isWanted = () => guest.token !== null && this.player === player;
    await keepTrying(() => this.read(), isWanted, forgetUnknownGuest);
  }

  /** Throws `TurnstreamError`. @returns {Promise<void>} */
  async read() {
    this.isStale = false;
    const { made, received } = await this.challenges.open();
    if (this.isStale) return this.read(); // what has been read may be older than the latest event
    await Promise.all([...made, ...received].map(({ game }) => loadGame(game)));
    [this.made, this.received] = [made, received];
    this.show();
  }

  // What happens.

  /** @param {PlayerEvent} event */
  onEvent(event) {
    if (event.type.startsWith('challenge_')) this.isStale = true;
    if (event.type === 'tournament_match') void showTournamentMatch(event);
    else if (event.type === 'challenge_made') void this.onMade(event.challenge);
    else if (event.type === 'challenge_declined') this.onDeclined(event.challenge, event.player, event.reason);
    else if (event.type === 'challenge_ended') this.onEnded(event.challenge, event.reason);
    else if (event.type === 'challenge_opened') this.onOpened(event.challenge, event.room, event.game);
    else if (event.type === 'match_began' && event.room === this.arrival?.room) this.arrive(null);
  }

  /** @param {Challenge} challenge */
  async onMade(challenge) {
    if (this.find(challenge.id)) return;
    this.received = [...this.received, challenge];
    play('found');
    await loadGame(challenge.game).catch(() => {}); // its name is enough
    if (!this.find(challenge.id)) return;
    announce(WORDS.received(this.nameIn(challenge, challenge.by), app.games.get(challenge.game)?.title ?? ''));
    this.show();
  }

  /**
   * @param {string} id
   * @param {string} player
   * @param {keyof typeof WORDS.reasons | null} reason
   */
  onDeclined(id, player, reason) {
    const challenge = this.remove(id);
    if (challenge?.by === guest.id)
      report(WORDS.declined(this.nameIn(challenge, player), reason ? WORDS.reasons[reason] : ''));
  }

  /**
   * @param {string} id
   * @param {'expired' | 'refused' | 'withdrawn'} reason
   */
  onEnded(id, reason) {
    const challenge = this.remove(id);
    if (!challenge) return;
    const isOwn = challenge.by === guest.id;
    const name = isOwn ? this.opponents(challenge) : this.nameIn(challenge, challenge.by);
    if (reason === 'refused') report(WORDS.refused);
    else if (isOwn && reason === 'expired') report(WORDS.expired(name));
    else if (!isOwn && reason === 'withdrawn') report(WORDS.withdrawn(name));
  }

  /**
   * Everybody has accepted. Only the tab in which the player did so goes to the room.
   * @param {string} id
   * @param {string} room
   * @param {string} game
   */
  onOpened(id, room, game) {
    this.remove(id);
    if (!this.kept.own.includes(id)) return;
    this.keep({ own: this.kept.own.filter((one) => one !== id) });
    this.arrive(new Arrival(room, game));
  }

  /** @param {Arrival | null} arrival */
  arrive(arrival) {
    this.arrival = arrival;
    if (arrival) {
      play('found');
      report(WORDS.opened(app.games.get(arrival.game)?.title ?? arrival.game));
      if (!arrival.isAsked) this.go();
    }
    this.show();
  }

  /** Go to the room that was opened. */
  go() {
    this.arrival?.go();
    void this.appear();
    this.show();
  }

  /** Send `ready` in the room that was opened, as soon as the player sees it. */
  async appear() {
    if ((await this.arrival?.appear()) === true) this.arrive(null);
  }

  // What the player does.

  /**
   * Ask others to play. Throws `TurnstreamError`.
   * @param {ChallengeRequest} request
   * @param {Record<string, string>} names of the players who are asked
   */
  async make(request, names) {
    this.keep({ names: { ...this.kept.names, ...names } });
    const made = await asGuest(() => this.challenges.make(request));
    this.isStale = true;
    this.keep({ own: [...this.kept.own, made.id] });
    if (!this.find(made.id)) this.made = [...this.made, made];
    report(WORDS.sent(this.opponents(made)));
    this.show();
  }

  /** @param {Challenge} challenge */
  async accept({ id }) {
    this.keep({ own: [...this.kept.own, id] });
    this.accepted.add(id);
    this.show();
    await this.answer(id, () => this.challenges.accept(id));
  }

  /**
   * @param {Challenge} challenge
   * @param {Decline} decline
   */
  async decline({ id }, decline) {
    this.remove(id);
    await this.answer(id, () => this.challenges.decline(id, decline));
  }

  /** Decline all challenges that have not been answered. */
  async declineAll() {
    for (const { id } of this.unanswered) this.remove(id);
    try {
      await this.challenges.declineAll();
    } catch (problem) {
      showProblem(problem);
    }
    await this.load();
  }

  /** @param {Challenge} challenge */
  async withdraw({ id }) {
    this.remove(id);
    await this.answer(id, () => this.challenges.withdraw(id));
  }

  /**
   * Answer a challenge, which may have ended. If the answer is refused, the challenges are read again.
   * @param {string} id
   * @param {() => Promise<void>} send
   */
  async answer(id, send) {
    try {
      await send();
    } catch (problem) {
      this.accepted.delete(id);
      if (problem instanceof RefusedError && problem.code === 'no_such_challenge') report(WORDS.over);
      else showProblem(problem);
      await this.load();
    }
  }

  // What is shown.

  /** The received challenges that the player has neither accepted nor declined. */
  get unanswered() {
    return this.received.filter(({ id }) => !this.accepted.has(id));
  }

  /** @param {string} id */
  find(id) {
    return [...this.received, ...this.made].find((challenge) => challenge.id === id);
  }

  /**
   * Remove a challenge from the page, and return it.
   * @param {string} id
   */
  remove(id) {
    const found = this.find(id);
    const isOther = (/** @type {Challenge} */ challenge) => challenge.id !== id;
    [this.received, this.made] = [this.received.filter(isOther), this.made.filter(isOther)];
    this.accepted.delete(id);
    this.show();
    return found;
  }

  /** Draw the challenges, and again every second while there are any. */
  show() {
    clearTimeout(this.ticking);
    const isShown = this.received.length + this.made.length > 0 || this.arrival !== null;
    if (isShown) {
      app.banners.set('challenges', () => banners(this));
      this.ticking = setTimeout(() => this.tick(), TICK_MS);
    } else app.banners.delete('challenges');
    if (this.received.length) app.alerts.set('challenges', WORDS.alert);
    else app.alerts.delete('challenges');
    redraw();
  }

  tick() {
    void this.appear();
    this.show();
  }

  /**
   * The name of a player of a challenge.
   * @param {Challenge} challenge
   * @param {string} player
   */
  nameIn({ seats }, player) {
    const seat = seats.find((one) => one.type === 'player' && one.player === player);
    const nickname = (seat?.type === 'player' && seat.nickname) || this.kept.names[player];
    return nickname ? isolated(nickname) : WORDS.somebody;
  }

  /**
   * The people whom a challenge asks, in words.
   * @param {Challenge} challenge
   */
  opponents(challenge) {
    const asked = challenge.seats.flatMap((seat) => (seat.type === 'player' ? [seat.player] : []));
    return listed(asked.filter((player) => player !== challenge.by).map((player) => this.nameIn(challenge, player)));
  }

  /** @param {Partial<Kept>} changes */
  keep(changes) {
    Object.assign(this.kept, changes);
    try {
      sessionStorage.setItem(KEY, JSON.stringify(this.kept));
    } catch {
      // Without storage it ends with the page.
    }
  }
}

/**
 * Show a message on the page, and announce it to screen readers.
 * @param {string} text
 */
function report(text) {
  notify(text);
  announce(text);
}

/** @returns {Kept} */
function recall() {
  try {
    return { own: [], names: {}, ...JSON.parse(sessionStorage.getItem(KEY) ?? '{}') };
  } catch {
    return { own: [], names: {} };
  }
}

/**
 * Show the way to a match of a tournament.
 * @param {{title: string, room: string}} match
 */
async function showTournamentMatch(match) {
  (await import('../tournaments/match_banner.js')).showMatch(match);
}

export const desk = new Desk();
