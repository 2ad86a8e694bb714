/** Tournaments: creating them, taking part, and reading them. */

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
export class Tournaments {
  /** @type {Requests} */ #requests;

  /** @param {Requests} requests */
  constructor(requests) {
    this.#requests = requests;
  }

  /**
   * Create a tournament; a player can have two open ones.
   * @param {NewTournament} tournament
   * @returns {Promise<TournamentAnswer>}
   */
  make(tournament) {
    return this.#requests.post('/v1/tournaments', tournament);
  }

  /**
   * A page of tournaments, the latest created one first; its `next` is the `cursor` of the following page. `organiser`
   * is the id of the player who created them, and `player` that of one who takes part in open ones.
   * @param {TournamentFilter & {cursor?: string, limit?: string}} [query]
   * @returns {Promise<TournamentList>}
   */
  list(query = {}) {
    return this.#requests.get(`/v1/tournaments?${new URLSearchParams(query)}`);
  }

  /**
   * A tournament, and this player's part in it.
   * @param {string} tournament the id
   * @returns {Promise<TournamentAnswer>}
   */
  read(tournament) {
    return this.#requests.get(pathOf(tournament));
  }

  /**
   * A page of the standings, the best first; `around` is the id of a player, for the page with them.
   * @param {string} tournament
   * @param {{cursor?: string, around?: string, limit?: string}} [query]
   * @returns {Promise<StandingsPage>}
   */
  standings(tournament, query = {}) {
    return this.#requests.get(`${pathOf(tournament)}/standings?${new URLSearchParams(query)}`);
  }

  /**
   * A page of the matches, the latest first: all, or those of a `round` or of a `player`.
   * @param {string} tournament
   * @param {{round?: string, player?: string, cursor?: string, limit?: string}} [query]
   * @returns {Promise<TablesPage>}
   */
  tables(tournament, query = {}) {
    return this.#requests.get(`${pathOf(tournament)}/tables?${new URLSearchParams(query)}`);
  }

  /**
   * All standings, the best first.
   * @param {string} tournament
   * @returns {Promise<StandingView[]>}
   */
  async allStandings(tournament) {
    return this.#lines(`${pathOf(tournament)}/standings`);
  }

  /**
   * All matches, or those of a `round` or of a `player`, the earliest first.
   * @param {string} tournament
   * @param {{round?: string, player?: string}} [query]
   * @returns {Promise<PairedTable[]>}
   */
  async allTables(tournament, query = {}) {
    return this.#lines(`${pathOf(tournament)}/tables?${new URLSearchParams(query)}`);
  }

  /**
   * @param {string} path
   * @returns {Promise<any[]>}
   */
  async #lines(path) {
    const text = await this.#requests.text(path, 'application/x-ndjson');
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }

  /**
   * Take part, or come back after leaving.
   * @param {string} tournament
   */
  register(tournament) {
    return this.send(tournament, { type: 'register' });
  }

  /**
   * Get no further match; a running match continues.
   * @param {string} tournament
   */
  withdraw(tournament) {
    return this.send(tournament, { type: 'withdraw' });
  }

  /**
   * Check this player in, in the time before the start that the tournament sets.
   * @param {string} tournament
   */
  checkIn(tournament) {
    return this.send(tournament, { type: 'check_in' });
  }

  /**
   * Begin a tournament of this player before its time.
   * @param {string} tournament
   */
  begin(tournament) {
    return this.send(tournament, { type: 'begin' });
  }

  /**
   * Remove a player permanently from a tournament of this player.
   * @param {string} tournament
   * @param {string} player the id
   */
  remove(tournament, player) {
    return this.send(tournament, { type: 'remove', player });
  }

  /**
   * Cancel a tournament of this player; running matches continue.
   * @param {string} tournament
   */
  cancel(tournament) {
    return this.send(tournament, { type: 'cancel' });
  }

  /**
   * Send any of these commands.
   * @param {string} tournament
   * @param {TournamentCommand} command
   * @returns {Promise<TournamentAnswer>}
   */
  send(tournament, command) {
    return this.#requests.post(`${pathOf(tournament)}/commands`, command);
  }
}

/** @param {string} tournament */
function pathOf(tournament) {
  return `/v1/tournaments/${encodeURIComponent(tournament)}`;
}
