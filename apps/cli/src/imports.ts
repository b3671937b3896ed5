/** Code of the user: packages and files that `--import`, `--agent` and `--algorithm` name. */
import { existsSync, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { GymError, importModule } from '@vlgym/core';
import { z } from 'zod';
import { lendOwnPackages, ownPackagesFor } from './own-packages.js';

/** Part of the options of every command that plays. */
export const importOption = {
  import: z
    .array(z.string().min(1))
    .default([])
    .describe('packages or files of yours (.js, .ts) that register environments, algorithms or models; they are run'),
};

/** A package or file of the user cannot be loaded. */
class ImportFailedError extends GymError {
  constructor(
    readonly specifier: string,
    cause: unknown,
  ) {
    const { message } = cause as Error;
    super(`"${specifier}" cannot be imported: ${message}`, {
      code: 'IMPORT_FAILED',
      value: specifier,
      expected: 'a package that is installed here, or a JavaScript or TypeScript file',
      hint: hintFor(message),
      cause,
    });
  }
}

/** Packages of vlgym that a package of the user misses. */
const MISSES_OURS = /Cannot find package '(@vlgym\/[\w-]+)'/;

function hintFor(message: string): string {
  const [, ours] = MISSES_OURS.exec(message) ?? [];
  if (ours === undefined) return 'a package is looked up from the working directory; a file is a path from it';
  return `${ours} is not published on npm yet: run \`npm pack --workspace ${ours}\` in a built clone of vlgym, and install the file`;
}

const IS_PATH = /^\.{1,2}[/\\]/;
const IS_TYPESCRIPT = /\.[cm]?tsx?$/;
const IS_CODE = /\.[cm]?[jt]sx?$/;

/** A path to code, not the name of something that is known. */
export const isFile = (name: string): boolean => IS_PATH.test(name) || isAbsolute(name) || IS_CODE.test(name);

/** `walk.js` is a file where there is one, else a package. */
export function absoluteFile(name: string): string {
  const path = resolve(name);
  return isAbsolute(name) || IS_PATH.test(name) || (existsSync(path) && statSync(path).isFile()) ? path : name;
}

/**
 * Runs a package or file. TypeScript types are stripped in the same way on every version of Node.
 *
 * @throws {ImportFailedError}
 */
export async function importUserCode(name: string): Promise<Readonly<Record<string, unknown>>> {
  const specifier = absoluteFile(name);
  try {
    lendOwnPackages();
    if (!IS_TYPESCRIPT.test(specifier)) return (await importModule(specifier)) as Record<string, unknown>;
    const { createJiti } = await import('jiti');
    const jiti = createJiti(import.meta.url, { fsCache: false, alias: ownPackagesFor(specifier) });
    return await jiti.import<Record<string, unknown>>(specifier);
  } catch (cause) {
    throw GymError.isInstance(cause) ? cause : new ImportFailedError(specifier, cause);
  }
}

/**
 * Runs what the user names with `--import`.
 *
 * @returns The same names, files as absolute paths, for another process.
 */
export async function importAll(names: readonly string[]): Promise<string[]> {
  for (const name of names) await importUserCode(name);
  return names.map(absoluteFile);
}
