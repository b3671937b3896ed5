/**
 * The one global of vlgym: registrations, wrapper factories, the warning sink.
 *
 * It hangs on `globalThis` under a shared symbol so that the ESM and the CommonJS copy of this package, and two
 * installed copies, see the same environments.
 */
import type { EnvRegistration, EnvScheme, Verifier, WarningSink, WrapperFactory } from './types.js';

export interface RegistryState {
  readonly envs: Map<string, EnvRegistration>;
  readonly wrappers: Map<string, WrapperFactory>;
  readonly schemes: Map<string, EnvScheme>;
  readonly verifiers: Map<string, Verifier>;
  /** Keys of warnings already given. */
  readonly warned: Set<string>;
  sink: WarningSink | undefined;
}

const KEY = Symbol.for('vlgym.registry');

export function registryState(): RegistryState {
  const holder = globalThis as { [KEY]?: RegistryState };
  holder[KEY] ??= {
    envs: new Map(),
    wrappers: new Map(),
    schemes: new Map(),
    verifiers: new Map(),
    warned: new Set(),
    sink: undefined,
  };
  return holder[KEY];
}
