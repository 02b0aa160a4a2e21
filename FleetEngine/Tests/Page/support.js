// What the page's tests add to those of `web/`.

import { TestClock } from '../../../Tests/Web/support.js';

/** A clock with timers, which end when a test advances it. */
export class TimerClock extends TestClock {
  #timers = new Map();
  #lastTimer = 0;

  setTimeout = (action, milliseconds) => {
    this.#timers.set(this.#lastTimer += 1, { due: this.continuous() + milliseconds / 1000, action });
    return this.#lastTimer;
  };
  clearTimeout = (id) => this.#timers.delete(id);

  get timers() {
    return [...this.#timers.values()].map(({ due }) => due - this.continuous());
  }

  advance(seconds) {
    super.advance(seconds);
    for (const [id, { due, action }] of [...this.#timers]) {
      if (due > this.continuous()) continue;
      this.#timers.delete(id);
      action();
    }
  }
}
