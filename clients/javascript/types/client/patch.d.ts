/** The operations of JSON Patch (RFC 6902) that the service sends: `add`, `remove` and `replace`. */
import type { PatchOperation } from '../schema.d.ts';
/** @import { PatchOperation } from '../schema.d.ts' */
/**
 * A JSON value after a patch; the value itself does not change. Throws `RangeError` for a path that does not exist.
 * @param {unknown} value
 * @param {PatchOperation[]} patch
 * @returns {unknown}
 */
export declare function applyPatch(value: unknown, patch: PatchOperation[]): unknown;
