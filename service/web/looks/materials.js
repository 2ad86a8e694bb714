/** The materials of boards and pieces: gradients for depth, wood and paper. They are drawn once for the whole page. */

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

function wood() {
  const { width, height } = PLANK;
  const [first, middle, last] = [width / 4, width / 2, (width * 3) / 4];
  const lines = GRAIN.map(([y = 0, wave = 0, size]) => {
    const [up, down] = [y - wave, y + wave];
    const d = `M0 ${y} C${first} ${up} ${width / 3} ${down} ${middle} ${y} S${last} ${down} ${width} ${y}`;
    return h('path', { class: 'grain', 'stroke-width': size, d });
  });
  return h(
    'pattern',
    { id: 'wood', width, height, patternUnits: 'userSpaceOnUse' },
    h('rect', { class: 'plank', width, height }),
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
  return h(
    'svg',
    { width: 0, height: 0, focusable: 'false' },
    h(
      'defs',
      null,
      gradient('gloss', round, light),
      gradient('shade', shadow, {}),
      gradient('sheen', sheen, { kind: 'linearGradient', x1: 0, y1: 0, x2: 0, y2: 1 }),
      gradient('hollow', hollow, { cx: 0.5, cy: 0.56, r: 0.54 }),
      wood(),
      paper(),
    ),
  );
}

const host = document.createElement('div');
host.className = 'materials';
host.setAttribute('aria-hidden', 'true');
draw(host, materials());
document.body.append(host);
