/** The lines under the bar of every page: challenges to answer, those that wait for an answer, and an open room. */

import { app, guest, redraw } from '../app.js';
import { h, minutesAndSeconds, remaining } from '../dom.js';
import { distinctionsInWords } from '../forms/configuration_words.js';
import { cancelButton, modal } from '../forms/fields.js';
import { peopleTexts } from '../languages/people.js';
import { avatar } from '../looks/avatar.js';

/** @import { Challenge } from '../../schema.d.ts' */
/** @import { Arrival } from '../people/arrival.js' */
/** @import { desk } from './desk.js' */
/** @import { Content, Settings, Values } from '../types.d.ts' */
/** @typedef {typeof desk} Desk */

const { challenges: WORDS } = peopleTexts;
const HOUR_MS = 3_600_000;

/** @param {Desk} desk */
export function banners(desk) {
  return [
    desk.arrival?.isAsked ? openRoom(desk, desk.arrival) : null,
    desk.received.map((challenge) => received(desk, challenge)),
    desk.unanswered.length > 1 ? unanswered(desk) : null,
    desk.made.map((challenge) => made(desk, challenge)),
  ];
}

/**
 * @param {string} key
 * @param {string} look
 * @param {...Content} content
 */
function line(key, look, ...content) {
  return h(
    'section',
    { key, class: `quick-banner challenge ${look}`, 'aria-label': WORDS.label },
    h('span', { class: 'quick-sign', 'aria-hidden': 'true' }),
    content,
  );
}

/**
 * @param {Desk} desk
 * @param {Challenge} challenge
 */
function received(desk, challenge) {
  const name = desk.nameIn(challenge, challenge.by);
  const isAccepted = desk.accepted.has(challenge.id);
  const accept = () => void desk.accept(challenge);
  const decline = () => askWhy(desk, challenge);
  return line(
    challenge.id,
    'found',
    h(
      'p',
      { key: 'words' },
      avatar(challenge.by),
      h('strong', null, WORDS.received(name, titleOf(challenge))),
      h('span', { class: 'soft' }, ` · ${isAccepted ? WORDS.accepted : details(challenge)} · `),
      timeLeft(challenge),
    ),
    isAccepted
      ? null
      : h(
          'span',
          { key: 'answer', class: 'row' },
          button('accept', 'primary', WORDS.accept, WORDS.of(WORDS.accept, name), accept),
          button('decline', '', WORDS.decline, WORDS.of(WORDS.decline, name), decline),
        ),
  );
}

/**
 * What can be done with several challenges at once.
 * @param {Desk} desk
 */
function unanswered(desk) {
  const count = desk.unanswered.length;
  return line(
    'unanswered',
    'found',
    h('p', { key: 'words' }, h('span', { class: 'soft' }, WORDS.unanswered(count))),
    h(
      'span',
      { key: 'answer', class: 'row' },
      button('decline', '', WORDS.declineAll, null, () => void desk.declineAll()),
      h('a', { key: 'choose', class: 'button', href: '/devices' }, WORDS.chooseChallengers),
    ),
  );
}

/**
 * @param {Desk} desk
 * @param {Challenge} challenge
 */
function made(desk, challenge) {
  const names = desk.opponents(challenge);
  return line(
    challenge.id,
    'seeking',
    h(
      'p',
      { key: 'words' },
      h('strong', null, WORDS.waiting(names, titleOf(challenge))),
      h('span', { class: 'soft quick-wishes' }, ` · ${details(challenge)}`),
      ' · ',
      timeLeft(challenge),
    ),
    button('withdraw', '', WORDS.withdraw, WORDS.of(WORDS.withdraw, names), () => void desk.withdraw(challenge)),
  );
}

/**
 * The player is in another match, and decides whether to go to the room.
 * @param {Desk} desk
 * @param {Arrival} arrival
 */
function openRoom(desk, arrival) {
  const title = app.games.get(arrival.game)?.title ?? arrival.game;
  return line(
    'room',
    'found',
    h('p', { key: 'words' }, h('strong', null, WORDS.opened(title)), h('span', { class: 'soft' }, ` · ${WORDS.asked}`)),
    h(
      'span',
      { key: 'way', class: 'row' },
      button('go', 'primary', peopleTexts.quick.goThere, null, () => desk.go()),
      button('no', '', peopleTexts.quick.notNow, null, () => desk.arrive(null)),
    ),
  );
}

/**
 * @param {string} key
 * @param {string} look
 * @param {string} text
 * @param {string | null} label for screen readers, if the text is not enough
 * @param {() => void} onclick
 */
function button(key, look, text, label, onclick) {
  return h('button', { key, type: 'button', class: look, 'aria-label': label, onclick }, text);
}

/** @param {Challenge} challenge */
function titleOf({ game }) {
  return app.games.get(game)?.title ?? game;
}

/**
 * What the player would play: the seat, and settings that are not the defaults.
 * @param {Challenge} challenge
 */
function details({ game: slug, options, clock, rated, seats }) {
  const game = app.games.get(slug);
  if (!game) return '';
  const seat = seats.findIndex((one) => one.type === 'player' && one.player === guest.id);
  const configuration = {
    options: /** @type {Values} */ (options),
    settings: /** @type {Settings} */ (/** @type {unknown} */ ({ clock, rated, best_of: 0 })),
  };
  const colours = game.seats.find((entry) => entry.seats.length === seats.length)?.seats ?? [];
  const colour = game.labels.colours[colours[seat]?.colour ?? ''];
  const distinct = distinctionsInWords(game, configuration).map(({ label, text }) =>
    peopleTexts.invitation.setting(label, text),
  );
  return [colour ? peopleTexts.invitation.seat(colour) : '', ...distinct].filter(Boolean).join(' · ');
}

/** @param {Challenge} challenge */
function timeLeft({ deadline }) {
  const ms = Math.max(0, Date.parse(deadline) - Date.now());
  const text = ms < HOUR_MS ? minutesAndSeconds(ms) : remaining(ms);
  return h('span', { class: 'quick-time', role: 'timer', 'aria-label': WORDS.left }, text);
}

// Declining.

/**
 * Ask why the player declines.
 * @param {Desk} desk
 * @param {Challenge} challenge
 */
function askWhy(desk, challenge) {
  app.dialog = () => whyDialog(desk, challenge);
  redraw();
}

/**
 * @param {Desk} desk
 * @param {Challenge} challenge
 */
function whyDialog(desk, challenge) {
  const close = () => {
    app.dialog = null;
    redraw();
  };
  const reasons = Object.entries(WORDS.reasons).filter(
    ([reason]) => reason !== 'no_bots' && (reason !== 'rated' || challenge.rated),
  );
  const answer = (/** @type {string | null} */ reason) => {
    close();
    void desk.decline(challenge, { reason: /** @type {keyof typeof WORDS.reasons | null} */ (reason) });
  };
  return h(
    'dialog',
    modal(`decline ${challenge.id}`, 'decline-title', close),
    h(
      'div',
      { class: 'person-dialog' },
      h('h2', { id: 'decline-title' }, WORDS.declineTitle(desk.nameIn(challenge, challenge.by))),
      button('none', 'primary', WORDS.noReason, null, () => answer(null)),
      reasons.map(([reason, text]) => button(reason, '', text, null, () => answer(reason))),
      h('div', { class: 'buttons' }, cancelButton()),
    ),
  );
}
