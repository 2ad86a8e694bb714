/** The dialog in which a member of a room invites others: a link, its QR code, and the invitations that are open. */

import { invite, readInvitations } from '../../client/invitations.js';
import { app, attempt, client, loadStyle, notices, notify, redraw } from '../app.js';
import { capitalized, dateAndTime, h } from '../dom.js';
import { copyText, modal } from '../forms/fields.js';
import { peopleTexts } from '../languages/people.js';

/** @import { Frame } from '../../client/feed.js' */
/** @import { InvitationEntry, InviteCommand } from '../../schema.d.ts' */
/** @import { Room } from '../room/room.js' */
/** @typedef {Pick<InviteCommand, 'uses' | 'seat'>} Whom */

const { invite: WORDS } = peopleTexts;

/** The numbers of players that a link can be for, besides the number of free seats. */
const MANY = 10;

/**
 * Show an open invitation of the player, or create one.
 * @param {Room} room
 */
export async function openInvitations(room) {
  const invitations = new Invitations(room);
  const isReady = await attempt(async () => {
    await Promise.all([loadStyle('people'), invitations.open()]);
    return true;
  });
  if (!isReady) return;
  app.dialog = () => invitations.dialog();
  redraw();
}

class Invitations {
  /** @param {Room} room */
  constructor(room) {
    this.room = room;
    /** The open invitations, newest first. @type {InvitationEntry[]} */
    this.entries = [];
    /** The number of the invitation whose link is shown, 0 for none. */
    this.chosen = 0;
    /** Whom the next link is for. @type {Whom} */
    this.whom = { uses: Math.max(1, room.freeSeats.length) };
    this.isBusy = false;
    this.unsubscribe = () => {};
  }

  /** The invitation whose link is shown. */
  get shown() {
    return this.entries.find(({ invitation, code }) => invitation === this.chosen && code);
  }

  /** Load the invitations, and create one if the player has no open one. Throws `TurnstreamError`. */
  async open() {
    await this.load();
    const own = this.entries.find(({ code }) => code);
    if (own) this.chosen = own.invitation;
    else await this.make();
    this.unsubscribe = this.room.followed.subscribe((frame) => this.onFrame(frame));
  }

  /** @param {Frame | null} frame */
  onFrame(frame) {
    const isNews =
      frame?.type === 'update' && frame.events.some(({ type }) => /^(invitation|player_joined)/.test(type));
    if (isNews || frame?.type === 'snapshot') void attempt(() => this.load());
  }

  async load() {
    const { invitations } = await readInvitations(client, this.room.name);
    this.entries = invitations.filter(({ ended }) => !ended).reverse();
    redraw();
  }

  /** Create an invitation, and show it. Throws `TurnstreamError`. */
  async make() {
    const { invitation } = await invite(client, this.room.name, this.whom);
    this.chosen = invitation;
    await this.load();
  }

  /** @param {() => Promise<unknown>} action */
  async run(action) {
    if (this.isBusy) return;
    this.isBusy = true;
    redraw();
    await attempt(action);
    this.isBusy = false;
    redraw();
  }

  /** @param {number} invitation */
  async revoke(invitation) {
    await this.room.send({ type: 'revoke_invitation', invitation });
    await this.load();
  }

  // Sharing the link.

  /** @param {string} link */
  async copy(link) {
    const isCopied = await copyText(link);
    if (!isCopied) /** @type {HTMLInputElement | null} */ (document.getElementById('invite-link'))?.select();
    notify(isCopied ? WORDS.copied : WORDS.notCopied);
  }

  /** @param {string} link */
  async share(link) {
    const title = WORDS.shareTitle(this.room.game.title);
    await navigator.share({ title, url: link }).catch(() => {}); // as when it is dismissed
  }

  // Drawing.

  dialog() {
    const close = () => {
      this.unsubscribe();
      app.dialog = null;
      redraw();
    };
    const done = (/** @type {Event} */ event) => /** @type {Element} */ (event.target).closest('dialog')?.close();
    return h(
      'dialog',
      modal('invite dialog', 'invite-title', close),
      h(
        'div',
        { class: 'invite' },
        h('h2', { id: 'invite-title' }, WORDS.title),
        this.link(),
        this.another(),
        this.list(),
        h(
          'div',
          { class: 'buttons', key: 'buttons' },
          notices(),
          h('button', { key: 'close', type: 'button', class: 'primary', onclick: done }, WORDS.close),
        ),
      ),
    );
  }

  /** The link that is shown, with all ways to share it. */
  link() {
    const code = this.shown?.code;
    if (!code) return null;
    const link = `${location.origin}/i/${code}`;
    const select = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).select();
    const input = { id: 'invite-link', readonly: true, value: link, onfocus: select, spellcheck: 'false' };
    const share = { key: 'share', type: 'button', onclick: () => void this.share(link) };
    return h(
      'section',
      { class: 'invite-link', key: 'link' },
      h('p', null, WORDS.note),
      h('label', { for: 'invite-link' }, WORDS.link),
      h('input', input),
      h(
        'div',
        { class: 'row' },
        h('button', { key: 'copy', type: 'button', class: 'primary', onclick: () => void this.copy(link) }, WORDS.copy),
        typeof navigator.share === 'function' ? h('button', share, WORDS.share) : null,
      ),
      h(
        'figure',
        { class: 'invite-code', key: code },
        h('img', { src: `/v1/invitations/${code}/qr.svg`, alt: WORDS.code, width: 160, height: 160 }),
        h('figcaption', null, WORDS.scan),
      ),
    );
  }

  /** A field for the recipients of the next link, and the button that creates it. */
  another() {
    const choices = this.choices();
    const onchange = (/** @type {Event} */ event) => {
      const chosen = choices[/** @type {HTMLSelectElement} */ (event.target).selectedIndex];
      if (chosen) this.whom = chosen.whom;
    };
    const isChosen = (/** @type {Whom} */ { uses, seat }) => uses === this.whom.uses && seat === this.whom.seat;
    const options = choices.map(({ label, whom }) => h('option', { key: label, selected: isChosen(whom) }, label));
    const make = { type: 'button', disabled: this.isBusy, onclick: () => void this.run(() => this.make()) };
    return h(
      'div',
      { class: 'invite-whom', key: 'whom' },
      h('label', { for: 'invite-whom' }, WORDS.whom),
      h('select', { id: 'invite-whom', onchange }, options),
      h('button', make, WORDS.make),
    );
  }

  /** @returns {{label: string, whom: Whom}[]} */
  choices() {
    const { room } = this;
    const free = room.freeSeats;
    const counts = [...new Set([1, Math.max(1, free.length), MANY])];
    const people = counts.map((uses) => ({ label: WORDS.people(uses), whom: { uses } }));
    const seats = free.map(({ seat }) => ({
      label: WORDS.seat(capitalized(room.colourName(seat))),
      whom: { uses: 1, seat },
    }));
    return [...people, ...seats];
  }

  list() {
    if (!this.entries.length) return null;
    return [
      h('h3', { key: 'open', id: 'invite-open' }, WORDS.open),
      h(
        'ul',
        { key: 'list', class: 'invite-list', 'aria-labelledby': 'invite-open' },
        this.entries.map((entry) => this.entry(entry)),
      ),
    ];
  }

  /** @param {InvitationEntry} entry */
  entry({ invitation, player, uses, used, seat, declined, expires, code }) {
    const { room, isBusy } = this;
    const revoke = () => void this.run(() => this.revoke(invitation));
    const show = () => {
      this.chosen = invitation;
      redraw();
    };
    const words = [
      seat === null ? WORDS.people(uses) : WORDS.seat(capitalized(room.colourName(seat))),
      code ? '' : WORDS.by(room.nicknameOf(player)),
      used ? WORDS.used(used, uses) : '',
      declined ? WORDS.declined(declined) : '',
      WORDS.until(dateAndTime(expires)),
    ];
    const small = { type: 'button', class: 'small-button' };
    const showProps = { ...small, key: 'show', 'aria-label': WORDS.showNumber(invitation), onclick: show };
    const revokeProps = { 'aria-label': WORDS.revokeNumber(invitation), disabled: isBusy, onclick: revoke };
    return h(
      'li',
      { key: invitation },
      h('span', { class: 'small' }, words.filter(Boolean).join(' · ')),
      invitation === this.chosen && code ? h('span', { key: 'shown', class: 'tag free' }, WORDS.shown) : null,
      invitation !== this.chosen && code ? h('button', showProps, WORDS.show) : null,
      h('button', { ...small, key: 'revoke', class: 'small-button danger', ...revokeProps }, WORDS.revoke),
    );
  }
}
