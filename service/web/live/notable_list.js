/** Notable matches of the week or of all time: comebacks, quick wins and long fights, with links to their reviews. */

import { TurnstreamError } from '../../client/requests.js';
import { app, client, redraw } from '../app.js';
import { h, listed, markedName } from '../dom.js';
import { gameTexts } from '../languages/games.js';

/** @import { NotableMatch, NotableMatches } from '../../schema.d.ts' */

const { notable: WORDS } = gameTexts;
const MOST = 6;
/** @type {NotableMatch['fact'][]} */
const FACTS = ['comeback', 'shortest_win', 'longest'];

export class NotableList {
  /** All that were read. @type {NotableMatch[]} */ found = [];
  /** Those that are shown. @type {NotableMatch[]} */ matches = [];

  /** Read the matches. */
  async load() {
    try {
      /** @type {NotableMatches} */
      const { matches } = await client.get('/v1/matches/notable');
      [this.found, this.matches] = [matches, chosen(matches)];
    } catch (problem) {
      if (!(problem instanceof TurnstreamError)) throw problem;
    }
    redraw();
  }

  view() {
    if (!this.matches.length) return null;
    return h(
      'section',
      { key: 'notable', class: 'notable lobby-list', 'aria-labelledby': 'notable-title' },
      h('h2', { id: 'notable-title' }, WORDS.title),
      h('ul', { class: 'rooms' }, this.matches.map(line)),
    );
  }
}

/**
 * Each match once: those of the week first, and some of each kind.
 * @param {NotableMatch[]} matches
 */
function chosen(matches) {
  const kinds = FACTS.map((fact) => [
    ...matches.filter((each) => each.fact === fact && each.period === 'week'),
    ...matches.filter((each) => each.fact === fact && each.period === 'all'),
  ]);
  /** @type {Map<string, NotableMatch>} */
  const found = new Map();
  while (found.size < MOST && kinds.some((kind) => kind.length))
    for (const kind of kinds) {
      const next = kind.shift();
      if (next && found.size < MOST && !found.has(next.match.id)) found.set(next.match.id, next);
    }
  return [...found.values()];
}

/** @param {NotableMatch} notable */
function line({ game, fact, value, match }) {
  const title = app.catalogue?.find(({ slug }) => slug === game)?.title ?? game;
  const names = match.players.map(({ nickname, bot }) => markedName({ nickname: nickname ?? '', bot }));
  return h(
    'li',
    { key: match.id },
    h(
      'a',
      { class: 'room-line', href: `/m/${encodeURIComponent(match.id)}` },
      h('span', { class: 'room-title' }, WORDS.facts[fact](title, value)),
      h('span', { class: 'soft' }, listed(names)),
    ),
  );
}
