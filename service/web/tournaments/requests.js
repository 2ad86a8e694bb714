/** What the pages of tournaments request, and what they say about times. */

import { client } from '../app.js';
import { minutesAndSeconds, remaining } from '../dom.js';
import { tournamentTexts } from '../languages/ratings.js';

/** @import { NewTournament, Tables, TournamentAnswer, TournamentList, TournamentSummary } from '../../schema.d.ts' */
/** @typedef {TournamentSummary['status']} Status */
/** @typedef {'register' | 'withdraw' | 'check_in' | 'begin' | 'cancel'} PlainCommand */
/** @typedef {{type: PlainCommand} | {type: 'remove', player: string}} Command */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * A page of the list of tournaments. Throws `TurnstreamError`.
 * @param {Record<string, string>} query
 * @returns {Promise<TournamentList>}
 */
export function loadTournaments(query) {
  return client.get(`/v1/tournaments?${new URLSearchParams(query)}`);
}

/**
 * A tournament, and the guest's part in it. Throws `TurnstreamError`.
 * @param {string} id
 * @returns {Promise<TournamentAnswer>}
 */
export function loadTournament(id) {
  return client.get(path(id));
}

/**
 * A page of the matches of a tournament, the latest first. Throws `TurnstreamError`.
 * @param {string} id
 * @param {Record<string, string>} query
 * @returns {Promise<Tables>}
 */
export function loadTables(id, query) {
  return client.get(`${path(id)}/tables?${new URLSearchParams(query)}`);
}

/**
 * Send a command to a tournament. Throws `TurnstreamError`.
 * @param {string} id
 * @param {Command} command
 * @returns {Promise<TournamentAnswer>}
 */
export function command(id, command) {
  return client.post(`${path(id)}/commands`, command);
}

/**
 * Create a tournament. Throws `TurnstreamError`.
 * @param {NewTournament} wanted
 * @returns {Promise<TournamentAnswer>}
 */
export function createTournament(wanted) {
  return client.post('/v1/tournaments', wanted);
}

/** @param {string} id */
function path(id) {
  return `/v1/tournaments/${encodeURIComponent(id)}`;
}

/**
 * A time span in whole units: `1 hour`, `90 minutes`.
 * @param {number} ms
 */
export function spanInWords(ms) {
  if (ms >= DAY && ms % DAY === 0) return tournamentTexts.days(ms / DAY);
  if (ms >= HOUR && ms % HOUR === 0) return tournamentTexts.hours(ms / HOUR);
  return tournamentTexts.minutes(Math.round(ms / MINUTE));
}

/**
 * What is left until something: `4:05`, or days and hours.
 * @param {number} ms
 */
export function countdown(ms) {
  return ms < HOUR ? minutesAndSeconds(ms) : remaining(ms);
}

/**
 * How a tournament is played, in a few words: `Swiss system, 5 rounds`.
 * @param {TournamentSummary} tournament
 */
export function formatInWords({ format, rounds, duration_ms: duration }) {
  const name = tournamentTexts.formats[format];
  if (duration) return `${name}, ${spanInWords(duration)}`;
  return rounds ? `${name}, ${tournamentTexts.rounds(rounds)}` : name;
}

/**
 * The address of a tournament's page.
 * @param {string} id
 */
export function addressOf(id) {
  return `/tournaments/${encodeURIComponent(id)}`;
}
