/** The page of a player: ratings with their history, results, and the latest matches. */

import { Players } from '../../client/players.js';
import {
  app,
  attempt,
  client,
  forgetUnknownGuest,
  guest,
  isNotFound,
  keepTrying,
  loadCatalogue,
  notify,
  redraw,
  sentenceOf,
  titleOf,
} from '../app.js';
import { dateAndTime, dayOf, h, isolated, listed, markedName, texts } from '../dom.js';
import { ratingTexts } from '../languages/ratings.js';
import { avatar } from '../looks/avatar.js';
import { ratingInWords, reasonNotRated } from '../ratings/ratings.js';
import { ratingChart } from './rating_chart.js';

/** @import { GameResult, PlayerMatch, PlayerProfile, PlayerRating, RatingPoint } from '../../schema.d.ts' */
/** @import { MetList } from '../people/met_list.js' */

const { profile: WORDS, classes: CLASS_NAMES } = ratingTexts;

/** What requests profiles. */
const players = new Players(client);

/** How many ratings have a chart: those with most matches. */
const MOST_CHARTS = 6;
/** How many people whom the player has met are shown. */
const MOST_MET = 20;

export class ProfilePage {
  /** @param {string} id of the player */
  constructor(id) {
    this.id = id;
    this.isShown = false;
    /** Null until it has arrived. @type {PlayerProfile | null} */
    this.profile = null;
    /** The viewer's results against the player. @type {GameResult[]} */
    this.against = [];
    /** The viewer's latest match with the player. @type {PlayerMatch | undefined} */
    this.last = undefined;
    /** The people whom the player has met, on the player's own page. @type {MetList | null} */
    this.met = null;
    /** How ratings went, by list. @type {Map<string, RatingPoint[]>} */
    this.histories = new Map();
    /** Whether the player hides the profile, or was erased. */
    this.isHidden = false;
    /** Why the profile has not arrived. */
    this.failure = '';
  }

  get title() {
    return `${this.name} · Turnstream`;
  }

  get isOwn() {
    return this.id === guest.id;
  }

  get name() {
    const { profile, isOwn, isHidden } = this;
    if (isHidden) return WORDS.hidden;
    return profile?.nickname ?? (isOwn ? guest.nickname : WORDS.title);
  }

  enter() {
    this.isShown = true;
    void keepTrying(
      () => this.load(),
      () => this.isShown && !this.isHidden,
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
    try {
      const profile = players.profile(this.id);
      const [found, against] = await Promise.all([profile, this.loadAgainst(), loadCatalogue()]);
      [this.profile, this.against, this.failure] = [found, against, ''];
    } catch (problem) {
      if (!isNotFound(problem)) throw problem;
      this.isHidden = true;
    }
    redraw();
    if (this.profile) await Promise.all([this.loadHistories(this.profile.ratings), this.loadMet()]);
  }

  /**
   * The viewer's results against the player; none for the player.
   * @returns {Promise<GameResult[]>}
   */
  async loadAgainst() {
    if (!guest.id || this.isOwn) return [];
    const latest = players.matches(guest.id, { opponent: this.id, limit: '1' });
    const [{ results }, { matches }] = await Promise.all([players.against(guest.id, this.id), latest]);
    this.last = matches[0];
    return results;
  }

  /** Load the people whom the player has met, on the player's own page. */
  async loadMet() {
    if (!this.isOwn) return;
    const { MetList } = await import('../people/met_list.js');
    this.met = new MetList('rating-part', MOST_MET);
    await this.met.load();
  }

  /** @param {PlayerRating[]} ratings */
  async loadHistories(ratings) {
    const charted = [...ratings].sort((one, other) => other.matches - one.matches).slice(0, MOST_CHARTS);
    await Promise.all(
      charted.map(async ({ game, rating_class: ratingClass }) => {
        const { points } = await players.ratingHistory(this.id, game, ratingClass);
        this.histories.set(`${game} ${ratingClass}`, points);
      }),
    );
    redraw();
  }

  /**
   * Hide the profile from others, or show it again.
   * @param {boolean} hidden
   */
  async hide(hidden) {
    await attempt(async () => {
      await players.hide(hidden);
      if (this.profile) this.profile = { ...this.profile, hidden };
      notify(hidden ? WORDS.nowHidden : WORDS.nowShown);
    });
    redraw();
  }

  // Drawing.

  view() {
    const { profile, failure, isHidden } = this;
    return h(
      'div',
      { class: 'ratings profile', 'aria-busy': profile || failure || isHidden ? null : 'true' },
      h(
        'div',
        { class: 'profile-head' },
        h('h1', null, profile ? avatar(this.id) : null, markedName({ nickname: this.name, bot: profile?.bot })),
        profile ? this.personButton() : null,
      ),
      isHidden ? h('p', { key: 'hidden' }, WORDS.hiddenNote) : null,
      failure ? h('p', { class: 'failure', role: 'status', key: 'failure' }, failure) : null,
      profile ? this.content(profile) : null,
    );
  }

  /** @param {PlayerProfile} profile */
  content(profile) {
    const { since, ratings, results, latest, hidden } = profile;
    return [
      h('p', { class: 'soft', key: 'since' }, since ? WORDS.since(dayOf(since)) : WORDS.noMatches),
      this.isOwn ? this.hidingField(hidden) : null,
      this.met?.view(),
      ratings.length
        ? part('ratings', WORDS.ratings, h('ul', { class: 'profile-ratings' }, this.ratings(ratings)))
        : null,
      this.against.length ? part('against', WORDS.against(isolated(this.name)), resultTable(this.against)) : null,
      results.length ? part('results', WORDS.results, resultTable(results)) : null,
      latest.length ? part('latest', WORDS.latest, matchList(latest, this.id)) : null,
    ];
  }

  /** What can be done with another player. */
  personButton() {
    const { profile, isOwn } = this;
    const nickname = profile?.nickname;
    if (isOwn || !nickname) return null;
    const onclick = () => app.showPerson(this.id, nickname);
    return [this.againButton(nickname), h('button', { key: 'more', type: 'button', onclick }, WORDS.more)];
  }

  /**
   * The way to another match like the last one with the player.
   * @param {string} nickname
   */
  againButton(nickname) {
    const { id, last } = this;
    if (!last) return null;
    const again = async () => (await import('../people/met_list.js')).playAgain({ id, nickname }, last);
    const onclick = () => void attempt(again);
    return h('button', { key: 'again', type: 'button', class: 'primary', onclick }, WORDS.again(titleOf(last.game)));
  }

  /** @param {boolean} hidden */
  hidingField(hidden) {
    const onchange = (/** @type {Event} */ event) =>
      void this.hide(/** @type {HTMLInputElement} */ (event.target).checked);
    return h(
      'label',
      { class: 'profile-hiding', key: 'hiding' },
      h('input', { type: 'checkbox', checked: hidden, onchange }),
      h('span', null, WORDS.hide, h('small', { class: 'soft' }, WORDS.hideNote)),
    );
  }

  /** @param {PlayerRating[]} ratings */
  ratings(ratings) {
    return ratings.map((rating) => {
      const { game, rating_class: ratingClass, matches, place, provisional } = rating;
      const points = this.histories.get(`${game} ${ratingClass}`);
      const inWords = provisional ? WORDS.provisionalPlace : WORDS.place;
      const facts = [WORDS.matches(matches), place ? inWords(place) : ''];
      return h(
        'li',
        { key: `${game} ${ratingClass}` },
        h('a', { href: `/ratings/${game}/${ratingClass}` }, `${titleOf(game)} · ${CLASS_NAMES[ratingClass]}`),
        h('strong', { class: 'profile-rating' }, ratingInWords(rating)),
        h('small', { class: 'soft' }, facts.filter(Boolean).join(' · ')),
        points ? ratingChart(points) : null,
      );
    });
  }
}

/**
 * @param {string} key
 * @param {string} title
 * @param {import('../types.d.ts').Content} content
 */
function part(key, title, content) {
  const id = `profile-${key}`;
  return h('section', { key, class: 'rating-part', 'aria-labelledby': id }, h('h2', { id }, title), content);
}

/** @param {GameResult[]} results */
function resultTable(results) {
  const heads = [WORDS.game, WORDS.allMatches, WORDS.wins, WORDS.draws, WORDS.losses];
  const head = heads.map((text) => h('th', { scope: 'col' }, text));
  return h(
    'table',
    { class: 'rating-table' },
    h('thead', null, h('tr', null, head)),
    h(
      'tbody',
      null,
      results.map(({ game, matches, wins, draws, losses }) =>
        h(
          'tr',
          { key: game },
          h('th', { scope: 'row' }, titleOf(game)),
          [matches, wins, draws, losses].map((count) => h('td', null, count)),
        ),
      ),
    ),
  );
}

/**
 * @param {PlayerMatch[]} matches
 * @param {string} player whose matches they are
 */
function matchList(matches, player) {
  return h(
    'ul',
    { class: 'profile-matches' },
    matches.map((match) => {
      const { id, game, ended, outcome, counts, rated } = match;
      const unrated = outcome ? reasonNotRated(match) : undefined;
      const others = match.players.filter((seat) => seat.player !== player);
      const names = others.map(({ nickname, bot }) =>
        markedName({ nickname: nickname ?? ratingTexts.unknownPlayer, bot }),
      );
      return h(
        'li',
        { key: id },
        h(
          'span',
          { class: `tag ${outcome === 'won' ? 'free' : ''}` },
          outcome ? WORDS.outcomes[outcome] : counts ? WORDS.noResult : WORDS.notCounted,
        ),
        h('a', { href: `/m/${id}` }, names.length ? WORDS.match(titleOf(game), listed(names)) : titleOf(game)),
        h(
          'small',
          { class: 'soft' },
          [rated ? texts.rooms.rated : '', unrated ?? '', ended ? dateAndTime(ended) : ''].filter(Boolean).join(' · '),
        ),
      );
    }),
  );
}
