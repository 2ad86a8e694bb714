/** The texts about ratings and tournaments, in the language of the page. */

import { language } from '../dom.js';

/** @typedef {typeof import('./en_ratings.js').TEXTS} RatingTexts */

/** @type {Record<typeof language, () => Promise<{TEXTS: RatingTexts}>>} */
const PARTS = { en: () => import('./en_ratings.js'), de: () => import('./de_ratings.js') };

export const { TEXTS: ratingTexts } = await PARTS[language]();

export const { tournaments: tournamentTexts } = ratingTexts;
