/**
 * The end of a match on the board, a second after its last move: the result, the places, and how it came to that. A tap
 * goes through it, and it is gone with it. Screen readers find the result in the status.
 */

import { readAnalysis } from '../../client/matches.js';
import { announce, client, guest, redraw } from '../app.js';
import { badge } from '../boards/pieces.js';
import { h } from '../dom.js';
import { roomTexts } from '../languages/room.js';
import { isStill, MOVE_MS } from '../motion/motion.js';
import { headline, reasonOf } from '../room/results.js';

/** @import { Room } from '../room/room.js' */
/** @import { Match, Result } from '../types.d.ts' */

const { ending: WORDS } = roomTexts;

/** How long after the last move has been shown. */
const WAIT_MS = 1000 + MOVE_MS;
/** How long numbers count up. */
const COUNT_MS = 900;

export class Ending {
  /** @param {Room} room */
  constructor(room) {
    this.room = room;
    /** The id of the match that is played on this page; the end of another one is no news. */
    this.playing = '';
    this.hasEnded = false;
    this.isShown = false;
    this.timer = 0;
    /** How it came to the result, or an empty text. */
    this.story = '';
    this.hide = () => {
      clearTimeout(this.timer);
      if (this.isShown) redraw();
      this.isShown = false;
    };
  }

  /** Show the end of the match on the page, once its last move has been shown. */
  follow() {
    const { view, animationSteps } = this.room;
    const { match } = view;
    if (match && !match.result) {
      if (match.id !== this.playing) this.hide();
      [this.playing, this.hasEnded] = [match.id, false];
    } else if (match && match.id === this.playing && !this.hasEnded && !animationSteps.length) {
      this.hasEnded = true;
      this.timer = setTimeout(() => void this.show(match), WAIT_MS);
    }
  }

  /** @param {Match} match */
  async show(match) {
    this.story = await this.findStory(match);
    if (this.room.view.match?.id !== match.id) return;
    this.isShown = true;
    announce(this.story);
    for (const type of ['click', 'keydown']) {
      document.addEventListener(type, this.hide, { capture: true, once: true });
    }
    redraw();
  }

  /**
   * How it came to the result, for a player in a game in which the measure of a position is its score.
   * @param {Match} match
   */
  async findStory({ id, result }) {
    const [own, ...others] = this.room.mySeats;
    if (own === undefined || others.length || !result?.scores || result.winners.length !== 1) return '';
    const found = await readAnalysis(client, id).catch(() => null); // the result is complete without it
    const values = found?.positions.map((position) => position.values ?? []) ?? [];
    if (values.at(-1)?.join() !== result.scores.join()) return '';
    const isLeading = values.map((all) => all.every((value, seat) => seat === own || value < (all[own] ?? 0)));
    if (!result.winners.includes(own)) {
      const last = isLeading.lastIndexOf(true);
      return last > 0 ? WORDS.ledUntil(last) : WORDS.neverLed;
    }
    const behind = isLeading.lastIndexOf(false);
    return behind > 0 ? WORDS.leadFrom(behind + 1) : WORDS.alwaysLed;
  }

  view() {
    const { result } = this.room.view.match ?? {};
    if (!this.isShown || !result || this.room.history.past) return null;
    const [winner, ...others] = result.winners;
    const sign = winner !== undefined && !others.length ? badge(this.room.colourOf(winner)) : null;
    return h(
      'div',
      { class: 'ending', key: 'ending', 'aria-hidden': 'true' },
      h(
        'div',
        { class: 'ending-card' },
        h('p', { class: 'ending-headline' }, sign, ' ', headline(result, this.room)),
        h('p', { class: 'soft small' }, reasonOf(result, this.room)),
        places(this.room, result),
        this.story ? h('p', { class: 'ending-story' }, this.story) : null,
      ),
    );
  }
}

/**
 * The places, with medals where three have played, and bars for what was counted.
 * @param {Room} room
 * @param {Result} result
 */
function places(room, { places: all, scores }) {
  if (!scores && all.length < 3) return null;
  const most = Math.max(1, ...(scores ?? []));
  const seats = all.map((_, seat) => seat).sort((one, other) => (all[one] ?? 0) - (all[other] ?? 0));
  const rows = seats.map((seat) => {
    const score = scores?.[seat];
    const change = room.rating?.rated?.seats?.find(({ player }) => player === room.view.seats[seat]?.player);
    return h(
      'li',
      { key: seat },
      all.length > 2 ? h('span', { class: `medal place-${all[seat]}` }, all[seat]) : badge(room.colourOf(seat)),
      h('span', { class: 'ending-name' }, room.seatName(seat)),
      change?.player === guest.id ? number(change.rating_before, change.rating) : null,
      score === undefined
        ? null
        : h('span', { class: 'bar-place' }, h('i', { class: room.colourOf(seat), '--share': score / most })),
      score === undefined ? null : number(0, score),
    );
  });
  return h('ul', { class: 'ending-places' }, rows);
}

/**
 * A number that counts up or down to its value: as an attribute, which drawing the page again does not change.
 * @param {number} from
 * @param {number} to
 */
function number(from, to) {
  return h('b', { class: 'counting', created: (/** @type {Element} */ element) => count(element, from, to) });
}

/**
 * @param {Element} element
 * @param {number} from
 * @param {number} to
 */
function count(element, from, to) {
  const start = performance.now();
  const step = (/** @type {number} */ now) => {
    const share = isStill() ? 1 : Math.min(1, (now - start) / COUNT_MS);
    element.setAttribute('data-value', String(Math.round(from + (to - from) * share)));
    if (share < 1) requestAnimationFrame(step);
  };
  step(start);
}
