// Applies patches: reads a list of a value and a patch each, and prints the list of values, null for an impossible one.
import { applyPatch } from '../../../clients/javascript/client/patch.js';

let input = '';
for await (const part of process.stdin) input += part;
/** @type {[unknown, Parameters<typeof applyPatch>[1]][]} */
const cases = JSON.parse(input);
const results = cases.map(([value, patch]) => {
  const before = JSON.stringify(value);
  try {
    return [applyPatch(value, patch)];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return null;
  } finally {
    if (JSON.stringify(value) !== before) throw new Error('the value was changed');
  }
});
console.log(JSON.stringify(results));
