// Elements, and the Markdown of descriptions: paragraphs, lists, tables, code, bold and links.

/** @typedef {any} Json a part of a document */

/**
 * Return an element. Texts are never parsed as HTML.
 * @param {string} tag
 * @param {Record<string, string | boolean>} attributes
 * @param {...(Node | string)} children
 */
export function h(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.filter((child) => child !== ''));
  return made;
}

const INLINE = /`([^`]+)`|\*\*(.+?)\*\*|\[([^\]]+)\]\((\/[^)]*)\)/g;

/**
 * Return the parts of a line.
 * @param {string} line
 * @returns {(Node | string)[]}
 */
function inline(line) {
  const parts = [];
  let end = 0;
  for (const match of line.matchAll(INLINE)) {
    const [all, code, bold, label, href] = match;
    parts.push(line.slice(end, match.index));
    if (code) parts.push(h('code', {}, code));
    else if (bold) parts.push(h('strong', {}, ...inline(bold)));
    else parts.push(h('a', { href: href ?? '' }, label ?? ''));
    end = match.index + all.length;
  }
  return [...parts, line.slice(end)];
}

/**
 * Return a row of a table.
 * @param {string} tag
 * @param {string} line
 */
function row(tag, line) {
  const cells = line.split('|').slice(1, -1);
  return h('tr', {}, ...cells.map((cell) => h(tag, {}, ...inline(cell.trim()))));
}

/**
 * Return a description as elements; `isLine` for one line without a paragraph around it.
 * @param {string | undefined} text
 * @returns {(Node | string)[]}
 */
export function markdown(text, isLine = false) {
  if (!text) return [];
  if (isLine) return inline(text);
  return text.split(/\n\n+/).map((block) => {
    const lines = block.trim().split('\n');
    if (lines[0]?.startsWith('|')) {
      const [head = '', , ...rows] = lines;
      return h('table', {}, row('th', head), ...rows.map((line) => row('td', line)));
    }
    if (lines[0]?.startsWith('- ')) {
      const items = block.trim().slice(2).split('\n- ');
      return h('ul', {}, ...items.map((item) => h('li', {}, ...inline(item))));
    }
    return h('p', {}, ...inline(block));
  });
}
