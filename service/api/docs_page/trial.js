// The form that sends a real request to this service and shows the answer.

import { h } from './text.js';

/** @typedef {import('./text.js').Json} Json */

const token = /** @type {HTMLInputElement} */ (document.getElementById('token'));

/**
 * Append a response to an element as it arrives; JSON is indented.
 * @param {Response} response
 * @param {Element} shown
 */
async function show(response, shown) {
  if (/json$/.test(response.headers.get('content-type') ?? '')) {
    shown.append(JSON.stringify(await response.json(), null, 2));
    return;
  }
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) shown.append(part.value);
}

/**
 * Return the form for an operation: its parameters, its body, and a button to send them.
 * @param {string} method
 * @param {string} path
 * @param {Json} operation
 */
export function trial(method, path, operation) {
  const inputs = /** @type {{each: Json, input: HTMLInputElement}[]} */ (
    (operation.parameters ?? []).map((/** @type {Json} */ each) => ({
      each,
      input: h('input', { placeholder: String(each.example), value: each.required ? String(each.example) : '' }),
    }))
  );
  const [content] = /** @type {Json[]} */ (Object.values(operation.requestBody?.content ?? {}));
  const examples = /** @type {Json} */ (content?.examples ?? {});
  const body = content ? /** @type {HTMLTextAreaElement} */ (h('textarea', { rows: '8' })) : null;
  const choice = /** @type {HTMLSelectElement} */ (
    h('select', {}, ...Object.keys(examples).map((name) => h('option', {}, name)))
  );
  const answer = h('div', { class: 'received', 'aria-live': 'polite' });
  let sending = new AbortController();

  const form = h(
    'form',
    { class: 'trial' },
    ...inputs.map(({ each, input }) => h('label', {}, each.name, input)),
    ...(body && choice.length > 1 ? [h('label', {}, 'Example', choice)] : []),
    ...(body ? [h('label', {}, 'Body', body)] : []),
    h('button', {}, 'Send'),
    answer,
  );

  function fill() {
    if (body) body.value = JSON.stringify(examples[choice.value]?.value ?? {}, null, 2);
  }

  function request() {
    const query = new URLSearchParams();
    const headers = new Headers();
    let address = path;
    for (const { each, input } of inputs) {
      if (each.in === 'path') address = address.replace(`{${each.name}}`, encodeURIComponent(input.value));
      else if (input.value && each.in === 'query') query.set(each.name, input.value);
      else if (input.value) headers.set(each.name, input.value);
    }
    if (body) headers.set('content-type', 'application/json');
    if (token.value && operation.security?.length) headers.set('authorization', `Bearer ${token.value}`);
    const url = address + (query.size ? `?${query}` : '');
    return new Request(url, { method, headers, body: body?.value ?? null, signal: sending.signal });
  }

  choice.addEventListener('change', fill);
  fill();
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    sending.abort();
    sending = new AbortController();
    const shown = h('pre', { tabindex: '0' });
    try {
      const response = await fetch(request());
      answer.replaceChildren(h('p', {}, h('b', {}, String(response.status)), ' ', response.url), shown);
      await show(response, shown);
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'AbortError')) answer.append(String(error));
    }
  });
  return form;
}
