/**
 * Finds libtorch without starting Python: `LIBTORCH`, then a Python `torch` on the search paths, then the user's cache.
 */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { GymError } from '@vlgym/core';
import { fetchedLibtorch } from './cache.js';
import type { Location } from './location.js';

/** The oldest libtorch whose interfaces the addon compiles against. */
const MIN_LIBTORCH = [2, 7] as const;

/** `LIBTORCH` is set but names no usable libtorch. */
export class LibtorchInvalidError extends GymError {
  constructor(
    readonly path: string,
    reason: string,
  ) {
    super(`LIBTORCH names "${path}", which ${reason}.`, {
      code: 'LIBTORCH_INVALID',
      value: path,
      expected: 'a folder with lib/libtorch_cpu and include/ATen, version 2.7 or later',
      hint: "unset LIBTORCH, or point it at the `torch` folder inside Python's site-packages",
    });
  }
}

/**
 * The libtorch that `setup()` would build against.
 *
 * @throws {LibtorchInvalidError} `LIBTORCH` is set to a folder without a usable libtorch.
 */
export function locate(environment: Readonly<Record<string, string | undefined>> = process.env): Location | undefined {
  if (environment.LIBTORCH) {
    const found = inspect(environment.LIBTORCH);
    if (typeof found === 'string') throw new LibtorchInvalidError(environment.LIBTORCH, found);
    return { ...found, source: 'LIBTORCH' };
  }
  for (const folder of sitePackages(environment)) {
    const found = inspect(join(folder, 'torch'));
    if (typeof found !== 'string') return { ...found, source: 'python' };
  }
  const found = inspect(join(fetchedLibtorch(environment), 'torch'));
  return typeof found === 'string' ? undefined : { ...found, source: 'cache' };
}

/** The libtorch in a folder, or the reason why it cannot be used. */
export function inspect(folder: string): Omit<Location, 'source'> | string {
  const library = process.platform === 'darwin' ? 'libtorch_cpu.dylib' : 'libtorch_cpu.so';
  if (!existsSync(join(folder, 'lib', library))) return `has no lib/${library}`;
  if (!existsSync(join(folder, 'include', 'ATen', 'ATen.h'))) return 'has no include/ATen/ATen.h';
  const { version, cuda } = readVersion(folder);
  if (!version) return 'has no readable version (version.py or build-version)';
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  if (major < MIN_LIBTORCH[0] || (major === MIN_LIBTORCH[0] && minor < MIN_LIBTORCH[1])) {
    return `is version ${version}, older than ${MIN_LIBTORCH.join('.')}`;
  }
  return { root: realpathSync(folder), version, cuda };
}

function readVersion(folder: string): { version: string | undefined; cuda: string | null } {
  const python = read(join(folder, 'version.py'));
  if (python) {
    return {
      version: /__version__\s*=\s*['"]([^'"]+)/.exec(python)?.[1],
      cuda: /^cuda\b[^=\r\n\u2028\u2029]*=[ \t]*['"]([^'"]+)/m.exec(python)?.[1] ?? null,
    };
  }
  const version = read(join(folder, 'build-version'))?.trim();
  return {
    version,
    cuda:
      /\+cu(\d+)(\d)$/
        .exec(version ?? '')
        ?.slice(1)
        .join('.') ?? null,
  };
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Folders where Python would look for packages, nearest first. */
function* sitePackages(environment: Readonly<Record<string, string | undefined>>): Generator<string> {
  for (const prefix of [environment.VIRTUAL_ENV, environment.CONDA_PREFIX]) if (prefix) yield* under(prefix);
  for (const entry of (environment.PYTHONPATH ?? '').split(delimiter)) if (entry) yield resolve(entry);
  for (const folder of (environment.PATH ?? '').split(delimiter)) {
    for (const name of ['python3', 'python']) {
      const program = join(folder, name);
      if (!existsSync(program)) continue;
      // the link's own prefix first: in a virtual environment the program is a link to the base Python
      yield* under(dirname(folder));
      if (/[\\/]shims$/.test(folder)) yield* pyenv(dirname(folder), environment);
      yield* under(dirname(dirname(realpathSync(program))));
    }
  }
  yield* under(join(homedir(), '.local'));
  yield '/usr/lib/python3/dist-packages';
}

function* under(prefix: string): Generator<string> {
  const library = join(prefix, 'lib');
  for (const name of list(library)) {
    if (!/^python3\.\d+$/.test(name)) continue;
    yield join(library, name, 'site-packages');
    yield join(library, name, 'dist-packages');
  }
}

/** pyenv puts shell scripts on the path; its `version` file says which Python they start. */
function* pyenv(root: string, environment: Readonly<Record<string, string | undefined>>): Generator<string> {
  const chosen = environment.PYENV_VERSION ?? read(join(root, 'version')) ?? '';
  for (const name of chosen.split(/[\s:]+/)) if (name) yield* under(join(root, 'versions', name));
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder).sort().reverse();
  } catch {
    return [];
  }
}
