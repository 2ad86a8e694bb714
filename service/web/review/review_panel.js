/** What a review shows beside the board: how the bots evaluate the match, the graph, and what can be copied. */

import { readMatchText } from '../../client/matches.js';
import { attempt, client, notify } from '../app.js';
import { h } from '../dom.js';
import { copyText } from '../forms/fields.js';
import { gameTexts } from '../languages/games.js';
import { graph } from './graph.js';

/** @import { MatchAnalysis } from '../../schema.d.ts' */
/** @import { Room } from '../room/room.js' */
/** @import { Analysis } from './analysis.js' */

/**
 * For an ended match that is reviewed.
 * @param {Room} room
 */
export function reviewPanel(room) {
  const { earlier, analysis } = room.history;
  if (!earlier) return null;
  const { copyLink: link, copyNotation: notation } = gameTexts.review;
  const { id } = earlier;
  return h(
    'section',
    { class: 'review', key: 'review', 'aria-label': gameTexts.history.reviewOf(earlier.number) },
    analysis.match ? evaluation(analysis, analysis.match) : null,
    playFrom(room, id),
    h(
      'div',
      { class: 'buttons', key: 'buttons' },
      button(link, () => void copyLink(id, analysis.match && analysis.ply)),
      button(notation, () => void copyNotation(id)),
    ),
  );
}

/**
 * @param {string} text
 * @param {() => void} onclick
 * @param {object} [props]
 */
function button(text, onclick, props = {}) {
  return h('button', { key: text, type: 'button', class: 'small-button', onclick, ...props }, text);
}

/**
 * With whom to play on from the position on the screen, unless the match is over there.
 * @param {Room} room
 * @param {string} match its id
 */
function playFrom(room, match) {
  const { position } = room.history.analysis;
  const { playFrom: title, withBots, byLink } = gameTexts.review;
  if (!position?.to_move.length) return null;
  const start = async (/** @type {'bots' | 'link'} */ opponents) => {
    const { playFromHere } = await import('./play_from_here.js');
    await playFromHere(room, match, position, opponents);
  };
  const { bots } = room.game;
  return h(
    'details',
    { class: 'play-from', key: 'play-from' },
    h('summary', null, title),
    h(
      'div',
      { class: 'buttons' },
      bots.length ? button(withBots, () => void start('bots')) : null,
      button(byLink, () => void start('link')),
    ),
  );
}

/**
 * How the bots evaluate a match, or what has to be done for that.
 * @param {Analysis} analysis
 * @param {MatchAnalysis} match
 */
function evaluation(analysis, match) {
  const { ask, askNote, waiting, best, nextMistake } = gameTexts.review;
  if (match.review === null) return null;
  if (match.review === 'none') {
    const props = { class: 'small-button primary', 'aria-describedby': 'review-note' };
    return h(
      'div',
      { class: 'ask-review', key: 'ask' },
      button(ask, () => void analysis.request(), props),
      h('p', { class: 'soft small', id: 'review-note' }, askNote),
    );
  }
  if (match.review === 'waiting') {
    const known = match.evaluated ? { max: match.plies, value: match.evaluated } : {};
    const progress = h('progress', { 'aria-label': waiting, ...known });
    return h('p', { class: 'evaluating', key: 'evaluating', role: 'status' }, waiting, progress);
  }
  const { turningPoint, showsBest, mistakes } = analysis;
  return [
    h('p', { class: 'best-move', key: 'best' }, analysis.sentence),
    h(
      'div',
      { class: 'buttons', key: 'evaluated' },
      turningPoint ? button(turningPoint.text, () => void analysis.goTo(turningPoint.ply)) : null,
      mistakes.length ? button(nextMistake, () => analysis.nextMistake()) : null,
      button(best, () => analysis.toggleBest(), { 'aria-pressed': String(showsBest) }),
    ),
    graph(analysis),
    h('p', { class: 'review-summary small', key: 'summary' }, analysis.summary.join(' · ')),
  ];
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
