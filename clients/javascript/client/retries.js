/** How long the client waits before it tries again, and under which key. */

/**
 * Growing pauses with jitter, in milliseconds, and how long a request and the first connection are tried.
 * @typedef {{first: number, longest: number, patience: number}} Retries
 */

/** @type {Retries} */
export const RETRIES = { first: 250, longest: 10_000, patience: 30_000 };

/** Statuses after which the same request is sent again. */
export const BUSY = [429, 502, 503, 504];

/**
 * Pauses in milliseconds, without end; each is chosen at random, so that clients do not return all at once.
 * @param {Retries} retries
 * @returns {Generator<number, never>}
 */
export function* pauses({ first, longest }) {
  for (let limit = first; ; limit = Math.min(2 * limit, longest)) yield (limit * (1 + Math.random())) / 2;
}

/**
 * @param {number} ms
 * @returns {Promise<void>}
 */
export function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A new idempotency key. `crypto.randomUUID` is missing on pages without TLS. */
export function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
