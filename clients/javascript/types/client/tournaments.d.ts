/** Tournaments: creating them, taking part, and reading them. */
import type { NewTournament, PairedTable, StandingsPage, StandingView, TablesPage, TournamentAnswer, TournamentList } from '../schema.d.ts';
import type { TournamentSummary } from '../schema.d.ts';
import type { Requests } from './requests.js';
export type TournamentStatus = TournamentSummary['status'];
export type TournamentFilter = {
    status?: TournamentStatus;
    game?: string;
    organiser?: string;
    player?: string;
};
export type PlainCommand = 'register' | 'withdraw' | 'check_in' | 'begin' | 'cancel';
export type TournamentCommand = {
    type: PlainCommand;
} | {
    type: 'remove';
    player: string;
};
/**
 * @import { NewTournament, PairedTable, StandingsPage, StandingView, TablesPage, TournamentAnswer, TournamentList }
 *   from '../schema.d.ts'
 * @import { TournamentSummary } from '../schema.d.ts'
 */
/** @import { Requests } from './requests.js' */
/** @typedef {TournamentSummary['status']} TournamentStatus */
/** @typedef {{status?: TournamentStatus, game?: string, organiser?: string, player?: string}} TournamentFilter */
/** @typedef {'register' | 'withdraw' | 'check_in' | 'begin' | 'cancel'} PlainCommand */
/** @typedef {{type: PlainCommand} | {type: 'remove', player: string}} TournamentCommand */
/**
 * `client.tournaments`. Every method throws `RefusedError` and `UnreachableError`. The own feed names the
 * room of a match: `tournament_match`. `client.followTournament` has live standings.
 */
export declare class Tournaments {
    #private;
    /** @param {Requests} requests */
    constructor(requests: Requests);
    /**
     * Create a tournament; a player can have two open ones.
     * @param {NewTournament} tournament
     * @returns {Promise<TournamentAnswer>}
     */
    make(tournament: NewTournament): Promise<TournamentAnswer>;
    /**
     * A page of tournaments, the latest created one first; its `next` is the `cursor` of the following page. `organiser`
     * is the id of the player who created them, and `player` that of one who takes part in open ones.
     * @param {TournamentFilter & {cursor?: string, limit?: string}} [query]
     * @returns {Promise<TournamentList>}
     */
    list(query?: TournamentFilter & {
        cursor?: string;
        limit?: string;
    }): Promise<TournamentList>;
    /**
     * A tournament, and this player's part in it.
     * @param {string} tournament the id
     * @returns {Promise<TournamentAnswer>}
     */
    read(tournament: string): Promise<TournamentAnswer>;
    /**
     * A page of the standings, the best first; `around` is the id of a player, for the page with them.
     * @param {string} tournament
     * @param {{cursor?: string, around?: string, limit?: string}} [query]
     * @returns {Promise<StandingsPage>}
     */
    standings(tournament: string, query?: {
        cursor?: string;
        around?: string;
        limit?: string;
    }): Promise<StandingsPage>;
    /**
     * A page of the matches, the latest first: all, or those of a `round` or of a `player`.
     * @param {string} tournament
     * @param {{round?: string, player?: string, cursor?: string, limit?: string}} [query]
     * @returns {Promise<TablesPage>}
     */
    tables(tournament: string, query?: {
        round?: string;
        player?: string;
        cursor?: string;
        limit?: string;
    }): Promise<TablesPage>;
    /**
     * All standings, the best first.
     * @param {string} tournament
     * @returns {Promise<StandingView[]>}
     */
    allStandings(tournament: string): Promise<StandingView[]>;
    /**
     * All matches, or those of a `round` or of a `player`, the earliest first.
     * @param {string} tournament
     * @param {{round?: string, player?: string}} [query]
     * @returns {Promise<PairedTable[]>}
     */
    allTables(tournament: string, query?: {
        round?: string;
        player?: string;
    }): Promise<PairedTable[]>;
    /**
     * Take part, or come back after leaving.
     * @param {string} tournament
     */
    register(tournament: string): Promise<TournamentAnswer>;
    /**
     * Get no further match; a running match continues.
     * @param {string} tournament
     */
    withdraw(tournament: string): Promise<TournamentAnswer>;
    /**
     * Check this player in, in the time before the start that the tournament sets.
     * @param {string} tournament
     */
    checkIn(tournament: string): Promise<TournamentAnswer>;
    /**
     * Begin a tournament of this player before its time.
     * @param {string} tournament
     */
    begin(tournament: string): Promise<TournamentAnswer>;
    /**
     * Remove a player permanently from a tournament of this player.
     * @param {string} tournament
     * @param {string} player the id
     */
    remove(tournament: string, player: string): Promise<TournamentAnswer>;
    /**
     * Cancel a tournament of this player; running matches continue.
     * @param {string} tournament
     */
    cancel(tournament: string): Promise<TournamentAnswer>;
    /**
     * Send any of these commands.
     * @param {string} tournament
     * @param {TournamentCommand} command
     * @returns {Promise<TournamentAnswer>}
     */
    send(tournament: string, command: TournamentCommand): Promise<TournamentAnswer>;
}
