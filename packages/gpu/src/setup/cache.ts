/**
 * The private cache of the user: libtorch if we fetched it, and one folder per compiled addon.
 *
 *     <cache>/libtorch-2.13.0/torch/…           fetched by `setup({ fetch: true })`
 *     <cache>/addon/<key>/<compiler>/vlgym.node compiled by `setup()`
 *     <cache>/addon/<key>/current               names the folder to load
 *
 * The key covers what the loader can see without starting a process: libtorch's version and place, the platform, the
 * N-API version and the C++ sources. The compiler's version is part of the inner folder.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Location } from './location.js';
import { sourcesDigest } from './package-files.js';

/** The libtorch that `setup({ fetch: true })` installs. */
export const LIBTORCH_VERSION = '2.13.0';

/** N-API is stable across Node versions: one build serves them all. */
const NODE_API_VERSION = 8;

export function cacheFolder(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  if (environment.VLGYM_CACHE) return environment.VLGYM_CACHE;
  return join(environment.XDG_CACHE_HOME || join(homedir(), '.cache'), 'vlgym');
}

export function fetchedLibtorch(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  return join(cacheFolder(environment), `libtorch-${LIBTORCH_VERSION}`);
}

function addonFolder(location: Location): string {
  const key = createHash('sha256')
    .update(
      [location.version, location.root, process.platform, process.arch, NODE_API_VERSION, sourcesDigest()].join('\0'),
    )
    .digest('hex')
    .slice(0, 16);
  return join(cacheFolder(), 'addon', key);
}

/** The compiled addon for this libtorch and these sources, if there is one. */
export function findAddon(location: Location): string | undefined {
  const folder = addonFolder(location);
  try {
    const path = join(folder, readFileSync(join(folder, 'current'), 'utf8').trim(), 'vlgym.node');
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Moves a finished build into place; readers see either nothing or all of it. */
export function publishAddon(location: Location, compiler: string, built: string): string {
  const folder = addonFolder(location);
  const name = createHash('sha256').update(compiler).digest('hex').slice(0, 12);
  mkdirSync(join(folder, name), { recursive: true });
  const path = join(folder, name, 'vlgym.node');
  renameSync(built, path);
  const pointer = join(folder, `current.${process.pid}`);
  writeFileSync(pointer, `${name}\n`);
  renameSync(pointer, join(folder, 'current'));
  return path;
}
