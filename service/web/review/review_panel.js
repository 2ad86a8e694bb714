/** What a review shows beside the board: the bot's move, what can be copied, and the graph. */

import { readMatchText } from '../../client/matches.js';
import { attempt, client, notify } from '../app.js';
import { copyText, h } from '../dom.js';
import { gameTexts } from '../languages/games.js';
import { graph } from './graph.js';

/** @import { Room } from '../room/room.js' */

/**
 * For an ended match that is reviewed.
 * @param {Room} room
 */
export function reviewPanel({ history }) {
  const { earlier, analysis } = history;
  if (!earlier) return null;
  const { showsBest } = analysis;
  const { best, copyLink: link, copyNotation: notation } = gameTexts.review;
  const button = (/** @type {string} */ text, /** @type {() => void} */ onclick, props = {}) =>
    h('button', { key: text, type: 'button', class: 'small-button', onclick, ...props }, text);
  const { id } = earlier;
  return h(
    'section',
    { class: 'review', key: 'review', 'aria-label': gameTexts.history.reviewOf(earlier.number) },
    h(
      'div',
      { class: 'buttons', key: 'buttons' },
      button(best, () => analysis.toggleBest(), {
        'aria-pressed': String(showsBest),
        disabled: !analysis.match,
      }),
      button(link, () => void copyLink(id, analysis.match && analysis.ply)),
      button(notation, () => void copyNotation(id)),
    ),
    showsBest && analysis.match ? h('p', { class: 'best-move', key: 'best' }, analysis.sentence) : null,
    graph(analysis),
  );
}

/**
 * The address of a position, which does not depend on the room's current state.
 * @param {string} id
 * @param {number | undefined} ply
 */
export function addressOf(id, ply) {
  return `/m/${encodeURIComponent(id)}${ply === undefined ? '' : `?ply=${ply}`}`;
}

/**
 * @param {string} id
 * @param {number | undefined} ply
 */
async function copyLink(id, ply) {
  const link = location.origin + addressOf(id, ply);
  await copy(link, gameTexts.review.linkCopied, gameTexts.review.link(link));
}

/** @param {string} id */
async function copyNotation(id) {
  const text = await attempt(() => readMatchText(client, id));
  const address = `${location.origin}/v1/matches/${id}/export`;
  if (text) await copy(text, gameTexts.review.notationCopied, gameTexts.review.notationAt(address));
}

/**
 * @param {string} text
 * @param {string} done
 * @param {string} instead what is said if nothing can be copied
 */
async function copy(text, done, instead) {
  notify((await copyText(text)) ? done : instead);
}
