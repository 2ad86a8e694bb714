/** The line at the top: whose turn it is, what to do, how the match ended, and when the next one begins. */

import { badge } from '../boards/pieces.js';
import { h } from '../dom.js';
import { counted, isolated } from '../text.js';
import { describeResult } from './describe.js';
import { leaveRoom } from './room_panel.js';

/** @import { Room } from './room.js' */
/** @import { Content, Match, Result } from '../types.d.ts' */

/** @param {Room} room */
export function status(room) {
  const { past } = room.history;
  const look = past ? 'in-past' : isAwaited(room) ? 'my-turn' : '';
  return h('div', { class: `status ${look}`, key: 'status' }, past ? lookingBack(room) : present(room));
}

/**
 * Whether a move of this player is expected now.
 * @param {Room} room
 */
function isAwaited(room) {
  const seat = room.actingSeat;
  return seat !== null && room.match.to_move.includes(seat) && !room.pending && !room.animationSteps.length;
}

/** @param {Room} room */
function lookingBack(room) {
  const { earlier, position, description } = room.history;
  const prefix = h('span', { class: 'wide-only' }, earlier ? 'Looking back at ' : 'Looking back: ');
  const turn = room.isMyTurn ? h('strong', { key: 'turn' }, ' It is your turn now.') : null;
  return [
    texts([prefix, position], [description, turn]),
    h(
      'button',
      { key: 'now', type: 'button', class: 'primary', onclick: () => room.history.returnToNow() },
      'Back to now',
    ),
  ];
}

/** @param {Room} room */
function present(room) {
  const { match, status: roomStatus } = room.view;
  if (roomStatus === 'closed') return texts('This room is closed.', '');
  if (match?.status === 'playing') return turn(room, match);
  if (match?.result) return ended(room, match.result);
  return waiting(room);
}

/**
 * @param {Room} room
 * @param {Match} match
 */
function turn(room, match) {
  const [step] = room.animationSteps;
  if (step) return texts(`Round ${step.state.round}`, step.description);
  const phase = room.gameView.phase?.(room) ?? '';
  if (isAwaited(room) && room.viewerSeat !== null) {
    return texts([badge(room.colourOf(room.viewerSeat)), ` ${room.seatName(room.viewerSeat)} chooses`], phase);
  }
  const [first, ...others] = match.to_move;
  if (isAwaited(room) && !room.isShared) {
    return texts([first !== undefined && !others.length ? badge(room.colourOf(first)) : null, ' Your turn'], phase);
  }
  if (first === undefined) return texts('One moment …', '');
  const names = [seatBadge(room, first), others.map((seat) => [' and ', seatBadge(room, seat)])];
  const isSeated = room.mySeats.length > 0;
  return texts([names, ' to move'], isSeated ? (room.isShared ? phase : '') : 'You are watching.');
}

/**
 * @param {Room} room
 * @param {number} seat
 */
function seatBadge(room, seat) {
  return h('span', { key: seat, class: 'mover' }, badge(room.colourOf(seat)), ' ', room.seatName(seat));
}

/**
 * @param {Room} room
 * @param {Result} result
 */
function ended(room, result) {
  const [winner, ...others] = result.winners;
  return [
    h(
      'div',
      { class: 'status-words', key: 'words' },
      h(
        'p',
        { class: 'headline result' },
        winner !== undefined && !others.length ? badge(room.colourOf(winner)) : null,
        ' ',
        describeResult(result, room),
        result.scores?.length ? h('span', { class: 'scores' }, ` ${result.scores.join(' : ')}`) : null,
      ),
      h('p', { class: 'small', role: room.view.restart_at ? 'timer' : null }, nextMatch(room), seriesText(room)),
    ),
    h('div', { class: 'buttons', key: 'next' }, room.mySeats.length ? nextButtons(room) : null),
  ];
}

/**
 * When the next match begins.
 * @param {Room} room
 */
function nextMatch(room) {
  const { restart_at: next, status: roomStatus } = room.view;
  if (next) return `The next match begins in ${Math.max(0, Math.ceil((Date.parse(next) - room.now) / 1000))} s.`;
  return roomStatus === 'open' ? awaitedPlayers(room) : 'The next match begins when everybody is ready.';
}

/** @param {Room} room */
function nextButtons(room) {
  const postpone = () => void room.command({ type: 'veto_next' });
  return [
    room.view.restart_at
      ? h('button', { key: 'veto', type: 'button', onclick: postpone }, 'Not yet')
      : readyButton(room),
    h('button', { key: 'leave', type: 'button', onclick: () => void leaveRoom(room) }, 'Leave'),
  ];
}

/**
 * The score of the series.
 * @param {Room} room
 */
function seriesText({ view: { series } }) {
  if (!series) return null;
  const scores = series.scores
    .map(({ nickname, points }) => `${isolated(nickname ?? 'unknown')} ${points}`)
    .join(' : ');
  return ` Best of ${series.best_of}: ${scores || 'no match has counted yet'}${series.decided ? ', decided' : ''}.`;
}

/** @param {Room} room */
function waiting(room) {
  const { seats, settings } = room.view;
  if (seats.some(({ player, bot }) => !player && !bot)) {
    const advice = room.mySeats.length ? 'Send the link to the others.' : '';
    return [...texts(awaitedPlayers(room), advice), readyButton(room)];
  }
  if (settings.start === 'creator') {
    const start = () => void room.command({ type: 'start' });
    return [
      ...texts('All seats are taken.', room.isCreator ? '' : 'The match begins when the creator starts it.'),
      room.isCreator ? h('button', { key: 'start', type: 'button', class: 'primary', onclick: start }, 'Start') : null,
    ];
  }
  const unready = seats.filter(({ ready, bot }) => !ready && !bot).map(({ player }) => room.nicknameOf(player));
  const names = unready.length ? `Not ready yet: ${[...new Set(unready)].join(', ')}.` : '';
  return [...texts('All seats are taken.', names), readyButton(room)];
}

/** @param {Room} room */
function awaitedPlayers(room) {
  const free = room.view.seats.filter(({ player, bot }) => !player && !bot).length;
  return `Waiting for ${counted(free, 'more player', 'more players')}`;
}

/** @param {Room} room */
function readyButton(room) {
  const { settings, match, seats } = room.view;
  const [own] = room.mySeats;
  if (own === undefined || room.isPlaying || (settings.start !== 'ready' && !match)) return null;
  const isReady = seats[own]?.ready;
  return h(
    'button',
    {
      key: 'ready',
      type: 'button',
      class: isReady ? '' : 'primary',
      onclick: () => void room.command({ type: isReady ? 'unready' : 'ready' }),
    },
    isReady ? 'Not ready' : 'Ready',
  );
}

/**
 * @param {Content} headline
 * @param {Content} small
 */
function texts(headline, small) {
  return [
    h(
      'div',
      { class: 'status-words', key: 'words' },
      h('p', { class: 'headline' }, headline),
      h('p', { class: 'small' }, small),
    ),
  ];
}
