/** From what a person types to an id: `blackjack`, `miniworld/Hallway`, `vlgym/ezpoints`. */
import { GymError } from '../errors.js';
import { UnknownEnvError } from './errors.js';
import { type EnvId, formatEnvId, parseEnvId } from './id.js';
import { registeredIds } from './register.js';
import { schemeOf } from './scheme.js';
import { registryState } from './state.js';

/** A short name that several environments have. */
export class AmbiguousEnvNameError extends GymError {
  constructor(
    readonly text: string,
    readonly ids: readonly string[],
  ) {
    super(`"${text}" names ${ids.length} environments.`, {
      code: 'AMBIGUOUS_ENV_NAME',
      value: text,
      expected: ids.join(', '),
      hint: 'write one of these ids',
    });
  }
}

/**
 * The id that a short name means. In this order: an id as it is registered; a declared short name; an id without its
 * version; a name without its namespace. Letter case does not matter in the last three, and a name without a version
 * means the newest one, also where an older version declares it.
 *
 * @returns The id as it is registered; what has the form of a full id is given back for `make` to judge.
 * @throws {UnknownEnvError}        No environment has this name.
 * @throws {AmbiguousEnvNameError}  Several have it.
 */
export function resolveEnvId(text: string): string {
  const { envs } = registryState();
  if (envs.has(text) || schemeOf(text)) return text;
  const name = text.toLowerCase();
  const ids = registeredIds().map(parseEnvId);
  const rules: readonly ((id: EnvId) => readonly string[])[] = [
    (id) => envs.get(formatEnvId(id))?.shortNames ?? [],
    (id) => [formatEnvId({ ...id, version: undefined })],
    (id) => [id.name],
  ];
  for (const namesOf of rules) {
    const found = newestOnly(ids.filter((id) => namesOf(id).some((other) => other.toLowerCase() === name)));
    if (found.length > 1) throw new AmbiguousEnvNameError(text, found.map(formatEnvId));
    if (found[0]) return formatEnvId(newestOf(found[0], ids));
  }
  if (/-v\d+$/.test(text)) return text;
  throw new UnknownEnvError(text, registeredIds());
}

/** The newest version of this name. */
function newestOf({ namespace, name }: EnvId, ids: readonly EnvId[]): EnvId {
  return newestOnly(ids.filter((other) => other.namespace === namespace && other.name === name))[0]!;
}

function newestOnly(ids: readonly EnvId[]): EnvId[] {
  const newest = new Map<string, EnvId>();
  for (const id of ids) {
    const name = formatEnvId({ ...id, version: undefined });
    if ((newest.get(name)?.version ?? -1) < (id.version ?? 0)) newest.set(name, id);
  }
  return [...newest.values()];
}
