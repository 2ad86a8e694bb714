/** Salts: this device's contributions to the chance of its matches, so that nobody else can choose the result. */

import { recallObject, store } from '../dom.js';

const STORAGE_KEY = 'turnstream.salts';
const BYTES = 16;
/** How many salts are remembered. */
const MAX_SALTS = 200;

/** Without storage, salts are remembered as long as the page is open. @type {string[]} */
let remembered = stored();

/** @returns {string[]} */
function stored() {
  const found = recallObject(STORAGE_KEY);
  return Array.isArray(found) ? found.filter((salt) => typeof salt === 'string') : [];
}

/**
 * Bytes as hexadecimal digits.
 * @param {Uint8Array} bytes
 */
export function hexOf(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A new random salt, which is remembered for the verification of its match. */
export function newSalt() {
  const salt = hexOf(crypto.getRandomValues(new Uint8Array(BYTES)));
  remembered = [...new Set([...stored(), ...remembered, salt])].slice(-MAX_SALTS);
  store(STORAGE_KEY, JSON.stringify(remembered));
  return salt;
}

/**
 * Whether this device has made a salt.
 * @param {string} salt
 */
export function isOwnSalt(salt) {
  return remembered.includes(salt);
}
