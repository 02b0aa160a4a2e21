// @ts-check

/**
 * The faults that the emulator injects into what this page requests.
 *
 * @module
 */

/** The faults to choose from, as the emulator's control plane takes them. */
export const faults = /** @type {const} */ ({
  none: { name: 'None', effect: undefined },
  unavailable: { name: '503 Fleet Engine is not available', effect: { error: { code: 'UNAVAILABLE' } } },
  unauthenticated: { name: '401 Tokens are rejected', effect: { error: { code: 'UNAUTHENTICATED' } } },
  denied: { name: '403 Permission is denied', effect: { error: { code: 'PERMISSION_DENIED' } } },
  notFound: { name: '404 The trip does not exist', effect: { error: { code: 'NOT_FOUND' } } },
  quota: { name: '429 The quota is used up', effect: { error: { code: 'RESOURCE_EXHAUSTED', retryAfterSeconds: 10 } } },
  slow: { name: 'Answers take two seconds', effect: { latencyMilliseconds: 2000 } },
  truncated: { name: 'Answers break off', effect: { truncate: true } },
  lost: { name: 'Connections break', effect: { reset: true } },
});

/** An answer of the control plane that is no success. */
export class Refusal extends Error {}

/**
 * Replaces the emulator's faults.
 *
 * @param {string} controlPlane @param {keyof typeof faults} name
 */
export async function setFault(controlPlane, name) {
  const { effect } = faults[name];
  const methods = ['GetTrip', 'GetTaskTrackingInfo'];
  const answer = await fetch(`${controlPlane}/faults`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ seed: 1, faults: effect ? [{ id: `page-${name}`, methods, ...effect }] : [] }),
  });
  if (!answer.ok) throw new Refusal(`The emulator refuses with HTTP status ${answer.status}.`);
}
