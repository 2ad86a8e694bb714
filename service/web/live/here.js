/** Who is here: how many matches are played, how many players wait, and who has won lately. */

import { openSeeks } from '../../client/seeks.js';
import { TurnstreamError } from '../../client/requests.js';
import { client, redraw, titleOf } from '../app.js';
import { h, isolated } from '../dom.js';
import { gameTexts } from '../languages/games.js';
import { avatar } from '../looks/avatar.js';

/** @import { NotableMatch } from '../../schema.d.ts' */

const { here: WORDS } = gameTexts;
const MOST_WINNERS = 5;

/** @typedef {{id: string, nickname: string, game: string}} Winner */

export class Here {
  /**
   * @param {() => {playing: number, waiting: number}} inRooms the matches that are played, and the players who wait
   * @param {NotableMatch[]} notable
   */
  constructor(inRooms, notable) {
    this.inRooms = inRooms;
    this.winners = winnersOf(notable);
    /** How many players look for others by quick play. */
    this.seeking = 0;
  }

  /** Read how many players look for others. */
  async load() {
    try {
      this.seeking = (await openSeeks(client, { limit: '1' })).total;
    } catch (problem) {
      if (!(problem instanceof TurnstreamError)) throw problem; // the dialog of the search says it, too
    }
    redraw();
  }

  view() {
    const { playing, waiting } = this.inRooms();
    return h(
      'section',
      { key: 'here', class: 'who-is-here', 'aria-labelledby': 'here-title' },
      h('h2', { id: 'here-title' }, WORDS.title),
      h(
        'p',
        { class: 'here-counts' },
        h('span', { key: 'playing' }, WORDS.playing(playing)),
        h('span', { key: 'waiting' }, WORDS.waiting(waiting + this.seeking)),
      ),
      this.winners.length
        ? [
            h('h3', { key: 'winners', id: 'winners-title' }, WORDS.winners),
            h('ul', { key: 'list', class: 'winners', 'aria-labelledby': 'winners-title' }, this.winners.map(line)),
          ]
        : null,
    );
  }
}

/**
 * The people who have won the notable matches of the day and the week, the latest first, each once.
 * @param {NotableMatch[]} notable
 */
function winnersOf(notable) {
  const isWon = (/** @type {NotableMatch} */ { match }) => (match.result?.winners.length ?? 0) < match.players.length;
  const recent = notable.filter((one) => one.period !== 'all' && isWon(one));
  const latest = recent.sort((one, other) => (other.match.ended ?? '').localeCompare(one.match.ended ?? ''));
  /** @type {Map<string, Winner>} */
  const found = new Map();
  for (const { game, match } of latest)
    for (const seat of match.result?.winners ?? []) {
      const { player, nickname, bot } = match.players[seat] ?? {};
      if (player && nickname && !bot && !found.has(player)) found.set(player, { id: player, nickname, game });
    }
  return [...found.values()].slice(0, MOST_WINNERS);
}

/** @param {Winner} winner */
function line({ id, nickname, game }) {
  return h(
    'li',
    { key: id },
    h('a', { href: `/players/${id}` }, avatar(id), isolated(nickname)),
    h('small', { class: 'soft' }, titleOf(game)),
  );
}
