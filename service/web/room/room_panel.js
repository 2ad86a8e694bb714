/** Who is in the room, its rules and settings, the series, and buttons to leave or close it. */

import { app, guest, redraw } from '../app.js';
import { h, isolated } from '../dom.js';
import { configureDialog } from '../forms/configure_dialog.js';
import { settingsInWords } from '../forms/settings_form.js';
import { optionLabel, valueLabel } from '../help/labels.js';

/** @import { Room } from './room.js' */
/** @import { Configuration, Member } from '../types.d.ts' */

/** @param {Room} room */
export function roomPanel(room) {
  const content = [series(room), members(room), rules(room), buttons(room)];
  return h('div', { class: 'room-panel', key: 'room' }, content);
}

/** @param {Room} room */
function series({ view: { series: played } }) {
  if (!played) return null;
  return [
    h('h2', { key: 'series' }, `Best of ${played.best_of}${played.decided ? ', decided' : ''}`),
    h(
      'dl',
      { key: 'scores' },
      played.scores.map(({ player, nickname, points }) =>
        h('div', { key: player }, h('dt', null, nickname ?? 'A player who left'), h('dd', null, points)),
      ),
    ),
    played.scores.length ? null : h('p', { key: 'none', class: 'soft small' }, 'No match has counted yet.'),
  ];
}

/** @param {Room} room */
function members(room) {
  const { players, watchers } = room.view;
  const items = players.map((member) =>
    h('li', { key: member.id }, h('span', null, memberText(room, member)), memberButtons(room, member)),
  );
  return [
    h('h2', { key: 'members' }, watchers ? `Here, and ${watchers} watching` : 'Here'),
    h('ul', { class: 'people', key: 'list' }, items),
  ];
}

/**
 * @param {Room} room
 * @param {Member} member
 */
function memberText(room, { id, nickname, as }) {
  return [
    isolated(nickname),
    id === guest.id ? ' (you)' : '',
    id === room.view.creator ? ' · manages the room' : '',
    as === 'spectator' ? ' · watches' : '',
  ];
}

/**
 * @param {Room} room
 * @param {Member} member
 */
function memberButtons(room, { id, nickname, bot, muted }) {
  if (id === guest.id || bot) return null;
  const isHidden = room.chat.hidden.has(id);
  const hide = { 'aria-pressed': String(isHidden), onclick: () => room.chat.toggleHidden(id) };
  const mute = { onclick: () => void room.command({ type: 'mute', player: id, on: !muted }) };
  const kick = { 'aria-label': `Remove ${nickname}`, onclick: () => void room.command({ type: 'kick', player: id }) };
  const [button, danger] = [
    { type: 'button', class: 'small-button' },
    { type: 'button', class: 'small-button danger' },
  ];
  return h(
    'span',
    { class: 'row' },
    h('button', { key: 'hide', ...button, ...hide }, isHidden ? 'Show messages' : 'Hide messages'),
    room.isCreator ? h('button', { key: 'mute', ...button, ...mute }, muted ? 'Unmute' : 'Mute for all') : null,
    room.isCreator ? h('button', { key: 'kick', ...danger, ...kick }, 'Remove') : null,
  );
}

/** @param {Room} room */
function rules(room) {
  const { view, uiState } = room;
  const now = configurationInWords(view.game, view);
  const next = view.next ? configurationInWords(view.game, view.next) : [];
  const changed = next.filter(({ label, text }) => !now.some((one) => one.label === label && one.text === text));
  const configure = () => {
    uiState.configuring = { options: {}, settings: {} };
    redraw();
  };
  return [
    h('h2', { key: 'rules' }, 'Rules of this room'),
    list(
      'options',
      now.filter(({ isDefault }) => !isDefault),
    ),
    changed.length ? [h('h2', { key: 'later' }, 'From the next match on'), list('next', changed)] : null,
    room.isCreator && view.status !== 'closed'
      ? h('button', { key: 'configure', type: 'button', onclick: configure }, 'Change for the next match')
      : null,
    uiState.configuring ? configureDialog(room, uiState.configuring) : null,
  ];
}

/**
 * @param {string} key
 * @param {{label: string, text: string}[]} lines
 */
function list(key, lines) {
  const items = lines.map(({ label, text }) => h('div', { key: label }, h('dt', null, label), h('dd', null, text)));
  return h('dl', { key }, items);
}

/**
 * A game's options and a room's settings, in words.
 * @param {string} game
 * @param {Configuration} configuration
 */
function configurationInWords(game, { options, settings }) {
  const chosen = Object.entries(options).map(([name, value]) => ({
    label: optionLabel(game, name),
    text: typeof value === 'boolean' ? (value ? 'yes' : 'no') : valueLabel(`${game}.${name}`, value),
    isDefault: false,
  }));
  return [...chosen, ...settingsInWords(settings)];
}

/** @param {Room} room */
function buttons(room) {
  if (!room.member) return null;
  const canStand = room.mySeats.length && !room.isPlaying && !room.isShared;
  const stand = () => void room.command({ type: 'leave_seat' });
  return h(
    'div',
    { class: 'buttons', key: 'buttons' },
    canStand ? h('button', { key: 'stand', type: 'button', onclick: stand }, 'Leave the seat') : null,
    h('button', { key: 'leave', type: 'button', onclick: () => void leaveRoom(room) }, 'Leave the room'),
    room.isCreator && room.view.status !== 'closed' ? closeButton(room) : null,
  );
}

/**
 * A button that asks for confirmation in its own place.
 * @param {Room} room
 */
function closeButton(room) {
  const isAsking = room.uiState.closing ?? false;
  const onclick = () => {
    room.uiState.closing = !isAsking;
    redraw();
    if (isAsking) void room.command({ type: 'close' });
  };
  const label = isAsking ? 'Yes, close it for all' : 'Close the room';
  return h('button', { key: 'close', type: 'button', class: 'danger', onclick }, label);
}

/** @param {Room} room */
export async function leaveRoom(room) {
  if (await room.command({ type: 'leave' })) app.go('/');
}
