/** Small functions on texts. */

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

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
 * A count with its noun: `1 seat`, `2 seats`.
 * @param {number} count
 * @param {string} one
 * @param {string} [more]
 */
export function counted(count, one, more = `${one}s`) {
  return `${count} ${count === 1 ? one : more}`;
}
