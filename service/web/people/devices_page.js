/** The page of the player's devices: signed-in devices, codes, who may challenge the player, and who is blocked. */

import { Account } from '../../client/account.js';
import { Challenges } from '../../client/challenges.js';
import {
  announce,
  app,
  attempt,
  become,
  client,
  forgetGuest,
  forgetUnknownGuest,
  guest,
  keepTrying,
  notify,
  redraw,
  sentenceOf,
} from '../app.js';
import { dayOf, h, isolated, listed, minutesAndSeconds, texts } from '../dom.js';
import { copyText, inputField, selectField, submitted } from '../forms/fields.js';
import { peopleTexts } from '../languages/people.js';
import { blockedName, unblock } from './blocks.js';
import { deviceName } from './device_name.js';

/** @import { Block, ChallengeSettings, LetIn, TokenEntry } from '../../schema.d.ts' */
/** @import { Content } from '../types.d.ts' */
/** A code for another device, and when it expires by the clock of `performance`. */
/** @typedef {{code: string, until: number}} LinkCode */

const { devices: WORDS } = peopleTexts;

/** How often to check whether the other device is signed in, while a code for it is shown. */
const POLL_MS = 2000;
const TICK_MS = 500;
/** The maximum length of the code of another device, with spaces or hyphens. */
const LINK_LENGTH = 12;

export class DevicesPage {
  constructor() {
    this.account = new Account(client);
    this.challenges = new Challenges(client);
    /** Who may challenge the player. @type {ChallengeSettings['challengers']} */
    this.challengers = 'everybody';
    this.isShown = false;
    /** Null until they have arrived. @type {TokenEntry[] | null} */
    this.tokens = null;
    /** @type {Block[]} */
    this.blocks = [];
    /** Why the devices have not arrived. */
    this.failure = '';
    /** @type {LinkCode | null} */
    this.link = null;
    /** The recovery code that was just created. */
    this.recovery = '';
    /** What has to be confirmed: the id of a token, or `elsewhere`. */
    this.asking = '';
    this.isBusy = false;
    this.ticking = 0;
    this.polling = 0;
  }

  get title() {
    return `${WORDS.title} · Turnstream`;
  }

  enter() {
    this.isShown = true;
    void this.open();
  }

  leave() {
    this.isShown = false;
    this.hideCode();
  }

  /** Load the devices and the blocked players, if there is a guest. */
  async open() {
    if (!guest.token) return;
    const isWanted = () => this.isShown && guest.token !== null;
    await keepTrying(
      () => this.load(),
      isWanted,
      (problem) => {
        if (!forgetUnknownGuest(problem)) this.failure = texts.problems.tryingAgain(WORDS.missing, sentenceOf(problem));
        redraw();
      },
    );
  }

  /** Throws `TurnstreamError`. */
  async load() {
    const [{ tokens }, { blocks }, { challengers }] = await Promise.all([
      this.account.tokens(),
      this.account.blocks(),
      this.challenges.challengers(),
    ]);
    [this.tokens, this.blocks, this.challengers, this.failure] = [tokens, blocks, challengers, ''];
    redraw();
  }

  /**
   * Do one thing at a time. A refusal is shown.
   * @param {() => Promise<void>} action
   */
  async run(action) {
    if (this.isBusy) return;
    this.isBusy = true;
    redraw();
    await attempt(action);
    this.isBusy = false;
    redraw();
  }

  // Codes.

  /** Give this device its own token, so that it is listed: a guest token is not. Throws `TurnstreamError`. */
  async beListed() {
    if (guest.hasAccount) return;
    const { token } = await this.account.makeToken({ name: deviceName(), scopes: ['read', 'play', 'chat', 'account'] });
    become({ player: { id: guest.id ?? '', nickname: guest.nickname }, token }, true);
    await this.load();
  }

  /** Show a code for another device. Throws `TurnstreamError`. */
  async makeCode() {
    await this.beListed();
    const { code, expires } = await this.account.makeLinkCode();
    this.hideCode();
    this.link = { code, until: performance.now() + Date.parse(expires) - Date.now() };
    announce(`${WORDS.code}: ${[...code].join(' ')}`);
    this.ticking = setInterval(() => this.tick(), TICK_MS);
    this.polling = setTimeout(() => void this.look(), POLL_MS);
  }

  hideCode() {
    this.link = null;
    clearInterval(this.ticking);
    clearTimeout(this.polling);
  }

  tick() {
    if (this.link && performance.now() > this.link.until) {
      this.hideCode();
      notify(WORDS.codeOver);
    }
    redraw();
  }

  /** Check whether the other device is signed in. */
  async look() {
    const known = new Set(this.tokens?.map(({ id }) => id));
    await this.load().catch(() => {}); // it is looked up again
    const found = this.tokens?.find(({ id }) => !known.has(id));
    if (!this.link) return;
    if (found) {
      this.hideCode();
      notify(WORDS.linked(found.name));
      announce(WORDS.linked(found.name));
      redraw();
    } else this.polling = setTimeout(() => void this.look(), POLL_MS);
  }

  /** Show a new recovery code. Throws `TurnstreamError`. */
  async makeRecovery() {
    await this.beListed();
    this.recovery = (await this.account.makeRecoveryCode()).code;
  }

  async copyRecovery() {
    notify((await copyText(this.recovery)) ? WORDS.copied : WORDS.notCopied);
  }

  /**
   * Sign in as the player of a code. Throws `TurnstreamError`.
   * @param {string} code
   */
  async enterCode(code) {
    const name = deviceName();
    const isLink = code.length <= LINK_LENGTH;
    /** @type {LetIn} */
    const letIn = await (isLink
      ? this.account.useLinkCode(code, { name })
      : this.account.useRecoveryCode(code, { name }));
    become(letIn, true);
    this.recovery = '';
    this.hideCode();
    notify(WORDS.welcome(isolated(letIn.player.nickname)));
    await this.load();
  }

  // Signing out, and blocks.

  /** @param {string} token */
  async signOut(token) {
    await this.account.revokeToken(token);
    await this.load();
  }

  async signOutElsewhere() {
    await this.account.signOutElsewhere();
    notify(WORDS.elsewhereDone);
    await this.load();
  }

  /** @param {string} player */
  async unblock(player) {
    await unblock(player);
    await this.load();
  }

  /** Erase the player. Throws `TurnstreamError`. */
  async erase() {
    await this.account.erase(guest.id ?? '');
    forgetGuest('');
    this.tokens = null;
    app.go('/');
    notify(WORDS.erased);
  }

  // Drawing.

  view() {
    const hasGuest = guest.token !== null;
    return h(
      'div',
      { class: 'devices' },
      h('h1', null, WORDS.title),
      h('p', { class: 'soft', key: 'lead' }, hasGuest ? WORDS.lead(isolated(guest.nickname)) : WORDS.nobody),
      this.failure ? h('p', { class: 'failure', role: 'status', key: 'failure' }, this.failure) : null,
      hasGuest && this.tokens ? [this.signedIn(this.tokens), this.another(), this.lost()] : null,
      this.enterForm(),
      hasGuest && this.tokens ? [this.admitted(), this.blocked(), this.erasure()] : null,
    );
  }

  /** @param {TokenEntry[]} tokens */
  signedIn(tokens) {
    const others = tokens.filter(({ current }) => !current);
    return part(
      'signed-in',
      WORDS.signedIn,
      tokens.length
        ? h(
            'ul',
            { class: 'device-list', key: 'list' },
            tokens.map((entry) => this.device(entry)),
          )
        : h('p', { key: 'none' }, WORDS.onlyHere),
      others.length
        ? this.confirmed('elsewhere', WORDS.elsewhere, WORDS.elsewhereYes, '', () => this.signOutElsewhere())
        : null,
    );
  }

  /** @param {TokenEntry} entry */
  device({ id, name, scopes, made, used_on: usedOn, expires, current }) {
    const facts = [
      WORDS.since(dayOf(made)),
      usedOn ? WORDS.used(dayOf(usedOn)) : WORDS.never,
      expires ? WORDS.until(dayOf(expires)) : '',
    ];
    return h(
      'li',
      { key: id },
      h(
        'span',
        null,
        h('strong', null, isolated(name)),
        current ? [' ', h('span', { class: 'tag free' }, WORDS.here)] : null,
        h('small', { class: 'soft' }, facts.filter(Boolean).join(' · ')),
        h('small', { class: 'soft' }, listed(scopes.map((scope) => WORDS.scopes[scope]))),
      ),
      current ? null : this.confirmed(id, WORDS.signOut, WORDS.signOutYes, name, () => this.signOut(id)),
    );
  }

  /**
   * A button that asks for confirmation in its own place.
   * @param {string} key
   * @param {string} text
   * @param {string} question
   * @param {string} what it is about, if several buttons have this text
   * @param {() => Promise<void>} action
   */
  confirmed(key, text, question, what, action) {
    const isAsking = this.asking === key;
    const onclick = () => {
      this.asking = isAsking ? '' : key;
      redraw();
      if (isAsking) void this.run(action);
    };
    const shown = isAsking ? question : text;
    const label = what ? WORDS.signOutName(shown, what) : null;
    const props = { key, type: 'button', class: `danger ${isAsking ? 'primary' : ''}`, 'aria-label': label, onclick };
    return h('button', props, shown);
  }

  another() {
    const { link } = this;
    return part(
      'another',
      WORDS.another,
      h('p', { key: 'note' }, WORDS.anotherNote),
      link
        ? h(
            'p',
            {
              class: 'link-code',
              key: 'code',
              'aria-label': `${WORDS.code}: ${[...link.code].join(' ')}`,
              role: 'img',
            },
            h('span', null, link.code.slice(0, 4)),
            h('span', null, link.code.slice(4)),
          )
        : null,
      link
        ? h(
            'p',
            { class: 'soft', key: 'left', role: 'timer' },
            WORDS.codeLeft(minutesAndSeconds(link.until - performance.now())),
          )
        : null,
      link ? null : this.button('make', WORDS.makeCode, () => this.makeCode()),
    );
  }

  lost() {
    return part(
      'lost',
      WORDS.lost,
      h('p', { key: 'note' }, WORDS.lostNote),
      this.recovery
        ? [
            h('label', { key: 'label', for: 'recovery-code' }, WORDS.recovery),
            h(
              'div',
              { class: 'recovery-code', key: 'code' },
              h('output', { id: 'recovery-code' }, this.recovery),
              h('button', { type: 'button', onclick: () => void this.copyRecovery() }, WORDS.copy),
            ),
            h('p', { key: 'keep' }, WORDS.recoveryNote),
          ]
        : this.button('make', WORDS.makeRecovery, () => this.makeRecovery()),
    );
  }

  /**
   * @param {string} key
   * @param {string} text
   * @param {() => Promise<void>} action
   */
  button(key, text, action) {
    return h('button', { key, type: 'button', disabled: this.isBusy, onclick: () => void this.run(action) }, text);
  }

  enterForm() {
    const onsubmit = (/** @type {SubmitEvent} */ event) => {
      const code = submitted(event)('code')?.trim() ?? '';
      const form = /** @type {HTMLFormElement} */ (event.target);
      void this.run(async () => {
        await this.enterCode(code);
        form.reset();
      });
    };
    const props = { name: 'code', required: true, maxlength: 120, autocomplete: 'off', spellcheck: 'false' };
    return part(
      'enter',
      WORDS.enter,
      h(
        'p',
        { key: 'note' },
        guest.token ? `${WORDS.enterNote} ${WORDS.enterLeave(isolated(guest.nickname))}` : WORDS.enterNote,
      ),
      h(
        'form',
        { key: 'form', class: 'code-form', onsubmit },
        inputField('device-code', WORDS.enterField, { ...props, autocapitalize: 'characters' }),
        h('button', { type: 'submit', disabled: this.isBusy }, WORDS.enterButton),
      ),
    );
  }

  erasure() {
    const button = this.confirmed('erase', WORDS.erase, WORDS.eraseYes, '', () => this.erase());
    return part('erasure', WORDS.erasure, h('p', { key: 'note' }, WORDS.erasureNote), button);
  }

  /** Who may challenge the player. */
  admitted() {
    const choices = Object.entries(WORDS.challengersOf).map(([value, label]) => ({ value, label }));
    return part(
      'admitted',
      WORDS.challengers,
      h('p', { key: 'note' }, WORDS.challengersNote),
      selectField(
        'challengers',
        WORDS.challengers,
        choices,
        (value) => value === this.challengers,
        (value) => void this.run(() => this.admit(/** @type {ChallengeSettings['challengers']} */ (value))),
      ),
    );
  }

  /** @param {ChallengeSettings['challengers']} challengers */
  async admit(challengers) {
    ({ challengers: this.challengers } = await this.challenges.admit(challengers));
  }

  blocked() {
    const { blocks } = this;
    const items = blocks.map(({ player, since }) => {
      const name = blockedName(player);
      const onclick = () => void this.run(() => this.unblock(player));
      const props = { type: 'button', 'aria-label': WORDS.unblockName(name), onclick };
      return h(
        'li',
        { key: player },
        h('span', null, h('strong', null, isolated(name)), h('small', { class: 'soft' }, WORDS.since(dayOf(since)))),
        h('button', props, WORDS.unblock),
      );
    });
    return part(
      'blocked',
      WORDS.blocked,
      h('p', { key: 'note' }, blocks.length ? WORDS.blockedNote : WORDS.blockedNone),
      blocks.length ? h('ul', { class: 'device-list', key: 'list' }, items) : null,
    );
  }
}

/**
 * @param {string} key
 * @param {string} title
 * @param {...Content} content
 */
function part(key, title, ...content) {
  return h('section', { key, class: 'device-part', 'aria-labelledby': key }, h('h2', { id: key }, title), content);
}
