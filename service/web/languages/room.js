/** The texts of rooms in the language of the page. */

import { language } from '../dom.js';

/** @typedef {typeof import('./en_room.js').TEXTS} RoomTexts */

/** @type {Record<typeof language, () => Promise<{TEXTS: RoomTexts}>>} */
const PARTS = { en: () => import('./en_room.js'), de: () => import('./de_room.js') };

export const { TEXTS: roomTexts } = await PARTS[language]();
