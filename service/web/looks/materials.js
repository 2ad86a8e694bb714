/**
 * The materials of boards and pieces: gradients for depth, wood, stone, felt and paper. They are drawn once for the
 * whole page, as patterns that stand still: nothing is computed for each pixel.
 */

import { draw, h } from '../dom.js';

/** The grain of wood: where each line starts, how far it waves, and how wide it is. */
const GRAIN = [
  [6, 3, 0.7],
  [15, -2, 1.6],
  [23, 4, 0.6],
  [34, 2, 1.1],
  [41, -4, 0.5],
  [52, 3, 1.9],
  [60, -3, 0.7],
  [71, 5, 0.9],
  [79, -2, 0.5],
  [90, 3, 1.4],
  [98, -4, 0.8],
  [109, 2, 0.6],
];
const PLANK = { width: 220, height: 116 };

/** The fibres of paper, as lines. */
const FIBRES =
  'M8 12 l5 2 M40 6 l3 -3 M66 20 l6 1 M20 44 l-4 4 M54 52 l5 -2 M78 40 l3 4 M12 74 l6 -1 M44 84 l2 5 M72 76 l-5 3';

/** The fibres of felt, those that catch the light and those in the shade. */
const LIGHT_FELT =
  'M4 9 l4 -3 M21 3 l2 4 M33 14 l5 1 M48 6 l-3 4 M11 24 l3 3 M27 28 l5 -2 M44 23 l3 4 M57 31 l-4 2 M6 41 l4 -2 ' +
  'M20 45 l-2 4 M38 40 l4 3 M52 47 l3 -4 M13 56 l5 0 M31 54 l3 -3 M46 57 l-4 1';
const DARK_FELT =
  'M12 6 l3 2 M28 8 l4 -2 M41 12 l-3 3 M54 15 l3 -3 M3 19 l3 -2 M19 18 l4 2 M36 24 l-4 2 M52 26 l2 -4 M9 33 l3 3 ' +
  'M24 37 l4 -1 M46 34 l4 2 M3 51 l4 1 M28 47 l3 3 M43 50 l4 -2 M22 58 l3 -2 M57 56 l2 -4';

/**
 * @param {string} id
 * @param {[number, string, number][]} stops offset, colour and opacity
 * @param {Record<string, string | number>} where
 */
function gradient(id, stops, { kind = 'radialGradient', ...where }) {
  const parts = stops.map(([offset, colour, opacity]) =>
    h('stop', { key: offset, offset, 'stop-color': colour, 'stop-opacity': opacity }),
  );
  return h(String(kind), { id, ...where }, parts);
}

/**
 * @param {string} id
 * @param {string} kind
 */
function wood(id, kind) {
  const { width, height } = PLANK;
  const [first, middle, last] = [width / 4, width / 2, (width * 3) / 4];
  const lines = GRAIN.map(([y = 0, wave = 0, size]) => {
    const [up, down] = [y - wave, y + wave];
    const d = `M0 ${y} C${first} ${up} ${width / 3} ${down} ${middle} ${y} S${last} ${down} ${width} ${y}`;
    return h('path', { class: 'grain', 'stroke-width': size, d });
  });
  return h(
    'pattern',
    { id, width, height, patternUnits: 'userSpaceOnUse' },
    h('rect', { class: `plank ${kind}`, width, height }),
    lines,
  );
}

function paper() {
  return h(
    'pattern',
    { id: 'paper', width: 90, height: 90, patternUnits: 'userSpaceOnUse' },
    h('rect', { class: 'sheet-of-paper', width: 90, height: 90 }),
    h('path', { class: 'fibres', d: FIBRES }),
  );
}

/** The bevel of tiles: light from above, and a vein now and then. */
function stone() {
  const edge = { fill: 'none', 'stroke-width': 1.4 };
  const bevel = (/** @type {number} */ x, /** @type {number} */ y) => [
    h('path', { class: 'lit', ...edge, d: `M${x + 1.4} ${y + 38.6} V${y + 1.4} H${x + 38.6}` }),
    h('path', { class: 'unlit', ...edge, d: `M${x + 1.4} ${y + 38.6} H${x + 38.6} V${y + 1.4}` }),
  ];
  const veins = ['M-2 24 C20 14 34 40 58 30 S96 8 122 22', 'M30 122 C38 96 60 92 66 70 S92 54 96 38'];
  return h(
    'pattern',
    { id: 'stone', width: 120, height: 120, patternUnits: 'userSpaceOnUse' },
    veins.map((d) => h('path', { class: 'vein', d })),
    [0, 40, 80].flatMap((x) => [0, 40, 80].map((y) => bevel(x, y))),
  );
}

function felt() {
  return h(
    'pattern',
    { id: 'felt', width: 60, height: 60, patternUnits: 'userSpaceOnUse' },
    h('path', { class: 'fibre', d: LIGHT_FELT, stroke: '#fff' }),
    h('path', { class: 'fibre dark', d: DARK_FELT, stroke: '#000' }),
  );
}

function materials() {
  const light = { cx: 0.34, cy: 0.28, r: 0.85 };
  /** @type {[number, string, number][]} */
  const round = [
    [0, '#fff', 0.5],
    [0.35, '#fff', 0.12],
    [0.62, '#000', 0],
    [1, '#000', 0.38],
  ];
  /** @type {[number, string, number][]} */
  const shadow = [
    [0.72, '#000', 0.5],
    [1, '#000', 0],
  ];
  /** @type {[number, string, number][]} */
  const sheen = [
    [0, '#fff', 0.32],
    [0.14, '#fff', 0.1],
    [0.5, '#fff', 0],
    [0.86, '#000', 0.1],
    [1, '#000', 0.34],
  ];
  /** @type {[number, string, number][]} */
  const hollow = [
    [0, '#000', 0.02],
    [0.7, '#000', 0.06],
    [0.92, '#000', 0.2],
    [1, '#000', 0.32],
  ];
  /** @type {[number, string, number][]} */
  const dip = [
    [0, 'var(--well-shade)', 1],
    [0.22, 'var(--field-well)', 1],
    [1, 'var(--field-well)', 1],
  ];
  /** @type {[number, string, number][]} */
  const lacquer = [
    [0, 'var(--lacquer)', 1],
    [1, 'var(--lacquer-low)', 1],
  ];
  const down = { kind: 'linearGradient', x1: 0, y1: 0, x2: 0, y2: 1 };
  return h(
    'svg',
    { width: 0, height: 0, focusable: 'false' },
    h(
      'defs',
      null,
      gradient('gloss', round, light),
      gradient('shade', shadow, {}),
      gradient('sheen', sheen, down),
      gradient('dip', dip, down),
      gradient('lacquer', lacquer, down),
      gradient('hollow', hollow, { cx: 0.5, cy: 0.56, r: 0.54 }),
      wood('wood', ''),
      wood('walnut', 'dark'),
      stone(),
      felt(),
      paper(),
    ),
  );
}

const host = document.createElement('div');
host.className = 'materials';
host.setAttribute('aria-hidden', 'true');
draw(host, materials());
document.body.append(host);
