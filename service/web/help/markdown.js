/** The part of Markdown that rules are written in, as trees: headings, paragraphs, lists, emphasis and code. */

import { h } from '../dom.js';

/** @import { Child, VNode } from '../types.d.ts' */
/** A block: its first line, and those that follow. @typedef {[string, ...string[]]} Lines */

const BULLET = /^(\*|-) /;
const ITEM = /^(\*|-|\d+\.) /;

/**
 * @param {string} source
 * @returns {VNode[]}
 */
export function markdown(source) {
  return blocks(source).map(block);
}

/**
 * Split a text into headings, paragraphs and lists.
 * @param {string} source
 */
function blocks(source) {
  /** @type {Lines[]} */
  const found = [];
  let isAfterBlank = true;
  for (const line of source.trim().split('\n')) {
    const latest = found.at(-1);
    if (line.trim()) {
      if (latest && continues(latest[0], line, isAfterBlank)) latest.push(line);
      else found.push([line]);
    }
    isAfterBlank = !line.trim();
  }
  return found;
}

/**
 * Whether a line belongs to the block that begins with `first`.
 * @param {string} first
 * @param {string} line
 * @param {boolean} isAfterBlank
 */
function continues(first, line, isAfterBlank) {
  const isItem = /^\s*(\*|-|\d+\.) /.test(line);
  if (ITEM.test(first) && (isItem || /^\s+\S/.test(line))) return true;
  return !isAfterBlank && !isItem && !line.startsWith('#') && !first.startsWith('#');
}

/**
 * @param {Lines} lines
 * @returns {VNode}
 */
function block(lines) {
  const [first] = lines;
  const [, marks = '', title = ''] = /^(#+) (.*)$/.exec(first) ?? [];
  if (marks) return h(`h${Math.min(6, Math.max(2, marks.length))}`, null, spans(title));
  if (BULLET.test(first)) return h('ul', null, items(lines));
  if (ITEM.test(first)) return h('ol', null, items(lines));
  return h('p', null, spans(lines.join(' ')));
}

/**
 * The items of a list, each with the list below it.
 * @param {Lines} lines
 */
function items(lines) {
  /** @type {Lines[]} */
  const found = [];
  for (const line of lines) {
    if (ITEM.test(line)) found.push([line.replace(ITEM, '')]);
    else found.at(-1)?.push(line.trim());
  }
  return found.map(item);
}

/** @param {Lines} lines */
function item(lines) {
  const cut = lines.findIndex((line, index) => index > 0 && BULLET.test(line));
  if (cut < 0) return h('li', null, spans(lines.join(' ')));
  const [first = '', ...rest] = lines.slice(cut).map((line) => (BULLET.test(line) ? line : `  ${line}`));
  return h('li', null, spans(lines.slice(0, cut).join(' ')), block([first, ...rest]));
}

/**
 * @param {string} text
 * @returns {Child[]}
 */
function spans(text) {
  return text.split(/(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`)/).map((part) => {
    if (part.startsWith('**')) return h('strong', null, part.slice(2, -2));
    if (part.startsWith('*') && part.length > 2) return h('em', null, part.slice(1, -1));
    if (part.startsWith('`')) return h('code', null, part.slice(1, -1));
    return part;
  });
}
