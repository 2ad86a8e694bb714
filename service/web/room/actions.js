/** What can be done beside moving: put back, choices of a move, undo, draw, resign, begin again, hints and help. */

import { ask } from '../api.js';
import { announce, attempt, changed, notify } from '../app.js';
import { h } from '../dom.js';
import { humane, moveWord } from './moves.js';

/** @typedef {import('./room.js').Table} Table */

/** What goes on with the move that is being picked. @param {Table} table */
export function choices(table) {
  const picking = table.picking;
  const parts = [];
  if (!table.face.hidesReady)
    parts.push(
      ...picking.ready.map((move) =>
        h(
          'button',
          { key: moveWord(move), type: 'button', class: 'primary', onclick: () => void table.play(move) },
          moveWord(move),
        ),
      ),
    );
  if (table.view.game !== 'rainbow')
    for (const [field, values] of picking.choices) parts.push(choice(table, field, values));
  if (table.picks.length)
    parts.push(h('button', { key: 'put back', type: 'button', onclick: () => table.putBack() }, 'Put back'));
  return h('div', { class: 'choices', key: 'choices', role: 'group', 'aria-label': 'This move' }, parts);
}

/** @param {Table} table @param {string} field @param {any[]} values */
function choice(table, field, values) {
  return h(
    'span',
    { key: field, class: 'row', role: 'group', 'aria-label': humane(field) },
    h('span', { class: 'soft' }, humane(field)),
    values.map((value) =>
      h('button', { key: value, type: 'button', onclick: () => table.pick({ kind: field, value }) }, String(value)),
    ),
  );
}

/** @param {Table} table */
export function actions(table) {
  if (!table.mySeats.length || table.history.past) return null;
  const { match } = table.view;
  const isPlaying = match?.status === 'playing';
  const ask_ = (/** @type {string} */ type, /** @type {string} */ words, /** @type {boolean} */ isPossible = true) =>
    isPossible ? h('button', { key: type, type: 'button', onclick: () => void table.command({ type }) }, words) : null;
  const hasOthers = othersAreHuman(table);
  return h(
    'div',
    { class: 'actions', key: 'actions', role: 'group', 'aria-label': 'This match' },
    isPlaying && table.face.helpsOnRequest ? helpButton(table) : null,
    isPlaying && mayHint(table)
      ? h('button', { key: 'hint', type: 'button', onclick: () => void hint(table) }, 'Hint')
      : null,
    ask_('request_takeback', hasOthers ? 'Take back' : 'Undo', isPlaying && !table.game?.simultaneous),
    ask_('offer_draw', 'Offer a draw', isPlaying && somebodyElsePlays(table)),
    ask_('request_restart', 'Restart', isPlaying),
    ask_('request_new', 'New match', isPlaying),
    isPlaying ? resignButton(table) : null,
  );
}

/** Whether anybody but ourselves plays, bots included: they answer a draw offer too. @param {Table} table */
function somebodyElsePlays(table) {
  const mine = new Set(table.mySeats);
  return table.view.seats.some((/** @type {any} */ seat) => !mine.has(seat.seat) && seat.player);
}

/** Whether somebody else than bots and ourselves plays. @param {Table} table */
function othersAreHuman(table) {
  const mine = new Set(table.mySeats);
  return table.view.seats.some((/** @type {any} */ seat) => !mine.has(seat.seat) && seat.player && !seat.bot);
}

/** @param {Table} table */
function helpButton(table) {
  return h(
    'button',
    {
      key: 'help',
      type: 'button',
      'aria-pressed': String(table.wantsHelp),
      onclick: () => {
        table.wantsHelp = !table.wantsHelp;
        if (table.wantsHelp) announce(`${table.legal.length} moves can be made.`);
        changed();
      },
    },
    'Help',
  );
}

/** @param {Table} table */
function mayHint(table) {
  const { hints } = table.view.settings;
  return (
    table.legal.length > 0 && (hints === 'on' || (hints === 'bots_only' && !othersAreHuman(table) && !table.isShared))
  );
}

/** @param {Table} table */
async function hint(table) {
  const seat = table.acting;
  const { move } = (await attempt(() => ask(`${table.path}/hint${table.isShared ? `?seat=${seat}` : ''}`))) ?? {};
  if (!move) return;
  table.hinted = new Set(Object.values(move));
  notify(`A bot would ${table.face.advice?.(move) ?? inWords(move)}.`);
}

/** @param {import('./moves.js').Move} move */
function inWords({ type, ...fields }) {
  return [
    humane(type).toLowerCase(),
    Object.values(fields)
      .map((value) => String(value).toUpperCase())
      .join(' → '),
  ]
    .join(' ')
    .trim();
}

/** Asked twice, in the place of the button. @param {Table} table */
function resignButton(table) {
  const isAsking = table.memory.resigning;
  if (!isAsking)
    return h(
      'button',
      {
        key: 'resign',
        type: 'button',
        class: 'danger',
        onclick: () => {
          table.memory.resigning = true;
          changed();
        },
      },
      'Resign',
    );
  const seat = table.isShared ? { seat: table.acting ?? table.mySeats[0] } : {};
  return h(
    'span',
    { key: 'resigning', class: 'row' },
    h(
      'button',
      {
        type: 'button',
        class: 'danger primary',
        onclick: () => {
          table.memory.resigning = false;
          void table.command({ type: 'resign', ...seat });
        },
      },
      'Yes, resign',
    ),
    h(
      'button',
      {
        type: 'button',
        onclick: () => {
          table.memory.resigning = false;
          changed();
        },
      },
      'No',
    ),
  );
}
