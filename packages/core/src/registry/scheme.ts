/**
 * Schemes: ids of environments that another program provides, such as `gymnasium:CartPole-v1` or
 * `openenv:http://127.0.0.1:8000`. The text after the colon belongs to the scheme.
 *
 * A scheme opens programs and addresses, so a file from somebody else may not name one (`makeFromUntrustedSpec`).
 */

import { GymError } from '../errors.js';
import { registryState } from './state.js';
import type { EnvRegistration, EnvScheme } from './types.js';

/** Makes all ids of a scheme known. A second registration replaces the first. */
export function registerScheme(entry: EnvScheme): void {
  if (!/^[a-z][a-z0-9]+$/.test(entry.scheme)) {
    throw new GymError(`Invalid scheme: "${entry.scheme}".`, {
      code: 'INVALID_REGISTRATION',
      value: entry.scheme,
      expected: 'two or more lower-case letters and digits',
    });
  }
  registryState().schemes.set(entry.scheme, entry);
}

/** The scheme of an id, if one is registered. */
export function schemeOf(id: unknown): EnvScheme | undefined {
  const [, name] = typeof id === 'string' ? (/^([a-z][a-z0-9]+):./.exec(id) ?? []) : [];
  return name === undefined ? undefined : registryState().schemes.get(name);
}

/** The registration behind an id with a scheme; `undefined` for any other id. */
export function findByScheme(id: string): EnvRegistration | undefined {
  const entry = schemeOf(id);
  return entry?.find(id, id.slice(entry.scheme.length + 1));
}
