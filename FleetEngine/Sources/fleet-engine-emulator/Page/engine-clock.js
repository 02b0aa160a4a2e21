// @ts-check

/**
 * Fleet Engine's clock, by which arrival times and the ages of locations are.
 *
 * @module
 */

/** This device's clock, and how far Fleet Engine's is ahead of it. */
export class EngineClock {
  #ahead = 0;
  #device;

  /** @param {() => number} [device] Returns the device's time in milliseconds since 1970. */
  constructor(device = Date.now) {
    this.#device = device;
  }

  /** Returns the time in milliseconds since 1970. */
  now = () => this.#device() + this.#ahead;

  /**
   * Learns from when Fleet Engine received a location. Later, the same time says less: the largest difference is kept.
   *
   * @param {Date | undefined} serverTime
   */
  learn(serverTime) {
    if (serverTime) this.#ahead = Math.max(this.#ahead, serverTime.getTime() - this.#device());
  }
}
