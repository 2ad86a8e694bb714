/** Tournaments for the lobby: those that players can watch now, those that begin next, and those that are just over. */

import { TurnstreamError } from '../../client/requests.js';
import { redraw, titleOf } from '../app.js';
import { dateAndTime, h, isolated } from '../dom.js';
import { tournamentTexts } from '../languages/ratings.js';
import { addressOf, formatInWords, tournaments } from './tournaments.js';

/** @import { TournamentSummary } from '../../schema.d.ts' */

const { list: WORDS, statuses: STATUSES } = tournamentTexts;

/** How many tournaments are shown. */
const MOST = 4;
/** How many of each kind are read: the latest created ones, some of which may begin much later than others. */
const READ = '100';
/** How many that are over are shown, and for how long after their start. */
const OVER = { most: 2, ms: 24 * 60 * 60_000 };

export class ComingList {
  /** @type {TournamentSummary[]} */ tournaments = [];

  /** Read the tournaments. */
  async load() {
    try {
      const [playing, coming, over] = await Promise.all([
        tournaments.list({ status: 'playing', limit: READ }),
        tournaments.list({ status: 'registration', limit: READ }),
        tournaments.list({ status: 'finished', limit: READ }),
      ]);
      const byStart = coming.tournaments.sort((one, other) => one.starts.localeCompare(other.starts));
      const recent = over.tournaments.filter(({ starts }) => Date.now() - Date.parse(starts) < OVER.ms);
      this.tournaments = [
        ...[...playing.tournaments, ...byStart].slice(0, MOST),
        ...recent.sort((one, other) => other.starts.localeCompare(one.starts)).slice(0, OVER.most),
      ];
    } catch (problem) {
      if (!(problem instanceof TurnstreamError)) throw problem;
    }
    redraw();
  }

  view() {
    if (!this.tournaments.length) return null;
    return h(
      'section',
      { key: 'coming', class: 'coming lobby-list', 'aria-labelledby': 'coming-title' },
      h('h2', { id: 'coming-title' }, h('a', { href: '/tournaments' }, WORDS.title)),
      h('ul', { class: 'rooms' }, this.tournaments.map(line)),
    );
  }
}

/** @param {TournamentSummary} tournament */
function line(tournament) {
  const { id, title, game, status, starts, players } = tournament;
  const when = status === 'registration' ? WORDS.starts(dateAndTime(starts)) : STATUSES[status];
  return h(
    'li',
    { key: id },
    h(
      'a',
      { class: 'room-line', href: addressOf(id) },
      h('span', { class: 'room-title' }, isolated(title)),
      h('span', { class: 'soft' }, `${titleOf(game)} · ${formatInWords(tournament)}`),
      h('span', { class: 'soft' }, `${when} · ${tournamentTexts.players(players)}`),
    ),
  );
}
