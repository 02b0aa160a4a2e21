// @ts-check

/**
 * The faults that the emulator injects into what this page requests.
 *
 * @module
 */

/** The faults to choose from, as the emulator's control plane takes them. */
export const faults = /** @type {const} */ ({
  none: { name: 'None', effect: undefined },
  unavailable: { name: '503 Fleet Engine is not available', effect: { status: 503 } },
  unauthenticated: { name: '401 Tokens are rejected', effect: { status: 401 } },
  denied: { name: '403 Permission is denied', effect: { status: 403 } },
  notFound: { name: '404 The trip does not exist', effect: { status: 404 } },
  quota: { name: '429 The quota is used up', effect: { status: 429, retryAfter: 10 } },
  slow: { name: 'Answers take two seconds', effect: { latencyMs: 2000 } },
  lost: { name: 'Connections break', effect: { connectionReset: true } },
});

/**
 * Replaces the emulator's faults.
 *
 * @param {string} controlPlane @param {keyof typeof faults} name
 */
export async function setFault(controlPlane, name) {
  const { effect } = faults[name];
  const rules = effect ? [{ id: `page-${name}`, match: { method: 'GET', path: '/v1/providers/*' }, then: effect }] : [];
  const answer = await fetch(`${controlPlane}/faults`, {
    method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(rules),
  });
  if (!answer.ok) throw new Error(`The emulator refuses with HTTP status ${answer.status}.`);
}
