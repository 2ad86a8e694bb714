// The page of the API: lists what openapi.json and asyncapi.json describe, and draws each entry when it is opened.

import { h, markdown } from './text.js';
import { trial } from './trial.js';

/** @typedef {import('./text.js').Json} Json */

const LARGEST = Number.MAX_SAFE_INTEGER;
const BOUNDS = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern'];
const ARROWS = /** @type {Record<string, string>} */ ({ client: '→', server: '←' });

const words = /** @type {HTMLInputElement} */ (document.getElementById('words'));
const found = /** @type {HTMLOutputElement} */ (document.getElementById('found'));
const sections = /** @type {HTMLElement} */ (document.getElementById('sections'));
const main = /** @type {HTMLElement} */ (document.getElementById('document'));

/** The components of both documents, by kind and name. */
let components = /** @type {Json} */ ({});
/** The text by which each entry is found. */
const texts = /** @type {Map<Element, string>} */ (new Map());

/**
 * Return the part that a reference leads to; any other part is returned unchanged.
 * @param {Json} part
 * @returns {Json}
 */
function follow(part) {
  if (!part.$ref) return part;
  const [kind, name] = part.$ref.split('/').slice(-2);
  return components[kind][name];
}

/** @param {Json} schema */
const nameOf = (schema) => schema.$ref.split('/').at(-1);

/**
 * Return the members of a union or the items of an array; none of any other schema.
 * @param {Json} schema
 * @returns {Json[]}
 */
function inner(schema) {
  const items = [schema.items, schema.additionalProperties, schema.contentSchema].flat();
  return [schema.oneOf, schema.anyOf, schema.allOf, items].flat().filter((part) => typeof part === 'object');
}

/**
 * Return in one line what a schema allows.
 * @param {Json} schema
 * @returns {string}
 */
function typeOf(schema) {
  if (schema.$ref) return nameOf(schema);
  if (schema.enum) return schema.enum.map((/** @type {Json} */ value) => JSON.stringify(value)).join(' | ');
  const parts = [...new Set(inner(schema).map(typeOf))].join(' | ');
  const type = [schema.type ?? []].flat().join(' | ');
  const bounds = BOUNDS.filter((name) => name in schema && Math.abs(schema[name]) !== LARGEST);
  const limits = bounds.map((name) => `, ${name} ${schema[name]}`).join('');
  if (type === 'array') return `array of ${parts || 'any'}${limits}`;
  if (type === 'object') return parts ? `object of ${parts}` : 'object';
  return (parts || schema.format || type || 'any') + limits;
}

/**
 * Return the names of the schemas that a field refers to.
 * @param {Json} schema
 * @returns {string[]}
 */
const namesIn = (schema) => (schema.$ref ? [nameOf(schema)] : inner(schema).flatMap(namesIn));

/**
 * Return what is drawn when it is first opened.
 * @param {Record<string, string | boolean>} attributes
 * @param {(Node | string)[]} summary
 * @param {() => (Node | string)[]} draw
 */
function disclosure(attributes, summary, draw) {
  const details = h('details', attributes, h('summary', {}, ...summary));
  details.addEventListener('toggle', () => details.append(...draw()), { once: true });
  return details;
}

/**
 * Return the fields of an object, or the members of a union, with the types of fields to be opened.
 * @param {Json} schema
 * @returns {(Node | string)[]}
 */
function structure(schema) {
  const { description, properties, examples } = schema;
  if (!properties || schema.oneOf) return [...markdown(description), ...types(schema)];
  const rows = Object.entries(properties).map(([name, field]) =>
    h(
      'li',
      {},
      h('code', { class: 'name' }, name),
      ' ',
      h('span', { class: 'type' }, typeOf(field)),
      schema.required?.includes(name) ? '' : h('span', { class: 'note' }, ' optional'),
      ...markdown(field.description),
      ...types(field),
    ),
  );
  const shown = examples ? [disclosure({ class: 'schema' }, ['Example'], () => [code(examples[0])])] : [];
  return [...markdown(description), h('ul', { class: 'fields' }, ...rows), ...shown];
}

/**
 * Return the types that a schema refers to, each to be opened; the fields of an object without a name.
 * @param {Json} schema
 * @returns {(Node | string)[]}
 */
function types(schema) {
  if (schema.properties && !schema.oneOf) return structure({ ...schema, description: '' });
  return [...new Set(namesIn(schema))].map((name) =>
    disclosure({ class: 'schema' }, [name], () => structure(components.schemas[name])),
  );
}

/**
 * Return a value as code.
 * @param {Json} value
 */
const code = (value) => h('pre', { tabindex: '0' }, typeof value === 'string' ? value : JSON.stringify(value, null, 2));

/**
 * Return a heading with what belongs to it; nothing if that is nothing.
 * @param {string} title
 * @param {(Node | string)[]} parts
 */
const part = (title, parts) => (parts.length ? [h('h4', {}, title), ...parts] : []);

/**
 * Return the contents of bodies: per media type, its schema and its examples.
 * @param {Json} content
 * @returns {(Node | string)[]}
 */
function bodies(content) {
  return Object.entries(content ?? {}).flatMap(([mediaType, { schema, examples }]) => [
    h('p', {}, h('code', {}, mediaType), ' ', h('span', { class: 'type' }, schema.$ref ? '' : typeOf(schema))),
    ...markdown(schema.description),
    ...types(schema),
    ...(examples ? [disclosure({ class: 'schema' }, ['Examples'], () => drawExamples(examples))] : []),
  ]);
}

/**
 * Return the examples of a body; of several, each is to be opened.
 * @param {Json} examples
 * @returns {(Node | string)[]}
 */
function drawExamples(examples) {
  const named = Object.entries(examples).map(([name, example]) => [name, follow(example).value]);
  if (named.length === 1) return named.map(([, value]) => code(value));
  return named.map(([name, value]) => disclosure({ class: 'schema' }, [name], () => [code(value)]));
}

/**
 * Return a response, to be opened: the codes of a refusal, or headers and bodies.
 * @param {string} status
 * @param {Json} response
 */
function answer(status, response) {
  const problem = response.content?.['application/problem+json'];
  const [first] = response.description.split('\n');
  const codes = Object.keys(problem?.examples ?? {});
  const summary = problem ? codes.flatMap((each) => [h('code', {}, each), ' ']) : [first];
  const kind = problem ? 'refusal' : 'success';
  return disclosure({ class: `answer ${kind}` }, [h('b', {}, status), ' ', ...summary], () => [
    ...(problem ? markdown(response.description) : bodies(response.content)),
    ...part(
      'Headers',
      Object.entries(response.headers ?? {}).map(([name, header]) =>
        h('p', {}, h('code', { class: 'name' }, name), ' ', ...markdown(follow(header).description, true)),
      ),
    ),
  ]);
}

/**
 * Return the body of an operation.
 * @param {string} method
 * @param {string} path empty for a message to a webhook
 * @param {Json} operation
 * @returns {(Node | string)[]}
 */
function drawOperation(method, path, operation) {
  const parameters = (operation.parameters ?? []).map((/** @type {Json} */ each) =>
    h(
      'li',
      {},
      h('code', { class: 'name' }, each.name),
      ' ',
      h('span', { class: 'type' }, `${each.in}, ${typeOf(each.schema)}`),
      each.required ? '' : h('span', { class: 'note' }, ' optional'),
      ...markdown(`${each.description} Example: \`${each.example}\``),
    ),
  );
  const needs = operation.security?.map((/** @type {Json} */ each) => 'token' in each) ?? [];
  const token = !needs.includes(true) ? '' : needs.includes(false) ? 'A token is optional.' : 'Needs a token.';
  return [
    ...markdown([operation.description, token].filter(Boolean).join('\n\n')),
    ...part('Parameters', parameters.length ? [h('ul', { class: 'fields' }, ...parameters)] : []),
    ...part('Body', bodies(operation.requestBody?.content)),
    ...part(
      'Responses',
      Object.entries(operation.responses).map(([status, response]) => answer(status, follow(response))),
    ),
    ...(path ? part('Try it', [trial(method, path, operation)]) : []),
  ];
}

/**
 * Add an entry to a section; `haystack` is what a search looks through.
 * @param {Element} section
 * @param {string} id
 * @param {(Node | string)[]} summary
 * @param {string} haystack
 * @param {() => (Node | string)[]} draw
 */
function add(section, id, summary, haystack, draw) {
  const entry = disclosure({ class: 'entry', id }, summary, () => [h('div', { class: 'body' }, ...draw())]);
  entry.firstChild?.addEventListener('click', () => history.replaceState(null, '', `#${id}`));
  texts.set(entry, `${id} ${haystack}`.toLowerCase());
  section.append(entry);
}

/**
 * Add a section to the page and to the list of sections.
 * @param {string} title
 * @param {string} about
 */
function addSection(title, about) {
  const id = `section-${title.toLowerCase().replaceAll(/\W+/g, '-')}`;
  const section = h('section', { id }, h('h2', {}, title), ...markdown(about));
  sections.append(h('a', { href: `#${id}` }, title));
  main.append(section);
  return section;
}

/**
 * Add an operation: of a route, or the message to a webhook.
 * @param {Element} section
 * @param {string} method
 * @param {string} path
 * @param {Json} operation
 */
function addOperation(section, method, path, operation) {
  const responses = Object.values(operation.responses).map(follow);
  const codes = responses.flatMap((each) => Object.keys(each.content?.['application/problem+json']?.examples ?? {}));
  const label = path || operation.operationId;
  const summary = [
    h('span', { class: `method ${method}` }, method),
    ' ',
    h('code', {}, label.replaceAll(/([/_.])/g, '$1\u200b')),
    ' ',
    h('span', { class: 'title' }, operation.summary),
  ];
  const haystack = [method, label, operation.summary, operation.description, ...codes].join(' ');
  add(section, operation.operationId, summary, haystack, () => drawOperation(method, path, operation));
}

/**
 * Add the frames of a feed: those that clients send, then those that the server sends.
 * @param {string} name
 * @param {Json} channel
 * @param {Json} operations
 */
function addFeed(name, channel, operations) {
  const title = `${channel.bindings ? 'WS' : 'SSE'} ${channel.address}`;
  const section = addSection(title, `${channel.title}.`);
  const about = [
    h('span', { class: 'title' }, channel.bindings ? 'About this feed, with its close codes' : 'About this feed'),
  ];
  add(section, `${name}-feed`, about, channel.description, () => markdown(channel.description));
  const received = Object.values(operations).filter((each) => each.action === 'receive');
  const taken = new Set(received.flatMap((each) => each.messages.map(nameOf)));
  for (const kind of Object.keys(channel.messages)) {
    const frame = components.messages[kind];
    const from = taken.has(kind) ? 'client' : 'server';
    const summary = [
      h('span', { class: `method ${from}` }, `${ARROWS[from]} ${from}`),
      ' ',
      h('code', {}, frame.name),
      ' ',
      h('span', { class: 'title' }, frame.summary.split('\n')[0]),
    ];
    add(section, `${name}-${frame.name}`, summary, `${kind} ${channel.address} ${frame.summary}`, () => [
      ...structure(follow(frame.payload)),
      ...(frame.examples ?? []).map((/** @type {Json} */ each) =>
        disclosure({ class: 'schema' }, ['Example'], () => [code(each.payload)]),
      ),
    ]);
  }
}

/** Show the entries that have all words of the search, and count them. */
function search() {
  const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const [entry, text] of texts) {
    const fits = wanted.every((word) => text.includes(word));
    /** @type {HTMLElement} */ (entry).hidden = !fits;
    count += Number(fits);
  }
  main.classList.toggle('searching', wanted.length > 0);
  scrollTo({ top: 0 });
  found.value = wanted.length ? `${count} found` : '';
}

/** Open the entry that the address names. */
function openNamed() {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (named instanceof HTMLDetailsElement) named.open = true;
  named?.scrollIntoView();
}

/**
 * Read a document. Throws if the service refuses it.
 * @param {string} name
 * @returns {Promise<Json>}
 */
async function read(name) {
  const response = await fetch(name);
  if (!response.ok) throw new Error((await response.json()).detail);
  return response.json();
}

try {
  const [routes, feeds] = await Promise.all([read('/openapi.json'), read('/asyncapi.json')]);
  components = { ...routes.components, ...feeds.components };
  components.schemas = { ...feeds.components.schemas, ...routes.components.schemas };
  main.append(h('h1', {}, 'Turnstream API'), ...markdown(routes.info.description));
  const byTag = /** @type {Record<string, Element>} */ ({});
  for (const { name, description } of routes.tags) byTag[name] = addSection(name, description);
  for (const [path, methods] of Object.entries(routes.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      addOperation(/** @type {Element} */ (byTag[operation.tags[0]]), method, path, operation);
    }
  }
  for (const { post } of Object.values(routes.webhooks)) {
    addOperation(/** @type {Element} */ (byTag[post.tags[0]]), 'post', '', post);
  }
  addSection('Feeds over sockets', feeds.info.description);
  for (const [name, channel] of Object.entries(feeds.channels)) addFeed(name, channel, feeds.operations);
  const section = addSection('Types', 'What requests, responses and frames consist of.');
  for (const [name, schema] of Object.entries(components.schemas).sort()) {
    const about = schema.description?.split('\n')[0] ?? '';
    const summary = [h('code', {}, name), ' ', h('span', { class: 'title' }, about)];
    add(section, name, summary, `${about} ${Object.keys(schema.properties ?? {})}`, () => structure(schema));
  }
  openNamed();
  document.body.classList.add('ready');
} catch (error) {
  main.append(h('p', { role: 'alert' }, `The documents could not be read: ${error}`));
}

words.addEventListener('input', search);
words.form?.addEventListener('submit', (event) => event.preventDefault());
addEventListener('hashchange', openNamed);
addEventListener('keydown', (event) => {
  const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
  if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  words.focus();
});
