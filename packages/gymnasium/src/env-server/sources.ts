/** The source of a client's environments: any registered one in its own process, chosen ones on a server. */
import { type AnyEnv, GymError, importModule, type MakeOptions, make, registeredIds } from '@vlgym/core';
import type { ServedEnv } from '@vlgym/serve';
import { ServedEpisode } from '@vlgym/serve/episode';

/** Steps of an episode that a client of a server may ask for: the turns of an episode are kept. */
const MAX_EPISODE_STEPS = 10_000;

export type Families = Readonly<Record<string, () => Promise<unknown>>>;

export interface Wanted {
  readonly id: string;
  /** The package that registers the id. */
  readonly module: string;
  readonly settings: MakeOptions;
  /** Environments of a vector; `undefined` for a single one. */
  readonly numEnvs: number | undefined;
}

export interface EnvSource {
  /**
   * Ids that a client may have.
   *
   * @param module  The package or file to import first, where the client may choose one.
   */
  list(module: string): Promise<readonly string[]>;
  /** @throws {GymError} The client may not have it. */
  check(wanted: Wanted): Promise<void>;
  env(wanted: Wanted): Promise<AnyEnv>;
  episode(wanted: Wanted): Promise<ServedEpisode>;
}

/** The client started this process: it may make everything. */
export function familySource(families: Families): EnvSource {
  const env = async ({ id, settings }: Wanted): Promise<AnyEnv> => make(id, settings);
  const load = (module: string) => (families[module] ?? (() => importNamed(module)))();
  return {
    async list(module) {
      const before = registeredIds();
      await load(module);
      return registeredIds().filter((id) => !before.includes(id));
    },
    async check({ id, module }) {
      if (!registeredIds().includes(id)) await load(module);
    },
    env,
    episode: async (wanted) => new ServedEpisode(await env(wanted), wanted.id),
  };
}

/** @throws {GymError} IMPORT_FAILED */
async function importNamed(module: string): Promise<unknown> {
  try {
    return await importModule(module);
  } catch (cause) {
    if (GymError.isInstance(cause)) throw cause;
    throw new GymError(`"${module}" cannot be imported: ${(cause as Error).message}`, {
      code: 'IMPORT_FAILED',
      value: module,
      expected: 'a package that is installed in the working directory, or the path of a JavaScript file',
      hint: 'npm install it there with @vlgym/core, or name a file: ./index.js',
      cause,
    });
  }
}

/** Clients of a server choose among what it serves; its options are the server's. */
export function servedSource(served: readonly ServedEnv[], maxEnvs: number): EnvSource {
  const find = (id: string): ServedEnv => {
    const found = served.find((each) => each.id === id || each.name === id);
    if (found) return found;
    const names = served.map((each) => each.id).join(', ');
    throw new GymError(`The server does not serve "${id}".`, { code: 'UNKNOWN_ENV', value: id, expected: names });
  };
  const env = async ({ id, settings }: Wanted): Promise<AnyEnv> => {
    const { id: known, settings: own } = find(id);
    return make(known, { ...settings, ...own });
  };
  return {
    list: async () => served.map(({ id }) => id),
    async check({ id, settings: { options = {}, maxEpisodeSteps: steps = 1 }, numEnvs = 1 }) {
      find(id);
      if (!Number.isSafeInteger(steps) || steps < 1 || steps > MAX_EPISODE_STEPS) {
        throw new GymError(`max_episode_steps is ${steps}.`, {
          code: 'INVALID_OPTION',
          value: steps,
          expected: `a whole number from 1 to ${MAX_EPISODE_STEPS}`,
          hint: 'for longer episodes, start the server with the limit: vlgym serve … --max-episode-steps',
        });
      }
      if (Object.keys(options).length > 0) {
        throw new GymError('The options of a served environment are those of its server.', {
          code: 'OPTIONS_FIXED',
          value: Object.keys(options),
          hint: 'leave them out, or start the server with them: vlgym serve … --env-options',
        });
      }
      if (!(numEnvs <= maxEnvs)) {
        throw new GymError(`A vector of ${numEnvs} exceeds the server's limit.`, {
          code: 'CAPACITY_REACHED',
          value: numEnvs,
          expected: `at most ${maxEnvs}`,
        });
      }
    },
    env,
    // a single environment without its own limits or pictures can step in a thread, as for other clients
    episode: async (wanted) =>
      Object.keys(wanted.settings).length === 0
        ? find(wanted.id).open()
        : new ServedEpisode(await env(wanted), find(wanted.id).id),
  };
}
