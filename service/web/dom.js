/**
 * Draws trees of plain values into the page and changes only what differs, so that focus, scrolling and half-typed
 * text stay. Text becomes text nodes, never markup.
 */

/** @typedef {{tag: string, props: Record<string, any>, key: string | undefined, children: Child[]}} Tree */
/** @typedef {Tree | string} Child */
/** @typedef {Child | number | null | undefined | false | Anything[]} Anything */

const SVG = 'http://www.w3.org/2000/svg';
const AS_PROPERTIES = new Set(['value', 'checked', 'selected', 'open', 'disabled', 'readOnly']);

/**
 * One element. `on...` props are handlers, `style` is an object, `key` keeps an element's identity among its
 * siblings, `made(element)` is called once when it has come into the page; what is null or false is left out.
 * @param {string} tag
 * @param {Record<string, any> | null} [props]
 * @param {...Anything} children
 * @returns {Tree}
 */
export function h(tag, props, ...children) {
  const { key, ...others } = props ?? {};
  return { tag, props: others, key: key === undefined ? undefined : String(key), children: flat(children) };
}

/** @param {Anything[]} children @returns {Child[]} */
function flat(children) {
  /** @type {Child[]} */
  const list = [];
  for (const child of children) {
    if (Array.isArray(child)) list.push(...flat(child));
    else if (typeof child === 'number') list.push(String(child));
    else if (child !== null && child !== undefined && child !== false) list.push(child);
  }
  return list;
}

/** Drawn trees by their node. @type {WeakMap<Node, Tree>} */
const drawn = new WeakMap();

/** Make the children of `parent` look like `trees`. @param {Element} parent @param {...Anything} trees */
export function draw(parent, ...trees) {
  drawChildren(parent, flat(trees));
}

/** @param {Element} parent @param {Child[]} children */
function drawChildren(parent, children) {
  const old = [...parent.childNodes];
  /** @type {Map<string, ChildNode>} */
  const keyed = new Map();
  /** @type {ChildNode[]} */
  const loose = [];
  for (const node of old) {
    const key = drawn.get(node)?.key;
    if (key === undefined) loose.push(node);
    else keyed.set(key, node);
  }
  const kept = new Set();
  const nodes = children.map((child) => {
    const found = match(child, keyed, loose);
    if (found) kept.add(found);
    return found;
  });
  for (const node of old) if (!kept.has(node)) node.remove();
  children.forEach((child, place) => {
    const node = nodes[place] ? change(/** @type {ChildNode} */ (nodes[place]), child) : create(child, parent);
    if (parent.childNodes[place] !== node) parent.insertBefore(node, parent.childNodes[place] ?? null);
    if (!nodes[place] && typeof child !== 'string') child.props.made?.(node);
  });
}

/** @param {Child} child @param {Map<string, ChildNode>} keyed @param {ChildNode[]} loose */
function match(child, keyed, loose) {
  if (typeof child !== 'string' && child.key !== undefined) {
    const node = keyed.get(child.key);
    keyed.delete(child.key);
    return node && drawn.get(node)?.tag === child.tag ? node : undefined;
  }
  const place = loose.findIndex((node) =>
    typeof child === 'string' ? node.nodeType === Node.TEXT_NODE : drawn.get(node)?.tag === child.tag,
  );
  return place < 0 ? undefined : loose.splice(place, 1)[0];
}

/** @param {Child} child @param {Element} parent @returns {ChildNode} */
function create(child, parent) {
  if (typeof child === 'string') return document.createTextNode(child);
  const isSvg = child.tag === 'svg' || (parent.namespaceURI === SVG && parent.tagName !== 'foreignObject');
  const element = isSvg ? document.createElementNS(SVG, child.tag) : document.createElement(child.tag);
  drawn.set(element, { tag: child.tag, props: {}, key: child.key, children: [] });
  change(element, child);
  return element;
}

/** @param {ChildNode} node @param {Child} child @returns {ChildNode} */
function change(node, child) {
  if (typeof child === 'string') {
    if (node.nodeValue !== child) node.nodeValue = child;
    return node;
  }
  const element = /** @type {Element} */ (node);
  const before = drawn.get(element)?.props ?? {};
  drawn.set(element, child);
  drawChildren(element, child.children);
  for (const name of Object.keys(before)) if (!(name in child.props)) setProp(element, name, null, before[name]);
  for (const [name, value] of Object.entries(child.props)) {
    if (value !== before[name] || AS_PROPERTIES.has(name)) setProp(element, name, value, before[name]);
  }
  return element;
}

/** @param {any} element @param {string} name @param {any} value @param {any} before */
function setProp(element, name, value, before) {
  if (name === 'made') return;
  if (name.startsWith('on')) listen(element, name.slice(2), value);
  else if (name === 'style') setStyle(element, value, before);
  else if (AS_PROPERTIES.has(name) && name in element) {
    const wanted = value ?? (name === 'value' ? '' : false);
    if (element[name] !== wanted) element[name] = wanted;
  } else if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? '' : String(value));
}

/** Styles are set one by one, which the content security policy allows. @param {any} element @param {any} value @param {any} before */
function setStyle(element, value, before) {
  for (const name of Object.keys(before ?? {})) if (!(name in (value ?? {}))) element.style.removeProperty(name);
  for (const [name, worth] of Object.entries(value ?? {})) element.style.setProperty(name, String(worth));
}

/** One listener an element and type, which calls the present handler. @param {any} element @param {string} type @param {any} handler */
function listen(element, type, handler) {
  const handlers = (element.handlers ??= {});
  if (!(type in handlers)) element.addEventListener(type, (/** @type {Event} */ event) => handlers[type]?.(event));
  handlers[type] = handler;
}
