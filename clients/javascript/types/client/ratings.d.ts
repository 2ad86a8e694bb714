/** Ratings: leaderboards, players' ratings, how matches were rated, and the data from which all of this is computed. */
import type { Leaderboard, MatchRatings, PlayerRatings, RatingEntry, RatingLists } from '../schema.d.ts';
import type { Requests } from './requests.js';
export type RatingClass = Leaderboard['rating_class'];
/** `client.ratings`. Every method throws `RefusedError` and `UnreachableError`. */
export declare class Ratings {
    #private;
    /** @param {Requests} requests */
    constructor(requests: Requests);
    /**
     * The rating lists of all games and classes, with the first place of each.
     * @returns {Promise<RatingLists>}
     */
    lists(): Promise<RatingLists>;
    /**
     * A page of a leaderboard, the best first; its `next` is the `cursor` of the following page. `around` is the id of a
     * player, for the page with their place.
     * @param {string} game its slug
     * @param {RatingClass} ratingClass
     * @param {{cursor?: string, around?: string, limit?: string}} [query]
     * @returns {Promise<Leaderboard>}
     */
    leaderboard(game: string, ratingClass: RatingClass, query?: {
        cursor?: string;
        around?: string;
        limit?: string;
    }): Promise<Leaderboard>;
    /**
     * A player's ratings in all games and classes.
     * @param {string} player the id
     * @returns {Promise<PlayerRatings>}
     */
    ofPlayer(player: string): Promise<PlayerRatings>;
    /**
     * How a match was rated. Its `rating_class` is null if it was not, or not yet.
     * @param {string} match the id
     * @returns {Promise<MatchRatings>}
     */
    ofMatch(match: string): Promise<MatchRatings>;
    /**
     * Everything from which the ratings of a list are computed, in order, or the entries after the version `since`.
     * @param {string} game
     * @param {RatingClass} ratingClass
     * @param {number} [since]
     * @returns {AsyncGenerator<RatingEntry, void>}
     */
    entries(game: string, ratingClass: RatingClass, since?: number): AsyncGenerator<RatingEntry, void>;
}
