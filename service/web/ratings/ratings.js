/** Ratings: what requests them, the class of a clock, and how they are written. */

import { Ratings } from '../../client/ratings.js';
import { client, guest } from '../app.js';
import { ratingTexts } from '../languages/ratings.js';

/** @import { MatchRatings, PlayerRating } from '../../schema.d.ts' */
/** @import { ClockSetting } from '../types.d.ts' */
/** @typedef {PlayerRating['rating_class']} RatingClass */

/** What requests ratings. */
export const ratings = new Ratings(client);

/** The rating classes, the fastest first. @type {readonly RatingClass[]} */
export const CLASSES = ['bullet', 'blitz', 'rapid', 'correspondence', 'bots'];

/** Below how much time for so many turns a clock belongs to each class; see docs/ratings.md. */
const TURNS = 30;
const BULLET_BELOW_MS = 180_000;
const BLITZ_BELOW_MS = 600_000;
const DAY_MS = 86_400_000;

/**
 * The rating class of a clock, null for one that does not run.
 * @param {ClockSetting} clock
 * @returns {RatingClass | null}
 */
export function classOf(clock) {
  if (clock.type === 'none') return null;
  if (clock.type === 'days') return 'correspondence';
  const ms = clock.type === 'per_move' ? clock.ms * TURNS : clock.initial_ms + clock.increment_ms * TURNS;
  if (ms < BULLET_BELOW_MS) return 'bullet';
  if (ms < BLITZ_BELOW_MS) return 'blitz';
  return ms < DAY_MS ? 'rapid' : 'correspondence';
}

/**
 * The guest's own ratings; none without a guest. Throws `TurnstreamError`.
 * @returns {Promise<PlayerRating[]>}
 */
export async function loadOwnRatings() {
  if (!guest.id) return [];
  return (await ratings.ofPlayer(guest.id)).ratings;
}

/**
 * The ratings of some players in a game, by their ids, as far as they have any and show them.
 * @param {string[]} players
 * @param {string} game
 * @param {ClockSetting} clock
 * @returns {Promise<Map<string, number>>}
 */
export async function loadRatings(players, game, clock) {
  const isOf = (/** @type {PlayerRating} */ each) => each.game === game && each.rating_class === classOf(clock);
  const found = await Promise.all(players.map((player) => ratings.ofPlayer(player).catch(() => null)));
  return new Map(
    found.flatMap((each, index) => {
      const rating = each?.ratings.find(isOf)?.rating;
      return rating === undefined ? [] : [[players[index] ?? '', rating]];
    }),
  );
}

/**
 * A rating with its deviation, in whole points.
 * @param {{rating: number, deviation: number}} rating
 */
export function ratingInWords({ rating, deviation }) {
  return ratingTexts.rating(points(rating), points(deviation));
}

/**
 * A number of points without its fraction.
 * @param {number} value
 */
export function points(value) {
  return String(Math.round(value));
}

/**
 * Why a match that was played for a rating does not count, in words; undefined if it does, or may still.
 * @param {Pick<MatchRatings, 'not_rated'>} match
 * @returns {string | undefined}
 */
export function reasonNotRated({ not_rated: reason }) {
  return reason ? /** @type {Record<string, string>} */ (ratingTexts.notRated)[reason] : undefined;
}
