/** Ratings: leaderboards, players' ratings, how matches were rated, and the data from which all of this is computed. */

/**
 * @import { Leaderboard, MatchRatings, PlayerRatings, RatingEntries, RatingEntry, RatingLists }
 *   from '../schema.d.ts'
 */
/** @import { Requests } from './requests.js' */
/** @typedef {Leaderboard['rating_class']} RatingClass */

/** How many entries are read at a time. */
const PAGE = '1000';

/** `client.ratings`. Every method throws `RefusedError` and `UnreachableError`. */
export class Ratings {
  /** @type {Requests} */ #requests;

  /** @param {Requests} requests */
  constructor(requests) {
    this.#requests = requests;
  }

  /**
   * The rating lists of all games and classes, with the first place of each.
   * @returns {Promise<RatingLists>}
   */
  lists() {
    return this.#requests.get('/v1/ratings');
  }

  /**
   * A page of a leaderboard, the best first; its `next` is the `cursor` of the following page. `around` is the id of a
   * player, for the page with their place.
   * @param {string} game its slug
   * @param {RatingClass} ratingClass
   * @param {{cursor?: string, around?: string, limit?: string}} [query]
   * @returns {Promise<Leaderboard>}
   */
  leaderboard(game, ratingClass, query = {}) {
    return this.#requests.get(`${listPath(game, ratingClass)}?${new URLSearchParams(query)}`);
  }

  /**
   * A player's ratings in all games and classes.
   * @param {string} player the id
   * @returns {Promise<PlayerRatings>}
   */
  ofPlayer(player) {
    return this.#requests.get(`/v1/players/${encodeURIComponent(player)}/ratings`);
  }

  /**
   * How a match was rated. Its `rating_class` is null if it was not, or not yet.
   * @param {string} match the id
   * @returns {Promise<MatchRatings>}
   */
  ofMatch(match) {
    return this.#requests.get(`/v1/matches/${encodeURIComponent(match)}/ratings`);
  }

  /**
   * Everything from which the ratings of a list are computed, in order, or the entries after the version `since`.
   * @param {string} game
   * @param {RatingClass} ratingClass
   * @param {number} [since]
   * @returns {AsyncGenerator<RatingEntry, void>}
   */
  async *entries(game, ratingClass, since = 0) {
    /** @type {number | null} */
    let after = since;
    while (after !== null) {
      const query = new URLSearchParams({ since: String(after), limit: PAGE });
      /** @type {RatingEntries} */
      const page = await this.#requests.get(`${listPath(game, ratingClass)}/entries?${query}`);
      yield* page.entries;
      after = page.next;
    }
  }
}

/**
 * @param {string} game
 * @param {RatingClass} ratingClass
 */
function listPath(game, ratingClass) {
  return `/v1/ratings/${encodeURIComponent(game)}/${ratingClass}`;
}
