/** Pieces and badges. Every colour has a shape of its own as well, so that nobody needs to tell colours apart. */

import { h } from '../dom.js';

/** Marks by colour, drawn within about 7 units around the middle. @type {Record<string, string>} */
const SHAPES = {
  red: 'M0 -7.5 L7.5 0 L0 7.5 L-7.5 0 Z',
  green: 'M0 -7 L7.4 5.6 L-7.4 5.6 Z',
  blue: 'M-5.6 -5.6 H5.6 V5.6 H-5.6 Z',
  yellow: 'M-7 -2 H-2 V-7 H2 V-2 H7 V2 H2 V7 H-2 V2 H-7 Z',
};

const NUMERALS = /** @type {Record<string, string>} */ ({ one: '1', two: '2', three: '3' });

/** A colour's mark. @param {string} colour */
export function emblem(colour) {
  if (SHAPES[colour]) return h('path', { class: 'emblem', d: SHAPES[colour] });
  if (NUMERALS[colour]) return h('text', { class: 'emblem' }, NUMERALS[colour]);
  return h('text', { class: 'emblem' }, colour === 'white' || colour === 'black' ? '' : colour.charAt(0).toUpperCase());
}

/** A round disc of a colour. @param {string} colour @param {number} [radius] */
export function disc(colour, radius = 16) {
  return [
    h('circle', { class: `piece ${colour}`, r: radius }),
    h('circle', { class: 'rim', r: radius * 0.8 }),
    emblem(colour),
  ];
}

/** A seat's sign, beside its name. @param {string} colour */
export function badge(colour) {
  return h(
    'svg',
    { class: 'badge', viewBox: '-18 -18 36 36', 'aria-hidden': 'true', focusable: 'false' },
    colour in NUMERALS ? [h('path', { class: `piece ${colour}`, d: outline(colour) }), emblem(colour)] : disc(colour),
  );
}

/** The outline of an owner's pegs: each owner has another. @param {string} owner @param {number} [size] */
export function outline(owner, size = 16) {
  const [s, d] = [size, size * 0.92];
  if (owner === 'two')
    return `M${-d + 5} ${-d} H${d - 5} Q${d} ${-d} ${d} ${-d + 5} V${d - 5} Q${d} ${d} ${d - 5} ${d} H${-d + 5} Q${-d} ${d} ${-d} ${d - 5} V${-d + 5} Q${-d} ${-d} ${-d + 5} ${-d} Z`;
  if (owner === 'three')
    return (
      [0, 1, 2, 3, 4, 5]
        .map((corner) => {
          const angle = (Math.PI / 3) * corner;
          return `${corner ? 'L' : 'M'}${(Math.cos(angle) * (s + 1)).toFixed(1)} ${(Math.sin(angle) * (s + 1)).toFixed(1)}`;
        })
        .join(' ') + ' Z'
    );
  return `M${-s} 0 A${s} ${s} 0 1 1 ${s} 0 A${s} ${s} 0 1 1 ${-s} 0 Z`;
}
