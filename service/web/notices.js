/** Where messages are shown: this is loaded with the first message. */

/** The pixels between messages and the window's edge, and between the places that are tried. */
const GAP = 12;

/** What messages never cover, and what they rather not cover. */
const CONTROLS = 'button, a, input, select, textarea, summary';
const CONTENT = '.cell.open, .status-words, .seat, .ply, p, h1, h2, h3';

/** Move the messages of the page to where they cover no control: near the bottom right, or else anywhere. */
export function placeNotices() {
  const box = /** @type {HTMLElement | null} */ (document.querySelector('#app > .notices'));
  if (!box?.childElementCount) return;
  const [controls, content] = [CONTROLS, CONTENT].map((selector) => rectsOutside(box, selector));
  const cost = (/** @type {DOMRect} */ rect) => 1000 * overlaps(rect, controls) + overlaps(rect, content);
  const size = box.getBoundingClientRect();
  if (box.style.top && size.bottom <= innerHeight && !overlaps(size, controls)) return;
  const best = spots(size).reduce((one, other) => (cost(other) < cost(one) ? other : one));
  box.style.inset = `${best.y}px auto auto ${best.x}px`;
}

/**
 * The places where a box fits, the best ones first.
 * @param {DOMRect} box
 */
function spots({ width, height }) {
  const [right, bottom] = [document.documentElement.clientWidth - width, innerHeight - height - GAP];
  const lefts = [right - GAP, right / 2, GAP].filter((left) => left >= 0);
  const rows = Array.from({ length: Math.max(1, Math.floor(bottom / GAP)) }, (_, row) => bottom - row * GAP);
  return rows.flatMap((top) => (lefts.length ? lefts : [0]).map((left) => new DOMRect(left, top, width, height)));
}

/**
 * @param {Element} box
 * @param {string} selector
 */
function rectsOutside(box, selector) {
  const found = [...document.querySelectorAll(selector)].filter((element) => !box.contains(element));
  return found.map((element) => element.getBoundingClientRect()).filter(({ width }) => width);
}

/**
 * How many of these rectangles a box covers in part.
 * @param {DOMRect} box
 * @param {DOMRect[]} [rects]
 */
function overlaps(box, rects = []) {
  const isHit = (/** @type {DOMRect} */ { left, right, top, bottom }) =>
    left < box.right && right > box.left && top < box.bottom && bottom > box.top;
  return rects.filter(isHit).length;
}
