/**
 * Imports the module that registers an environment, as named in its spec. Importing runs code: the name must come from
 * the user, never from somebody else's file.
 */
import { isRecord } from '../../type-tests.js';

/**
 * @param specifier  A package name, a URL (`file:`, `data:`, …), or a path relative to the working directory.
 *
 * A package is looked up from this package first and from the working directory second: the first gives the copy that
 * shares our registry, the second works where the package manager does not hoist.
 */
export async function importModule(specifier: string): Promise<unknown> {
  if (/^[a-z]{2,}:/i.test(specifier)) return import(/* @vite-ignore */ specifier);
  if (/^[./\\]|^[a-z]:[\\/]/i.test(specifier)) {
    const { pathToFileURL } = await import('node:url');
    const { resolve } = await import('node:path');
    return import(/* @vite-ignore */ pathToFileURL(resolve(specifier)).href);
  }
  try {
    return await import(/* @vite-ignore */ specifier);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    const path = await fromWorkingDirectory(specifier);
    if (path === undefined) throw error;
    const { pathToFileURL } = await import('node:url');
    return import(/* @vite-ignore */ pathToFileURL(path).href);
  }
}

/** The file behind a package name, as seen from the working directory; its ES module where it has one. */
async function fromWorkingDirectory(specifier: string): Promise<string | undefined> {
  const { createRequire } = await import('node:module');
  const { readFileSync } = await import('node:fs');
  const { join, resolve } = await import('node:path');
  const { resolve: find } = createRequire(resolve('package.json'));
  for (const modules of find.paths(specifier) ?? []) {
    try {
      const manifest = JSON.parse(readFileSync(join(modules, specifier, 'package.json'), 'utf8'));
      const entry = esmEntry(manifest.exports);
      if (entry !== undefined) return join(modules, specifier, entry);
      break;
    } catch {
      // not in this folder
    }
  }
  try {
    return find(specifier);
  } catch {
    return undefined;
  }
}

/** What `import` takes of the field `exports`; `require` would not see it. */
function esmEntry(target: unknown): string | undefined {
  if (typeof target === 'string') return target;
  if (!isRecord(target)) return undefined;
  for (const [condition, inner] of Object.entries(target)) {
    const entry = ['.', 'node', 'import', 'default'].includes(condition) ? esmEntry(inner) : undefined;
    if (entry !== undefined) return entry;
  }
  return undefined;
}
