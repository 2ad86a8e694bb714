/** The pictures of players: drawn in the page from their ids, without a request and without stored data. */

import { app } from '../app.js';
import { h } from '../dom.js';
import { portrait } from './characters.js';

/** The emblems of people, within about 9 units around the centre. */
const EMBLEMS = [
  'M0 -9 L2.6 -3 L9 -2.6 L4.2 1.6 L5.6 8 L0 4.6 L-5.6 8 L-4.2 1.6 L-9 -2.6 L-2.6 -3 Z',
  'M0 8 C-14 -2 -5 -11 0 -4 C5 -11 14 -2 0 8 Z',
  'M4 -8 A8.5 8.5 0 1 0 4 8 A6.5 6.5 0 1 1 4 -8 Z',
  'M0 -9 C9 -2 7 8 0 8 C-7 8 -9 -2 0 -9 Z',
  'M-9 7 L-3 -6 L0 0 L3 -4 L9 7 Z',
  'M2 -9 L-6 1 H-1 L-2 9 L6 -1 H1 Z',
  'M-8 -6 L-3.5 -1 L0 -8 L3.5 -1 L8 -6 L6.5 7 H-6.5 Z',
  'M-9 0 C-4 -8 4 -8 9 0 C4 8 -4 8 -9 0 Z M0 -3 A3 3 0 1 0 0 3 A3 3 0 1 0 0 -3 Z',
];

/** The colours behind the emblems, on which white has a contrast of 4.5. */
const GROUNDS = [
  '#a33a2b',
  '#9a5200',
  '#6f6200',
  '#3f6f1c',
  '#0f7050',
  '#0b6d7d',
  '#1f62a8',
  '#4b53b5',
  '#7a43ac',
  '#a0337c',
];

/**
 * The picture of a player: a colour and an emblem that follow from the id, and a portrait for a bot of the service.
 * @param {string} id
 * @param {string | null} [level] that of a bot of the service
 */
export function avatar(id, level = null) {
  return h(
    'svg',
    { class: 'avatar', key: 'avatar', viewBox: '-16 -16 32 32', 'aria-hidden': 'true', focusable: 'false' },
    level ? portrait(level, id.endsWith('2')) : emblem(id),
  );
}

app.avatar = avatar;

/** @param {string} id */
function emblem(id) {
  let hash = 7;
  for (const letter of id) hash = (hash * 31 + letter.charCodeAt(0)) % 1_000_003;
  return [
    h('circle', { r: 16, fill: GROUNDS[hash % GROUNDS.length] }),
    h('path', { d: EMBLEMS[Math.floor(hash / GROUNDS.length) % EMBLEMS.length], fill: '#fff', 'fill-rule': 'evenodd' }),
  ];
}
