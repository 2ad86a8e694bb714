/** The page of all tournaments: those to come, those that are played, and the latest that have ended. */

import { app, attempt, forgetUnknownGuest, keepTrying, loadCatalogue, redraw, sentenceOf, titleOf } from '../app.js';
import { dateAndTime, h, isolated, texts } from '../dom.js';
import { tournamentTexts } from '../languages/ratings.js';
import { addressOf, formatInWords, tournaments } from './tournaments.js';

/** @import { TournamentSummary } from '../../schema.d.ts' */
/** @import { Status } from './tournaments.js' */

const { list: WORDS, statuses: STATUSES } = tournamentTexts;

/** How many tournaments are read at a time. */
const PAGE = '50';
/** How often the list is read again while the page is seen. */
const POLL_MS = 15_000;

/** The parts of the page. @type {{title: string, statuses: Status[]}[]} */
const PARTS = [
  { title: WORDS.playing, statuses: ['playing'] },
  { title: WORDS.upcoming, statuses: ['registration'] },
  { title: WORDS.ended, statuses: ['finished', 'cancelled'] },
];

export class TournamentsPage {
  constructor() {
    this.isShown = false;
    /** Null until they have arrived. @type {TournamentSummary[] | null} */
    this.tournaments = null;
    /** The cursor of more of them, if there are. @type {number | null} */
    this.next = null;
    /** Why they have not arrived. */
    this.failure = '';
    this.timer = 0;
  }

  get title() {
    return `${WORDS.title} · Turnstream`;
  }

  enter() {
    this.isShown = true;
    void this.keepLoading();
    this.timer = setInterval(() => void this.poll(), POLL_MS);
  }

  leave() {
    this.isShown = false;
    clearInterval(this.timer);
  }

  async keepLoading() {
    await keepTrying(
      () => this.load(),
      () => this.isShown,
      (problem) => {
        if (!forgetUnknownGuest(problem)) this.failure = texts.problems.tryingAgain(WORDS.missing, sentenceOf(problem));
        redraw();
      },
    );
  }

  /** Throws `TurnstreamError`. */
  async load() {
    const [page] = await Promise.all([tournaments.list({ limit: PAGE }), loadCatalogue()]);
    [this.tournaments, this.next, this.failure] = [page.tournaments, page.next, ''];
    redraw();
  }

  /** Read the beginning of the list again; without an answer nothing changes. */
  async poll() {
    if (document.visibilityState !== 'visible' || !this.tournaments) return;
    const page = await tournaments.list({ limit: PAGE }).catch(() => null);
    if (!page) return;
    const fresh = new Set(page.tournaments.map(({ id }) => id));
    this.tournaments = [...page.tournaments, ...this.tournaments.filter(({ id }) => !fresh.has(id))];
    redraw();
  }

  async loadMore() {
    await attempt(async () => {
      const page = await tournaments.list({ limit: PAGE, cursor: String(this.next) });
      const known = new Set(this.tournaments?.map(({ id }) => id));
      this.tournaments = [...(this.tournaments ?? []), ...page.tournaments.filter(({ id }) => !known.has(id))];
      this.next = page.next;
    });
    redraw();
  }

  async openDialog() {
    await attempt(async () => {
      const { openTournamentDialog } = await import('./create_dialog.js');
      await openTournamentDialog(app.catalogue ?? []);
    });
  }

  // Drawing.

  view() {
    const { tournaments, failure, next } = this;
    return h(
      'div',
      { class: 'tournaments', 'aria-busy': tournaments || failure ? null : 'true' },
      h(
        'div',
        { class: 'tournaments-head' },
        h('div', null, h('h1', null, WORDS.title), h('p', { class: 'soft' }, WORDS.lead)),
        h('button', { type: 'button', class: 'primary', onclick: () => void this.openDialog() }, WORDS.make),
      ),
      failure ? h('p', { class: 'failure', role: 'status', key: 'failure' }, failure) : null,
      tournaments ? PARTS.map((part) => this.part(part, tournaments)) : null,
      next === null
        ? null
        : h('button', { type: 'button', key: 'more', onclick: () => void this.loadMore() }, WORDS.more),
    );
  }

  /**
   * @param {{title: string, statuses: Status[]}} part
   * @param {TournamentSummary[]} all
   */
  part({ title, statuses }, all) {
    const shown = all.filter(({ status }) => statuses.includes(status));
    const isUpcoming = statuses.includes('registration');
    if (isUpcoming) shown.sort((one, other) => one.starts.localeCompare(other.starts));
    if (!shown.length && !(isUpcoming && !all.some(({ status }) => status === 'playing'))) return null;
    return h(
      'section',
      { key: title, 'aria-label': title },
      h('h2', null, title),
      shown.length ? h('ul', { class: 'tournament-list' }, shown.map(line)) : h('p', { class: 'soft' }, WORDS.none),
    );
  }
}

/** @param {TournamentSummary} tournament */
function line(tournament) {
  const { id, title, game, status, starts, players, round, rounds, ends } = tournament;
  const when = status === 'registration' ? WORDS.starts(dateAndTime(starts)) : WORDS.started(dateAndTime(starts));
  const isInRounds = status === 'playing' && ends === null;
  const progress = rounds ? tournamentTexts.roundOf(round, rounds) : tournamentTexts.round(round);
  const tag = isInRounds ? progress : STATUSES[status];
  return h(
    'li',
    { key: id },
    h(
      'a',
      { class: 'tournament-line', href: addressOf(id) },
      h('strong', { class: 'tournament-title' }, isolated(title)),
      h('span', null, titleOf(game)),
      h('span', { class: 'soft' }, formatInWords(tournament)),
      h('span', { class: 'soft' }, when),
      h('span', { class: 'soft' }, tournamentTexts.players(players)),
      h('span', { class: status === 'playing' ? 'tag free' : 'tag' }, tag),
    ),
  );
}
