/** The rooms of the lobby: the player's, those that can be joined or watched, and a form to join one by its name. */

import { app, guest, notifyButton, redraw, titleOf } from '../app.js';
import { ago, h, roomTitle, texts } from '../dom.js';

/** @import { LobbyEntry } from '../../schema.d.ts' */
/** @import { Content, MyRoom, Player } from '../types.d.ts' */
/** @import { LobbyPage } from './lobby_page.js' */

/** After this time, a room that still waits for players or still has a running match counts as abandoned. */
const ABANDONED_MS = 12 * 3_600_000;
const MAX_WATCHED = 30;
/** How long after everybody has left a room is no longer offered, as in `GET /v1/rooms?joinable=true`. */
const GONE_MS = 60_000;
/** The order of the player's rooms by status, after those where it is the player's turn. */
const URGENCY = ['playing', 'finished', 'open'];

/** @param {LobbyPage} page */
export function ownRooms({ ownRooms: rooms, isWaiting, failures }) {
  if (!rooms.length && !isWaiting) return null;
  return h(
    'section',
    { key: 'own', class: 'own', 'aria-labelledby': 'own-title' },
    h('div', { class: 'own-head' }, h('h2', { id: 'own-title' }, texts.rooms.own), notifyButton()),
    failure(failures.own, texts.rooms.ownMissing),
    h('ul', { class: 'rooms', 'aria-busy': isWaiting ? 'true' : null }, rooms.map(ownRoom)),
  );
}

/**
 * The rooms of others in which something may happen.
 * @param {LobbyPage} page
 */
function roomsOfOthers({ rooms, ownRooms: own }) {
  const names = new Set(own.map(({ room }) => room));
  return (rooms ?? []).filter(({ room, opened }) => !names.has(room) && Date.now() - Date.parse(opened) < ABANDONED_MS);
}

/**
 * The matches of others that are being played, newest first.
 * @param {LobbyPage} page
 */
export function matchesToWatch(page) {
  return roomsOfOthers(page).filter(({ status }) => status === 'playing');
}

/**
 * How many matches are played in all rooms, and how many players wait in those that can be joined.
 * @param {LobbyPage} page
 */
export function countsOf({ rooms }) {
  const waiting = (rooms ?? []).filter(isJoinable).reduce((sum, { seats_taken: taken }) => sum + taken, 0);
  return { playing: (rooms ?? []).filter(({ status }) => status === 'playing').length, waiting };
}

/** @param {LobbyPage} page */
export function openRooms(page) {
  const { rooms, filter, failures } = page;
  const shown = roomsOfOthers(page).filter(({ game }) => !filter || game === filter);
  const joinable = shown.filter(isJoinable);
  return h(
    'section',
    { class: 'room-lists', 'aria-labelledby': 'rooms-title', key: 'rooms' },
    h('h2', { id: 'rooms-title', key: 'title' }, texts.rooms.open),
    failure(failures.feed, texts.rooms.openMissing),
    shown.length || filter ? filters(page) : null,
    h('ul', { key: 'rooms', class: 'rooms', 'aria-busy': rooms ? null : 'true' }, joinable.map(openRoom)),
    rooms && !joinable.length ? h('p', { key: 'none', class: 'soft' }, texts.rooms.none) : null,
    watchList(shown.filter(({ status }) => status === 'playing')),
    joinForm(),
  );
}

/** @param {LobbyEntry[]} played */
function watchList(played) {
  if (!played.length) return null;
  return h(
    'details',
    { key: 'watch', class: 'watch' },
    h('summary', null, texts.rooms.watchCount(played.length)),
    h('ul', { class: 'rooms' }, played.slice(0, MAX_WATCHED).map(openRoom)),
  );
}

/** @param {LobbyPage} page */
function filters(page) {
  const games = app.catalogue ?? [];
  const buttons = [{ slug: null, title: texts.rooms.allGames }, ...games].map(({ slug, title }) => {
    const onclick = () => {
      page.filter = slug;
      redraw();
    };
    const props = { key: slug ?? 'all', type: 'button', 'aria-pressed': String(page.filter === slug), onclick };
    return h('button', props, title);
  });
  return h('div', { class: 'filter', key: 'filter', role: 'group', 'aria-label': texts.rooms.game }, buttons);
}

/**
 * Why something is missing.
 * @param {string | undefined} reason
 * @param {string} what
 */
export function failure(reason, what) {
  if (!reason) return null;
  return h('p', { class: 'failure', role: 'status', key: 'failure' }, texts.problems.tryingAgain(what, reason));
}

/**
 * Whether somebody is waiting in a room with a free seat.
 * @param {LobbyEntry} room
 */
function isJoinable({ status, seats, seats_taken: taken, abandoned_at: since }) {
  const isAbandoned = since !== null && Date.now() - Date.parse(since) > GONE_MS;
  return status !== 'playing' && taken > 0 && seats > taken && !isAbandoned;
}

/**
 * What a list calls a room.
 * @param {{title: string, game: string, seated?: Player[]}} room
 */
export function nameOf({ title, game, seated }) {
  const players = seated?.map(({ id, nickname }) => ({ nickname, isOwn: id === guest.id }));
  return roomTitle(title, titleOf(game), players);
}

/** @param {MyRoom} room */
export function urgency({ my_turn: isMyTurn, status }) {
  return isMyTurn ? -1 : URGENCY.indexOf(status);
}

/** @param {LobbyEntry} room */
function openRoom(room) {
  const isFree = isJoinable(room);
  const text = isFree ? texts.rooms.seatsFree(room.seats - room.seats_taken) : texts.rooms.statuses.playing;
  return line(`${room.room} ${room.epoch}`, room, isFree ? texts.rooms.join : texts.rooms.watch, [
    tag(text, isFree ? 'free' : ''),
    h('span', { class: 'soft small when' }, ago(room.opened, Date.now())),
  ]);
}

/** @param {MyRoom} room */
function ownRoom(room) {
  const { goOn, yourTurn, statuses } = texts.rooms;
  const status = /** @type {keyof typeof statuses} */ (room.status);
  return line(room.room, room, goOn, tag(room.my_turn ? yourTurn : statuses[status], room.my_turn ? 'free turn' : ''));
}

/**
 * @param {string} key
 * @param {{room: string, title: string, game: string, rated?: boolean, seated?: Player[]}} room
 * @param {string} action what the link leads to
 * @param {Content} more
 */
function line(key, { room, title, game, rated, seated }, action, more) {
  const name = nameOf({ title, game, seated });
  const facts = [name.startsWith(titleOf(game)) ? '' : titleOf(game), rated ? texts.rooms.rated : ''];
  return h(
    'li',
    { key },
    h(
      'a',
      { href: `/r/${room}`, class: 'room-line' },
      h('span', { class: 'room-title' }, name),
      h('span', { class: 'soft room-game' }, facts.filter(Boolean).join(' · ')),
      more,
      h('span', { class: 'go' }, action),
    ),
  );
}

/**
 * @param {string} text
 * @param {string} look
 */
function tag(text, look) {
  return h('span', { class: `tag ${look}` }, text);
}

function joinForm() {
  const onsubmit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const input = /** @type {HTMLFormElement} */ (event.target).elements.namedItem('room');
    const name = /** @type {HTMLInputElement} */ (input).value.trim();
    if (name) app.go(`/r/${encodeURIComponent(name.toLowerCase().replace(/\s+/g, '-'))}`);
  };
  const input = {
    name: 'room',
    required: true,
    maxlength: 60,
    autocomplete: 'off',
    placeholder: texts.rooms.exampleName,
  };
  return h(
    'form',
    { class: 'join-form', key: 'join', onsubmit },
    h('label', { for: 'join-room' }, texts.rooms.joinByName),
    h(
      'span',
      { class: 'row' },
      h('input', { id: 'join-room', ...input }),
      h('button', { type: 'submit' }, texts.rooms.go),
    ),
  );
}
