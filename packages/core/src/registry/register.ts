/**
 * The list of environments: `register`, and how an id finds its registration.
 *
 * Version rules follow `gymnasium/envs/registration.py`: versioned and unversioned ids of one name exclude each other;
 * an id without a version means the newest; an old one warns; one that is too new or too old is an error that names the
 * existing versions.
 */

import { checkRegistration } from './check-registration.js';
import { DeprecatedEnvError, RegistrationError, UnknownEnvError, UnknownEnvVersionError } from './errors.js';
import { type EnvId, formatEnvId, parseEnvId } from './id.js';
import { findByScheme } from './scheme.js';
import type { EnvSpec } from './spec/spec.js';
import { SPEC_SHAPE } from './spec/spec-json.js';
import { registryState } from './state.js';
import type { EnvRegistration } from './types.js';
import { warn } from './warn.js';

/**
 * Makes an environment known under its id, with what it declares about itself.
 *
 * Registering the same data again (a package loaded as ESM and as CommonJS) replaces it silently; other data under the
 * same id replaces it with a warning.
 *
 * @throws {InvalidRegistrationError}  A key does not exist, or a value does not fit.
 * @throws {InvalidEnvIdError}  The id does not follow `[namespace/]name[-vN]`.
 * @throws {RegistrationError}  The name exists without a version and this one has one, or the other way round.
 */
export function register(registration: EnvRegistration): void {
  const { envs } = registryState();
  const id = parseEnvId(registration.id);
  checkRegistration(registration);
  for (const other of versionsOf(id)) {
    if ((other.version === undefined) !== (id.version === undefined)) {
      throw new RegistrationError(
        registration.id,
        `"${registration.id}" cannot be registered together with "${formatEnvId(other)}".`,
        'give all of them a version, or none',
      );
    }
  }
  const before = envs.get(registration.id);
  if (before && data(before) !== data(registration)) {
    warn('ENV_OVERRIDDEN', `"${registration.id}" was registered again with other settings; the last one counts.`);
  }
  envs.set(registration.id, registration);
}

/** Forgets an id; false if it was not registered. */
export function unregister(id: string): boolean {
  return registryState().envs.delete(id);
}

/** Ids registered so far, sorted. */
export function registeredIds(): string[] {
  return [...registryState().envs.keys()].sort();
}

/** What `make` would build for this id, without building it. Errors as for `make`. */
export function spec(id: string): EnvSpec {
  return specOf(findRegistration(id));
}

/** The part of a registration that builds the environment. */
export function specOf(registration: EnvRegistration): EnvSpec {
  const { id } = registration;
  const rest = (Object.keys(SPEC_SHAPE) as (keyof EnvSpec)[]).flatMap((key) =>
    registration[key] === undefined ? [] : [[key, registration[key]]],
  );
  return { id, ...Object.fromEntries(rest) };
}

/**
 * The registration behind an id.
 *
 * @throws {UnknownEnvError}         No environment has this name.
 * @throws {UnknownEnvVersionError}  The version is newer than all registered ones.
 * @throws {DeprecatedEnvError}      The version is older than the newest and not registered.
 */
export function findRegistration(id: string): EnvRegistration {
  const foreign = findByScheme(id);
  if (foreign) return foreign;
  const { envs } = registryState();
  const asked = parseEnvId(id);
  const versions = versionsOf(asked).sort((a, b) => (a.version ?? -1) - (b.version ?? -1));
  const newest = versions.at(-1);
  if (!newest) throw new UnknownEnvError(id, registeredIds());

  const newestId = formatEnvId(newest);
  const exact = envs.get(id);
  if (exact) {
    if ((asked.version ?? 0) < (newest.version ?? 0)) {
      warn('OLD_ENV_VERSION', `"${id}" is out of date; "${newestId}" is registered too.`);
    }
    return exact;
  }
  if (asked.version === undefined) {
    warn(
      'UNVERSIONED_ENV',
      `"${id}" means "${newestId}", the newest version; write it out to keep results comparable.`,
    );
    return envs.get(newestId)!;
  }
  if (newest.version !== undefined && asked.version < newest.version) throw new DeprecatedEnvError(id, newestId);
  throw new UnknownEnvVersionError(id, versions.map(formatEnvId));
}

function versionsOf({ namespace, name }: EnvId): EnvId[] {
  return [...registryState().envs.keys()]
    .map(parseEnvId)
    .filter((other) => other.namespace === namespace && other.name === name);
}

/** Everything but the entry point: two copies of one module have two functions and the same data. */
function data({ entryPoint: _, ...rest }: EnvRegistration): string {
  return JSON.stringify(rest);
}
