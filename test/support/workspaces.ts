/** The packages of this repository, as their package.json files declare them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly workspaces?: readonly string[];
  readonly engines?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly main?: string;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

export interface Workspace {
  readonly name: string;
  /** Absolute path. */
  readonly folder: string;
  /** Path from the root of the repository, for messages. */
  readonly path: string;
  readonly manifest: Manifest;
}

const readManifest = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** `packages/envs/*` → the folders in it; any other pattern is a folder itself. */
function expand(pattern: string): string[] {
  if (!pattern.endsWith('/*')) return [pattern];
  const parent = pattern.slice(0, -2);
  return readdirSync(join(ROOT, parent)).map((name) => `${parent}/${name}`);
}

/** Packages that are published, sorted by name. */
export const publicPackages: readonly Workspace[] = (readManifest(ROOT).workspaces ?? [])
  .flatMap(expand)
  .filter((path) => existsSync(join(ROOT, path, 'package.json')))
  .map((path) => {
    const folder = join(ROOT, path);
    const manifest = readManifest(folder);
    return { name: manifest.name, folder, path, manifest };
  })
  .filter(({ manifest }) => manifest.private !== true)
  .sort((a, b) => (a.name < b.name ? -1 : 1));

const byName = new Map(publicPackages.map((each) => [each.name, each]));

/** Packages of ours that this one declares as dependencies. */
export const ourDependencies = ({ manifest }: Workspace): Workspace[] =>
  Object.keys(manifest.dependencies ?? {}).flatMap((name) => byName.get(name) ?? []);

/** The package and everything of ours that it needs, itself first. */
export function closure(start: Workspace): Workspace[] {
  const found = new Set([start]);
  for (const each of found) for (const dependency of ourDependencies(each)) found.add(dependency);
  return [...found];
}

/** @throws Error naming the command, for tests that read what `npm run build` writes. */
export function requireBuild(packages: readonly Workspace[] = publicPackages): void {
  const missing = packages.filter(({ folder }) => !existsSync(join(folder, 'dist'))).map(({ path }) => path);
  if (missing.length > 0) throw new Error(`not built: ${missing.join(', ')}; run \`npm run build\` first`);
}
