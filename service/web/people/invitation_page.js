/** The page of an invitation: the host and the game, and buttons to join and to decline. Opening it does not join. */

import {
  announce,
  app,
  asGuest,
  client,
  ensureGuest,
  guest,
  keepTrying,
  loadGame,
  madeUpName,
  redraw,
} from '../app.js';
import { rename, sentenceOf, showProblem } from '../app.js';
import { acceptInvitation, declineInvitation, readInvitation } from '../../client/invitations.js';
import { RefusedError } from '../../client/requests.js';
import { capitalized, dateAndTime, h, isolated, markedName, texts } from '../dom.js';
import { distinctionsInWords } from '../forms/configuration_words.js';
import { NICKNAME, submitted } from '../forms/fields.js';
import { seatsWith } from '../forms/schema_form.js';
import { peopleTexts } from '../languages/people.js';

/** @import { AcceptInvitation, InvitationView } from '../../schema.d.ts' */
/** @import { Configuration, Content, Game } from '../types.d.ts' */
/** @typedef {'loading' | 'open' | 'declined' | 'ended' | 'unknown' | 'failed'} State */

const { invitation: WORDS } = peopleTexts;

/** Refusals after which joining is impossible, even as a spectator. */
const FINAL = new Set(['kicked', 'banned']);

export class InvitationPage {
  /** @param {string} code */
  constructor(code) {
    this.code = code;
    this.isShown = false;
    /** @type {State} */
    this.state = 'loading';
    /** Once it has been read. @type {InvitationView | null} */
    this.invitation = null;
    /** @type {Game | null} */
    this.game = null;
    /** Why it cannot be shown, or nobody can join. */
    this.reason = '';
    /** Whether joining has been refused permanently. */
    this.isRefused = false;
    /** Whether to ask for a name although the guest has one: somebody in the room has the same. */
    this.asksName = false;
    this.isBusy = false;
  }

  get title() {
    const { invitation, game } = this;
    return invitation && game ? `${WORDS.invites(invitation.host, game.title)} · Turnstream` : 'Turnstream';
  }

  enter() {
    this.isShown = true;
    const isWanted = () => this.isShown;
    const onFailure = (/** @type {unknown} */ problem) => this.show('loading', sentenceOf(problem));
    void keepTrying(() => this.load(), isWanted, onFailure);
  }

  leave() {
    this.isShown = false;
  }

  /** Read the invitation, which does not use it. Throws `TurnstreamError` if trying again may help. */
  async load() {
    try {
      const invitation = await readInvitation(client, this.code);
      this.game = await loadGame(invitation.game);
      this.invitation = invitation;
      this.show('open', '');
    } catch (problem) {
      if (!this.end(problem)) throw problem;
    }
  }

  /**
   * Show that the invitation has ended, is unknown or cannot be shown, if a problem means that.
   * @param {unknown} problem
   */
  end(problem) {
    if (!(problem instanceof RefusedError) || problem.status === 429 || problem.status >= 500) return false;
    const { code, params } = problem.problem;
    const { reasons } = WORDS;
    const reason = String(params?.reason ?? '');
    if (code === 'no_such_invitation') this.show('unknown', WORDS.unknownNote);
    else if (code === 'invitation_ended') {
      this.show('ended', reason in reasons ? reasons[/** @type {keyof typeof reasons} */ (reason)] : '');
    } else if (this.state === 'loading') this.show('failed', sentenceOf(problem));
    else return false;
    return true;
  }

  /**
   * @param {State} state
   * @param {string} reason
   */
  show(state, reason) {
    const isNew = state !== this.state;
    this.state = state;
    this.reason = reason;
    redraw();
    if (isNew) announce([this.heading, reason].filter(Boolean).join('. '));
  }

  // Answering.

  /** @param {SubmitEvent} event */
  submit(event) {
    const text = submitted(event);
    const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
    const nickname = text('nickname')?.trim() ?? '';
    if (button?.value === 'decline') void this.answer(() => this.decline(nickname));
    else void this.answer(() => this.join(nickname, button?.value === 'spectator' ? 'spectator' : 'player'));
  }

  /** @param {() => Promise<void>} action */
  async answer(action) {
    if (this.isBusy) return;
    this.isBusy = true;
    this.reason = '';
    try {
      await action();
    } catch (problem) {
      this.onRefusal(problem);
    }
    this.isBusy = false;
    redraw();
  }

  /**
   * Join, and go to the room. Throws `TurnstreamError`.
   * @param {string} nickname
   * @param {'player' | 'spectator'} as
   */
  async join(nickname, as) {
    await ensureGuest(nickname);
    if (nickname) rename(nickname);
    /** @type {AcceptInvitation} */
    const request = { as, nickname: guest.nickname };
    try {
      app.go(`/r/${await asGuest(() => acceptInvitation(client, this.code, request))}`);
    } catch (problem) {
      if (!(problem instanceof RefusedError && problem.code === 'already_joined')) throw problem;
      const { room } = await readInvitation(client, this.code);
      if (!room) throw problem;
      app.go(`/r/${room}`);
    }
  }

  /**
   * Show the room that this person is not coming. Throws `TurnstreamError`.
   * @param {string} nickname
   */
  async decline(nickname) {
    const name = nickname || guest.nickname || madeUpName();
    try {
      await declineInvitation(client, this.code, { nickname: name });
    } catch (problem) {
      if (!(problem instanceof RefusedError && problem.code === 'already_declined')) throw problem;
    }
    this.show('declined', WORDS.declinedNote(isolated(this.invitation?.host ?? '')));
  }

  /**
   * Show why the invitation could not be answered.
   * @param {unknown} problem
   */
  onRefusal(problem) {
    if (this.end(problem)) return;
    if (!(problem instanceof RefusedError) || problem.code === 'unauthenticated') {
      showProblem(problem);
      return;
    }
    this.isRefused = FINAL.has(problem.code);
    this.asksName ||= ['nickname_taken', 'bad_nickname'].includes(problem.code);
    this.reason = sentenceOf(problem);
    if (problem.code === 'room_full' && this.invitation) this.invitation.seats_free = 0;
    announce(this.reason);
  }

  // Drawing.

  get heading() {
    const { state, invitation, game } = this;
    if (state === 'declined') return WORDS.declined;
    if (state === 'ended') return WORDS.ended;
    if (state === 'unknown') return WORDS.unknown;
    if (state === 'failed') return WORDS.notShown;
    return invitation && game
      ? WORDS.invites(markedName({ nickname: invitation.host, bot: invitation.bot }), game.title)
      : '';
  }

  view() {
    const { state, invitation, game } = this;
    if (state === 'open' && invitation && game) return this.card(invitation, game);
    return h(
      'div',
      { class: 'plain invited', key: state, 'aria-busy': state === 'loading' ? 'true' : null },
      this.note(),
    );
  }

  note() {
    const { state, reason } = this;
    if (state === 'loading') return h('p', { class: 'soft' }, [WORDS.loading, reason].join(' '));
    const joinAfterAll = () => this.show('open', '');
    return [
      h('h1', null, this.heading),
      h('p', null, state === 'ended' ? [reason, ' ', WORDS.askAgain] : reason),
      h(
        'p',
        { class: 'buttons' },
        state === 'declined' ? h('button', { type: 'button', onclick: joinAfterAll }, WORDS.joinAfterAll) : null,
        h('a', { class: 'button', href: '/' }, texts.page.toLobby),
      ),
    ];
  }

  /**
   * @param {InvitationView} invitation
   * @param {Game} game
   */
  card(invitation, game) {
    return h(
      'article',
      { class: 'invited card', key: 'card', 'aria-labelledby': 'invitation-title' },
      picture(game.slug),
      h('h1', { id: 'invitation-title' }, this.heading),
      h('p', { class: 'soft' }, this.particulars(invitation, game)),
      h(
        'ul',
        { class: 'table-rules' },
        game.summary.map((line) => h('li', { key: line }, line)),
      ),
      this.form(invitation),
      h(
        'p',
        { class: 'small soft invited-foot' },
        h('a', { href: `/games/${game.slug}`, target: '_blank', rel: 'noopener' }, WORDS.rules),
        h('span', null, WORDS.expires(dateAndTime(invitation.expires))),
      ),
    );
  }

  /**
   * How many seats are free, which one is offered, the clock, and rules that are not the defaults.
   * @param {InvitationView} invitation
   * @param {Game} game
   */
  particulars(invitation, game) {
    const { seat, seats, seats_free: free } = invitation;
    const configuration = /** @type {Configuration} */ (/** @type {unknown} */ (invitation));
    const colour = seat === null ? '' : (seatsWith(game, configuration.options)[seat]?.colour ?? '');
    const special = distinctionsInWords(game, configuration).map(({ label, text }) => WORDS.setting(label, text));
    const place = colour && free ? WORDS.seat(capitalized(game.labels.colours[colour] ?? colour)) : '';
    const isPlaying = invitation.status === 'playing' ? [WORDS.playing] : [];
    return [...isPlaying, place || WORDS.seatsFree(free, seats), ...special].join(' · ');
  }

  /** @param {InvitationView} invitation */
  form(invitation) {
    const { isBusy, isRefused, reason } = this;
    const hasSeat = invitation.seats_free > 0;
    const button = { type: 'submit', name: 'as', disabled: isBusy };
    const watch = { ...button, key: 'watch', class: hasSeat ? '' : 'primary large', value: 'spectator' };
    const maySpectate = invitation.settings.spectators && invitation.seat === null;
    return h(
      'form',
      { class: 'invited-form', onsubmit: (/** @type {SubmitEvent} */ event) => this.submit(event) },
      isRefused ? null : this.nameField(),
      reason ? h('p', { key: 'reason', class: 'failure' }, reason) : null,
      h(
        'div',
        { class: 'invited-buttons', key: 'buttons' },
        hasSeat && !isRefused
          ? h('button', { ...button, key: 'join', class: 'primary large', value: 'player' }, WORDS.join)
          : null,
        !hasSeat && !isRefused && maySpectate ? h('button', watch, WORDS.watch) : null,
        h('button', { ...button, key: 'decline', value: 'decline' }, WORDS.decline),
      ),
    );
  }

  /** @returns {Content} */
  nameField() {
    if (guest.token && !this.asksName) return null;
    const created = (/** @type {HTMLInputElement} */ input) => {
      input.value = guest.nickname;
    };
    const props = { ...NICKNAME, required: false, placeholder: WORDS.madeUp, created };
    return h(
      'div',
      { class: 'field', key: 'name' },
      h('label', { for: 'invited-nickname' }, WORDS.name),
      h('input', { id: 'invited-nickname', ...props }),
    );
  }
}

/**
 * The picture of a game, which is part of every page.
 * @param {string} slug
 */
function picture(slug) {
  const id = `picture-${slug}`;
  if (document.getElementById(id) === null) return null;
  const drawing = h(
    'svg',
    { viewBox: '0 0 200 150', preserveAspectRatio: 'xMidYMid slice' },
    h('use', { href: `#${id}` }),
  );
  return h('div', { class: 'invited-picture', 'aria-hidden': 'true' }, drawing);
}
