/** The operators' page: signing in with an operator token, and the lists of what can be done. */

import { RefusedError, Requests } from '../../client/requests.js';
import { attempt, notify, redraw } from '../app.js';
import { h } from '../dom.js';
import { inputField, submitted } from '../forms/fields.js';
import { operateTexts as WORDS } from './texts.js';
import { Log } from './log.js';
import { Operators } from './operators.js';
import { Players } from './players.js';
import { Reports } from './reports.js';
import { Rooms } from './rooms.js';

/** @import { Content } from '../types.d.ts' */
/** A list on the page. @typedef {{load(): Promise<void>, view(): Content}} List */
/** @typedef {keyof typeof WORDS.parts} Part */
/** @typedef {keyof typeof WORDS.apply} Action */

const REASON = { name: 'reason', maxlength: 500, autocomplete: 'off' };

export class OperatePage {
  constructor() {
    /** Sends requests with the operator's token, which only this page keeps. @type {Requests | null} */
    this.client = null;
    /** @type {Part} */
    this.part = 'reports';
    /** The lists that this operator may see. @type {Partial<Record<Part, List>>} */
    this.lists = {};
    /** What has to be confirmed with a reason. */
    this.asking = '';
    this.isBusy = false;
  }

  get title() {
    return `${WORDS.title} · Turnstream`;
  }

  enter() {}

  leave() {}

  /**
   * Do one thing at a time. A refusal is shown.
   * @param {() => Promise<void>} action
   */
  async run(action) {
    if (this.isBusy) return;
    this.isBusy = true;
    redraw();
    await attempt(() => action().catch((problem) => this.onProblem(problem)));
    this.isBusy = false;
    redraw();
  }

  /**
   * Sign out if the token is no longer accepted. Throws anything else.
   * @param {unknown} problem
   */
  onProblem(problem) {
    if (!(problem instanceof RefusedError && problem.code === 'unauthenticated')) throw problem;
    this.signOut();
    notify(WORDS.refused, 'error');
  }

  /**
   * Throws `TurnstreamError`.
   * @param {string} token
   */
  async signIn(token) {
    const client = new Requests(location.origin, { token });
    const reports = new Reports(this, client);
    await reports.load();
    const players = new Players(this, client);
    this.lists = { reports, players, rooms: new Rooms(this, client), log: new Log(client) };
    const operators = new Operators(this, client);
    if (await operators.isAllowed()) this.lists = { ...this.lists, operators };
    this.client = client;
  }

  signOut() {
    Object.assign(this, new OperatePage());
    redraw();
  }

  /**
   * Show a list as it is now.
   * @param {Part} part
   */
  async show(part) {
    [this.part, this.asking] = [part, ''];
    await this.run(async () => this.lists[part]?.load());
  }

  /**
   * Show one player.
   * @param {string} id
   */
  async showPlayer(id) {
    const { players } = this.lists;
    if (players instanceof Players) players.searchFor(id);
    await this.show('players');
  }

  view() {
    return h(
      'div',
      { class: 'devices operate' },
      h('h1', null, WORDS.title),
      h('p', { class: 'soft', key: 'lead' }, WORDS.lead),
      this.client ? [this.parts(), this.list()] : this.entry(),
    );
  }

  entry() {
    const onsubmit = (/** @type {SubmitEvent} */ event) => {
      const token = submitted(event)('token')?.trim() ?? '';
      void this.run(() => this.signIn(token));
    };
    const props = { name: 'token', type: 'password', required: true, autocomplete: 'off' };
    return h(
      'section',
      { class: 'device-part', key: 'entry', 'aria-label': WORDS.enter },
      h(
        'form',
        { class: 'code-form', onsubmit },
        inputField('operator-token', WORDS.token, props),
        h('button', { type: 'submit', class: 'primary', disabled: this.isBusy }, WORDS.enter),
      ),
    );
  }

  parts() {
    const names = /** @type {Part[]} */ (Object.keys(WORDS.parts).filter((part) => part in this.lists));
    const buttons = names.map((part) => {
      const onclick = () => void this.show(part);
      return h(
        'button',
        { key: part, type: 'button', 'aria-pressed': String(part === this.part), onclick },
        WORDS.parts[part],
      );
    });
    const leave = h('button', { key: 'leave', type: 'button', onclick: () => this.signOut() }, WORDS.leave);
    return h('nav', { class: 'row', key: 'parts', 'aria-label': WORDS.title }, buttons, leave);
  }

  list() {
    const content = this.lists[this.part]?.view();
    return h('section', { class: 'device-part', key: this.part, 'aria-label': WORDS.parts[this.part] }, content);
  }

  /**
   * A button for something that needs a reason, or the form in which it is given.
   * @param {Action} action
   * @param {{key: string, name: string}} subject what it is done to
   * @param {(reason: string) => Promise<void>} apply
   */
  act(action, { key, name }, apply) {
    const id = `${action} ${key}`;
    const [text, label] = [WORDS.apply[action], WORDS.of(WORDS.apply[action], name)];
    const ask = (/** @type {string} */ what) => {
      this.asking = what;
      redraw();
    };
    if (this.asking !== id) {
      const props = { key: id, type: 'button', class: 'small-button', 'aria-label': label, onclick: () => ask(id) };
      return h('button', props, `${text} …`);
    }
    const onsubmit = (/** @type {SubmitEvent} */ event) => {
      const reason = submitted(event)('reason')?.trim() ?? '';
      void this.run(async () => {
        await apply(reason);
        this.asking = '';
        await this.lists[this.part]?.load();
      });
    };
    const created = (/** @type {HTMLFormElement} */ form) =>
      /** @type {HTMLElement} */ (form.querySelector('input, button')).focus();
    return h(
      'form',
      { key: id, class: 'operate-form', 'aria-label': label, onsubmit, created },
      h('p', { class: 'small' }, WORDS.effects[action]),
      action === 'revoke' ? null : inputField('operate-reason', WORDS.reason, REASON),
      h('button', { type: 'submit', class: 'danger primary', disabled: this.isBusy }, text),
      h('button', { type: 'button', onclick: () => ask('') }, WORDS.cancel),
    );
  }
}
