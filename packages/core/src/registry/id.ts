/** Environment ids: `[namespace/]name[-vN]`, the grammar of `gymnasium/envs/registration.py`. */
import { GymError } from '../errors.js';

export interface EnvId {
  readonly namespace: string | undefined;
  readonly name: string;
  readonly version: number | undefined;
}

const GRAMMAR = /^(?:(?<namespace>[\w:-]+)\/)?(?<name>[\w:.-]+?)(?:-v(?<version>\d+))?$/;

/** The id does not follow `[namespace/]name[-vN]`. */
export class InvalidEnvIdError extends GymError {
  constructor(readonly id: unknown) {
    super(`${JSON.stringify(id) ?? String(id)} is not an environment id.`, {
      code: 'INVALID_ENV_ID',
      value: id,
      expected: '[namespace/]name[-vN], for example "gym_cards/Points24-v0"',
    });
  }
}

export function parseEnvId(id: string): EnvId {
  const groups = typeof id === 'string' ? GRAMMAR.exec(id)?.groups : undefined;
  if (!groups) throw new InvalidEnvIdError(id);
  return {
    namespace: groups.namespace,
    name: groups.name!,
    version: groups.version === undefined ? undefined : Number(groups.version),
  };
}

export function formatEnvId({ namespace, name, version }: EnvId): string {
  return `${namespace === undefined ? '' : `${namespace}/`}${name}${version === undefined ? '' : `-v${version}`}`;
}
