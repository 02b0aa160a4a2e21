// @ts-check

/**
 * Kinds of tokens and their routes.
 *
 * @module
 */

import { TokenError } from './token-error.js';

/**
 * @typedef {{ tripId?: string | null, vehicleId?: string | null, deliveryVehicleId?: string | null, taskId?: string | null,
 *   trackingId?: string | null }} TokenContext The IDs that a token is for, as Google's SDK names them. Null and an empty text
 *   are none.
 */

/** The IDs that each kind is for; a trusted driver's task may be missing. */
const kindIDs = {
  consumer: ['tripId'], driver: ['vehicleId'], delivery_consumer: ['trackingId'], delivery_driver: ['deliveryVehicleId'],
  delivery_task: ['taskId'], trusted_delivery_driver: ['deliveryVehicleId', 'taskId'],
};
const names = ['tripId', 'vehicleId', 'trackingId', 'deliveryVehicleId', 'taskId'];

/**
 * Returns whether tokens of a kind grant access to a whole fleet: all kinds do that are not for one ID, those to come too.
 *
 * @param {string} kind
 */
export const isPrivileged = (kind) => !Object.keys(kindIDs).includes(kind);

/**
 * Returns the kind of token that an end user needs for a context.
 *
 * @param {TokenContext} context
 */
export function endUserKind(context) {
  const given = Object.keys(contextIDs(context)).join();
  const kind = Object.entries(kindIDs).find(([, ids]) => ids.join() === given)?.[0];
  if (kind) return kind;
  const problem = given ? `The IDs ${given} are not for one token.` : 'The context has no ID.';
  throw new TokenError('invalidArgument', `${problem} Use one of ${names.join(', ')}.`);
}

/**
 * Returns the path and the query of a token's route.
 *
 * @param {string} kind @param {TokenContext} context
 */
export function tokenPath(kind, context) {
  if (typeof kind !== 'string' || !/^[A-Za-z_]+$/.test(kind)) throw new TokenError('invalidArgument', '`kind` must return the name of a kind.');
  if (isPrivileged(kind)) return `/token/${kind}`;
  const given = contextIDs(context);
  const [name, task] = kindIDs[/** @type {keyof typeof kindIDs} */ (kind)];
  if (!given[name] || Object.keys(given).some((other) => other !== name && other !== task)) {
    throw new TokenError('invalidArgument', `A token of the kind ${kind} is for ${name} alone.`);
  }
  return `/token/${kind}/${encode(given[name])}${given[task] ? `?taskId=${encode(given[task])}` : ''}`;
}

/**
 * Returns the IDs that a context has. Unknown members are ignored.
 *
 * @param {TokenContext} context @returns {Record<string, string>}
 */
function contextIDs(context) {
  /** @type {Record<string, unknown>} */
  const members = { ...context };
  const given = names.filter((name) => (members[name] ?? '') !== '');
  const wrong = given.find((name) => typeof members[name] !== 'string' || /^\.\.?$/.test(String(members[name])));
  if (wrong) throw new TokenError('invalidArgument', `${wrong} must be a text, and neither \`.\` nor \`..\`.`);
  return Object.fromEntries(given.map((name) => [name, /** @type {string} */ (members[name])]));
}

/** @param {string} id */
function encode(id) {
  try {
    return encodeURIComponent(id).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  } catch {
    throw new TokenError('invalidArgument', 'The ID is not valid Unicode.');
  }
}
