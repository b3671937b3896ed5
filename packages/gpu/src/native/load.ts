/**
 * Loads the compiled addon, once per JavaScript thread and only when the first tensor is made, so that importing
 * `@vlgym/gpu` costs nothing if no tensor is used.
 */
import { InvalidOptionError } from '@vlgym/core';
import { addonPath } from './addon-path.js';
import { NativeLoadError, nativeError } from './errors.js';
import type { Native } from './native.js';

let loaded: Native | undefined;

/** The addon's functions. @throws {NativeNotFoundError} `setup()` has not run for this libtorch and these sources. */
export function native(): Native {
  return loaded ?? loadNative();
}

/**
 * Finds and loads the addon.
 *
 * @throws {NativeNotFoundError} libtorch, or a compiled addon for it, was not found.
 * @throws {NativeLoadError} The addon is there but does not load, for example because a library it needs is gone.
 * @throws {InvalidOptionError} VLGYM_NUM_THREADS is not a number of threads.
 */
export function loadNative(): Native {
  if (loaded) return loaded;
  const path = addonPath();
  const module: { exports: unknown } = { exports: {} };
  try {
    process.dlopen(module, path);
  } catch (error) {
    throw new NativeLoadError(path, error);
  }
  const addon = module.exports as Native;
  addon.setErrorFactory(nativeError);
  limitThreads(addon, process.env.VLGYM_NUM_THREADS);
  loaded = addon;
  return loaded;
}

/** @throws {InvalidOptionError} The variable is not a number of threads. */
function limitThreads(addon: Native, wanted: string | undefined): void {
  if (!wanted) return;
  const count = Number(wanted);
  const maximum = addon.mostThreads();
  if (!(Number.isInteger(count) && count >= 1 && count <= maximum)) {
    throw new InvalidOptionError('VLGYM_NUM_THREADS', wanted, `a whole number from 1 to ${maximum}`);
  }
  addon.setNumThreads(count);
}
