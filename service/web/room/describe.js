/** Events in words: for the list of moves, for messages, and for screen readers. */

import { guest } from '../app.js';
import { gameViewOf } from '../boards/game_views.js';
import { isolated, readable, shownName } from '../dom.js';
import { roomTexts } from '../languages/room.js';
import { headline, reasonOf } from './results.js';

/** @import { Ply } from '../review/history.js' */
/** @import { Room } from './room.js' */
/** @import { KnownEvent, RoomEvent } from '../types.d.ts' */
/** @typedef {KnownEvent['type']} KnownType */

const { events: WORDS, plies: PLIES } = roomTexts;

/**
 * The texts of events of every game and of the room.
 * @type {{[T in KnownType]: (event: Extract<KnownEvent, {type: T}>, room: Room) => string}}
 */
const DESCRIPTIONS = {
  room_opened: () => WORDS.roomOpened,
  position_copied: () => WORDS.positionCopied,
  start_called: () => WORDS.startCalled,
  invitation_made: () => WORDS.invitationMade,
  invitation_declined: ({ nickname }) => WORDS.invitationDeclined(isolated(nickname)),
  invitation_revoked: () => WORDS.invitationRevoked,
  passed: ({ seat }, room) => WORDS.passed(room.seatName(seat)),
  rolled: ({ seat, value }, room) => WORDS.rolled(room.seatName(seat), value),
  dropped: ({ seat, reason }, room) => WORDS.dropped(room.seatName(seat), dropReason(reason)),
  placed: ({ seat, at, captured }, room) => WORDS.placed(room.seatName(seat), at.toUpperCase(), captured?.length ?? 0),
  match_started: () => WORDS.matchStarted,
  match_ended: ({ result }, room) => roomTexts.results.because(headline(result, room), reasonOf(result, room)),
  taken_back: ({ seat }, room) => WORDS.takenBack(room.seatName(seat)),
  offer_made: ({ player, kind }, room) => roomTexts.offers.made[kind](room.nicknameOf(player)),
  offer_accepted: ({ player }, room) => WORDS.offerAccepted(room.nicknameOf(player)),
  offer_closed: offerEnd,
  time_ran_out: ({ seat }, room) => WORDS.timeRanOut(room.seatName(seat)),
  clocks_extended: () => WORDS.clocksExtended,
  player_joined: ({ nickname, as }) => (as === 'spectator' ? WORDS.joinedToWatch : WORDS.joined)(shownName(nickname)),
  player_left: ({ player }, room) => WORDS.left(room.nicknameOf(player) || WORDS.somebody),
  player_kicked: ({ player }, room) =>
    player === guest.id ? WORDS.youWereRemoved : WORDS.removed(room.nicknameOf(player) || WORDS.somebody),
  seat_taken: ({ seat, player }, room) => WORDS.seatTaken(room.nicknameOf(player), room.colourName(seat)),
  seat_left: ({ seat, player }, room) => WORDS.seatLeft(room.nicknameOf(player), room.colourName(seat)),
  seat_deserted: ({ seat }, room) => WORDS.deserted(room.seatName(seat)),
  seat_returned: ({ seat }, room) => WORDS.returned(room.seatName(seat)),
  seats_assigned: () => WORDS.seatsAssigned,
  player_readied: ({ player }, room) => WORDS.ready(room.nicknameOf(player)),
  player_unreadied: ({ player }, room) => WORDS.notReady(room.nicknameOf(player)),
  creator_changed: ({ player }, room) => WORDS.manages(room.nicknameOf(player)),
  player_muted: ({ player, on }, room) => (on ? WORDS.muted : WORDS.unmuted)(room.nicknameOf(player)),
  next_vetoed: ({ player }, room) => WORDS.nextVetoed(room.nicknameOf(player)),
  next_configured: () => WORDS.nextConfigured,
  room_configured: () => WORDS.configured,
  room_closed: () => WORDS.closed,
};

/** The types of events that are shown as a message. */
const NOTABLE = new Set([
  ...['passed', 'dropped', 'taken_back', 'offer_closed', 'time_ran_out', 'clocks_extended'],
  ...['player_joined', 'player_left', 'player_kicked', 'player_muted', 'creator_changed', 'room_closed'],
  ...['seat_deserted', 'seat_returned', 'next_vetoed', 'next_configured', 'room_configured', 'invitation_declined'],
]);

/** The types of entries of the list of moves that are not turns. */
const BEFORE_THE_FIRST_TURN = new Set(['rolled', 'began']);

/** The types of events of a match that are not moves. */
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

/** @param {string} reason */
function dropReason(reason) {
  const { dropReasons } = WORDS;
  return reason in dropReasons ? dropReasons[/** @type {keyof typeof dropReasons} */ (reason)] : readable(reason);
}

/**
 * How an offer ended.
 * @param {Extract<KnownEvent, {type: 'offer_closed'}>} event
 * @param {Room} room
 */
function offerEnd({ reason, player }, room) {
  if (reason === 'agreed') return WORDS.offerAgreed;
  if (reason === 'declined') return WORDS.offerDeclined(room.nicknameOf(player));
  return reason === 'withdrawn' ? WORDS.offerWithdrawn(room.nicknameOf(player)) : WORDS.offerExpired;
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
  const what = readable(event.type);
  return event.seat === undefined ? WORDS.otherWithoutSeat(what) : WORDS.other(room.seatName(event.seat), what);
}

/**
 * Whether an event is shown as a message: not if it is shown in another way, or if this player caused it.
 * @param {RoomEvent} event
 * @param {Room} room
 */
export function isNotable(event, room) {
  const { match } = room.view;
  if (event.type === 'dropped' && match?.status !== 'playing') return false;
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
  const { version, type } = event;
  const value = is(event, 'rolled') ? event.value : null;
  return { version, type, value, seat: seat < 0 ? null : seat, text, description: describe(event, room) };
}

/** @param {RoomEvent} event */
function commonPly({ type, seat, from, to, at, captured }) {
  if (NO_PLIES.has(type) || seat === undefined) return null;
  if (type === 'passed') return PLIES.passed;
  if (type === 'dropped') return PLIES.dropped;
  if (from && to) return `${from}–${to}`;
  if (at && captured?.length) return `${at} ×${captured.length}`;
  return at ?? null;
}

/**
 * The moves in these events, without those that were taken back.
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
 * The text beside a seat during a match: that one of three players is out, or the roll for the first turn, until a move
 * has been made.
 * @param {Room} room
 * @param {number} seat
 */
export function seatTag(room, seat) {
  const { view, history } = room;
  if (history.past) return null;
  const isOut = history.plies.some((ply) => ply.seat === seat && ply.type === 'dropped');
  if (view.seats.length > 2 && isOut) return roomTexts.seats.out;
  const rolled = rollsOf(room).find((ply) => ply.seat === seat);
  return rolled ? roomTexts.seats.rolled(rolled.value ?? '') : null;
}

/**
 * Whether nobody has made a move yet.
 * @param {Room} room
 */
export function isBeforeFirstTurn({ history }) {
  return !history.past && history.plies.every(({ type }) => BEFORE_THE_FIRST_TURN.has(type));
}

/**
 * What was rolled for the first turn, the latest roll of each seat, until it is made.
 * @param {Room} room
 */
export function rollsOf(room) {
  if (!isBeforeFirstTurn(room)) return [];
  const rolls = room.history.plies.filter(({ type }) => type === 'rolled');
  return room.view.seats.flatMap(({ seat }) => rolls.findLast((ply) => ply.seat === seat) ?? []);
}
