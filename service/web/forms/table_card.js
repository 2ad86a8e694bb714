/** What lies over the board before a match: for new players who plays what here, for others the link. */

import { notify } from '../app.js';
import { counted, h, isolated } from '../dom.js';
import { hasFreeSeat, joinForm } from './join_forms.js';
import { settingsInWords } from './settings_form.js';

/** @import { Room } from '../room/room.js' */

/** The settings that decide whether one wants to play here. */
const DECISIVE = new Set(['clock', 'best_of']);

/**
 * The card of a room with a free seat, or null where there is nothing to join or to share.
 * @param {Room} room
 */
export function tableCard(room) {
  if (!hasFreeSeat(room) || room.history.past) return null;
  if (!room.member) return joinCard(room);
  return room.mySeats.length && !room.isPlaying ? invitation(room) : null;
}

/** @param {Room} room */
function joinCard(room) {
  const { game, view } = room;
  return h(
    'section',
    { class: 'table-card', key: 'table', 'aria-labelledby': 'table-title' },
    h('div', { class: 'table-picture', 'aria-hidden': 'true' }, room.gameView.picture(game)),
    h('h2', { id: 'table-title' }, `${hostOf(room)}: ${game.title}`),
    h('p', { class: 'soft small table-settings' }, settingsLine(room)),
    h(
      'ul',
      { class: 'table-rules' },
      game.summary.map((line) => h('li', { key: line }, line)),
    ),
    joinForm(room),
    h('p', { class: 'small' }, h('a', { href: `/games/${view.game}`, target: '_blank', rel: 'noopener' }, 'All rules')),
  );
}

/**
 * Whose room it is: `Ada's table`, or the room's title once its creator has left.
 * @param {Room} room
 */
function hostOf({ view }) {
  const host = view.players.find(({ id }) => id === view.creator);
  return host ? `${isolated(host.nickname)}’s table` : view.title;
}

/**
 * How many seats are free, and whether there are clocks or a series.
 * @param {Room} room
 */
function settingsLine({ view }) {
  const free = view.seats.filter(({ player, bot }) => !player && !bot).length;
  const special = settingsInWords(view.settings).filter(({ name, isDefault }) => DECISIVE.has(name) && !isDefault);
  return [`${counted(free, 'seat')} free`, ...special.map(({ label, text }) => `${label}: ${text}`)].join(' · ');
}

/** @param {Room} room */
function invitation(room) {
  const link = linkOf(room.name);
  return h(
    'section',
    { class: 'table-card invitation', key: 'invitation', 'aria-labelledby': 'invitation-title' },
    h('h2', { id: 'invitation-title' }, 'Invite somebody'),
    h('p', null, 'Everybody who opens this link can take a seat:'),
    h('p', { class: 'invitation-link' }, h('code', null, link)),
    h('div', { class: 'buttons' }, shareButtons(room)),
  );
}

/** @param {Room} room */
function shareButtons(room) {
  const copy = {
    key: 'copy',
    type: 'button',
    class: canShare() ? '' : 'primary',
    onclick: () => void copyLink(room.name),
  };
  const share = { key: 'share', type: 'button', class: 'primary', onclick: () => void shareLink(room) };
  return [canShare() ? h('button', share, 'Share …') : null, h('button', copy, 'Copy the link')];
}

/** Whether the device can hand a link to another app. */
function canShare() {
  return typeof navigator.share === 'function';
}

/** @param {Room} room */
async function shareLink(room) {
  const title = `${hostOf(room)}: ${room.game.title}`;
  await navigator.share({ title, url: linkOf(room.name) }).catch(() => {}); // as when it is dismissed
}

/** @param {string} room */
function linkOf(room) {
  return `${location.origin}/r/${encodeURIComponent(room)}`;
}

/**
 * Copy the link to a room; where that is not permitted, show it.
 * @param {string} room
 */
export async function copyLink(room) {
  const link = linkOf(room);
  try {
    await navigator.clipboard.writeText(link);
    notify('The link has been copied. Send it to those who are to join.');
  } catch {
    notify(`The link to this room: ${link}`);
  }
}
