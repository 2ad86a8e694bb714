/** Who is in the room, its rules and settings, the series, and buttons to leave or close it. */

import { app, guest, notifyButton, redraw } from '../app.js';
import { chat } from '../chat.js';
import { h, isolated, markedName, shownName, texts } from '../dom.js';
import { configurationInWords } from '../forms/configuration_words.js';
import { configureDialog } from '../forms/configure_dialog.js';
import { roomTexts } from '../languages/room.js';
import { avatar } from '../looks/avatar.js';

/** @import { Room } from './room.js' */
/** @import { Member } from '../types.d.ts' */

/** @param {Room} room */
export function roomPanel(room) {
  const content = [series(room), members(room), rules(room), buttons(room)];
  return h('div', { class: 'room-panel', key: 'room' }, content);
}

/** @param {Room} room */
function series({ view: { series: played } }) {
  if (!played) return null;
  return [
    h('h2', { key: 'series' }, roomTexts.people.series(played.best_of, played.decided)),
    h(
      'dl',
      { key: 'scores' },
      played.scores.map(({ player, nickname, bot, points }) => {
        const name = nickname ? markedName({ nickname, bot }) : roomTexts.people.departed;
        return h('div', { key: player }, h('dt', null, name), h('dd', null, points));
      }),
    ),
    played.scores.length ? null : h('p', { key: 'none', class: 'soft small' }, roomTexts.people.noneCounted),
  ];
}

/** @param {Room} room */
function members(room) {
  const { players, watchers } = room.view;
  const items = players.map((member) =>
    h(
      'li',
      { key: member.id },
      h('span', null, picture(room, member), memberName(member), memberText(room, member)),
      memberButtons(room, member),
    ),
  );
  return [
    h('h2', { key: 'members' }, watchers ? roomTexts.people.hereAndWatching(watchers) : roomTexts.people.here),
    h('ul', { class: 'people', key: 'list' }, items),
  ];
}

/**
 * @param {Room} room
 * @param {Member} member
 */
function picture({ view }, { id }) {
  return avatar(id, view.seats.find(({ player }) => player === id)?.bot);
}

/**
 * The name of a member, which is a button if something can be done with them.
 * @param {Member} member
 */
function memberName({ id, nickname, bot }) {
  if (id === guest.id) return roomTexts.people.you(isolated(nickname));
  if (bot) return markedName({ nickname, bot });
  const onclick = () => app.showPerson(id, nickname);
  const label = texts.chat.person(nickname);
  return h('button', { type: 'button', class: 'person', 'aria-label': label, onclick }, isolated(nickname));
}

/**
 * The role of a member.
 * @param {Room} room
 * @param {Member} member
 */
function memberText(room, { id, as }) {
  const { manages, watches } = roomTexts.people;
  const parts = [id === room.view.creator ? manages : '', as === 'spectator' ? watches : ''];
  return parts
    .filter(Boolean)
    .map((part) => ` · ${part}`)
    .join('');
}

/**
 * @param {Room} room
 * @param {Member} member
 */
function memberButtons(room, { id, nickname, bot, muted }) {
  if (id === guest.id || bot) return null;
  const { show, hide: hideText, unmute, mute: muteText, remove } = roomTexts.people;
  const isHidden = chat.hidden.has(id);
  const isSeated = room.view.seats.some(({ player }) => player === id);
  const hide = { 'aria-pressed': String(isHidden), onclick: () => chat.toggleHidden(id) };
  const mute = { onclick: () => void room.command({ type: 'mute', player: id, on: !muted }) };
  const kick = {
    'aria-label': roomTexts.people.removeName(shownName(nickname)),
    onclick: () => void room.command({ type: 'kick', player: id }),
  };
  const [button, danger] = [
    { type: 'button', class: 'small-button' },
    { type: 'button', class: 'small-button danger' },
  ];
  return h(
    'span',
    { class: 'row' },
    h('button', { key: 'hide', ...button, ...hide }, isHidden ? show : hideText),
    room.isCreator ? h('button', { key: 'mute', ...button, ...mute }, muted ? unmute : muteText) : null,
    room.isCreator && !(room.isRated && isSeated) ? h('button', { key: 'kick', ...danger, ...kick }, remove) : null,
  );
}

/** @param {Room} room */
function rules(room) {
  const { view, game, uiState } = room;
  const now = configurationInWords(game, view);
  const next = view.next ? configurationInWords(game, view.next) : [];
  const changed = next.filter(({ label, text }) => !now.some((one) => one.label === label && one.text === text));
  const configure = () => {
    uiState.configuring = { options: {}, settings: {} };
    redraw();
  };
  return [
    h('h2', { key: 'rules' }, roomTexts.people.rules),
    list(
      'options',
      now.filter(({ isDefault }) => !isDefault),
    ),
    changed.length ? [h('h2', { key: 'later' }, roomTexts.forms.fromNextMatch), list('next', changed)] : null,
    room.isCreator && view.status !== 'closed' && !room.isRated
      ? h('button', { key: 'configure', type: 'button', onclick: configure }, roomTexts.people.change)
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

/** @param {Room} room */
function buttons(room) {
  if (!room.member) return null;
  const canStand = room.mySeats.length && !room.isPlaying && !room.isShared;
  const stand = () => void room.command({ type: 'leave_seat' });
  return h(
    'div',
    { class: 'buttons', key: 'buttons' },
    notifyButton(),
    canStand ? h('button', { key: 'stand', type: 'button', onclick: stand }, roomTexts.people.leaveSeat) : null,
    h('button', { key: 'leave', type: 'button', onclick: () => void leaveRoom(room) }, roomTexts.people.leave),
    room.isCreator && room.view.status !== 'closed' && !room.isRated ? closeButton(room) : null,
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
  const label = isAsking ? roomTexts.people.closeForAll : roomTexts.people.close;
  return h('button', { key: 'close', type: 'button', class: 'danger', onclick }, label);
}

/** @param {Room} room */
export async function leaveRoom(room) {
  if (await room.command({ type: 'leave' })) app.go('/');
}
