/**
 * `make`: from an id or a spec to an environment under its wrappers.
 *
 * From the inside out, as in `gymnasium/envs/registration.py`: environment, passive checker, order enforcing, time
 * limit, the spec's wrappers, the caller's wrappers. `env.spec` of the result says all of it, so
 * `makeFromSpec(specToJson(env.spec))` builds the same stack elsewhere.
 */
import type { ActionOf, AnyEnv, InfoOf, ObservationOf, RenderMode } from '../env.js';
import { builtInWrappers } from '../wrappers/built-in.js';
import { orderEnforcing } from '../wrappers/order-enforcing.js';
import { passiveChecker } from '../wrappers/passive-checker.js';
import { applyWrappers, type EnvWrapper, type PipeableEnv } from '../wrappers/pipe.js';
import { timeLimit } from '../wrappers/time-limit.js';
import { UnsupportedRenderModeError } from './errors.js';
import { importModule } from './import-module.js';
import { type EnvRegistration, findRegistration } from './register.js';
import type { EnvSpec } from './spec.js';
import { specFromJson } from './spec-json.js';
import { registryState } from './state.js';
import { wrapperFromSpec } from './wrapper-registry.js';

/**
 * Ids whose types are known to the compiler. A package adds its own:
 *
 * @example
 * declare module '@vlgym/core' {
 *   interface KnownEnvs {
 *     'gym_cards/Points24-v0': Points24Env;
 *   }
 * }
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface KnownEnvs {}

/** The type `make` gives for an id: exact where a package has declared it, unknown observation and action elsewhere. */
export type MadeEnv<Id extends string> = Id extends keyof KnownEnvs
  ? KnownEnvs[Id] extends AnyEnv
    ? PipeableEnv<ObservationOf<KnownEnvs[Id]>, ActionOf<KnownEnvs[Id]>, InfoOf<KnownEnvs[Id]>>
    : PipeableEnv
  : PipeableEnv;

export interface MakeOptions {
  /** Options of the environment's constructor; they go over the registered defaults. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly renderMode?: RenderMode;
  /** In place of the registered limit; -1 for none. */
  readonly maxEpisodeSteps?: number;
  readonly orderEnforce?: boolean;
  readonly disableChecker?: boolean;
  /** Further wrappers, innermost first; they come outside of all others. */
  readonly wrappers?: readonly EnvWrapper[];
}

/**
 * Builds a registered environment.
 *
 * @param id       `[namespace/]name[-vN]`, or a spec as `env.spec` holds it.
 * @throws {UnknownEnvError | UnknownEnvVersionError | DeprecatedEnvError}  Nothing can be made under this id.
 * @throws {UnsupportedRenderModeError}  The environment lacks the render mode.
 *
 * @example
 * const env = await make('gym_cards/Points24-v0', { options: { target: 24 }, maxEpisodeSteps: 20 });
 */
export async function make<const Id extends string>(
  id: Id | EnvSpec,
  { wrappers = [], options, renderMode, maxEpisodeSteps, orderEnforce, disableChecker }: MakeOptions = {},
): Promise<MadeEnv<Id>> {
  const registration = typeof id === 'string' ? findRegistration(id) : await registrationOf(id);
  const { entryPoint, fileOptions: _, ...registered } = registration;
  const base: EnvSpec = typeof id === 'string' ? registered : id;
  const spec: EnvSpec = {
    ...base,
    ...withoutUndefined({ renderMode, maxEpisodeSteps, orderEnforce, disableChecker }),
    ...(base.options || options ? { options: { ...base.options, ...options } } : {}),
  };
  return (await build(entryPoint, spec, wrappers)) as MadeEnv<Id>;
}

/**
 * Builds what `specToJson` wrote, importing the spec's module if the id is not registered yet. The spec must be yours:
 * one that somebody else has written is for `makeFromUntrustedSpec`.
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
  // built first: an unknown wrapper should not cost the start of an environment
  const fromSpec = (spec.wrappers ?? []).map((wrapper) => wrapperFromSpec(wrapper, builtInWrappers));

  const env = await entryPoint(renderMode === undefined ? { ...spec.options } : { ...spec.options, renderMode });
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

function withoutUndefined<T extends object>(record: T): Partial<T> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Partial<T>;
}
