/**
 * Draws trees of plain values into the page and changes only what differs, so that focus, scroll positions and typed
 * text are kept. Text becomes text nodes, never markup.
 */

/** @import { Child, Content, Props, VNode } from './types.d.ts' */

const SVG = 'http://www.w3.org/2000/svg';
const AS_PROPERTIES = new Set(['value', 'checked', 'selected', 'open', 'disabled', 'readOnly']);

/** The latest tree of each node. @type {WeakMap<Node, VNode>} */
const trees = new WeakMap();

/** The handlers of each element, by the type of their event. @type {WeakMap<Element, Map<string, Handler>>} */
const handlers = new WeakMap();

/** @typedef {((event: Event) => unknown) | null | undefined} Handler */

/**
 * One element. `on...` props are handlers, `key` identifies an element among its siblings, `created(element)` is called
 * once, after the element was inserted. A prop or child that is null or false is left out.
 * @param {string} tag
 * @param {Props | null} [props]
 * @param {...Content} children
 * @returns {VNode}
 */
export function h(tag, props, ...children) {
  const { key, ...others } = props ?? {};
  return { tag, props: others, key: key === undefined ? undefined : String(key), children: flatten(children) };
}

/**
 * @param {Content[]} children
 * @returns {Child[]}
 */
function flatten(children) {
  /** @type {Child[]} */
  const list = [];
  for (const child of children) {
    if (Array.isArray(child)) list.push(...flatten(child));
    else if (typeof child === 'number') list.push(String(child));
    else if (child !== null && child !== undefined && child !== false) list.push(child);
  }
  return list;
}

/**
 * Make the content of `parent` look like `content`.
 * @param {Element} parent
 * @param {...Content} content
 */
export function draw(parent, ...content) {
  drawChildren(parent, flatten(content));
}

/**
 * @param {Element} parent
 * @param {Child[]} children
 */
function drawChildren(parent, children) {
  const old = [...parent.childNodes];
  /** @type {Map<string, ChildNode>} */
  const keyed = new Map();
  /** @type {ChildNode[]} */
  const unkeyed = [];
  for (const node of old) {
    const key = trees.get(node)?.key;
    if (key === undefined) unkeyed.push(node);
    else keyed.set(key, node);
  }
  const nodes = children.map((child) => reusable(child, keyed, unkeyed));
  const kept = new Set(nodes);
  for (const node of old) if (!kept.has(node)) node.remove();
  children.forEach((child, index) => {
    const present = nodes[index];
    const node = present ? update(present, child) : create(child, parent);
    if (parent.childNodes[index] !== node) parent.insertBefore(node, parent.childNodes[index] ?? null);
    if (!present && typeof child !== 'string') child.props.created?.(node);
  });
}

/**
 * The present node that can become a child; it is taken from `keyed` or `unkeyed`.
 * @param {Child} child
 * @param {Map<string, ChildNode>} keyed
 * @param {ChildNode[]} unkeyed
 */
function reusable(child, keyed, unkeyed) {
  if (typeof child !== 'string' && child.key !== undefined) {
    const node = keyed.get(child.key);
    keyed.delete(child.key);
    return node && trees.get(node)?.tag === child.tag ? node : undefined;
  }
  const index = unkeyed.findIndex((node) =>
    typeof child === 'string' ? node.nodeType === Node.TEXT_NODE : trees.get(node)?.tag === child.tag,
  );
  return index < 0 ? undefined : unkeyed.splice(index, 1)[0];
}

/**
 * @param {Child} child
 * @param {Element} parent
 * @returns {ChildNode}
 */
function create(child, parent) {
  if (typeof child === 'string') return document.createTextNode(child);
  const isSvg = child.tag === 'svg' || (parent.namespaceURI === SVG && parent.tagName !== 'foreignObject');
  const element = isSvg ? document.createElementNS(SVG, child.tag) : document.createElement(child.tag);
  trees.set(element, { tag: child.tag, props: {}, key: child.key, children: [] });
  update(element, child);
  return element;
}

/**
 * @param {ChildNode} node
 * @param {Child} child
 * @returns {ChildNode}
 */
function update(node, child) {
  if (typeof child === 'string') {
    if (node.nodeValue !== child) node.nodeValue = child;
    return node;
  }
  const element = /** @type {Element} */ (node);
  const before = trees.get(element)?.props ?? {};
  trees.set(element, child);
  drawChildren(element, child.children);
  for (const name of Object.keys(before)) if (!(name in child.props)) setProp(element, name, null);
  for (const [name, value] of Object.entries(child.props)) {
    if (value !== before[name] || AS_PROPERTIES.has(name)) setProp(element, name, value);
  }
  return element;
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {unknown} value
 */
function setProp(element, name, value) {
  if (name === 'created') return;
  if (name.startsWith('on')) setHandler(element, name.slice(2), /** @type {Handler} */ (value));
  else if (AS_PROPERTIES.has(name) && name in element) {
    const target = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (element));
    const wanted = value ?? (name === 'value' ? '' : false);
    if (target[name] !== wanted) target[name] = wanted;
  } else if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? '' : String(value));
}

/**
 * Add one listener per element and event type, which calls the current handler.
 * @param {Element} element
 * @param {string} type
 * @param {Handler} handler
 */
function setHandler(element, type, handler) {
  const own = handlers.get(element) ?? new Map();
  handlers.set(element, own);
  if (!own.has(type)) element.addEventListener(type, (event) => own.get(type)?.(event));
  own.set(type, handler);
}
