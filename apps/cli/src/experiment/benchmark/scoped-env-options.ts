/**
 * Options of several environments: `--env-options observation=text` is for all of them, and
 * `--env-options NumberLine:maxPosition=10` for one.
 */
import { resolveEnvId } from '@vlgym/core';
import { mergeDeep } from '@vlgym/core/internal';
import { UsageError } from '../../command-line/usage-error.js';

type EnvOptions = Readonly<Record<string, unknown>>;

/**
 * @param envs  The ids of all environments that train or judge.
 * @returns The options of one of them; `undefined`, so that what it declares for training holds, if none are for it.
 * @throws {UsageError} Options for an environment that is not among them.
 */
export function envOptionsOf(
  envs: readonly string[],
  given: EnvOptions | undefined,
): (env: string) => EnvOptions | undefined {
  const scopes = new Map<string, EnvOptions>();
  for (const [name, value] of Object.entries(given ?? {})) {
    const [key, scope] = split(name);
    const env = scope === undefined ? ALL : resolveEnvId(scope);
    if (env !== ALL && !envs.includes(env)) {
      throw new UsageError(`--env-options has options for "${scope}", which neither trains nor judges.`, {
        expected: `one of ${envs.join(', ')}`,
        hint: `name it among the environments, or after --transfer`,
      });
    }
    scopes.set(env, mergeDeep(scopes.get(env) ?? {}, { [key]: value }));
  }
  return (env) => {
    const own = [scopes.get(ALL), scopes.get(env)].filter((options) => options !== undefined);
    return own.length === 0 ? undefined : own.reduce((merged, options) => mergeDeep(merged, options), {});
  };
}

const ALL = '';

function split(name: string): [key: string, scope?: string] {
  const at = name.lastIndexOf(':');
  return at < 0 ? [name] : [name.slice(at + 1), name.slice(0, at)];
}
