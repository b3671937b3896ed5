/**
 * The environments that the command line can name: those of the packages it depends on, whose package.json declares
 * some, and those that the user adds by `--import`.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute, resolve } from 'node:path';
import { declaredEnvironments, findRegistration, GymError, importModule, resolveEnvId } from '@vlgym/core';
import { z } from 'zod';
// ids with a scheme: `gymnasium:CartPole-v1`, `openenv:http://…`
import '@vlgym/gymnasium';
import '@vlgym/serve';

const require = createRequire(import.meta.url);
const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
};

for (const name of Object.keys(dependencies)) if (hasEnvironments(name)) await import(/* @vite-ignore */ name);

function hasEnvironments(name: string): boolean {
  try {
    return declaredEnvironments(JSON.parse(readFileSync(require.resolve(`${name}/package.json`), 'utf8'))).length > 0;
  } catch {
    return false; // a package that does not show its package.json
  }
}

/** Part of the options of every command that plays. */
export const importOption = {
  import: z
    .array(z.string().min(1))
    .default([])
    .describe('packages or files of yours that register environments or algorithms; they are run'),
};

/** A package or file that `--import` names cannot be loaded. */
export class ImportFailedError extends GymError {
  constructor(
    readonly specifier: string,
    cause: unknown,
  ) {
    const { code, message } = cause as NodeJS.ErrnoException;
    super(`"${specifier}" cannot be imported: ${message}`, {
      code: 'IMPORT_FAILED',
      value: specifier,
      expected: 'a package that is installed here, or a JavaScript file',
      hint:
        code === 'ERR_UNKNOWN_FILE_EXTENSION'
          ? 'compile it to JavaScript first'
          : 'a package is looked up from the working directory; a file is a path from it',
      cause,
    });
  }
}

/**
 * Runs what the user names with `--import`.
 *
 * @returns The same names, files as absolute paths, for another process.
 * @throws {ImportFailedError}
 */
export async function importEnvironments(names: readonly string[]): Promise<string[]> {
  const specifiers = names.map(absoluteFile);
  for (const specifier of specifiers) {
    await importModule(specifier).catch((cause: unknown) => {
      throw GymError.isInstance(cause) ? cause : new ImportFailedError(specifier, cause);
    });
  }
  return specifiers;
}

/** `walk.js` is a file where there is one, else a package. */
function absoluteFile(name: string): string {
  const path = resolve(name);
  return isAbsolute(name) || /^\.{1,2}[/\\]/.test(name) || (existsSync(path) && statSync(path).isFile()) ? path : name;
}

/** The options with everything imported and the environment by its id. */
export async function withEnvironment<T extends { readonly env: string; readonly import: readonly string[] }>(
  options: T,
): Promise<T & { readonly import: string[] }> {
  const imported = await importEnvironments(options.import);
  return { ...options, import: imported, env: resolveEnvId(options.env) };
}

/** Name of an environment for people. */
export const titleOfEnv = (id: string): string => findRegistration(id).title ?? id;
