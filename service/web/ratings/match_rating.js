/** How a rated match has changed the ratings of its players, or why it has not: a line under its result. */

import { guest, redraw } from '../app.js';
import { TurnstreamError } from '../../client/requests.js';
import { h, markedName } from '../dom.js';
import { ratingTexts } from '../languages/ratings.js';
import { listen } from '../people/own_events.js';
import { points, ratings, reasonNotRated } from './ratings.js';

/** @import { MatchRatings, PlayerEvent, RatedPlayer } from '../../schema.d.ts' */

const { change: WORDS } = ratingTexts;

/** After which pauses it is looked up whether the match has been rated; players are notified of it as well. */
const PAUSES_MS = [0, 1000, 2000, 4000];

export class MatchRating {
  /**
   * @param {string} match its id
   * @param {Map<string, string>} nicknames by player
   */
  constructor(match, nicknames) {
    this.match = match;
    this.nicknames = nicknames;
    /** Null until the match has been rated, or it is known that it will not be. @type {MatchRatings | null} */
    this.rated = null;
    /** Whether an operator has voided the match. */
    this.isVoided = false;
    this.isOpen = true;
    /** Removes the listener. @type {(() => void) | null} */
    this.unlisten = null;
  }

  /** Listen first, then ask: the match may be rated at any time. */
  async open() {
    if (guest.token) await this.listen();
    for (const pause of PAUSES_MS) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      if (!this.isOpen || this.rated) return;
      await this.load();
    }
  }

  async listen() {
    const unlisten = await listen({
      onEvent: (event) => this.onEvent(event),
      onRestart: () => void this.load(),
    });
    if (this.isOpen) this.unlisten = unlisten;
    else unlisten();
  }

  /** @param {PlayerEvent} event */
  onEvent(event) {
    if (event.type !== 'rating_changed' || event.match_id !== this.match) return;
    this.isVoided = event.voided;
    void this.load();
  }

  /** Read how the match was rated, if it was. Without an answer nothing is shown. */
  async load() {
    try {
      const found = await ratings.ofMatch(this.match);
      if (found.rating_class || reasonNotRated(found)) this.rated = found;
    } catch (problem) {
      if (!(problem instanceof TurnstreamError)) throw problem;
    }
    redraw();
  }

  close() {
    this.isOpen = false;
    this.unlisten?.();
  }

  view() {
    const { rated, isVoided } = this;
    const reason = rated && reasonNotRated(rated);
    if (reason && !rated.rating_class) {
      return h('p', { class: 'small rating-change', key: 'rating', role: 'status' }, `${WORDS.notRated} ${reason}.`);
    }
    if (!rated?.rating_class) return null;
    const list = `/ratings/${rated.game}/${rated.rating_class}`;
    return h(
      'p',
      { class: 'small rating-change', key: 'rating', role: 'status' },
      h('a', { href: list }, WORDS.ratings(ratingTexts.classes[rated.rating_class])),
      isVoided ? ` ${WORDS.voided}` : rated.seats?.map((seat) => this.seat(seat)),
    );
  }

  /** @param {RatedPlayer} seat */
  seat({ seat, player, bot, rating, rating_before: before }) {
    const change = Math.round(rating) - Math.round(before);
    const name = markedName({ nickname: this.nicknames.get(player) ?? ratingTexts.unknownPlayer, bot });
    const look = change > 0 ? 'risen' : change < 0 ? 'fallen' : '';
    return h(
      'span',
      { key: seat, class: player === guest.id ? 'own' : null },
      ` ${name} ${points(rating)} `,
      h('b', { class: look }, signed(change)),
    );
  }
}

/**
 * A number with its sign.
 * @param {number} change
 */
function signed(change) {
  return change < 0 ? `−${-change}` : `+${change}`;
}
