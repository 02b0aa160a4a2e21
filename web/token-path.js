// @ts-check

/**
 * Kinds of tokens and their routes.
 *
 * @module
 */

import { TokenError } from './token-error.js';

/**
 * @typedef {{ tripId?: string, vehicleId?: string, deliveryVehicleId?: string, taskId?: string, trackingId?: string }}
 *   TokenContext The IDs that a token is for, as Google's SDK names them.
 */

const endUserKinds = ['consumer', 'driver', 'delivery_consumer', 'delivery_driver', 'trusted_delivery_driver', 'delivery_task'];

/**
 * Returns whether tokens of a kind grant access to a whole fleet: all kinds do that are not for one ID, those to come too.
 *
 * @param {string} kind
 */
export const isPrivileged = (kind) => !endUserKinds.includes(kind);

/**
 * Returns the kind of token that an end user needs for a context.
 *
 * @param {TokenContext} context
 */
export function endUserKind({ tripId, vehicleId, deliveryVehicleId, taskId, trackingId }) {
  if (tripId !== undefined) return 'consumer';
  if (trackingId !== undefined) return 'delivery_consumer';
  if (deliveryVehicleId !== undefined) return taskId === undefined ? 'delivery_driver' : 'trusted_delivery_driver';
  if (taskId !== undefined) return 'delivery_task';
  if (vehicleId !== undefined) return 'driver';
  throw new TokenError('invalidArgument', 'The context has no ID.');
}

/**
 * Returns the path and the query of a token's route.
 *
 * @param {string} kind @param {TokenContext} context
 */
export function tokenPath(kind, context) {
  if (isPrivileged(kind)) return `/token/${kind}`;
  const { tripId, trackingId, vehicleId, deliveryVehicleId, taskId } = context;
  const id = tripId ?? trackingId ?? vehicleId ?? deliveryVehicleId ?? taskId ?? '';
  if (!id || id === '.' || id === '..') throw new TokenError('invalidArgument', 'The ID is empty, `.` or `..`.');
  const task = deliveryVehicleId !== undefined && taskId !== undefined ? `?taskId=${encode(taskId)}` : '';
  return `/token/${kind}/${encode(id)}${task}`;
}

/** @param {string} id */
function encode(id) {
  return encodeURIComponent(id).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
