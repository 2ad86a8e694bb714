/** What the pages of ratings request, and how ratings are written. */

import { client, guest } from '../app.js';
import { ratingTexts } from '../languages/ratings.js';

/** @import { Leaderboard, MatchRatings, PlayerRating, PlayerRatings, RatingLists } from '../../schema.d.ts' */
/** @import { ClockSetting } from '../types.d.ts' */
/** @typedef {PlayerRating['rating_class']} RatingClass */

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
 * All lists at a glance. Throws `TurnstreamError`.
 * @returns {Promise<RatingLists>}
 */
export function loadLists() {
  return client.get('/v1/ratings');
}

/**
 * A page of a leaderboard. Throws `TurnstreamError`.
 * @param {string} game
 * @param {string} ratingClass
 * @param {Record<string, string>} query
 * @returns {Promise<Leaderboard>}
 */
export function loadBoard(game, ratingClass, query) {
  const list = [game, ratingClass].map(encodeURIComponent).join('/');
  return client.get(`/v1/ratings/${list}?${new URLSearchParams(query)}`);
}

/**
 * The guest's own ratings; none without a guest. Throws `TurnstreamError`.
 * @returns {Promise<PlayerRating[]>}
 */
export async function loadOwnRatings() {
  if (!guest.id) return [];
  /** @type {PlayerRatings} */
  const { ratings } = await client.get(`/v1/players/${guest.id}/ratings`);
  return ratings;
}

/**
 * How a match was rated. Throws `TurnstreamError`.
 * @param {string} match its id
 * @returns {Promise<MatchRatings>}
 */
export function loadMatchRatings(match) {
  return client.get(`/v1/matches/${encodeURIComponent(match)}/ratings`);
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
