/** The page of a leaderboard: the players of a game and a rating class by their ratings, in pages. */

import {
  app,
  attempt,
  forgetUnknownGuest,
  guest,
  isNotFound,
  keepTrying,
  loadCatalogue,
  redraw,
  sentenceOf,
  titleOf,
} from '../app.js';
import { h, markedName, texts } from '../dom.js';
import { selectField } from '../forms/fields.js';
import { ratingTexts } from '../languages/ratings.js';
import { CLASSES, loadOwnRatings, ratingInWords, ratings } from './ratings.js';

/** @import { Leaderboard, LeaderboardPlace, PlaceNeeds, PlayerRating } from '../../schema.d.ts' */
/** @import { RatingClass } from './ratings.js' */

const { board: WORDS, classes: CLASS_NAMES, clocks: CLOCKS } = ratingTexts;

/** How many places a page has. */
const PAGE = 25;

export class LeaderboardPage {
  /**
   * @param {string} game its slug
   * @param {string} ratingClass
   */
  constructor(game, ratingClass) {
    this.game = game;
    this.ratingClass = /** @type {RatingClass} */ (ratingClass);
    this.isShown = false;
    /** The page of places that is shown, null until one has arrived. @type {Leaderboard | null} */
    this.board = null;
    /** The player's own rating in the list. @type {PlayerRating | undefined} */
    this.own = undefined;
    this.isUnknown = false;
    this.isBusy = false;
    /** Why the leaderboard has not arrived. */
    this.failure = '';
  }

  get title() {
    return `${this.heading} · Turnstream`;
  }

  get heading() {
    return this.isUnknown ? WORDS.unknown : WORDS.title(titleOf(this.game), CLASS_NAMES[this.ratingClass] ?? '');
  }

  enter() {
    this.isShown = true;
    const isWanted = () => this.isShown && !this.isUnknown;
    void keepTrying(
      () => this.load(),
      isWanted,
      (problem) => this.onFailure(problem),
    );
  }

  leave() {
    this.isShown = false;
  }

  /** @param {unknown} problem */
  onFailure(problem) {
    if (!forgetUnknownGuest(problem)) this.failure = texts.problems.tryingAgain(WORDS.missing, sentenceOf(problem));
    redraw();
  }

  /** Throws `TurnstreamError`. */
  async load() {
    try {
      const list = ratings.leaderboard(this.game, this.ratingClass, { limit: String(PAGE) });
      const [board, own] = await Promise.all([list, loadOwnRatings(), loadCatalogue()]);
      [this.board, this.failure] = [board, ''];
      this.own = own.find((rating) => rating.game === this.game && rating.rating_class === this.ratingClass);
    } catch (problem) {
      if (!isNotFound(problem)) throw problem;
      this.isUnknown = true;
    }
    redraw();
  }

  /**
   * Show another page of the leaderboard.
   * @param {Record<string, string>} query
   */
  async turn(query) {
    if (this.isBusy) return;
    this.isBusy = true;
    redraw();
    await attempt(async () => {
      this.board = await ratings.leaderboard(this.game, this.ratingClass, { limit: String(PAGE), ...query });
    });
    this.isBusy = false;
    redraw();
  }

  // Drawing.

  view() {
    const { board, failure, isUnknown } = this;
    return h(
      'div',
      { class: 'ratings', 'aria-busy': board || failure || isUnknown ? null : 'true' },
      h('p', { class: 'rating-back' }, h('a', { href: '/ratings' }, WORDS.all)),
      h('h1', null, this.heading),
      isUnknown ? null : [h('p', { class: 'soft', key: 'clock' }, CLOCKS[this.ratingClass]), this.choices()],
      failure ? h('p', { class: 'failure', role: 'status', key: 'failure' }, failure) : null,
      board ? [this.ownLine(board), this.places(board), this.pages(board)] : null,
    );
  }

  /** Other lists: of another game in the same class, and of another class. */
  choices() {
    const games = (app.catalogue ?? []).map(({ slug, title }) => ({ value: slug, label: title }));
    const go = (/** @type {string} */ game) => app.go(`/ratings/${game}/${this.ratingClass}`);
    const isShown = (/** @type {string} */ game) => game === this.game;
    const links = CLASSES.map((name) => {
      const current = name === this.ratingClass ? 'page' : null;
      return h('a', { href: `/ratings/${this.game}/${name}`, 'aria-current': current }, CLASS_NAMES[name]);
    });
    return h(
      'div',
      { class: 'rating-choices', key: 'choices' },
      selectField('rating-game', WORDS.otherGame, games, isShown, go),
      h('nav', { class: 'rating-classes', 'aria-label': WORDS.lists }, links),
    );
  }

  /**
   * The player's own rating, and the place or what it needs.
   * @param {Leaderboard} board
   */
  ownLine({ total, place_needs: needs }) {
    const { own } = this;
    if (!own) return null;
    const missing = missingWords(own, needs);
    const needed = missing.length ? (own.place ? WORDS.toKeepPlace : WORDS.toPlace)(missing) : '';
    return h(
      'p',
      { class: 'rating-own', key: 'own' },
      h('strong', null, WORDS.ownRating(ratingInWords(own))),
      ' ',
      [own.place ? WORDS.ownPlace(own.place, total) : '', needed].filter(Boolean).join(' '),
    );
  }

  /** @param {Leaderboard} board */
  places({ places, provisional, place_needs: { opponents, matches, deviation, players } }) {
    const place = matches ? WORDS.needsBots(matches, deviation) : WORDS.needs(opponents ?? 0, deviation);
    const needs = provisional ? `${place} ${WORDS.provisionalNote(players)}` : place;
    if (!places.length) {
      return h('p', { key: 'empty', class: 'rating-part' }, h('strong', null, WORDS.empty), ` ${needs}`);
    }
    const heads = [WORDS.place, WORDS.player, WORDS.rating, WORDS.matches, WORDS.wins];
    const head = heads.map((text) => h('th', { scope: 'col' }, text));
    return h(
      'div',
      { class: 'rating-part', key: 'places', 'aria-busy': this.isBusy ? 'true' : null },
      provisional ? h('p', { key: 'provisional' }, h('span', { class: 'tag' }, WORDS.provisional)) : null,
      h(
        'table',
        { class: 'rating-table board-table' },
        h('thead', null, h('tr', null, head)),
        h('tbody', null, places.map(placeRow)),
      ),
      h('p', { class: 'soft small' }, needs),
    );
  }

  /** @param {Leaderboard} board */
  pages({ places, next, total }) {
    const [first, last] = [places[0]?.place ?? 0, places.at(-1)?.place ?? 0];
    const start = Math.max(0, first - 1 - PAGE);
    const isOwnShown = places.some(({ player }) => player === guest.id);
    if (!places.length || (first === 1 && next === null)) return null;
    return h(
      'nav',
      { class: 'rating-pages', key: 'pages', 'aria-label': WORDS.pages },
      h('span', { class: 'soft' }, WORDS.shown(first, last, total)),
      this.pageButton(WORDS.top, first > 1, {}),
      this.pageButton(WORDS.before, first > 1, start ? { cursor: String(start) } : {}),
      this.pageButton(WORDS.after, next !== null, { cursor: String(next) }),
      this.own?.place ? this.pageButton(WORDS.around, !isOwnShown, { around: guest.id ?? '' }) : null,
    );
  }

  /**
   * @param {string} text
   * @param {boolean} isPossible
   * @param {Record<string, string>} query
   */
  pageButton(text, isPossible, query) {
    const disabled = this.isBusy || !isPossible;
    return h('button', { key: text, type: 'button', disabled, onclick: () => void this.turn(query) }, text);
  }
}

/** @param {LeaderboardPlace} place */
function placeRow(place) {
  const { player, matches, wins } = place;
  const isOwn = player === guest.id;
  return h(
    'tr',
    { key: player, class: isOwn ? 'mine' : null },
    h('td', null, place.place),
    h('th', { scope: 'row' }, nameOf(place), isOwn ? [' ', h('span', { class: 'tag free' }, WORDS.you)] : null),
    h('td', null, ratingInWords(place)),
    h('td', null, matches),
    h('td', null, wins),
  );
}

/**
 * The name of a player, which leads to the profile.
 * @param {LeaderboardPlace} place
 */
function nameOf({ player, nickname, bot }) {
  if (!nickname) return h('span', { class: 'soft' }, ratingTexts.unknownPlayer);
  return h('a', { href: `/players/${player}` }, markedName({ nickname, bot }));
}

/**
 * What a place still needs, in words.
 * @param {PlayerRating} own
 * @param {PlaceNeeds} needs
 */
function missingWords(own, needs) {
  const isMatches = needs.matches !== null;
  const met = (needs.matches ?? needs.opponents ?? 0) - own.opponents;
  const words = met > 0 ? [isMatches ? WORDS.moreMatches(met) : WORDS.opponents(met)] : [];
  if (own.deviation > needs.deviation && !(isMatches && words.length)) words.push(WORDS.certainty);
  return words;
}
