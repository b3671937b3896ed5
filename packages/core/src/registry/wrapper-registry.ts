/** Wrappers by name, so that a spec from a file or another thread can be built again. */

import type { EnvWrapper } from '../wrappers/pipe.js';
import { UnknownWrapperError } from './errors.js';
import type { WrapperSpec } from './spec/spec.js';
import { registryState } from './state.js';
import type { WrapperFactory } from './types.js';

/** Registers a wrapper, so that specs that name it (`wrapperSpec.name`) can be rebuilt. */
export function registerWrapper(name: string, factory: WrapperFactory): void {
  registryState().wrappers.set(name, factory);
}

/** @throws {UnknownWrapperError} Neither built in nor registered. */
export function wrapperFromSpec(
  { name, options }: WrapperSpec,
  builtIn: ReadonlyMap<string, WrapperFactory>,
): EnvWrapper {
  const { wrappers } = registryState();
  const factory = wrappers.get(name) ?? builtIn.get(name);
  if (!factory) throw new UnknownWrapperError(name, [...wrappers.keys(), ...builtIn.keys()]);
  return factory(options ?? {});
}
