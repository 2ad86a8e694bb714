/** Events in words: for the list of moves, for messages, and for screen readers. */

import { guest } from '../app.js';
import { gameViewOf } from '../boards/game_views.js';
import { readable } from '../dom.js';
import { OFFER_TEXTS } from './offers.js';
import { headline, reasonOf } from './results.js';

/** @import { Ply } from '../review/history.js' */
/** @import { Room } from './room.js' */
/** @import { KnownEvent, RoomEvent } from '../types.d.ts' */
/** @typedef {KnownEvent['type']} KnownType */

/**
 * What events of every game and of the room say.
 * @type {{[T in KnownType]: (event: Extract<KnownEvent, {type: T}>, room: Room) => string}}
 */
const DESCRIPTIONS = {
  passed: ({ seat }, room) => `${room.seatName(seat)} cannot move and passes.`,
  rolled: ({ seat, value }, room) => `${room.seatName(seat)} rolled ${value}.`,
  dropped: ({ seat, reason }, room) => `${room.seatName(seat)} is out: ${readable(reason).toLowerCase()}.`,
  placed: ({ seat, at, captured }, room) =>
    `${room.seatName(seat)} placed at ${at.toUpperCase()}${captures(captured)}.`,
  match_started: () => 'The match begins.',
  match_ended: ({ result }, room) => `${headline(result, room)}: ${reasonOf(result)}.`,
  taken_back: ({ seat }, room) => `A move was taken back: it is the turn of ${room.seatName(seat)} again.`,
  offer_made: ({ player, kind }, room) => `${room.nicknameOf(player)} ${OFFER_TEXTS[kind]}.`,
  offer_accepted: ({ player }, room) => `${room.nicknameOf(player)} accepts.`,
  offer_closed: offerEnd,
  time_ran_out: ({ seat }, room) => `${room.seatName(seat)} has run out of time.`,
  clocks_extended: () => 'The service was down: the clocks were extended by that time.',
  player_joined: ({ nickname, as }) => `${nickname} joined${as === 'spectator' ? ' as a spectator' : ''}.`,
  player_left: ({ player }, room) => `${room.nicknameOf(player) || 'Somebody'} left.`,
  player_kicked: ({ player }, room) =>
    player === guest.id ? 'You were removed from the room.' : `${room.nicknameOf(player) || 'Somebody'} was removed.`,
  seat_taken: ({ seat, player }, room) => `${room.nicknameOf(player)} takes the seat of ${room.colourOf(seat)}.`,
  seat_left: ({ seat, player }, room) => `${room.nicknameOf(player)} leaves the seat of ${room.colourOf(seat)}.`,
  seat_deserted: ({ seat }, room) => `${room.seatName(seat)} has lost the connection.`,
  seat_returned: ({ seat }, room) => `${room.seatName(seat)} is back.`,
  seats_assigned: () => 'The seats were assigned.',
  player_readied: ({ player }, room) => `${room.nicknameOf(player)} is ready.`,
  player_unreadied: ({ player }, room) => `${room.nicknameOf(player)} is not ready.`,
  creator_changed: ({ player }, room) => `${room.nicknameOf(player)} manages the room now.`,
  player_muted: ({ player, on }, room) => `${room.nicknameOf(player)} ${on ? 'was muted' : 'may write again'}.`,
  next_vetoed: ({ player }, room) => `${room.nicknameOf(player)} postpones the next match.`,
  next_configured: () => 'The rules of the next match were changed.',
  room_configured: () => 'The rules of the room were changed.',
  room_closed: () => 'The room was closed.',
};

/** The types of events that are shown as a message. */
const NOTABLE = new Set([
  ...['passed', 'rolled', 'dropped', 'taken_back', 'offer_closed', 'time_ran_out', 'clocks_extended'],
  ...['player_joined', 'player_left', 'player_kicked', 'player_muted', 'creator_changed', 'room_closed'],
  ...['seat_deserted', 'seat_returned', 'next_vetoed', 'next_configured', 'room_configured'],
]);

/** Entries of the list of moves that are no turns. */
const BEFORE_THE_FIRST_TURN = /^(rolls|begins)/;

/** The types of events of a match that are no move. */
const NO_PLIES = new Set(['match_started', 'match_ended', 'laid_out', 'taken_back', 'seat_taken', 'seat_left']);

/**
 * Whether an event is of a known type.
 * @template {KnownType} T
 * @param {RoomEvent} event
 * @param {T} type
 * @returns {event is RoomEvent & Extract<KnownEvent, {type: T}>}
 */
export function is(event, type) {
  return event.type === type;
}

/** @param {string[]} [captured] */
function captures(captured) {
  return captured?.length ? ` and captured ${captured.length}` : '';
}

/**
 * How an offer ended.
 * @param {Extract<KnownEvent, {type: 'offer_closed'}>} event
 * @param {Room} room
 */
function offerEnd({ reason, player }, room) {
  if (reason === 'agreed') return 'Agreed.';
  if (reason === 'declined') return `${room.nicknameOf(player)} declined.`;
  return reason === 'withdrawn' ? `${room.nicknameOf(player)} withdrew the offer.` : 'The offer has expired.';
}

/**
 * An event as a sentence: the game's own, the common one, or its type.
 * @param {RoomEvent} event
 * @param {Room} room
 */
export function describe(event, room) {
  const own = gameViewOf(room.view.game).describe?.(event, room);
  if (own) return own;
  // Each function takes the event of its own type, which the compiler does not know of a type found at run time.
  const functions = /** @type {Record<string, (event: any, room: Room) => string>} */ (DESCRIPTIONS);
  const common = functions[event.type];
  if (common) return common(event, room);
  const who = event.seat === undefined ? '' : `${room.seatName(event.seat)}: `;
  return `${who}${readable(event.type)}.`;
}

/**
 * Whether an event is shown as a message, and not in another way or because this player caused it.
 * @param {RoomEvent} event
 * @param {Room} room
 */
export function isNotable(event, room) {
  const { match } = room.view;
  if (event.type === 'dropped' && match?.status !== 'playing') return false;
  if (event.type === 'rolled' && match?.state.die !== undefined) return false;
  if (event.type === 'player_left' && event.player === guest.id) return false;
  const isPresence = event.type === 'seat_deserted' || event.type === 'seat_returned';
  if (isPresence && event.seat !== undefined && room.mySeats.includes(event.seat)) return false;
  const isOwn = guest.id !== null && event.player === guest.id;
  return NOTABLE.has(event.type) && !isOwn;
}

/**
 * An event's entry in the list of moves, or null.
 * @param {RoomEvent} event
 * @param {Room} room
 * @returns {Ply | null}
 */
function plyOf(event, room) {
  if (!event.match) return null;
  const own = gameViewOf(room.view.game).ply?.(event, room);
  const text = own === undefined ? commonPly(event) : own;
  if (text === null) return null;
  const seat = event.seat ?? room.view.seats.findIndex(({ colour }) => colour === event.board);
  return { version: event.version, seat: seat < 0 ? null : seat, text, description: describe(event, room) };
}

/** @param {RoomEvent} event */
function commonPly({ type, seat, from, to, at, captured }) {
  if (NO_PLIES.has(type) || seat === undefined) return null;
  if (type === 'passed') return 'pass';
  if (type === 'dropped') return 'out';
  if (from && to) return `${from}–${to}`;
  if (at && captured?.length) return `${at} ×${captured.length}`;
  return at ?? null;
}

/**
 * The moves that these events are, without those that were taken back.
 * @param {RoomEvent[]} events
 * @param {Room} room
 */
export function pliesOf(events, room) {
  /** @type {Ply[]} */
  let plies = [];
  for (const event of events) {
    if (is(event, 'taken_back')) plies = plies.filter(({ version }) => version <= event.to_version);
    const ply = plyOf(event, room);
    if (ply) plies.push(ply);
  }
  return plies;
}

/**
 * What is said beside a seat during a match: that one of three players is out, or what was rolled for the first turn,
 * until a move has been made.
 * @param {Room} room
 * @param {number} seat
 */
export function seatTag({ view, history }, seat) {
  if (history.past) return null;
  const own = history.plies.filter((ply) => ply.seat === seat);
  if (view.seats.length > 2 && own.some(({ text }) => text === 'out')) return 'out';
  if (history.plies.some(({ text }) => !BEFORE_THE_FIRST_TURN.test(text))) return null;
  return own.findLast(({ text }) => text.startsWith('rolls'))?.text.replace('rolls', 'rolled') ?? null;
}
