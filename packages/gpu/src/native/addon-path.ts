/** The path of the compiled addon. */
import { findAddon } from '../setup/cache.js';
import { locate } from '../setup/locate.js';
import { NativeNotFoundError } from './errors.js';

/**
 * `VLGYM_ADDON` if it is set: for programs bundled into one file, which have no sources next to them to find an addon by.
 * Otherwise the addon compiled for the libtorch that `locate()` names and for these sources.
 *
 * @throws {NativeNotFoundError} libtorch, or a compiled addon for it, was not found.
 */
export function addonPath(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  if (environment.VLGYM_ADDON) return environment.VLGYM_ADDON;
  const location = locate();
  if (!location) {
    throw new NativeNotFoundError(
      'libtorch was not found (LIBTORCH, a Python torch, the cache)',
      'run `npx vlgym setup --fetch`, or set LIBTORCH to a folder with libtorch 2.7 or later',
    );
  }
  const path = findAddon(location);
  if (!path) throw new NativeNotFoundError(`it was not compiled yet for libtorch ${location.version}`);
  return path;
}
