/** The texts of the operators' page, in the language of the page. */

import { language } from '../dom.js';

/** @typedef {typeof import('./en.js').TEXTS} OperateTexts */

/** @type {Record<typeof language, () => Promise<{TEXTS: OperateTexts}>>} */
const PARTS = { en: () => import('./en.js'), de: () => import('./de.js') };

export const { TEXTS: operateTexts } = await PARTS[language]();
