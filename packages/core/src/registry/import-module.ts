/**
 * Imports the module that registers an environment, named as its spec names it. Importing runs code: the name must be
 * the user's own, never one from a file of somebody else.
 */

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
    const { createRequire } = await import('node:module');
    const { pathToFileURL } = await import('node:url');
    const { resolve } = await import('node:path');
    const fromWorkingDirectory = createRequire(resolve('package.json'));
    let path: string;
    try {
      path = fromWorkingDirectory.resolve(specifier);
    } catch {
      throw error;
    }
    return import(/* @vite-ignore */ pathToFileURL(path).href);
  }
}
