// @ts-check

/**
 * Work that can be ended while others wait for it.
 *
 * @module
 */

/**
 * One try of a fetch.
 *
 * It keeps its own reason: the signals of older runtimes have none.
 */
export class Attempt {
  #controller = globalThis.AbortController && new AbortController();
  /** @type {(reason: Error) => void} */ #end = () => {};
  /** @type {Promise<never>} */ #ended = new Promise((_, reject) => { this.#end = reject; });
  /**
   * Why the attempt was ended; undefined while it runs.
   *
   * @type {Error | undefined}
   */
  reason;

  constructor() {
    this.#ended.catch(() => {});
  }

  /** The signal that ends its requests. */
  get signal() {
    return this.#controller?.signal;
  }

  /** @param {Error} reason */
  end(reason) {
    this.reason = reason;
    this.#controller?.abort(reason);
    this.#end(reason);
  }

  /**
   * Returns what a promise returns, or throws when the attempt is ended: the code behind the promise may never settle it.
   *
   * @template Value
   * @param {Promise<Value>} promise @returns {Promise<Value>}
   */
  value(promise) {
    return Promise.race([this.#ended, promise]);
  }
}
