/** The texts of games in the language of the page: boards, reviews, lessons and help. */

import { language } from '../dom.js';

/** @typedef {typeof import('./en_games.js').TEXTS} GameTexts */

/** @type {Record<typeof language, () => Promise<{TEXTS: GameTexts}>>} */
const PARTS = { en: () => import('./en_games.js'), de: () => import('./de_games.js') };

export const { TEXTS: gameTexts } = await PARTS[language]();
