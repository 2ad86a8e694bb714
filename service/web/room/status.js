/** The line on top: whose turn it is, what is to be done, how the match ended, and when the next one begins. */

import { badge } from '../boards/pieces.js';
import { h } from '../dom.js';
import { leave } from './room_panel.js';
import { isolated, outcome } from './describe.js';

/** @typedef {import('./room.js').Table} Table */

/** @param {Table} table */
export function status(table) {
  const past = table.history.past;
  return h(
    'div',
    { class: `status ${past ? 'in-past' : isMyTurn(table) ? 'my-turn' : ''}`, key: 'status' },
    past ? lookingBack(table) : present(table),
  );
}

/** @param {Table} table */
function isMyTurn(table) {
  return (
    table.acting !== null && table.view.match.to_move.includes(table.acting) && !table.pending && !table.stages.length
  );
}

/** @param {Table} table */
function lookingBack(table) {
  const { earlier, where, told } = table.history;
  return [
    h(
      'div',
      { class: 'status-words', key: 'words' },
      h(
        'p',
        { class: 'headline' },
        h('span', { class: 'wide-only' }, earlier ? 'Looking back at ' : 'Looking back: '),
        where,
      ),
      h('p', { class: 'small' }, told, table.isMyTurn ? h('strong', { key: 'turn' }, ' Your turn now.') : null),
    ),
    h(
      'button',
      { key: 'now', type: 'button', class: 'primary', onclick: () => table.history.backToNow() },
      'Back to now',
    ),
  ];
}

/** @param {Table} table */
function present(table) {
  const { match, status: is } = table.view;
  if (is === 'closed') return words('This table is closed.', '');
  if (match?.status === 'playing') return turn(table);
  if (match?.result) return ended(table);
  return waiting(table);
}

/** @param {Table} table */
function turn(table) {
  const { match } = table.view;
  if (table.stages.length) return words(`Round ${table.stages[0].state.round}`, table.stages[0].told ?? '');
  const movers = match.to_move.map((/** @type {number} */ seat) =>
    h('span', { key: seat, class: 'mover' }, badge(table.colourOf(seat)), ' ', table.seatName(seat)),
  );
  const phase = table.face.phase?.(table) ?? '';
  if (table.eyes !== null && isMyTurn(table))
    return words([badge(table.colourOf(table.eyes)), ` ${table.seatName(table.eyes)} chooses`], phase);
  if (isMyTurn(table) && !table.isShared)
    return words([match.to_move.length === 1 ? badge(table.colourOf(match.to_move[0])) : null, ' Your turn'], phase);
  if (!movers.length) return words('One moment …', '');
  return words(
    [
      movers.flatMap((/** @type {any} */ mover, /** @type {number} */ place) => (place ? [' and ', mover] : [mover])),
      ' to move',
    ],
    table.mySeats.length ? (table.isShared ? phase : '') : 'You are watching.',
  );
}

/** @param {Table} table */
function ended(table) {
  const { match, restart_at: next } = table.view;
  const scores = match.result.scores?.join(' : ') ?? '';
  const left = next ? Math.max(0, Math.ceil((Date.parse(next) - table.now) / 1000)) : null;
  const isSeated = table.mySeats.length > 0;
  return [
    h(
      'div',
      { class: 'status-words', key: 'words' },
      h(
        'p',
        { class: 'headline result' },
        match.result.winners.length === 1 ? badge(table.colourOf(match.result.winners[0])) : null,
        ' ',
        outcome(match.result, table),
        scores ? h('span', { class: 'scores' }, ` ${scores}`) : null,
      ),
      h(
        'p',
        { class: 'small', role: left === null ? null : 'timer' },
        left === null
          ? table.view.status === 'open'
            ? seatsFree(table)
            : 'The next match begins when everybody is ready.'
          : `The next match begins in ${left} s.`,
        seriesWords(table),
      ),
    ),
    h(
      'div',
      { class: 'buttons', key: 'next' },
      isSeated && left !== null
        ? h(
            'button',
            { key: 'veto', type: 'button', onclick: () => void table.command({ type: 'veto_next' }) },
            'Not yet',
          )
        : null,
      isSeated && left === null ? readyButton(table) : null,
      isSeated ? h('button', { key: 'leave', type: 'button', onclick: () => void leave(table) }, 'Leave') : null,
    ),
  ];
}

/** The score of the series. @param {Table} table */
function seriesWords({ view: { series } }) {
  if (!series) return null;
  const scores = series.scores
    .map((/** @type {any} */ score) => `${isolated(score.nickname ?? 'somebody')} ${score.points}`)
    .join(' : ');
  return ` Best of ${series.best_of}: ${scores || 'no match has counted yet'}${series.decided ? ', decided' : ''}.`;
}

/** @param {Table} table */
function waiting(table) {
  const free = table.view.seats.filter((/** @type {any} */ seat) => !seat.player && !seat.bot).length;
  const { start } = table.view.settings;
  if (free)
    return [
      ...words(seatsFree(table), table.mySeats.length ? 'Send the link to whoever is to join.' : ''),
      readyButton(table),
    ];
  if (start === 'creator')
    return [
      ...words('All seats are taken.', table.isCreator ? '' : 'The match begins when the creator says so.'),
      table.isCreator
        ? h(
            'button',
            { key: 'start', type: 'button', class: 'primary', onclick: () => void table.command({ type: 'start' }) },
            'Start',
          )
        : null,
    ];
  const unready = table.view.seats
    .filter((/** @type {any} */ seat) => !seat.ready && !seat.bot)
    .map((/** @type {any} */ seat) => table.nameOf(seat.player));
  return [
    ...words('All seats are taken.', unready.length ? `Not ready yet: ${[...new Set(unready)].join(', ')}.` : ''),
    readyButton(table),
  ];
}

/** @param {Table} table */
function seatsFree(table) {
  const free = table.view.seats.filter((/** @type {any} */ seat) => !seat.player && !seat.bot).length;
  return `Waiting for ${free} more ${free === 1 ? 'player' : 'players'}`;
}

/** @param {Table} table */
export function readyButton(table) {
  if (
    !table.mySeats.length ||
    table.view.match?.status === 'playing' ||
    (table.view.settings.start !== 'ready' && !table.view.match)
  )
    return null;
  const isReady = table.view.seats[table.mySeats[0]].ready;
  return h(
    'button',
    {
      key: 'ready',
      type: 'button',
      class: isReady ? '' : 'primary',
      onclick: () => void table.command({ type: isReady ? 'unready' : 'ready' }),
    },
    isReady ? 'Not ready after all' : 'Ready',
  );
}

/** @param {import('../dom.js').Anything} headline @param {import('../dom.js').Anything} small */
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
