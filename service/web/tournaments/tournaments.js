/** Tournaments: what requests them, and what their pages say about times and formats. */

import { Tournaments } from '../../client/tournaments.js';
import { client } from '../app.js';
import { minutesAndSeconds, remaining } from '../dom.js';
import { tournamentTexts } from '../languages/ratings.js';

/** @import { TournamentSummary } from '../../schema.d.ts' */
/** @typedef {TournamentSummary['status']} Status */

/** What requests tournaments. */
export const tournaments = new Tournaments(client);

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

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
