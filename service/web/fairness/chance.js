/**
 * The draws of a match, recomputed from its seed and the salts of its seats. `service/domain/chance.py` describes the
 * derivation. The hashes are those of the browser.
 */

import { hexOf } from './salts.js';

const WORD = 2 ** 32;

/** @param {string} text */
function encoded(text) {
  return new TextEncoder().encode(text);
}

/**
 * @param {string} hex
 * @returns {Uint8Array<ArrayBuffer>}
 */
function bytesOf(hex) {
  return new Uint8Array((hex.match(/../g) ?? []).map((pair) => parseInt(pair, 16)));
}

/**
 * The SHA-256 of bytes.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
async function hashOf(bytes) {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

/**
 * The published hash of a seed, in hexadecimal digits.
 * @param {string} seed
 */
export async function seedHash(seed) {
  return hexOf(await hashOf(bytesOf(seed)));
}

/**
 * The key of a match's draws.
 * @param {string} seed 32 bytes in hexadecimal digits
 * @param {string[]} salts by seat
 */
export async function drawKey(seed, salts) {
  const parts = [bytesOf(seed), ...(await Promise.all(salts.map((salt) => hashOf(encoded(salt)))))];
  const whole = new Uint8Array(parts.flatMap((part) => [...part]));
  const key = await hashOf(whole);
  return crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

/** One numbered draw: a stream of numbers that depends only on its key and number. */
export class Draw {
  /**
   * @param {CryptoKey} key
   * @param {number} number
   */
  constructor(key, number) {
    this.key = key;
    this.number = number;
    this.blocks = 0;
    /** @type {number[]} */
    this.words = [];
  }

  /**
   * A number from 0 to `bound - 1`.
   * @param {number} bound
   */
  async below(bound) {
    const limit = WORD - (WORD % bound);
    for (;;) {
      const word = await this.word();
      if (word < limit) return word % bound;
    }
  }

  /**
   * Different elements in the order in which they are drawn.
   * @template T
   * @param {T[]} population
   * @param {number} size
   */
  async sample(population, size) {
    const pool = [...population];
    for (let at = 0; at < size; at += 1) {
      const other = at + (await this.below(pool.length - at));
      [pool[at], pool[other]] = [/** @type {T} */ (pool[other]), /** @type {T} */ (pool[at])];
    }
    return pool.slice(0, size);
  }

  async word() {
    if (!this.words.length) {
      const message = new DataView(new ArrayBuffer(8));
      message.setUint32(0, this.number);
      message.setUint32(4, this.blocks);
      const block = new DataView(await crypto.subtle.sign('HMAC', this.key, message.buffer));
      this.words = Array.from({ length: block.byteLength / 4 }, (_, index) => block.getUint32(4 * index));
      this.blocks += 1;
    }
    return this.words.shift() ?? 0;
  }
}
