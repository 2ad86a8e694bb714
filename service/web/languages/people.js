/** The texts about other people, in the language of the page: invitations, quick play and notifications. */

import { language } from '../dom.js';

/** @typedef {typeof import('./en_people.js').TEXTS} PeopleTexts */

/** @type {Record<typeof language, () => Promise<{TEXTS: PeopleTexts}>>} */
const PARTS = { en: () => import('./en_people.js'), de: () => import('./de_people.js') };

export const { TEXTS: peopleTexts } = await PARTS[language]();
