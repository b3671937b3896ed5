/**
 * Which installed package registers an id, for the hint of `UnknownEnvError`. A package says so in its package.json:
 *
 *     "vlgym": { "environments": ["gym_cards/Points24-v0"] }
 *
 * These files are only read; nothing is imported. Searched are the scope `@vlgym` and the dependencies of the
 * package.json files from the working directory up.
 */
import { optionalBuiltin } from '../../files/builtin.js';

export interface DeclaredEnv {
  readonly id: string;
  readonly packageName: string;
}

/** The environments that a parsed package.json declares. */
export function declaredEnvironments(manifest: unknown): string[] {
  const { vlgym } = (manifest ?? {}) as { readonly vlgym?: { readonly environments?: unknown } };
  const ids = vlgym?.environments;
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
}

/** Environments of installed packages; none outside of Node. */
export function installedEnvironments(): DeclaredEnv[] {
  const fs = optionalBuiltin('node:fs');
  const path = optionalBuiltin('node:path');
  if (!fs || !path) return [];
  const json = (file: string): unknown => {
    try {
      return JSON.parse(fs.readFileSync(file, 'utf8'));
    } catch {
      return undefined;
    }
  };
  const scoped = (modules: string) => {
    try {
      return fs.readdirSync(path.join(modules, '@vlgym')).map((name) => `@vlgym/${name}`);
    } catch {
      return [];
    }
  };
  const found = new Map<string, DeclaredEnv>();
  for (const folder of ancestors(process.cwd(), path.dirname)) {
    const modules = path.join(folder, 'node_modules');
    const names = new Set([...scoped(modules), ...dependenciesOf(json(path.join(folder, 'package.json')))]);
    for (const packageName of names) {
      for (const id of declaredEnvironments(json(path.join(modules, packageName, 'package.json')))) {
        if (!found.has(id)) found.set(id, { id, packageName });
      }
    }
  }
  return [...found.values()];
}

/** The folder itself, its parent, and so on up to the root. */
function* ancestors(start: string, parentOf: (folder: string) => string): Generator<string> {
  for (let folder = start; ; folder = parentOf(folder)) {
    yield folder;
    if (folder === parentOf(folder)) return;
  }
}

function dependenciesOf(manifest: unknown): string[] {
  const { dependencies, devDependencies } = (manifest ?? {}) as Record<string, object | undefined>;
  return Object.keys({ ...dependencies, ...devDependencies });
}
