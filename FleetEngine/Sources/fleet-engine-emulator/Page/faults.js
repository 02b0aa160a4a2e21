// @ts-check

/**
 * The faults that the emulator injects into what this page requests.
 *
 * @module
 */

import { say } from './words.js';

/** The faults to choose from, as the emulator's control plane takes them. */
export const faults = /** @type {const} */ ({
  none: { name: 'faultNone', effect: undefined },
  unavailable: { name: 'faultUnavailable', effect: { error: { code: 'UNAVAILABLE' } } },
  unauthenticated: { name: 'faultUnauthenticated', effect: { error: { code: 'UNAUTHENTICATED' } } },
  denied: { name: 'faultDenied', effect: { error: { code: 'PERMISSION_DENIED' } } },
  notFound: { name: 'faultNotFound', effect: { error: { code: 'NOT_FOUND' } } },
  quota: { name: 'faultQuota', effect: { error: { code: 'RESOURCE_EXHAUSTED', retryAfterSeconds: 10 } } },
  slow: { name: 'faultSlow', effect: { latencyMilliseconds: 2000 } },
  truncated: { name: 'faultTruncated', effect: { truncate: true } },
  lost: { name: 'faultLost', effect: { reset: true } },
});

/** A response of the control plane that is no success. */
export class Refusal extends Error {}

/**
 * Replaces the emulator's faults.
 *
 * @param {string} controlPlane @param {keyof typeof faults} name
 */
export async function setFault(controlPlane, name) {
  const { effect } = faults[name];
  const methods = ['GetTrip', 'GetTaskTrackingInfo'];
  const response = await fetch(`${controlPlane}/faults`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ seed: 1, faults: effect ? [{ methods, ...effect }] : [] }),
  });
  if (!response.ok) throw new Refusal(say('faultRefused', { status: response.status }));
}
