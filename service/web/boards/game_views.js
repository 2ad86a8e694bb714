/** The view of each game. A game without one is drawn from its geometry alone. */

import { generic } from './generic.js';
import { morris } from './morris.js';
import { rainbow } from './rainbow.js';
import { ternio } from './ternio.js';
import { triboard } from './triboard.js';
import { turncoat } from './turncoat.js';

/** @import { GameView } from '../types.d.ts' */

/** @type {Record<string, GameView>} */
const GAME_VIEWS = { ternio, triboard, morris, turncoat, rainbow };

/**
 * @param {string} slug
 * @returns {GameView}
 */
export function gameViewOf(slug) {
  return GAME_VIEWS[slug] ?? generic;
}
