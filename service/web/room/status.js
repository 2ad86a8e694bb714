/** The line at the top: whose turn it is, what to do, how the match ended, and when the next one begins. */

import { answer, app, attempt, guest } from '../app.js';
import { badge } from '../boards/pieces.js';
import { capitalized, filled, h, isolated, listed, listedItems, remaining, texts } from '../dom.js';
import { newSalt } from '../fairness/salts.js';
import { roomTexts } from '../languages/room.js';
import { hasHumanOpponent } from './actions.js';
import { headline, reasonOf } from './results.js';
import { leaveRoom } from './room_panel.js';

/** @import { Room } from './room.js' */
/** @import { Command, Content, Match, Result, RoomView, Seat } from '../types.d.ts' */

const { status: WORDS } = roomTexts;

/** @param {Room} room */
export function status(room) {
  const { past } = room.history;
  const isOver = !past && room.view.match?.result && room.view.status !== 'closed';
  const look = past ? 'in-past' : isOver ? 'over' : isAwaited(room) ? 'my-turn' : '';
  return h('div', { class: `status ${look}`, key: 'status' }, past ? lookingBack(room) : present(room), answer());
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
  const prefix = h('span', { class: 'wide-only' }, earlier ? WORDS.lookingBackAt : WORDS.lookingBack);
  const turn = room.isMyTurn ? h('strong', { key: 'turn' }, ` ${WORDS.yourTurnNow}`) : null;
  return [
    words([prefix, position], [description, turn, earlier ? runningClocks(room) : null]),
    room.isPast ? roomLink(room) : backButton(room),
  ];
}

/** @param {Room} room */
function backButton({ history }) {
  const onclick = () => history.returnToNow();
  return h('button', { key: 'now', type: 'button', class: 'primary', onclick }, WORDS.backToNow);
}

/**
 * The link from a match on its own page to its room.
 * @param {Room} room
 */
function roomLink({ name }) {
  return h('a', { key: 'room', class: 'button', href: `/r/${name}` }, WORDS.toRoom);
}

/**
 * The clocks of the running match, while the seats on the screen are those of an earlier one.
 * @param {Room} room
 */
function runningClocks(room) {
  const match = room.timedMatch;
  if (match?.status !== 'playing' || !match.clock) return null;
  const times = room.view.seats.map(({ seat }) =>
    WORDS.clock(capitalized(room.colourName(seat)), remaining(room.timeLeft(seat))),
  );
  return h('span', { key: 'clocks', class: 'clocks', role: 'timer' }, ` ${WORDS.clocks(times.join(', '))}`);
}

/** @param {Room} room */
function present(room) {
  const { match, status: roomStatus } = room.view;
  if (roomStatus === 'closed') return [words(WORDS.closed, ''), lobbyLink()];
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
  const progress = room.gameView.progress?.(room);
  const rounds = progress ? h('span', { key: 'progress', class: 'scores' }, ` ${progress}`) : null;
  if (step) return words(progress, step.description);
  const [own, ...others] = room.mySeats;
  if (own !== undefined && !others.length && room.gameView.isOut?.(room, own)) return out(room, own, rounds);
  const phase = room.gameView.phase?.(room) ?? '';
  if (isAwaited(room) && room.viewerSeat !== null) {
    const chooser = WORDS.chooses(room.seatName(room.viewerSeat));
    return words([badge(room.colourOf(room.viewerSeat)), ' ', chooser, rounds], phase);
  }
  const [first, second] = match.to_move;
  if (isAwaited(room) && !room.isShared) {
    const sign = first !== undefined && second === undefined ? badge(room.colourOf(first)) : null;
    return words([sign, ' ', WORDS.yourTurn, rounds], phase);
  }
  if (first === undefined) return words(WORDS.oneMoment, '');
  const names = listedItems(match.to_move.map((seat) => seatBadge(room, seat)));
  const isSeated = room.mySeats.length > 0;
  return words([filled(WORDS.toMove, names), rounds], isSeated ? (room.isShared ? phase : '') : WORDS.watching);
}

/**
 * A player with nothing left can leave; where only bots go on, they do so without pauses once the player resigns.
 * @param {Room} room
 * @param {number} seat
 * @param {Content} rounds
 */
function out(room, seat, rounds) {
  const hasDropped = room.history.plies.some((ply) => ply.seat === seat && ply.type === 'dropped');
  const resign = () => void room.command({ type: 'resign' });
  const leave = () => void leaveRoom(room);
  return [
    ...words([WORDS.out, rounds], WORDS.outNote),
    h(
      'div',
      { class: 'buttons', key: 'out' },
      hasDropped || hasHumanOpponent(room)
        ? null
        : h('button', { key: 'faster', type: 'button', class: 'primary', onclick: resign }, WORDS.faster),
      h('button', { key: 'leave', type: 'button', onclick: leave }, roomTexts.people.leave),
    ),
  ];
}

/**
 * @param {Room} room
 * @param {number} seat
 */
function seatBadge(room, seat) {
  return h('span', { key: seat, class: 'mover' }, badge(room.colourOf(seat)), ' ', room.seatName(seat));
}

/**
 * The result for the players, and what can be done next.
 * @param {Room} room
 * @param {Result} result
 */
function ended(room, result) {
  const [winner, ...others] = result.winners;
  const next = nextMatch(room);
  return [
    h(
      'div',
      { class: 'status-words', key: 'words' },
      h(
        'p',
        { class: 'headline result' },
        winner !== undefined && !others.length ? badge(room.colourOf(winner)) : null,
        ' ',
        headline(result, room),
        result.scores?.length ? h('span', { class: 'scores' }, ` ${result.scores.join(' : ')}`) : null,
      ),
      h(
        'p',
        { class: 'small reason', key: 'reason' },
        `${capitalized(reasonOf(result, room))}.`,
        seriesText(room),
        opponentButtons(room),
      ),
      next ? h('p', { class: 'small', key: 'next', role: room.view.restart_at ? 'timer' : null }, next) : null,
    ),
    h('div', { class: 'buttons', key: 'next' }, nextButtons(room)),
    room.rating?.view(), // the last, because it arrives later and must not move the buttons
  ];
}

/**
 * The other people of a match, each a button that shows what can be done with them.
 * @param {Room} room
 */
function opponentButtons(room) {
  if (!room.mySeats.length) return null;
  const seated = new Set(room.view.seats.map(({ player }) => player));
  const others = room.view.players.filter(({ id, bot }) => seated.has(id) && id !== guest.id && !bot);
  return others.map(({ id, nickname }) => {
    const onclick = () => app.showPerson(id, nickname);
    const props = { key: id, type: 'button', class: 'link', 'aria-label': texts.chat.person(nickname), onclick };
    return [' ', h('button', props, isolated(nickname), ' …')];
  });
}

/**
 * When the next match begins, unless this player has to request it.
 * @param {Room} room
 */
function nextMatch(room) {
  const { restart_at: next, waiting_for: awaited, settings, seats } = room.view;
  if (room.view.tournament) return null;
  if (next) return WORDS.nextIn(Math.max(0, Math.ceil((Date.parse(next) - room.now) / 1000)));
  if (room.freeSeats.length) return awaitedPlayers(room);
  const missing = seats.filter(({ seat, player }) => player && awaited.includes(seat));
  if (missing.length && hasHumanOpponent(room)) return WORDS.nextWaitsFor(namesOf(room, missing));
  return settings.start === 'creator' && !room.isCreator && !awaited.length ? WORDS.nextByCreator : null;
}

/**
 * The people on some seats, for the end of "waits for".
 * @param {Room} room
 * @param {Seat[]} seats
 */
function namesOf(room, seats) {
  const name = (/** @type {Seat} */ { player }) => (player === guest.id ? WORDS.you : room.nicknameOf(player));
  return listed([...new Set(seats.map(name))]);
}

/** @param {Room} room */
function nextButtons(room) {
  const { history, mySeats } = room;
  const leave = () => void leaveRoom(room);
  const review = () => history.review();
  const share = () => void attempt(async () => (await import('../sharing/share_match.js')).shareMatch(room));
  return [
    room.view.tournament ? tournamentLink(room.view.tournament) : mySeats.length ? rematchButtons(room) : null,
    history.plies.length ? h('button', { key: 'review', type: 'button', onclick: review }, WORDS.review) : null,
    h('button', { key: 'share', type: 'button', onclick: share }, WORDS.share),
    room.member ? h('button', { key: 'lobby', type: 'button', onclick: leave }, texts.page.lobby) : lobbyLink(),
  ];
}

/** @param {NonNullable<RoomView['tournament']>} tournament */
function tournamentLink({ id }) {
  const props = { key: 'tournament', class: 'button primary', href: `/tournaments/${encodeURIComponent(id)}` };
  return h('a', props, WORDS.tournament);
}

function lobbyLink() {
  return h('a', { key: 'lobby', class: 'button', href: '/' }, texts.page.lobby);
}

/** @param {Room} room */
function rematchButtons(room) {
  const { restart_at: next, status: roomStatus, settings, seats } = room.view;
  const isReady = seats[room.mySeats[0] ?? 0]?.ready;
  if (roomStatus === 'open' || (isReady && !next)) return readyButton(room);
  if (!next && settings.start === 'creator')
    return room.isCreator ? rematchButton(room, () => ({ type: 'start' })) : null;
  const postpone = () => void room.command({ type: 'veto_next' });
  return [
    rematchButton(room, () => (next ? { type: 'request_new' } : readiness())),
    next ? h('button', { key: 'veto', type: 'button', onclick: postpone }, WORDS.notYet) : null,
  ];
}

/**
 * @param {Room} room
 * @param {() => Command} command
 */
function rematchButton(room, command) {
  const onclick = () => void room.command(command());
  return h('button', { key: 'rematch', type: 'button', class: 'primary', onclick }, WORDS.rematch);
}

/**
 * The score of the series.
 * @param {Room} room
 */
function seriesText({ view: { series } }) {
  if (!series) return null;
  const scores = series.scores
    .map(({ nickname, points }) => `${isolated(nickname ?? WORDS.unknownPlayer)} ${points}`)
    .join(' : ');
  return ` ${WORDS.series(series.best_of, scores, series.decided)}`;
}

/** @param {Room} room */
function waiting(room) {
  const { seats, settings } = room.view;
  if (room.freeSeats.length) {
    const advice = room.mySeats.length ? WORDS.inviteOthers : '';
    return [...words(awaitedPlayers(room), advice), readyButton(room)];
  }
  if (settings.start === 'creator') {
    const start = () => void room.command({ type: 'start' });
    return [
      ...words(WORDS.full, room.isCreator ? '' : WORDS.byCreator),
      room.isCreator
        ? h('button', { key: 'start', type: 'button', class: 'primary', onclick: start }, WORDS.start)
        : null,
    ];
  }
  const unready = seats.filter(({ ready, bot }) => !ready && !bot).map(({ player }) => room.nicknameOf(player));
  const names = unready.length ? WORDS.unready([...new Set(unready)].join(', ')) : '';
  return [...words(WORDS.full, names), readyButton(room)];
}

/** @param {Room} room */
function awaitedPlayers(room) {
  return WORDS.waitingFor(room.freeSeats.length);
}

/**
 * The command of a player who is ready, with a salt for the chance of the next match.
 * @returns {Command}
 */
function readiness() {
  return { type: 'ready', salt: newSalt() };
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
      onclick: () => void room.command(isReady ? { type: 'unready' } : readiness()),
    },
    isReady ? WORDS.notReady : WORDS.ready,
  );
}

/**
 * @param {Content} headline
 * @param {Content} small
 */
function words(headline, small) {
  return [
    h(
      'div',
      { class: 'status-words', key: 'words' },
      h('p', { class: 'headline' }, headline),
      h('p', { class: 'small' }, small),
    ),
  ];
}
