/** The card over the board before a match: for new players, who plays what here; for others, the link. */

import { notify } from '../app.js';
import { h, isolated } from '../dom.js';
import { roomTexts } from '../languages/room.js';
import { titleOfRoom } from '../room/results.js';
import { distinctionsInWords } from './configuration_words.js';
import { copyText } from './fields.js';
import { hasFreeSeat, joinForm } from './join_forms.js';

/** @import { Room } from '../room/room.js' */

/**
 * The card of a room with a free seat, or null if there is nothing to join or to share.
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
    h('h2', { id: 'table-title' }, roomTexts.table.title(hostOf(room), game.title)),
    h('p', { class: 'soft small table-settings' }, settingsLine(room)),
    h(
      'ul',
      { class: 'table-rules' },
      game.summary.map((line) => h('li', { key: line }, line)),
    ),
    joinForm(room),
    h(
      'p',
      { class: 'small' },
      h('a', { href: `/games/${view.game}`, target: '_blank', rel: 'noopener' }, roomTexts.table.rules),
    ),
  );
}

/**
 * Whose room it is: `Ada's table`, or the room's title once its creator has left.
 * @param {Room} room
 */
function hostOf(room) {
  const { view } = room;
  const host = view.players.find(({ id }) => id === view.creator);
  return host ? roomTexts.table.of(isolated(host.nickname)) : titleOfRoom(room);
}

/**
 * How many seats are free, and what distinguishes the room.
 * @param {Room} room
 */
function settingsLine({ view, game, freeSeats }) {
  const words = distinctionsInWords(game, view).map(({ label, text }) => roomTexts.table.setting(label, text));
  return [roomTexts.table.seatsFree(freeSeats.length), ...words].join(' · ');
}

/** @param {Room} room */
function invitation(room) {
  const { invite: title, inviteNote: note, inviteButton, copy } = roomTexts.table;
  const isPrivate = room.view.settings.visibility === 'private'; // its link alone opens nothing
  return h(
    'section',
    { class: 'table-card invitation', key: 'invitation', 'aria-labelledby': 'invitation-title' },
    h('h2', { id: 'invitation-title' }, title),
    h('p', null, note),
    h(
      'div',
      { class: 'buttons' },
      h('button', { key: 'invite', type: 'button', class: 'primary', onclick: () => void invite(room) }, inviteButton),
      isPrivate ? null : h('button', { key: 'copy', type: 'button', onclick: () => void copyLink(room.name) }, copy),
    ),
  );
}

/**
 * Open the dialog with an invitation to a room.
 * @param {Room} room
 */
export async function invite(room) {
  const { openInvitations } = await import('../people/invite_dialog.js');
  await openInvitations(room);
}

/**
 * Copy the link to a room; if that is not permitted, show it.
 * @param {string} room
 */
export async function copyLink(room) {
  const link = `${location.origin}/r/${encodeURIComponent(room)}`;
  notify((await copyText(link)) ? roomTexts.table.copied : roomTexts.table.link(link));
}
