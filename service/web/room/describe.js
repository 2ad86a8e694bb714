/** Events in words: for the move list, for messages, and for people who listen. */

import { faceOf } from '../boards/game_views.js';
import { guest } from '../guest.js';
import { humane } from './moves.js';
import { WISHES } from './offers.js';

/** @typedef {import('./room.js').Table} Table */

/** What events of every game and of the room say. @type {Record<string, (event: any, table: Table) => string>} */
const SENTENCES = {
  passed: (event, table) => `${table.seatName(event.seat)} can’t move and is passed over.`,
  rolled: (event, table) => `${table.seatName(event.seat)} rolled ${event.value}.`,
  dropped: (event, table) => `${table.seatName(event.seat)} is out: ${humane(event.reason).toLowerCase()}.`,
  placed: (event, table) => `${table.seatName(event.seat)} placed at ${square(event.at)}${captures(event)}.`,
  match_started: () => 'The match begins.',
  match_ended: (event, table) => outcome(event.result, table),
  taken_back: (event, table) => `The match went back: it is ${table.seatName(event.seat)}’s turn again.`,
  offer_made: (event, table) => `${table.nameOf(event.player)} ${WISHES[event.kind] ?? 'asks for something'}.`,
  offer_accepted: (event, table) => `${table.nameOf(event.player)} accepts.`,
  offer_closed: (event, table) => offerEnd(event, table),
  time_ran_out: (event, table) => `${table.seatName(event.seat)} has run out of time.`,
  clocks_extended: () => 'The service was away: the clocks got that time back.',
  player_joined: (event) => `${event.nickname} came in${event.as === 'spectator' ? ' to watch' : ''}.`,
  player_left: (event, table) => `${table.nameOf(event.player) || 'Somebody'} left.`,
  player_kicked: (event, table) =>
    event.player === guest.id
      ? 'You were sent away from the table.'
      : `${table.nameOf(event.player) || 'Somebody'} was sent away.`,
  seat_taken: (event, table) => `${table.nameOf(event.player)} sits down as ${table.colourOf(event.seat)}.`,
  seat_left: (event, table) => `${table.nameOf(event.player)} stood up from ${table.colourOf(event.seat)}.`,
  seat_deserted: (event, table) => `${table.seatName(event.seat)} has lost the connection.`,
  seat_returned: (event, table) => `${table.seatName(event.seat)} is back.`,
  seats_assigned: () => 'The seats were assigned.',
  player_readied: (event, table) => `${table.nameOf(event.player)} is ready.`,
  player_unreadied: (event, table) => `${table.nameOf(event.player)} is not ready.`,
  creator_changed: (event, table) => `${table.nameOf(event.player)} runs the room now.`,
  player_muted: (event, table) => `${table.nameOf(event.player)} ${event.on ? 'was muted' : 'may speak again'}.`,
  next_vetoed: (event, table) => `${table.nameOf(event.player)} holds the next match back.`,
  next_configured: () => 'Other rules are set for the next match.',
  room_configured: () => 'The rules of the table were changed.',
  room_closed: () => 'The room was closed.',
};

/** What is worth a message on the screen, not only in the list. */
const NEWS = new Set([
  'passed',
  'rolled',
  'taken_back',
  'dropped',
  'player_joined',
  'player_left',
  'player_kicked',
  'creator_changed',
  'seat_deserted',
  'seat_returned',
  'next_vetoed',
  'next_configured',
  'room_configured',
  'player_muted',
  'room_closed',
  'offer_closed',
  'time_ran_out',
  'clocks_extended',
]);

const FROM_THE_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A name for the middle of a sentence: one that is written from the right doesn't pull the words beside it along. @param {string} name */
export function isolated(name) {
  return FROM_THE_RIGHT.test(name) ? `\u2068${name}\u2069` : name;
}

/** Why matches end. @type {Record<string, string>} */
const REASONS = {
  most_discs: 'most discs',
  most_cells: 'most cells',
  all_black: 'all black',
  too_few_men: 'too few men left',
  no_legal_move: 'no move left',
  line: 'a line',
  resigned: 'by resignation',
  timed_out: 'on time',
  forfeited: 'by forfeit',
  agreed: 'agreed',
  repetition: 'the position came up three times',
  quiet_limit: 'too many quiet turns',
  round_limit: 'the last round is over',
  restarted: 'begun again',
  replaced: 'a new match was wanted',
  closed: 'the room was closed',
  rules_changed: 'the rules have changed since it began',
};

/** A square as people write it: `C3`. @param {string} at */
export function square(at) {
  return String(at).toUpperCase();
}

/** @param {any} event @param {Table} table */
function offerEnd({ reason, player }, table) {
  if (reason === 'agreed') return 'Agreed.';
  if (reason === 'declined') return `${table.nameOf(player)} declined.`;
  return reason === 'withdrawn' ? `${table.nameOf(player)} took the offer back.` : 'The offer has lapsed.';
}

/** @param {any} event */
function captures(event) {
  const count = event.captured?.length ?? 0;
  return count ? ` and captured ${count}` : '';
}

/** What happened, as a sentence. @param {any} event @param {Table} table @returns {string} */
export function tell(event, table) {
  const own = faceOf(table.view.game).tell?.(event, table);
  if (own !== undefined && own !== null) return own;
  const sentence = SENTENCES[event.type];
  if (sentence) return sentence(event, table);
  const who = event.seat === undefined ? '' : `${table.seatName(event.seat)}: `;
  return `${who}${humane(event.type)}.`;
}

/** Whether an event deserves a message; how a match ended stands on top, and a die may lie on the board. @param {any} event @param {Table} table */
export function isNews(event, table) {
  if (event.type === 'dropped' && table.view.match?.status !== 'playing') return false;
  if (event.type === 'rolled' && table.view.match?.state.die !== undefined) return false;
  if (event.type === 'player_left' && event.player === guest.id) return false;
  if (['seat_deserted', 'seat_returned'].includes(event.type) && table.mySeats.includes(event.seat)) return false;
  return NEWS.has(event.type) && event.player !== table.me?.id;
}

/** An event's entry in the list of moves, or null. @param {any} event @param {Table} table @returns {import('./history.js').Ply | null} */
export function ply(event, table) {
  if (!event.match) return null;
  const own = faceOf(table.view.game).ply?.(event, table);
  const text = own === undefined ? common(event) : own;
  if (text === null) return null;
  const seat = event.seat ?? table.view.seats.findIndex((/** @type {any} */ one) => one.colour === event.board);
  return { version: event.version, seat: seat < 0 ? null : seat, text, told: tell(event, table) };
}

const NO_PLIES = new Set(['match_started', 'match_ended', 'laid_out', 'taken_back', 'seat_taken', 'seat_left']);

/** @param {any} event @returns {string | null} */
function common(event) {
  if (NO_PLIES.has(event.type) || event.seat === undefined) return null;
  if (event.type === 'passed') return 'pass';
  if (event.type === 'dropped') return 'out';
  if (event.from && event.to) return `${event.from}–${event.to}`;
  if (event.at) return event.captured?.length ? `${event.at} ×${event.captured.length}` : event.at;
  return null;
}

/** How a match ended. @param {any} result @param {Table} table @returns {string} */
export function outcome(result, table) {
  const why = REASONS[result.reason] ?? humane(result.reason).toLowerCase();
  const winners = result.winners.map((/** @type {number} */ seat) => table.seatName(seat));
  if (!winners.length) return `The match counts for nobody: ${why}.`;
  if (winners.length === 1) return `${winners[0]} wins: ${why}.`;
  const everyone = winners.length === table.view.seats.length;
  return everyone ? `A draw: ${why}.` : `${winners.join(' and ')} share the first place: ${why}.`;
}
