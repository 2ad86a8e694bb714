/** The dialog that opens at the name of another player: what can be done with them. */

import { app, asGuest, attempt, client, loadStyle, notify, redraw } from '../app.js';
import { h, isolated } from '../dom.js';
import { cancelButton, modal, submitted } from '../forms/fields.js';
import { peopleTexts } from '../languages/people.js';
import { avatar } from '../looks/avatar.js';
import { block } from './blocks.js';

const { person: WORDS } = peopleTexts;

/**
 * Show what can be done with a player.
 * @param {string} id
 * @param {string} nickname
 */
export async function openPerson(id, nickname) {
  await loadStyle('people');
  const dialog = new PersonDialog(id, nickname);
  app.dialog = () => dialog.view();
  redraw();
}

class PersonDialog {
  /**
   * @param {string} id
   * @param {string} nickname
   */
  constructor(id, nickname) {
    this.id = id;
    this.nickname = nickname;
    /** Whether blocking has to be confirmed. */
    this.isAsking = false;
    /** Whether a report to the operators is being written. */
    this.isReporting = false;
  }

  async challenge() {
    await attempt(async () => {
      const { openChallengeDialog } = await import('../challenges/challenge_dialog.js');
      await openChallengeDialog(this);
    });
  }

  async block() {
    if (!this.isAsking) {
      this.isAsking = true;
      redraw();
      return;
    }
    await attempt(async () => {
      await block(this.id, this.nickname);
      app.dialog = null;
      notify(WORDS.blocked(isolated(this.nickname)));
    });
    redraw();
  }

  /** @param {string} reason */
  async report(reason) {
    const room = /^\/r\/([^/]+)/.exec(location.pathname)?.[1];
    await attempt(async () => {
      const where = room ? { room: decodeURIComponent(room) } : {};
      await asGuest(() => client.post('/v1/reports', { player: this.id, reason, ...where }));
      app.dialog = null;
      notify(WORDS.reported(isolated(this.nickname)));
    });
    redraw();
  }

  reportForm() {
    if (!this.isReporting) {
      const onclick = () => {
        this.isReporting = true;
        redraw();
      };
      return h('button', { type: 'button', key: 'report', onclick }, WORDS.report);
    }
    const onsubmit = (/** @type {SubmitEvent} */ event) => void this.report(submitted(event)('reason') ?? '');
    const created = (/** @type {HTMLFormElement} */ form) => form.querySelector('textarea')?.focus();
    const props = { id: 'report-reason', name: 'reason', rows: 3, maxlength: 500, required: true };
    return h(
      'form',
      { key: 'reporting', class: 'report-form', onsubmit, created },
      h('label', { for: 'report-reason' }, WORDS.reportReason),
      h('textarea', props),
      h('p', { class: 'soft small' }, WORDS.reportNote),
      h('button', { type: 'submit', class: 'danger primary' }, WORDS.reportYes),
    );
  }

  view() {
    const close = () => {
      app.dialog = null;
      redraw();
    };
    const blocking = { type: 'button', key: 'block', class: this.isAsking ? 'danger primary' : 'danger' };
    return h(
      'dialog',
      modal(`person ${this.id}`, 'person-title', close),
      h(
        'div',
        { class: 'person-dialog' },
        h('h2', { id: 'person-title' }, avatar(this.id), isolated(this.nickname)),
        h(
          'button',
          { type: 'button', key: 'challenge', class: 'primary', onclick: () => void this.challenge() },
          WORDS.challenge,
        ),
        h('a', { class: 'button', href: `/players/${this.id}` }, WORDS.profile),
        h('button', { ...blocking, onclick: () => void this.block() }, this.isAsking ? WORDS.blockYes : WORDS.block),
        h('p', { class: 'soft small' }, WORDS.blockNote),
        this.reportForm(),
        h('div', { class: 'buttons' }, cancelButton()),
      ),
    );
  }
}
