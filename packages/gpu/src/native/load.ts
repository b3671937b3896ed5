/**
 * Loads the compiled addon, once per JavaScript thread and only when the first tensor is made, so that importing
 * `@vlgym/gpu` costs nothing where no tensor is used.
 */
import { findAddon } from '../setup/cache.js';
import { locate } from '../setup/locate.js';
import { NativeLoadError, NativeNotFoundError, nativeError } from './errors.js';
import type { Native } from './native.js';

let loaded: Native | undefined;

/** The addon's functions. @throws {NativeNotFoundError} `setup()` has not run for this libtorch and these sources. */
export function native(): Native {
  return loaded ?? loadNative();
}

/**
 * Finds and loads the addon for the libtorch that `locate()` names.
 *
 * @throws {NativeNotFoundError} There is no libtorch, or no compiled addon for it.
 * @throws {NativeLoadError} The addon is there but does not load, for example because a library it needs is gone.
 */
export function loadNative(): Native {
  if (loaded) return loaded;
  const location = locate();
  if (!location) {
    throw new NativeNotFoundError(
      'there is no libtorch (LIBTORCH, a Python torch, the cache)',
      'run `npx vlgym setup --fetch`, or set LIBTORCH to a folder with libtorch 2.7 or later',
    );
  }
  const path = findAddon(location);
  if (!path) throw new NativeNotFoundError(`it was not compiled yet for libtorch ${location.version}`);
  const module: { exports: unknown } = { exports: {} };
  try {
    process.dlopen(module, path);
  } catch (error) {
    throw new NativeLoadError(path, error);
  }
  loaded = module.exports as Native;
  loaded.setErrorFactory(nativeError);
  const threads = Number(process.env.VLGYM_NUM_THREADS);
  if (Number.isInteger(threads) && threads > 0) loaded.setNumThreads(threads);
  return loaded;
}
