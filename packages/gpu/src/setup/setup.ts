import { checkNames, names } from '@vlgym/core/internal';
import { cacheFolder, findAddon } from './cache.js';
import { compile } from './compile.js';
import { LibtorchNotFoundError, PlatformError } from './errors.js';
import { fetchLibtorch } from './fetch.js';
import { locate } from './locate.js';
import type { Location } from './location.js';
import { withLock } from './lock.js';

export interface SetupOptions {
  /** Fetch libtorch with pip when none is found: 0.53 GB to download, 0.5 GB kept. */
  fetch?: boolean | undefined;
  /** Compile again even if a fitting addon is there. */
  force?: boolean | undefined;
  /** Receives one line per step. */
  onProgress?: ((line: string) => void) | undefined;
}

export interface SetupReport {
  readonly libtorch: Location;
  /** The compiled addon. */
  readonly addon: string;
  readonly fetched: boolean;
  readonly compiled: boolean;
  readonly seconds: number;
}

const SETUP_OPTIONS = names<SetupOptions>({ fetch: 0, force: 0, onProgress: 0 });

/**
 * Idempotent, and safe to call from several processes at once: one works, the others wait and use its result.
 *
 * @throws {LibtorchNotFoundError} No libtorch, and `fetch` is off.
 * @throws {ToolMissingError} cmake, a compiler, ninja or make, python or pip is missing; the hint names the package.
 * @throws {DigestMismatchError} A download is not the pinned one; nothing was unpacked.
 * @throws {CompileError} @throws {FetchError} @throws {PlatformError}
 */
export async function setup(options: SetupOptions = {}): Promise<SetupReport> {
  checkNames('options', options, SETUP_OPTIONS);
  const { fetch = false, force = false, onProgress = () => {} } = options;
  if (!['linux', 'darwin'].includes(process.platform)) throw new PlatformError();
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;

  const ready = !force && existing();
  if (ready) return { ...ready, fetched: false, compiled: false, seconds: seconds() };

  const work = async (): Promise<SetupReport> => {
    let libtorch = locate();
    const fetched = !libtorch && fetch;
    if (fetched) {
      await fetchLibtorch(onProgress);
      libtorch = locate();
    }
    if (!libtorch) throw new LibtorchNotFoundError();
    onProgress(`libtorch ${libtorch.version} (${libtorch.source}) at ${libtorch.root}`);
    // the process that held the lock before may have compiled it
    const present = force ? undefined : findAddon(libtorch);
    const addon = present ?? (await compile(libtorch, onProgress));
    return { libtorch, addon, fetched, compiled: !present, seconds: seconds() };
  };
  return withLock(cacheFolder(), work, () => onProgress('waiting for another setup to finish'));
}

function existing(): Pick<SetupReport, 'libtorch' | 'addon'> | undefined {
  const libtorch = locate();
  const addon = libtorch && findAddon(libtorch);
  return libtorch && addon ? { libtorch, addon } : undefined;
}
