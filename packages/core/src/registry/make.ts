/**
 * `make`: from an id or a spec to an environment under its wrappers.
 *
 * From the inside out, as in `gymnasium/envs/registration.py`: environment, passive checker, order enforcing, time
 * limit, the spec's wrappers, the caller's wrappers. `env.spec` of the result describes all of them, so
 * `makeFromSpec(specToJson(env.spec))` builds the same stack elsewhere.
 */
import type { AnyEnv } from '../env.js';
import { GymError } from '../errors.js';
import { UnknownOptionError } from '../options.js';
import { builtInWrappers } from '../wrappers/built-in.js';
import { orderEnforcing } from '../wrappers/order-enforcing.js';
import { passiveChecker } from '../wrappers/passive-checker.js';
import { applyWrappers, type EnvWrapper, type PipeableEnv } from '../wrappers/pipe.js';
import { timeLimit } from '../wrappers/time-limit.js';
import { UnsupportedRenderModeError } from './errors.js';
import type { KnownOptions, MadeEnv } from './known-envs.js';
import { checkMakeOptions, type MakeOptions } from './make-options.js';
import { importModule } from './packages/import-module.js';
import { findRegistration, specOf } from './register.js';
import type { EnvSpec } from './spec/spec.js';
import { specFromJson } from './spec/spec-json.js';
import { registryState } from './state.js';
import type { EnvRegistration } from './types.js';
import { wrapperFromSpec } from './wrapper-registry.js';

/**
 * Builds a registered environment.
 *
 * @param id       `[namespace/]name[-vN]`, or a spec as `env.spec` holds it.
 * @throws {UnknownEnvError | UnknownEnvVersionError | DeprecatedEnvError}  Nothing can be made under this id.
 * @throws {UnsupportedRenderModeError}  The environment lacks the render mode.
 * @throws {UnknownOptionError | InvalidOptionError}  A key that `make` or the environment does not know, or a wrong value.
 *
 * @example
 * const env = await make('gym_cards/Points24-v0', { options: { target: 24 }, maxEpisodeSteps: 20 });
 */
export async function make<const Id extends string, const Options extends KnownOptions<Id> = never>(
  id: Id | EnvSpec,
  makeOptions: MakeOptions<KnownOptions<Id>, Options> = {},
): Promise<MadeEnv<Id, Options>> {
  checkMakeOptions('make', makeOptions);
  const { wrappers = [], options, renderMode, maxEpisodeSteps, orderEnforce, disableChecker } = makeOptions;
  const registration = typeof id === 'string' ? findRegistration(id) : await registrationOf(id);
  const { entryPoint } = registration;
  const base: EnvSpec = typeof id === 'string' ? specOf(registration) : id;
  const spec: EnvSpec = {
    ...base,
    ...withoutUndefined({ renderMode, maxEpisodeSteps, orderEnforce, disableChecker }),
    ...(base.options || options ? { options: { ...base.options, ...options } } : {}),
  };
  return (await build(entryPoint, spec, wrappers)) as MadeEnv<Id, Options>;
}

/**
 * Builds what `specToJson` wrote, importing the spec's module if the id is not registered yet. Only for your own
 * specs: one from somebody else goes to `makeFromUntrustedSpec`.
 */
export async function makeFromSpec(spec: EnvSpec | string, options: MakeOptions = {}): Promise<PipeableEnv> {
  return make(typeof spec === 'string' ? specFromJson(spec) : spec, options);
}

async function registrationOf(spec: EnvSpec): Promise<EnvRegistration> {
  if (spec.module !== undefined && !registryState().envs.has(spec.id)) await importModule(spec.module);
  return findRegistration(spec.id);
}

async function build(
  entryPoint: EnvRegistration['entryPoint'],
  spec: EnvSpec,
  wrappers: readonly EnvWrapper[],
): Promise<AnyEnv> {
  const { renderMode, maxEpisodeSteps = -1, orderEnforce = true, disableChecker = false } = spec;
  // built first: an unknown wrapper should fail before an environment starts
  const fromSpec = (spec.wrappers ?? []).map((wrapper) => wrapperFromSpec(wrapper, builtInWrappers));

  const env = await construct(entryPoint, spec);
  try {
    if (renderMode !== undefined && !env.metadata.renderModes.includes(renderMode)) {
      throw new UnsupportedRenderModeError(spec.id, renderMode, env.metadata.renderModes);
    }
    const { wrappers: _, ...bare } = spec;
    env.spec = { ...bare, maxEpisodeSteps: -1, orderEnforce: false, disableChecker: true };
    return applyWrappers(env, [
      ...(disableChecker ? [] : [passiveChecker()]),
      ...(orderEnforce ? [orderEnforcing()] : []),
      ...(maxEpisodeSteps > 0 ? [timeLimit(maxEpisodeSteps)] : []),
      ...fromSpec,
      ...wrappers,
    ]);
  } catch (error) {
    await env.close();
    throw error;
  }
}

/** @throws {UnknownOptionError} With the id: whoever makes several environments is told which one refuses. */
async function construct(entryPoint: EnvRegistration['entryPoint'], spec: EnvSpec): Promise<AnyEnv> {
  const { id, options, renderMode } = spec;
  try {
    return await entryPoint(renderMode === undefined ? { ...options } : { ...options, renderMode });
  } catch (error) {
    if (!GymError.isInstance(error) || error.code !== 'UNKNOWN_OPTION') throw error;
    throw new UnknownOptionError(String(error.value), [], error.hint, id);
  }
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function withoutUndefined<T extends object>(record: T): Defined<T> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Defined<T>;
}
