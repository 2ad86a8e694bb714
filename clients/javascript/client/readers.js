/** The iterations that get values in order and once. */

/**
 * @template T
 * @typedef {{values: T[], end: Error | true | null, wake: () => void}} Reader
 */

/** @template T */
export class Readers {
  /** @type {Set<Reader<T>>} */ #readers = new Set();

  /**
   * Hand a value to each iteration.
   * @param {T} value
   */
  put(value) {
    for (const reader of this.#readers) {
      reader.values.push(value);
      reader.wake();
    }
  }

  /**
   * End all iterations after the values that they have not yielded yet, with an error or without.
   * @param {Error | null} [error]
   */
  end(error = null) {
    for (const reader of this.#readers) {
      reader.end ??= error ?? true;
      reader.wake();
    }
    this.#readers.clear();
  }

  /**
   * Each value after this call. Throws the failure, if there is one already.
   * @param {Error | null} failure
   * @returns {AsyncGenerator<T, void>}
   */
  read(failure) {
    /** @type {Reader<T>} */
    const reader = { values: [], end: failure, wake: () => {} };
    this.#readers.add(reader);
    return this.#read(reader);
  }

  /**
   * @param {Reader<T>} reader
   * @returns {AsyncGenerator<T, void>}
   */
  async *#read(reader) {
    try {
      for (;;) {
        while (reader.values.length) yield /** @type {T} */ (reader.values.shift());
        if (reader.end === true) return;
        if (reader.end) throw reader.end;
        await new Promise((resolve) => (reader.wake = () => resolve(null)));
      }
    } finally {
      this.#readers.delete(reader);
    }
  }
}
