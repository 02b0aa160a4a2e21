// @ts-check

/**
 * Waiting that a signal can end.
 *
 * @module
 */

/**
 * Returns what a promise returns, or rejects when a signal aborts: the code behind the promise may never settle it.
 *
 * @template Value
 * @param {Promise<Value>} promise @param {AbortSignal} signal
 * @returns {Promise<Value>}
 */
export function abortable(promise, signal) {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
