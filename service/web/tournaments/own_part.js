/** The player's part in a tournament: the way in and out, the next match, and what an organiser can do. */

import { guest } from '../app.js';
import { h, listed, markedName } from '../dom.js';
import { tournamentTexts } from '../languages/ratings.js';
import { countdown } from './tournaments.js';

/** @import { PairedTable, TournamentView } from '../../schema.d.ts' */
/** @import { PlainCommand } from '../../client/tournaments.js' */
/** @import { TournamentPage } from './tournament_page.js' */

const { page: WORDS } = tournamentTexts;

export class OwnPart {
  /** @param {TournamentPage} page */
  constructor(page) {
    this.page = page;
  }

  /** @param {TournamentView} tournament */
  view(tournament) {
    const { page } = this;
    const isOver = tournament.status === 'finished' || tournament.status === 'cancelled';
    if (isOver) return null;
    return [
      h(
        'section',
        { class: 'own-part', key: 'own' },
        page.table ? this.match(page.table) : this.words(tournament),
        h('div', { class: 'buttons' }, this.buttons(tournament)),
      ),
      page.isOrganiser ? this.organising(tournament) : null,
    ];
  }

  /** Whether the player takes part. */
  get isIn() {
    const { row } = this.page;
    return row !== undefined && row.left === null;
  }

  /** Whether the player has checked in. */
  get isCheckedIn() {
    return this.page.own?.checked_in ?? false;
  }

  /** @param {PairedTable} table */
  match(table) {
    const against = table.players.filter(({ player }) => player !== guest.id);
    const names = listed(against.map(markedName));
    if (table.room) return h('p', { key: 'match' }, h('strong', null, WORDS.yourMatch(names)));
    return [
      h('p', { key: 'soon' }, h('strong', null, WORDS.yourMatchSoon(names))),
      h('p', { key: 'by', class: 'soft' }, WORDS.goingBy),
    ];
  }

  /** The way to the player's match, once its room is open. */
  way() {
    const room = this.page.table?.room;
    if (!room) return null;
    return h('a', { key: 'go', class: 'button primary', href: `/r/${encodeURIComponent(room)}` }, WORDS.go);
  }

  /**
   * What the player waits for.
   * @param {TournamentView} tournament
   */
  words(tournament) {
    const { row, own } = this.page;
    const left = row?.left ?? own?.left ?? null;
    if (left) return h('p', { key: 'left' }, WORDS.youLeft[left]);
    if (!this.isIn) return null;
    if (tournament.status === 'registration') {
      return [
        h('p', { key: 'in' }, h('strong', null, this.isCheckedIn ? WORDS.youAreCheckedIn : WORDS.youAreIn)),
        this.checkIn(tournament),
      ];
    }
    const hasBye = guest.id !== null && this.page.shown?.byes.includes(guest.id);
    const waits = tournament.format === 'arena' ? WORDS.youWait : hasBye ? WORDS.yourBye : WORDS.youAreIn;
    return [h('p', { key: 'wait' }, h('strong', null, waits)), h('p', { key: 'stay', class: 'soft' }, WORDS.notified)];
  }

  /** @param {TournamentView} tournament */
  checkIn({ starts, check_in_ms: span }) {
    if (!span || this.isCheckedIn) return h('p', { key: 'stay', class: 'soft' }, WORDS.notified);
    const left = Date.parse(starts) - span - Date.now();
    return h('p', { key: 'check', class: 'soft' }, left > 0 ? WORDS.checkInFrom(countdown(left)) : WORDS.checkInNow);
  }

  /** @param {TournamentView} tournament */
  buttons(tournament) {
    const { page } = this;
    if (!this.isIn) return canEnter(tournament) && page.own?.left !== 'removed' ? this.enterButton() : null;
    if (page.asked === 'withdraw') {
      return [this.button('withdraw', WORDS.confirmWithdraw, 'danger primary'), page.keepButton()];
    }
    const mayCheckIn = isCheckInOpen(tournament) && !this.isCheckedIn;
    return [
      this.way(),
      mayCheckIn ? this.button('check_in', WORDS.checkIn, 'primary') : null,
      this.asking('withdraw', WORDS.withdraw, ''),
    ];
  }

  enterButton() {
    const hasLeft = this.page.row !== undefined;
    return this.button('register', hasLeft ? WORDS.comeBack : WORDS.register, 'primary');
  }

  /**
   * A button that sends a command.
   * @param {PlainCommand} type
   * @param {string} text
   * @param {string} look
   */
  button(type, text, look) {
    const { isBusy } = this.page;
    const onclick = () => void this.page.send({ type });
    return h('button', { key: type, type: 'button', class: look, disabled: isBusy, onclick }, text);
  }

  /**
   * A button that asks for a confirmation.
   * @param {string} what
   * @param {string} text
   * @param {string} look
   */
  asking(what, text, look) {
    return h('button', { key: `ask ${what}`, type: 'button', class: look, onclick: () => this.page.ask(what) }, text);
  }

  /** @param {TournamentView} tournament */
  organising({ status }) {
    const { asked } = this.page;
    const keep = this.page.keepButton();
    const buttons =
      asked === 'begin'
        ? [this.button('begin', WORDS.confirmBegin, 'primary'), keep]
        : asked === 'cancel'
          ? [this.button('cancel', WORDS.confirmCancel, 'danger primary'), keep]
          : [
              status === 'registration' ? this.asking('begin', WORDS.begin, '') : null,
              this.asking('cancel', WORDS.cancel, 'danger'),
            ];
    return h(
      'section',
      { class: 'organising', key: 'organising' },
      h('p', null, WORDS.organise),
      h('div', { class: 'buttons' }, buttons),
    );
  }
}

/** @param {TournamentView} tournament */
function canEnter({ status, format, late_entry: isLate, ends, round, rounds, players, max_players: most }) {
  if (players >= most) return false;
  if (status === 'registration') return true;
  if (!isLate || format === 'round_robin') return false;
  return ends === null ? round < (rounds ?? 0) : Date.parse(ends) > Date.now();
}

/** @param {TournamentView} tournament */
function isCheckInOpen({ status, starts, check_in_ms: span }) {
  return status === 'registration' && span > 0 && Date.parse(starts) - span <= Date.now();
}
