/** The little Markdown that rules are written in, as trees: headings, paragraphs, lists, emphasis and code. */

import { h } from './dom.js';

/** @typedef {import('./dom.js').Tree} Tree */

/** @param {string} source @returns {Tree[]} */
export function markdown(source) {
  return blocks(source).map(block);
}

/** Paragraphs, and runs of list items. @param {string} source @returns {string[][]} */
function blocks(source) {
  /** @type {string[][]} */
  const found = [];
  let isBroken = true;
  for (const line of source.trim().split('\n')) {
    const latest = found.at(-1);
    const isItem = /^\s*(\*|-|\d+\.) /.test(line);
    const goesOn = latest && /^\s+\S/.test(line) && /^(\*|-|\d+\.) /.test(latest[0]);
    if (!line.trim()) isBroken = true;
    else if (
      latest &&
      (goesOn ||
        (isItem && /^(\*|-|\d+\.) /.test(latest[0])) ||
        (!isBroken && !line.startsWith('#') && !isItem && !latest[0].startsWith('#')))
    )
      latest.push(line);
    else found.push([line]);
    if (line.trim()) isBroken = false;
  }
  return found;
}

/** @param {string[]} lines @returns {Tree} */
function block(lines) {
  const heading = /^(#+) (.*)$/.exec(lines[0]);
  if (heading) return h(`h${Math.min(6, heading[1].length + 1)}`, null, spans(heading[2]));
  if (/^(\*|-) /.test(lines[0])) return h('ul', null, items(lines));
  if (/^\d+\. /.test(lines[0])) return h('ol', null, items(lines));
  return h('p', null, spans(lines.join(' ')));
}

/** Items with what is indented below them. @param {string[]} lines */
function items(lines) {
  /** @type {string[][]} */
  const found = [];
  for (const line of lines) {
    if (/^(\*|-|\d+\.) /.test(line)) found.push([line.replace(/^(\*|-|\d+\.) /, '')]);
    else found.at(-1)?.push(line.trim());
  }
  return found.map(([first, ...more]) => {
    const cut = more.findIndex((line) => /^(\*|-) /.test(line));
    const text = [first, ...(cut < 0 ? more : more.slice(0, cut))].join(' ');
    return h(
      'li',
      null,
      spans(text),
      cut < 0 ? null : block(more.slice(cut).map((line) => (/^(\*|-) /.test(line) ? line : `  ${line}`))),
    );
  });
}

/** @param {string} text */
function spans(text) {
  return text.split(/(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`)/).map((part) => {
    if (part.startsWith('**')) return h('strong', null, part.slice(2, -2));
    if (part.startsWith('*') && part.length > 2) return h('em', null, part.slice(1, -1));
    if (part.startsWith('`')) return h('code', null, part.slice(1, -1));
    return part;
  });
}
