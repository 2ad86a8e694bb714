/** Players: profiles, matches, results, and the history of ratings. */
import type { HeadToHead, NotableMatches, PlayerMatch, PlayerMatches, PlayerProfile, ProfileSettings, RatingHistory } from '../schema.d.ts';
import type { RatingClass } from './ratings.js';
import type { Requests } from './requests.js';
export type WantedMatches = {
    game?: string;
    rated?: 'true' | 'false';
    opponent?: string;
    since?: string;
};
/**
 * The matches of a player to select; `since` is the `cursor` of a match, or a time.
 * @typedef {{game?: string, rated?: 'true' | 'false', opponent?: string, since?: string}} WantedMatches
 */
/** `client.players`. Every method throws `RefusedError` and `UnreachableError`. */
export declare class Players {
    #private;
    /** @param {Requests} requests */
    constructor(requests: Requests);
    /**
     * Name, ratings, results by game, and the latest matches.
     * @param {string} player the id
     * @returns {Promise<PlayerProfile>}
     */
    profile(player: string): Promise<PlayerProfile>;
    /**
     * A page of the player's matches, the latest first; its `next` is the `cursor` of the following page.
     * @param {string} player
     * @param {WantedMatches & {cursor?: string, limit?: string}} [query]
     * @returns {Promise<PlayerMatches>}
     */
    matches(player: string, query?: WantedMatches & {
        cursor?: string;
        limit?: string;
    }): Promise<PlayerMatches>;
    /**
     * All matches of the player, the oldest first. A lost connection is resumed after the last one.
     * @param {string} player
     * @param {WantedMatches} [query] with `since`, the matches after that one
     * @returns {AsyncGenerator<PlayerMatch, void>}
     */
    allMatches(player: string, query?: WantedMatches): AsyncGenerator<PlayerMatch, void>;
    /**
     * The results of a player against another player, by game.
     * @param {string} player
     * @param {string} other
     * @returns {Promise<HeadToHead>}
     */
    against(player: string, other: string): Promise<HeadToHead>;
    /**
     * The history of a player's rating, for a chart.
     * @param {string} player
     * @param {string} game its slug
     * @param {RatingClass} ratingClass
     * @returns {Promise<RatingHistory>}
     */
    ratingHistory(player: string, game: string, ratingClass: RatingClass): Promise<RatingHistory>;
    /**
     * Matches that stand out: comebacks, the shortest wins and the longest matches of the day, the week and all time.
     * @param {{game?: string, limit?: string}} [query] `limit` of each, up to 10
     * @returns {Promise<NotableMatches>}
     */
    notableMatches(query?: {
        game?: string;
        limit?: string;
    }): Promise<NotableMatches>;
    /**
     * Hide the player's profile from others, or show it again.
     * @param {boolean} hidden
     * @returns {Promise<ProfileSettings>}
     */
    hide(hidden: boolean): Promise<ProfileSettings>;
}
