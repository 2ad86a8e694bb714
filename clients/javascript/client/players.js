/** Players: profiles, matches, results, and the history of ratings. */

/**
 * @import { HeadToHead, NotableMatches, PlayerMatch, PlayerMatches, PlayerProfile, ProfileSettings, RatingHistory }
 *   from '../schema.d.ts'
 */
/** @import { RatingClass } from './ratings.js' */
/** @import { Requests } from './requests.js' */

/** How many matches are read at a time. */
const PART = '1000';

/**
 * The matches of a player to select; `since` is the `cursor` of a match, or a time.
 * @typedef {{game?: string, rated?: 'true' | 'false', opponent?: string, since?: string}} WantedMatches
 */

/** `client.players`. Every method throws `RefusedError` and `UnreachableError`. */
export class Players {
  /** @type {Requests} */ #requests;

  /** @param {Requests} requests */
  constructor(requests) {
    this.#requests = requests;
  }

  /**
   * Name, ratings, results by game, and the latest matches.
   * @param {string} player the id
   * @returns {Promise<PlayerProfile>}
   */
  profile(player) {
    return this.#requests.get(pathOf(player));
  }

  /**
   * A page of the player's matches, the latest first; its `next` is the `cursor` of the following page.
   * @param {string} player
   * @param {WantedMatches & {cursor?: string, limit?: string}} [query]
   * @returns {Promise<PlayerMatches>}
   */
  matches(player, query = {}) {
    return this.#requests.get(`${pathOf(player)}/matches?${new URLSearchParams(query)}`);
  }

  /**
   * All matches of the player, the oldest first. A lost connection is resumed after the last one.
   * @param {string} player
   * @param {WantedMatches} [query] with `since`, the matches after that one
   * @returns {AsyncGenerator<PlayerMatch, void>}
   */
  async *allMatches(player, query = {}) {
    const wanted = new URLSearchParams({ ...query, limit: PART });
    for (;;) {
      const text = await this.#requests.text(`${pathOf(player)}/matches?${wanted}`, 'application/x-ndjson');
      const lines = text.split('\n').filter(Boolean);
      /** @type {PlayerMatch[]} */
      const matches = lines.map((line) => JSON.parse(line));
      yield* matches;
      const last = matches.at(-1);
      if (!last) return;
      wanted.set('since', last.cursor);
    }
  }

  /**
   * The results of a player against another player, by game.
   * @param {string} player
   * @param {string} other
   * @returns {Promise<HeadToHead>}
   */
  against(player, other) {
    return this.#requests.get(`${pathOf(player)}/against/${encodeURIComponent(other)}`);
  }

  /**
   * The history of a player's rating, for a chart.
   * @param {string} player
   * @param {string} game its slug
   * @param {RatingClass} ratingClass
   * @returns {Promise<RatingHistory>}
   */
  ratingHistory(player, game, ratingClass) {
    return this.#requests.get(`${pathOf(player)}/ratings/${encodeURIComponent(game)}/${ratingClass}`);
  }

  /**
   * Matches that stand out: comebacks, the shortest wins and the longest matches of the day, the week and all time.
   * @param {{game?: string, limit?: string}} [query] `limit` of each, up to 10
   * @returns {Promise<NotableMatches>}
   */
  notableMatches(query = {}) {
    return this.#requests.get(`/v1/matches/notable?${new URLSearchParams(query)}`);
  }

  /**
   * Hide the player's profile from others, or show it again.
   * @param {boolean} hidden
   * @returns {Promise<ProfileSettings>}
   */
  hide(hidden) {
    return this.#requests.put('/v1/players/me/profile', { hidden });
  }
}

/**
 * @param {string} player
 */
function pathOf(player) {
  return `/v1/players/${encodeURIComponent(player)}`;
}
