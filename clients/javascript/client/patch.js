/** The operations of JSON Patch (RFC 6902) that the service sends: `add`, `remove` and `replace`. */

/** @import { PatchOperation } from '../schema.d.ts' */

/**
 * A JSON value after a patch; the value itself does not change. Throws `RangeError` for a path that does not exist.
 * @param {unknown} value
 * @param {PatchOperation[]} patch
 * @returns {unknown}
 */
export function applyPatch(value, patch) {
  return patch.reduce((before, operation) => changed(before, names(operation.path), operation), value);
}

/**
 * A JSON Pointer's names (RFC 6901).
 * @param {string} pointer
 */
function names(pointer) {
  if (pointer && !pointer.startsWith('/')) throw new RangeError(`${pointer} is not a JSON Pointer`);
  const parts = pointer.split('/').slice(1);
  return parts.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * @param {unknown} value
 * @param {string[]} path
 * @param {PatchOperation} operation
 * @returns {unknown}
 */
function changed(value, [name, ...rest], operation) {
  if (!['add', 'remove', 'replace'].includes(operation.op)) throw new RangeError(`${operation.op} is not supported`);
  if (name === undefined) return operation.value;
  if (Array.isArray(value)) return changedArray(value, name, rest, operation);
  if (typeof value !== 'object' || value === null) throw new RangeError(`${operation.path} leads nowhere`);
  return changedObject(/** @type {Record<string, unknown>} */ (value), name, rest, operation);
}

/**
 * @param {Record<string, unknown>} object
 * @param {string} name
 * @param {string[]} rest
 * @param {PatchOperation} operation
 */
function changedObject(object, name, rest, operation) {
  const isNew = operation.op === 'add' && !rest.length;
  if (!isNew && !Object.hasOwn(object, name)) throw new RangeError(`${operation.path} leads nowhere`);
  if (operation.op === 'remove' && !rest.length) {
    const { [name]: _, ...others } = object;
    return others;
  }
  return { ...object, [name]: changed(object[name], rest, operation) };
}

/**
 * @param {unknown[]} array
 * @param {string} name
 * @param {string[]} rest
 * @param {PatchOperation} operation
 */
function changedArray(array, name, rest, operation) {
  const isNew = operation.op === 'add' && !rest.length;
  const index = isNew && name === '-' ? array.length : /^(0|[1-9]\d*)$/.test(name) ? Number(name) : NaN;
  if (!(index < array.length + (isNew ? 1 : 0))) throw new RangeError(`${operation.path} leads nowhere`);
  if (isNew) return array.toSpliced(index, 0, operation.value);
  if (operation.op === 'remove' && !rest.length) return array.toSpliced(index, 1);
  return array.with(index, changed(array[index], rest, operation));
}
