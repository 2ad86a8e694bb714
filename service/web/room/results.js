/** How matches end, in words: for everybody, and for the one who reads it. */

import { capitalized, readable } from '../dom.js';

/** @import { Room } from './room.js' */
/** @import { Result } from '../types.d.ts' */

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
  repetition: 'the same position three times',
  quiet_limit: 'too many turns without progress',
  round_limit: 'the last round is over',
  restarted: 'restarted',
  replaced: 'replaced by a new match',
  closed: 'the room was closed',
  rules_changed: 'the rules have changed since it began',
};

/** Reasons for which scores do not decide. */
const DROPPED = new Set(['resigned', 'timed_out', 'forfeited']);

/**
 * Why a match ended.
 * @param {Result} result
 */
export function reasonOf({ reason }) {
  return REASONS[reason] ?? readable(reason).toLowerCase();
}

/**
 * How a match ended, the same for everybody: an entry of a list.
 * @param {Result} result
 * @param {Room} room
 */
export function describeResult(result, room) {
  const why = reasonOf(result);
  const names = result.winners.map((seat) => room.seatName(seat));
  if (!names.length) return `The match does not count: ${why}.`;
  if (names.length === 1) return `${names[0]} wins: ${why}.`;
  return isDraw(result) ? `A draw: ${why}.` : `${names.join(' and ')} share first place: ${why}.`;
}

/**
 * How a match ended for the one who reads it: `You won by 3`, `Ben won`, `A draw`.
 * @param {Result} result
 * @param {Room} room
 */
export function headline(result, room) {
  const { winners } = result;
  const names = winners.map((seat) => winnerName(seat, room));
  if (!names.length) return 'The match does not count';
  if (isDraw(result)) return 'A draw';
  if (names.length > 1)
    return `${capitalized(names.sort((one) => (one === 'you' ? -1 : 1)).join(' and '))} share first place`;
  const margin = marginOf(result);
  return `${capitalized(names[0] ?? '')} won${margin ? ` by ${margin}` : ''}`;
}

/** @param {Result} result */
function isDraw({ winners, places }) {
  return winners.length === places.length;
}

/**
 * @param {number} seat
 * @param {Room} room
 */
function winnerName(seat, room) {
  if (room.isShared) return room.seatNames.get(seat) || room.seatName(seat);
  if (room.mySeats.includes(seat)) return 'you';
  const holder = room.view.seats[seat];
  const holdsOthers = room.view.seats.some((other) => other.player === holder?.player && other.seat !== seat);
  return (holder && !holdsOthers && room.holderName(holder)) || room.seatName(seat);
}

/**
 * By how many points the winner is ahead; 0 if points did not decide.
 * @param {Result} result
 */
function marginOf({ reason, winners: [winner], scores }) {
  if (!scores || winner === undefined || DROPPED.has(reason)) return 0;
  const own = scores[winner] ?? 0;
  const margin = own - Math.max(...scores.filter((_, seat) => seat !== winner));
  return own > 1 && margin > 0 && Number.isInteger(margin) ? margin : 0;
}

/**
 * The CSS classes of boards on which a match has ended: they highlight the winner's pieces or line.
 * @param {Room} room
 */
export function endingLook(room) {
  const result = room.shown.match?.result;
  if (!result) return '';
  const [winner, ...others] = result.winners;
  return winner === undefined || others.length ? 'over' : `over won-${room.onScreen.colourOf(winner)}`;
}
