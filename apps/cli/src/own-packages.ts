/**
 * `@vlgym/*` and `zod` for code of the user that lies in a folder without an installation: it gets those of the command line
 * itself. If the file can resolve a package itself, it uses that one.
 */
import { createRequire, register } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { dependencies } from '../package.json';

const LENT = Object.keys(dependencies).filter((name) => name === 'zod' || name.startsWith('@vlgym/'));

/** Tries the place of the importing file first, as Node does. */
const HOOKS = `
let lent, own;
export const initialize = (data) => { ({ lent, own } = data); };
export async function resolve(specifier, context, next) {
  try {
    return await next(specifier, context);
  } catch (error) {
    const name = lent.find((each) => specifier === each || specifier.startsWith(each + '/'));
    if (error.code !== 'ERR_MODULE_NOT_FOUND' || name === undefined) throw error;
    return next(specifier, { ...context, parentURL: own });
  }
}`;

let isLending = false;

/** For files that Node loads itself. */
export function lendOwnPackages(): void {
  if (isLending) return;
  isLending = true;
  const own = import.meta.url;
  register(`data:text/javascript,${encodeURIComponent(HOOKS)}`, own, { data: { lent: LENT, own } });
}

/** For a file whose types are stripped first: the path of each provided entry that it cannot resolve itself. */
export function ownPackagesFor(file: string): Record<string, string> {
  const theirs = createRequire(pathToFileURL(file));
  const ours = createRequire(import.meta.url);
  return Object.fromEntries(
    LENT.flatMap((name) => {
      if (finds(theirs, `${name}/package.json`)) return [];
      const { exports = {} } = ours(`${name}/package.json`) as { readonly exports?: object };
      const entries = Object.keys(exports).filter((path) => !path.includes('*') && !path.endsWith('.json'));
      // the longest first: an alias also matches the paths below it
      return entries
        .map((path) => `${name}${path.slice(1)}`)
        .sort((a, b) => b.length - a.length)
        .map((entry): [string, string] => [entry, fileURLToPath(import.meta.resolve(entry))]);
    }),
  );
}

function finds(from: NodeJS.Require, path: string): boolean {
  try {
    from.resolve(path);
    return true;
  } catch {
    return false;
  }
}
