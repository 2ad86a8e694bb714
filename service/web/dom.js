/**
 * The elements of views. Trees of plain values are drawn into the page, which changes only where they differ, so that
 * focus, scroll positions and typed text are kept. Text becomes text nodes, never markup. At the end: what the device
 * remembers, the texts in the language of the page, and how names, lists and times are written in it. This is here
 * because the first view should need only few files.
 */

/** @import { Child, Content, Props, VNode } from './types.d.ts' */

const SVG = 'http://www.w3.org/2000/svg';
const AS_PROPERTIES = new Set(['value', 'checked', 'selected', 'open', 'disabled', 'readOnly']);

/** The names of the service's bots, which nobody else can have: a number in the room, and a level. */
const HOUSE_BOT = /^Bot (\d+) \((\w+)\)$/;

/** The names of rooms for which nobody has chosen one, such as `quiet-otter-417`. */
const GENERATED = /^[a-z]+-[a-z]+-\d{3}$/;

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The characters that stand for elements in a text begin here, in the private use area of Unicode. */
const FIRST_PLACE = 0xe000;

/** The latest tree of each node. @type {WeakMap<Node, VNode>} */
const trees = new WeakMap();

/** The handlers of each element, by the type of their event. @type {WeakMap<Element, Map<string, Handler>>} */
const handlers = new WeakMap();

/** @typedef {((event: Event) => unknown) | null | undefined} Handler */

/**
 * One element. `on...` props are handlers, `key` identifies an element among its siblings, `created(element)` is called
 * once, after the element was inserted. A prop that begins with `--` is a CSS variable; unlike a `style` attribute, the
 * security policy allows it. A prop or child that is null or false is left out.
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
 * Change the content of `parent` to `content`.
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
 * The existing node that can become a child; it is taken from `keyed` or `unkeyed`.
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
  else if (name.startsWith('--')) setVariable(element, name, value);
  else if (AS_PROPERTIES.has(name) && name in element) {
    const target = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (element));
    const wanted = value ?? (name === 'value' ? '' : false);
    if (target[name] !== wanted) target[name] = wanted;
  } else if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? '' : String(value));
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {unknown} value
 */
function setVariable(element, name, value) {
  const { style } = /** @type {HTMLElement | SVGElement} */ (element);
  style.setProperty(name, value === null || value === undefined ? '' : String(value));
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

// What the device remembers.

/**
 * The text that the device remembers, or null.
 * @param {string} key
 */
export function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * The object that the device remembers as JSON, or an empty one.
 * @param {string} key
 */
export function recallObject(key) {
  try {
    const found = JSON.parse(recall(key) ?? '{}');
    return typeof found === 'object' && found !== null ? found : {};
  } catch {
    return {};
  }
}

/**
 * Remember a text on the device. Without storage nothing outlasts the page.
 * @param {string} key
 * @param {string} text
 */
export function store(key, text) {
  try {
    localStorage.setItem(key, text);
  } catch {
    // There is no storage, or it is full.
  }
}

// Language.

/**
 * The available languages: the name of each in that language, and the loader of its texts. They are also listed in
 * `style/apply_choices.js`, which has chosen one of them, and in the modules of `languages`.
 */
export const LANGUAGES = {
  en: { name: 'English', load: () => import('./languages/en.js') },
  de: { name: 'Deutsch', load: () => import('./languages/de.js') },
};

/** @typedef {keyof typeof LANGUAGES} Language */
/** @typedef {typeof import('./languages/en.js').TEXTS} Texts */

/** The language of the page. */
export const language = /** @type {Language} */ (
  document.documentElement.lang in LANGUAGES ? document.documentElement.lang : 'en'
);

/** The texts that every page needs. Rooms have more: `languages/room.js` and `languages/games.js`. @type {Texts} */
export const texts = (await LANGUAGES[language].load()).TEXTS;

/** How numbers and times are written: by the reader's device, if it has a region for the language. */
const locale = navigator.languages.find((tag) => tag.split('-')[0] === language) ?? language;

const tenths = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

const conjunction = new Intl.ListFormat(language === 'en' ? 'en-GB' : language, { type: 'conjunction' });

/**
 * Use another language from now on, on this device.
 * @param {string} chosen
 */
export function switchLanguage(chosen) {
  store('turnstream.language', chosen);
  location.reload();
}

/**
 * A text that is filled with elements instead of strings, because the order of words differs by language.
 * @param {(...parts: string[]) => string} text
 * @param {...Content} parts
 * @returns {Content[]}
 */
export function filled(text, ...parts) {
  const places = parts.map((_, index) => String.fromCharCode(FIRST_PLACE + index));
  return text(...places)
    .split(/([\ue000-\ue0ff])/)
    .filter(Boolean)
    .map((piece) => (places.includes(piece) ? parts[places.indexOf(piece)] : piece));
}

/**
 * Names as a list within a sentence: `Ada and Ben`.
 * @param {string[]} names
 */
export function listed(names) {
  return conjunction.format(names);
}

/**
 * Elements as such a list.
 * @param {Content[]} items
 * @returns {Content[]}
 */
export function listedItems(items) {
  const parts = conjunction.formatToParts(items.map((_, index) => String(index)));
  return parts.map(({ type, value }) => (type === 'element' ? items[Number(value)] : value));
}

/**
 * A text with a capital first letter.
 * @param {string} text
 */
export function capitalized(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * A name from the API as words: `best_of` is `Best of`.
 * @param {string} name
 */
export function readable(name) {
  return capitalized(name.replaceAll('_', ' '));
}

/**
 * A name for the middle of a sentence. A name written from right to left is isolated, so that the words around it stay
 * in order.
 * @param {string} name
 */
export function isolated(name) {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}

/**
 * The level of a bot of the service, or an empty text.
 * @param {string} nickname
 */
export function levelOf(nickname) {
  return HOUSE_BOT.exec(nickname)?.[2] ?? '';
}

/**
 * What the page calls a bot of the service.
 * @param {string} level
 * @param {number} [number] in its room
 */
export function characterName(level, number = 1) {
  const names = /** @type {Record<string, string[]>} */ (texts.bots)[level] ?? [];
  return names[number - 1] ?? `${names[0] ?? 'Bot'} ${number}`;
}

/**
 * A nickname for the middle of a sentence; a bot of the service has the name of its character.
 * @param {string} nickname
 */
export function shownName(nickname) {
  const [, number, level = ''] = HOUSE_BOT.exec(nickname) ?? [];
  return number ? characterName(level, Number(number)) : isolated(nickname);
}

/**
 * The name of a player, with a mark if it is a bot.
 * @param {{nickname: string, bot?: boolean | string | null}} player
 */
export function markedName({ nickname, bot }) {
  return bot ? texts.chat.bot(shownName(nickname)) : isolated(nickname);
}

/**
 * What a room is called: as somebody has chosen, or by its game and its players.
 * @param {string} title of the room
 * @param {string} game its title
 * @param {{nickname: string, isOwn: boolean}[]} [seated]
 */
export function roomTitle(title, game, seated = []) {
  if (!GENERATED.test(title)) return title;
  const others = seated.filter(({ isOwn }) => !isOwn).map(({ nickname }) => shownName(nickname));
  const names = others.length < seated.length ? [texts.rooms.you, ...others] : others;
  return names.length ? `${game} · ${names.join(', ')}` : game;
}

/**
 * The hour and minute, in the reader's time zone.
 * @param {string} time RFC 3339
 */
export function timeOfDay(time) {
  return new Date(time).toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' });
}

/**
 * The time of day, with the date unless it is today.
 * @param {string} time RFC 3339
 */
export function dateAndTime(time) {
  const date = new Date(time);
  if (date.toDateString() === new Date().toDateString()) return timeOfDay(time);
  return texts.time.dateAndTime(dayOf(time), timeOfDay(time));
}

/**
 * The day, in words if it is today.
 * @param {string} time RFC 3339, or a day in UTC
 */
export function dayOf(time) {
  const date = new Date(time.includes('T') ? time : `${time}T12:00:00Z`);
  if (date.toDateString() === new Date().toDateString()) return texts.time.today;
  return date.toLocaleDateString(locale, { day: 'numeric', month: 'short', year: 'numeric' });
}

/**
 * What remains on a clock: `4:05`, `9.3` in the last ten seconds, `2 d 3 h` for days.
 * @param {number} ms
 */
export function remaining(ms) {
  const left = Math.max(0, ms);
  if (left < 10_000) return tenths.format(Math.floor(left / 100) / 10);
  const seconds = Math.floor(left / 1000);
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  if (days) return texts.time.daysAndHours(days, hours);
  if (hours) return `${hours}:${twoDigits(minutes)}:${twoDigits(seconds % 60)}`;
  return minutesAndSeconds(left);
}

/**
 * A time in minutes and seconds, such as `0:23`.
 * @param {number} ms
 */
export function minutesAndSeconds(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${twoDigits(seconds % 60)}`;
}

/** @param {number} number */
function twoDigits(number) {
  return String(number).padStart(2, '0');
}

/**
 * How long ago it was, roughly.
 * @param {string} time RFC 3339
 * @param {number} now in milliseconds
 */
export function ago(time, now) {
  const minutes = Math.floor((now - Date.parse(time)) / 60_000);
  if (minutes < 1) return texts.time.justNow;
  if (minutes < 60) return texts.time.minutesAgo(minutes);
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? texts.time.hoursAgo(hours) : texts.time.daysAgo(Math.floor(hours / 24));
}
