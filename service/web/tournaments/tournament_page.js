/** The page of a tournament: what it is, the player's part in it, the standings and the matches. */

import { Tournament } from '../../client/tournament.js';
import {
  announce,
  app,
  asGuest,
  attempt,
  client,
  forgetUnknownGuest,
  guest,
  isNotFound,
  keepTrying,
  loadCatalogue,
  redraw,
  sentenceOf,
  titleOf,
} from '../app.js';
import { dateAndTime, h, isolated, listed, markedName, texts } from '../dom.js';
import { clockInWords } from '../forms/settings_form.js';
import { tournamentTexts } from '../languages/ratings.js';
import { OwnPart } from './own_part.js';
import { countdown, formatInWords, tournaments } from './tournaments.js';
import { ordered, StandingsTable } from './standings.js';
import { TableList } from './tables.js';

/** @import { OwnEntry, PairedTable, StandingView, TournamentView } from '../../schema.d.ts' */
/** @import { TournamentCommand } from '../../client/tournaments.js' */
/** @import { ClockSetting } from '../types.d.ts' */

const { page: WORDS } = tournamentTexts;

const TICK_MS = 1000;

export class TournamentPage {
  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.isShown = false;
    /** Null until it has been opened. @type {Tournament | null} */
    this.followed = null;
    /** The player's part in it, as far as the feed does not have it. @type {OwnEntry | null} */
    this.own = null;
    this.isUnknown = false;
    this.isBusy = false;
    /** Why the tournament has not arrived. */
    this.failure = '';
    /** What waits for a confirmation: a type of command, or the id of a player who is to be removed. */
    this.asked = '';
    /** The player's matches that were running when the page was opened, or were opened by it. @type {Set<number>} */
    this.opened = new Set();
    this.timer = 0;
    this.standings = new StandingsTable((row) => this.removal(row));
    this.tables = new TableList(id);
    this.part = new OwnPart(this);
  }

  get title() {
    return `${this.shown?.tournament.title ?? WORDS.untitled} · Turnstream`;
  }

  get shownGame() {
    return this.shown?.tournament.game ?? '';
  }

  get feedStatus() {
    const { followed } = this;
    return followed?.view ? (followed.status === 'closed' ? 'reconnecting' : followed.status) : null;
  }

  /** The tournament with its standings and tables, null until it has arrived. */
  get shown() {
    return this.followed?.view ?? null;
  }

  /** The player's row, if there is one. @returns {StandingView | undefined} */
  get row() {
    return guest.id ? this.shown?.standings[guest.id] : undefined;
  }

  /** The player's match that is running or about to begin. @returns {PairedTable | null} */
  get table() {
    const number = this.row?.table;
    return (number && this.shown?.tables[number]) || null;
  }

  enter() {
    this.isShown = true;
    void keepTrying(
      () => this.open(),
      () => this.isShown && !this.isUnknown,
      (problem) => {
        if (!forgetUnknownGuest(problem)) this.failure = texts.problems.tryingAgain(WORDS.missing, sentenceOf(problem));
        redraw();
      },
    );
    this.timer = setInterval(redraw, TICK_MS);
  }

  leave() {
    this.isShown = false;
    clearInterval(this.timer);
    this.followed?.close();
  }

  /** Throws `TurnstreamError`. */
  async open() {
    const followed = new Tournament(client, this.id);
    followed.subscribe(() => this.onChange());
    try {
      const [answer] = await Promise.all([tournaments.read(this.id), followed.open(), loadCatalogue()]);
      this.own = answer.own;
    } catch (problem) {
      followed.close();
      if (!isNotFound(problem)) throw problem;
      this.isUnknown = true;
      redraw();
      return;
    }
    if (!this.isShown) {
      followed.close();
      return;
    }
    [this.followed, this.failure] = [followed, ''];
    if (this.table?.room) this.opened.add(this.table.number);
    redraw();
  }

  /** Draw what is new, and go to the player's match as soon as its room is open. */
  onChange() {
    const { followed, table } = this;
    redraw();
    if (!followed || !this.isShown) return;
    if (followed.failure) void this.reopen();
    else if (table?.room && !this.opened.has(table.number)) this.goToMatch(table);
  }

  /** Follow the tournament again; nothing is lost. */
  async reopen() {
    this.followed = null;
    await keepTrying(
      () => this.open(),
      () => this.isShown,
      forgetUnknownGuest,
    );
  }

  /** @param {PairedTable} table */
  goToMatch({ number, room }) {
    this.opened.add(number);
    if (!room) return;
    announce(WORDS.go);
    app.go(`/r/${encodeURIComponent(room)}`);
  }

  /**
   * Send a command as the guest.
   * @param {TournamentCommand} wanted
   */
  async send(wanted) {
    if (this.isBusy) return;
    this.isBusy = true;
    redraw();
    await attempt(async () => {
      this.own = (await asGuest(() => tournaments.send(this.id, wanted))).own;
    });
    [this.isBusy, this.asked] = [false, ''];
    redraw();
  }

  /**
   * Ask for a confirmation.
   * @param {string} what
   */
  ask(what) {
    this.asked = what;
    redraw();
  }

  // Drawing.

  view() {
    const { shown: view, failure, isUnknown } = this;
    return h(
      'div',
      { class: 'tournaments', 'aria-busy': view || failure || isUnknown ? null : 'true' },
      h('p', { class: 'tournament-back' }, h('a', { href: '/tournaments' }, WORDS.all)),
      h('h1', null, isUnknown ? WORDS.unknown : view ? isolated(view.tournament.title) : WORDS.untitled),
      failure ? h('p', { class: 'failure', role: 'status', key: 'failure' }, failure) : null,
      view
        ? [
            h('p', { class: 'tournament-status', key: 'status' }, this.status(view.tournament)),
            this.part.view(view.tournament),
            facts(view.tournament),
            h(
              'div',
              { class: 'tournament-columns', key: 'columns' },
              this.standings.view(ordered(view.standings), view.tournament.round > 0),
              this.tables.view(view),
            ),
          ]
        : null,
    );
  }

  /**
   * How far the tournament is, in words.
   * @param {TournamentView} tournament
   */
  status({ status, reason, starts, ends, round, rounds, next_round: next }) {
    const { statuses, reasons } = tournamentTexts;
    if (status === 'registration') {
      const left = Date.parse(starts) - Date.now();
      return left > 0 ? WORDS.startsIn(countdown(left)) : WORDS.startsSoon;
    }
    if (status === 'cancelled') {
      const known = /** @type {keyof typeof reasons | null} */ (reason);
      return [statuses.cancelled, known && reasons[known]].filter(Boolean).join('. ');
    }
    if (status === 'finished') return this.winners() || statuses.finished;
    if (ends !== null) {
      const left = Date.parse(ends) - Date.now();
      return left > 0 ? WORDS.endsIn(countdown(left)) : WORDS.lastMatches;
    }
    const where = rounds ? tournamentTexts.roundOf(round, rounds) : tournamentTexts.round(round);
    if (next === null) return `${where} · ${WORDS.playing(this.running)}`;
    const left = Date.parse(next) - Date.now();
    return left > 0 ? WORDS.nextRoundIn(countdown(left)) : WORDS.nextRoundSoon;
  }

  /** How many matches of the latest round are being played. */
  get running() {
    return Object.values(this.shown?.tables ?? {}).filter(({ places }) => places === null).length;
  }

  winners() {
    const first = Object.values(this.shown?.standings ?? {}).filter(
      ({ rank, played, byes }) => rank === 1 && played + byes,
    );
    return first.length ? WORDS.winner(listed(first.map(markedName))) : '';
  }

  /** Whether the player organises the tournament, and it is not over. */
  get isOrganiser() {
    const tournament = this.shown?.tournament;
    const isOpen = tournament?.status === 'registration' || tournament?.status === 'playing';
    return isOpen && guest.id !== null && tournament.organiser?.player === guest.id;
  }

  /**
   * The organiser's way to remove a player.
   * @param {StandingView} row
   */
  removal({ player, nickname, left }) {
    if (!this.isOrganiser || player === guest.id || left) return null;
    const isAsked = this.asked === player;
    const onclick = () => (isAsked ? void this.send({ type: 'remove', player }) : this.ask(player));
    const label = isAsked ? WORDS.confirmRemove(nickname) : WORDS.removePlayer(nickname);
    const props = { type: 'button', class: 'small-button danger', 'aria-label': label, disabled: this.isBusy, onclick };
    return [
      ' ',
      h('button', { key: 'remove', ...props }, isAsked ? label : WORDS.remove),
      isAsked ? [' ', this.keepButton()] : null,
    ];
  }

  keepButton() {
    return h('button', { key: 'keep', type: 'button', class: 'small-button', onclick: () => this.ask('') }, WORDS.keep);
  }
}

/** @param {TournamentView} tournament */
function facts(tournament) {
  const { game, clock, starts, players, max_players: most, organiser, late_entry: isLate, bots, format } = tournament;
  const isOpen = tournament.status === 'registration' || tournament.status === 'playing';
  const notes = [
    tournamentTexts.formatNotes[format],
    isOpen && isLate && format !== 'round_robin' ? WORDS.lateEntry : '',
    isOpen && bots ? WORDS.bots : '',
  ];
  const rows = /** @type {const} */ ([
    [WORDS.game, h('a', { href: `/games/${game}` }, titleOf(game))],
    [WORDS.format, formatInWords(tournament)],
    [WORDS.clock, clockInWords(/** @type {ClockSetting} */ (clock))],
    [WORDS.start, dateAndTime(starts)],
    [WORDS.entries, isOpen ? tournamentTexts.playersOf(players, most) : tournamentTexts.players(players)],
    [WORDS.organiser, organiser ? markedName(organiser) : WORDS.operator],
  ]);
  return h(
    'div',
    { class: 'tournament-facts', key: 'facts' },
    h(
      'dl',
      null,
      rows.map(([name, value]) => h('div', { key: name }, h('dt', null, name), h('dd', null, value))),
    ),
    h('p', { class: 'soft small' }, notes.filter(Boolean).join(' ')),
  );
}
