/** The tokens of operators with names, which only the token of the settings can create and revoke. */

import { RefusedError } from '../../client/requests.js';
import { notify } from '../app.js';
import { dateAndTime, h, isolated } from '../dom.js';
import { copyText, inputField, submitted } from '../forms/fields.js';
import { operateTexts as WORDS } from './texts.js';
import { entries, entry } from './entries.js';

/** @import { Requests } from '../../client/requests.js' */
/** @import { OperatePage } from './operate_page.js' */
/** @typedef {{id: string, name: string, made: string}} Operator */

export class Operators {
  /**
   * @param {OperatePage} page
   * @param {Requests} client
   */
  constructor(page, client) {
    this.page = page;
    this.client = client;
    /** @type {Operator[]} */
    this.operators = [];
    /** The token that was just created. */
    this.made = '';
  }

  /** Whether this token may see the others. */
  async isAllowed() {
    try {
      await this.load();
      return true;
    } catch (problem) {
      if (problem instanceof RefusedError && problem.code === 'admin_only') return false;
      throw problem;
    }
  }

  async load() {
    this.operators = (await this.client.get('/v1/admin/tokens')).tokens;
  }

  /** @param {string} name */
  async make(name) {
    this.made = (await this.client.postWithoutKey('/v1/admin/tokens', { name })).token;
    await this.load();
  }

  async copy() {
    notify((await copyText(this.made)) ? WORDS.copied : WORDS.notCopied);
  }

  view() {
    const onsubmit = (/** @type {SubmitEvent} */ event) => {
      const name = submitted(event)('name')?.trim() ?? '';
      const form = /** @type {HTMLFormElement} */ (event.target);
      void this.page.run(async () => {
        await this.make(name);
        form.reset();
      });
    };
    const items = this.operators.map(({ id, name, made }) => {
      const revoke = () => this.client.delete(`/v1/admin/tokens/${id}`);
      const subject = { key: id, name: isolated(name) };
      return entry(id, subject.name, [dateAndTime(made)], [this.page.act('revoke', subject, revoke)]);
    });
    return [
      h(
        'form',
        { class: 'code-form', key: 'make', onsubmit },
        inputField('operator-name', WORDS.name, { name: 'name', required: true, maxlength: 40, autocomplete: 'off' }),
        h('button', { type: 'submit', disabled: this.page.isBusy }, WORDS.make),
      ),
      this.made ? this.shown() : null,
      entries(items, WORDS.empty.operators),
    ];
  }

  shown() {
    return h(
      'div',
      { class: 'recovery-code', key: 'made' },
      h('label', { for: 'made-token' }, WORDS.made),
      h('output', { id: 'made-token' }, this.made),
      h('button', { type: 'button', onclick: () => void this.copy() }, WORDS.copy),
    );
  }
}
