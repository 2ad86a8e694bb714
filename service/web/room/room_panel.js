/** Who is here, how the room is set, the series, and leaving or closing it. */

import { app, changed } from '../app.js';
import { h } from '../dom.js';
import { guest } from '../guest.js';
import { OPTION_WORDS, VALUE_WORDS } from '../help/labels.js';
import { humane } from './moves.js';
import { configureDialog } from '../forms/configure_dialog.js';
import { settingsInWords } from '../forms/settings_form.js';
import { isolated } from './describe.js';

/** @typedef {import('./room.js').Table} Table */

/** @param {Table} table */
export function tablePanel(table) {
  return h('div', { class: 'table-panel', key: 'table' }, series(table), people(table), rules(table), going(table));
}

/** @param {Table} table */
function series(table) {
  const { series: played } = table.view;
  if (!played) return null;
  return [
    h('h3', { key: 'series' }, `Best of ${played.best_of}${played.decided ? ', decided' : ''}`),
    h(
      'dl',
      { key: 'scores' },
      played.scores.map((/** @type {any} */ score) =>
        h(
          'div',
          { key: score.player },
          h('dt', null, score.nickname ?? 'Somebody who left'),
          h('dd', null, String(score.points)),
        ),
      ),
    ),
    played.scores.length ? null : h('p', { key: 'none', class: 'soft small' }, 'No match has counted yet.'),
  ];
}

/** @param {Table} table */
function people(table) {
  return [
    h('h3', { key: 'people' }, table.watchers ? `Here, and ${table.watchers} watching` : 'Here'),
    h(
      'ul',
      { class: 'people', key: 'list' },
      table.view.players.map((/** @type {any} */ player) =>
        h(
          'li',
          { key: player.id },
          h(
            'span',
            null,
            isolated(player.nickname),
            player.id === guest.id ? ' (you)' : '',
            player.id === table.view.creator ? ' · runs the table' : '',
            player.as === 'spectator' ? ' · watches' : '',
          ),
          personButtons(table, player),
        ),
      ),
    ),
  ];
}

/** @param {Table} table @param {any} player */
function personButtons(table, player) {
  if (player.id === guest.id || player.bot) return null;
  return h(
    'span',
    { class: 'row' },
    h(
      'button',
      {
        key: 'mute',
        type: 'button',
        class: 'small-button',
        'aria-pressed': String(table.chat.muted.has(player.id)),
        onclick: () => table.chat.toggleMute(player.id),
      },
      table.chat.muted.has(player.id) ? 'Show lines' : 'Hide lines',
    ),
    table.isCreator
      ? h(
          'button',
          {
            key: 'silence',
            type: 'button',
            class: 'small-button',
            onclick: () => void table.command({ type: 'mute', player: player.id, on: !player.muted }),
          },
          player.muted ? 'Let speak' : 'Mute for all',
        )
      : null,
    table.isCreator
      ? h(
          'button',
          {
            key: 'kick',
            type: 'button',
            class: 'small-button danger',
            'aria-label': `Send ${player.nickname} away`,
            onclick: () => void table.command({ type: 'kick', player: player.id }),
          },
          'Send away',
        )
      : null,
  );
}

/** @param {Table} table */
function rules(table) {
  const { view } = table;
  const now = linesOf(view.game, view);
  const later = view.next
    ? linesOf(view.game, view.next).filter(
        ({ label, words }) => !now.some((line) => line.label === label && line.words === words),
      )
    : [];
  return [
    h('h3', { key: 'rules' }, 'Rules of this table'),
    list(
      'options',
      now.filter(({ isUsual }) => !isUsual),
    ),
    later.length ? [h('h3', { key: 'later' }, 'From the next match on'), list('next', later)] : null,
    table.isCreator && table.view.status !== 'closed'
      ? h(
          'button',
          {
            key: 'configure',
            type: 'button',
            onclick: () => {
              table.memory.configuring = { options: {}, settings: {} };
              changed();
            },
          },
          'Change for the next match',
        )
      : null,
    table.memory.configuring ? configureDialog(table) : null,
  ];
}

/** @param {string} key @param {{label: string, words: string}[]} lines */
function list(key, lines) {
  return h(
    'dl',
    { key },
    lines.map(({ label, words }) => h('div', { key: label }, h('dt', null, label), h('dd', null, words))),
  );
}

/** A game's options, and how the room is set. @param {string} game @param {{options: Record<string, any>, settings: Record<string, any>}} how */
function linesOf(game, { options, settings }) {
  const chosen = Object.entries(options).map(([name, value]) => ({
    label: OPTION_WORDS[`${game}.${name}`] ?? OPTION_WORDS[name] ?? humane(name),
    words:
      VALUE_WORDS[`${game}.${name}.${value}`] ??
      (typeof value === 'boolean' ? (value ? 'yes' : 'no') : humane(String(value))),
    isUsual: false,
  }));
  return [...chosen, ...settingsInWords(settings)];
}

/** @param {Table} table */
function going(table) {
  if (!table.me) return null;
  const isAsking = table.memory.closing;
  return h(
    'div',
    { class: 'buttons', key: 'going' },
    table.mySeats.length && table.view.match?.status !== 'playing' && !table.isShared
      ? h(
          'button',
          { key: 'stand', type: 'button', onclick: () => void table.command({ type: 'leave_seat' }) },
          'Stand up',
        )
      : null,
    h('button', { key: 'leave', type: 'button', onclick: () => void leave(table) }, 'Leave the table'),
    table.isCreator && table.view.status !== 'closed'
      ? h(
          'button',
          {
            key: 'close',
            type: 'button',
            class: 'danger',
            onclick: () => {
              table.memory.closing = !isAsking;
              changed();
              if (isAsking) void table.command({ type: 'close' });
            },
          },
          isAsking ? 'Yes, close it for all' : 'Close the table',
        )
      : null,
  );
}

/** @param {Table} table */
export async function leave(table) {
  if (await table.command({ type: 'leave' })) app.go('/');
}
