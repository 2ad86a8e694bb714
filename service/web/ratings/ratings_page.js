/** The page of all ratings: the player's own ones, and for each game its leaderboards at a glance. */

import { forgetUnknownGuest, guest, keepTrying, loadCatalogue, redraw, sentenceOf, titleOf } from '../app.js';
import { h, markedName, texts } from '../dom.js';
import { ratingTexts } from '../languages/ratings.js';
import { loadOwnRatings, points, ratingInWords, ratings } from './ratings.js';

/** @import { PlayerRating, RatingListSummary } from '../../schema.d.ts' */

const { lists: WORDS, classes: CLASS_NAMES } = ratingTexts;

export class RatingsPage {
  constructor() {
    this.isShown = false;
    /** Null until they have arrived. @type {RatingListSummary[] | null} */
    this.lists = null;
    /** @type {PlayerRating[]} */
    this.own = [];
    /** Why they have not arrived. */
    this.failure = '';
  }

  get title() {
    return `${WORDS.title} · Turnstream`;
  }

  enter() {
    this.isShown = true;
    void keepTrying(
      () => this.load(),
      () => this.isShown,
      (problem) => {
        if (!forgetUnknownGuest(problem)) this.failure = texts.problems.tryingAgain(WORDS.missing, sentenceOf(problem));
        redraw();
      },
    );
  }

  leave() {
    this.isShown = false;
  }

  /** Throws `TurnstreamError`. */
  async load() {
    const [{ lists }, own] = await Promise.all([ratings.lists(), loadOwnRatings(), loadCatalogue()]);
    [this.lists, this.own, this.failure] = [lists, own, ''];
    redraw();
  }

  view() {
    const { lists, failure } = this;
    return h(
      'div',
      { class: 'ratings', 'aria-busy': lists || failure ? null : 'true' },
      h('h1', null, WORDS.title),
      h('p', { class: 'soft' }, WORDS.lead),
      failure ? h('p', { class: 'failure', role: 'status', key: 'failure' }, failure) : null,
      lists ? [this.ownRatings(), gameLists(lists)] : null,
    );
  }

  ownRatings() {
    if (!guest.token) return null;
    return h(
      'section',
      { key: 'own', class: 'rating-part', 'aria-labelledby': 'own-ratings' },
      h('h2', { id: 'own-ratings' }, WORDS.own),
      this.own.length ? ownTable(this.own) : h('p', { key: 'none', class: 'soft' }, WORDS.ownNone),
    );
  }
}

/** @param {PlayerRating[]} own */
function ownTable(own) {
  const rows = own.map((rating) => {
    const { game, rating_class: ratingClass, matches, place } = rating;
    return h(
      'tr',
      { key: `${game} ${ratingClass}` },
      h('th', { scope: 'row' }, listLink(game, ratingClass, `${titleOf(game)} · ${CLASS_NAMES[ratingClass]}`)),
      h('td', null, ratingInWords(rating)),
      h('td', null, matches),
      h('td', null, place ?? '–'),
    );
  });
  const heads = [`${WORDS.game} · ${WORDS.list}`, WORDS.rating, WORDS.matches, WORDS.place];
  return h(
    'table',
    { class: 'rating-table', key: 'table' },
    h(
      'thead',
      null,
      h(
        'tr',
        null,
        heads.map((head) => h('th', { scope: 'col' }, head)),
      ),
    ),
    h('tbody', null, rows),
  );
}

/** @param {RatingListSummary[]} lists */
function gameLists(lists) {
  const games = [...new Set(lists.map(({ game }) => game))];
  return h(
    'ul',
    { class: 'rating-games', key: 'games' },
    games.map((game) =>
      h(
        'li',
        { key: game, class: 'rating-game' },
        picture(game),
        h('h2', null, titleOf(game)),
        h('ul', null, lists.filter((list) => list.game === game).map(gameList)),
      ),
    ),
  );
}

/** @param {RatingListSummary} list */
function gameList({ game, rating_class: ratingClass, total, provisional, best }) {
  const name = best?.nickname ? markedName({ ...best, nickname: best.nickname }) : ratingTexts.unknownPlayer;
  return h(
    'li',
    { key: ratingClass },
    listLink(game, ratingClass, CLASS_NAMES[ratingClass]),
    best
      ? h('span', { class: 'rating-best' }, h('strong', null, name), ` ${points(best.rating)}`)
      : h('span', { class: 'soft' }, WORDS.nobody),
    best ? h('small', { class: 'soft' }, provisional ? WORDS.provisional(total) : WORDS.places(total)) : null,
  );
}

/**
 * @param {string} game
 * @param {string} ratingClass
 * @param {string} text
 */
function listLink(game, ratingClass, text) {
  return h('a', { href: `/ratings/${game}/${ratingClass}` }, text);
}

/**
 * The picture of a game that every page has, if there is one.
 * @param {string} game
 */
function picture(game) {
  const id = `picture-${game}`;
  if (!document.getElementById(id)) return null;
  const props = { class: 'rating-picture', viewBox: '0 0 200 150', preserveAspectRatio: 'xMidYMid slice' };
  return h('svg', { ...props, 'aria-hidden': 'true' }, h('use', { href: `#${id}` }));
}
