/** The chart of a rating: a line through the ratings after matches, in a band as wide as their deviations. */

import { h } from '../dom.js';
import { ratingTexts } from '../languages/ratings.js';

/** @import { RatingPoint } from '../../schema.d.ts' */

const WIDTH = 320;
const HEIGHT = 96;
/** The space for the dot at the end, and above and below the line. */
const MARGIN = 6;
/** How many points the chart is high at least, so that small changes look small. */
const LEAST_RANGE = 200;

/** @param {RatingPoint[]} points the oldest first */
export function ratingChart(points) {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return null;
  const [low, high] = rangeOf(points);
  const x = (/** @type {number} */ index) =>
    points.length > 1 ? MARGIN + (index * (WIDTH - 2 * MARGIN)) / (points.length - 1) : WIDTH / 2;
  const y = (/** @type {number} */ rating) =>
    HEIGHT - MARGIN - ((Math.min(high, Math.max(low, rating)) - low) * (HEIGHT - 2 * MARGIN)) / (high - low);
  const at = (/** @type {number} */ index, /** @type {number} */ rating) =>
    `${x(index).toFixed(1)} ${y(rating).toFixed(1)}`;
  const above = points.map(({ rating, deviation }, index) => at(index, rating + deviation));
  const below = points.map(({ rating, deviation }, index) => at(index, rating - deviation)).reverse();
  const label = ratingTexts.profile.chart(Math.round(first.rating), Math.round(last.rating));
  return h(
    'svg',
    { class: 'rating-chart', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': label },
    h('path', { class: 'band', d: `M${[...above, ...below].join('L')}Z` }),
    h('path', { class: 'line', d: `M${points.map(({ rating }, index) => at(index, rating)).join('L')}` }),
    h('circle', { class: 'end', cx: x(points.length - 1).toFixed(1), cy: y(last.rating).toFixed(1), r: 4 }),
  );
}

/**
 * The lowest and the highest rating of the chart: those of the line, with some space.
 * @param {RatingPoint[]} points
 * @returns {[number, number]}
 */
function rangeOf(points) {
  const ratings = points.map(({ rating }) => rating);
  const [low, high] = [Math.min(...ratings), Math.max(...ratings)];
  const space = Math.max(0.15 * (high - low), (LEAST_RANGE - (high - low)) / 2);
  return [low - space, high + space];
}
