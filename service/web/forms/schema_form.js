/** A form made from a JSON Schema: an object of choices, switches and numbers. */

import { h, readable } from '../dom.js';

/** @import { Game, Schema, Values } from '../types.d.ts' */
/** @import { SetValue } from './settings_form.js' */

const MAX_NUMBER = 10_000;

/**
 * The properties of a schema, which may be behind a reference.
 * @param {Schema | undefined} schema
 */
export function propertiesOf(schema) {
  const name = schema?.$ref?.split('/').at(-1);
  return (name ? schema?.$defs?.[name] : schema)?.properties ?? {};
}

/**
 * One field per property. A property without a value shows its default.
 * @param {Game} game
 * @param {Record<string, Schema>} properties
 * @param {Values} values
 * @param {SetValue} onChange
 */
export function schemaFields(game, properties, values, onChange) {
  return Object.entries(properties).map(([name, schema]) => {
    const id = `option-${name}`;
    const value = values[name] ?? schema.default;
    return h(
      'div',
      { key: name, class: `field ${schema.type === 'boolean' ? 'switch-field' : ''}` },
      h('label', { for: id }, optionLabel(game, name)),
      schema.enum
        ? select(
            (one) => valueLabel(game, name, one),
            schema,
            value,
            { id, name },
            (chosen) => onChange(name, chosen),
          )
        : input(schema, value, { id, name }, (chosen) => onChange(name, chosen)),
    );
  });
}

/**
 * The label of a game's option in a form.
 * @param {Game} game
 * @param {string} option
 */
export function optionLabel({ labels }, option) {
  return labels.options[option]?.title ?? readable(option);
}

/**
 * The label of an option's value in a form.
 * @param {Game} game
 * @param {string} option
 * @param {unknown} value
 */
export function valueLabel({ labels }, option, value) {
  return labels.options[option]?.values[String(value)] ?? readable(String(value));
}

/** @typedef {{id: string, name: string}} Names */

/**
 * @param {(value: unknown) => string} label
 * @param {Schema} schema
 * @param {unknown} value
 * @param {Names} names
 * @param {(value: unknown) => void} onChange
 */
function select(label, schema, value, names, onChange) {
  const isDefault = (/** @type {unknown} */ one) => Number(one === schema.default);
  const values = [...(schema.enum ?? [])].sort((one, other) => isDefault(other) - isDefault(one));
  const onchange = (/** @type {Event} */ event) =>
    onChange(values[/** @type {HTMLSelectElement} */ (event.target).selectedIndex]);
  const options = values.map((one) => h('option', { key: one, selected: one === value }, label(one)));
  return h('select', { ...names, onchange }, options);
}

/**
 * @param {Schema} schema
 * @param {unknown} value
 * @param {Names} names
 * @param {(value: unknown) => void} onChange
 */
function input(schema, value, names, onChange) {
  const field = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target);
  if (schema.type === 'boolean') {
    const onchange = (/** @type {Event} */ event) => onChange(field(event).checked);
    return h('input', { ...names, type: 'checkbox', checked: Boolean(value), onchange });
  }
  if (schema.type !== 'integer') {
    const onchange = (/** @type {Event} */ event) => onChange(field(event).value);
    return h('input', { ...names, value: String(value ?? ''), onchange });
  }
  const onchange = (/** @type {Event} */ event) => onChange(Number(field(event).value));
  const [min, max] = [schema.minimum ?? 0, schema.maximum ?? MAX_NUMBER];
  return h('input', { ...names, type: 'number', inputmode: 'numeric', min, max, value: String(value), onchange });
}

/**
 * The seats that a game has with these options.
 * @param {Game} game
 * @param {Values} values
 */
export function seatsWith(game, values) {
  const matching = game.seats.filter(({ options }) =>
    Object.entries(options).every(([name, value]) => values[name] === value),
  );
  return (matching.at(-1) ?? game.seats[0])?.seats ?? [];
}
