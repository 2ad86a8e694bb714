/** How matches end, in words: for everybody, and for the reader. */

import { capitalized, listed, readable, roomTitle } from '../dom.js';
import { roomTexts } from '../languages/room.js';

/** @import { Room } from './room.js' */
/** @import { Result } from '../types.d.ts' */

/** Reasons for which scores do not decide. */
const DROPPED = new Set(['resigned', 'timed_out', 'forfeited']);

/**
 * Why a match ended: in few words, or as the game explains it.
 * @param {Result} result
 * @param {Room} room
 */
export function reasonOf({ reason, winners, places }, room) {
  const { reasons, reasonsOf } = roomTexts.results;
  const { game, view } = room;
  if (reason in reasons) return reasons[/** @type {keyof typeof reasons} */ (reason)];
  if (reason in reasonsOf) {
    const isWinners = reason === 'line' && !view.options.misere;
    const seat = isWinners ? winners[0] : places.findIndex((place) => place > winners.length);
    return reasonsOf[/** @type {keyof typeof reasonsOf} */ (reason)](room.seatName(seat ?? 0));
  }
  return game.endings[reason]?.replace(/\.$/, '') ?? readable(reason);
}

/**
 * How a match ended, the same for everybody: an entry of a list.
 * @param {Result} result
 * @param {Room} room
 */
export function describeResult(result, room) {
  const { because, notCounted, wins, draw, share } = roomTexts.results;
  const names = result.winners.map((seat) => room.seatName(seat));
  const [winner = '', ...others] = names;
  const single = winner ? wins(winner) : notCounted;
  return because(others.length ? (isDraw(result) ? draw : share(listed(names))) : single, reasonOf(result, room));
}

/**
 * How a match ended for the reader: `You won by 3`, `Ben won`, `A draw`.
 * @param {Result} result
 * @param {Room} room
 */
export function headline(result, room) {
  const { winners } = result;
  const { notCounted, draw, won, youWon, share, youShare } = roomTexts.results;
  const isOwn = (/** @type {number} */ seat) => !room.isShared && room.mySeats.includes(seat);
  const others = winners.filter((seat) => !isOwn(seat)).map((seat) => capitalized(winnerName(seat, room)));
  const isAmong = others.length < winners.length;
  if (!winners.length) return notCounted;
  if (isDraw(result)) return draw;
  if (winners.length > 1) return isAmong ? youShare(listed(others)) : share(listed(others));
  return isAmong ? youWon(marginOf(result)) : won(others[0] ?? '', marginOf(result));
}

/**
 * What a room is called on its page.
 * @param {Room} room
 */
export function titleOfRoom({ view, game, isShared, mySeats, seatNames, nicknames }) {
  const names = view.seats.map(({ seat, player }) => ({
    nickname: (isShared && seatNames.get(seat)) || nicknames.get(player ?? '') || '',
    isOwn: mySeats.includes(seat) && !(isShared && seatNames.get(seat)),
  }));
  const title = roomTitle(
    view.title,
    game.title,
    names.filter(({ nickname }) => nickname),
  );
  return title === view.title ? `${title} · ${game.title}` : title;
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
