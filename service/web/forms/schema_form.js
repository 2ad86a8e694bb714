/** Forms from a JSON Schema of an object of choices, switches and numbers. */

import { h } from '../dom.js';
import { OPTION_WORDS, VALUE_WORDS } from '../help/labels.js';
import { humane } from '../room/moves.js';

/** The properties of a schema whose object stands behind a reference. @param {any} schema @returns {Record<string, any>} */
export function propertiesOf(schema) {
  const name =
    String(schema?.$ref ?? '')
      .split('/')
      .at(-1) ?? '';
  return (name ? schema.$defs[name] : schema)?.properties ?? {};
}

/**
 * One field a property; what isn't chosen stays at its default.
 * @param {string} game
 * @param {Record<string, any>} properties
 * @param {Record<string, any>} chosen changed in place
 * @param {() => void} changed
 */
export function schemaFields(game, properties, chosen, changed) {
  return Object.entries(properties).map(([name, schema]) => {
    const id = `option-${name}`;
    const value = chosen[name] ?? schema.default;
    const set = (/** @type {any} */ worth) => {
      chosen[name] = worth;
      changed();
    };
    const label = OPTION_WORDS[`${game}.${name}`] ?? OPTION_WORDS[name] ?? humane(name);
    return h(
      'div',
      { key: name, class: `field ${schema.type === 'boolean' ? 'switch-field' : ''}` },
      h('label', { for: id }, label),
      control(game, name, id, schema, value, set),
    );
  });
}

/** @param {string} game @param {string} name @param {string} id @param {any} schema @param {any} value @param {(worth: any) => void} set */
function control(game, name, id, schema, value, set) {
  if (schema.enum) {
    const values = [...schema.enum].sort(
      (one, other) => Number(other === schema.default) - Number(one === schema.default),
    );
    return h(
      'select',
      { id, name, onchange: (/** @type {any} */ event) => set(values[event.target.selectedIndex]) },
      values.map((worth) =>
        h(
          'option',
          { key: worth, selected: worth === value },
          VALUE_WORDS[`${game}.${name}.${worth}`] ?? humane(worth),
        ),
      ),
    );
  }
  if (schema.type === 'boolean')
    return h('input', {
      id,
      name,
      type: 'checkbox',
      checked: Boolean(value),
      onchange: (/** @type {any} */ event) => set(event.target.checked),
    });
  if (schema.type === 'integer')
    return h('input', {
      id,
      name,
      type: 'number',
      inputmode: 'numeric',
      min: schema.minimum ?? 0,
      max: schema.maximum ?? 10_000,
      value: String(value),
      onchange: (/** @type {any} */ event) => set(Number(event.target.value)),
    });
  return h('input', {
    id,
    name,
    value: String(value ?? ''),
    onchange: (/** @type {any} */ event) => set(event.target.value),
  });
}

/** How many seats there are with these options. @param {import('../app.js').Game} game @param {Record<string, any>} chosen */
export function seatsWith(game, chosen) {
  const fitting = game.seats.filter(({ options }) =>
    Object.entries(options).every(([name, value]) => chosen[name] === value),
  );
  return (fitting.at(-1) ?? game.seats[0]).seats;
}
