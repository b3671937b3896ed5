/** Build settings shared by every package: ESM and CommonJS with declarations and source maps. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Options } from 'tsup';

type Entries = Record<string, string>;

interface Manifest {
  readonly name: string;
  readonly exports?: Record<string, unknown>;
}

/** The sources of what `exports` names: `./spaces` is `spaces.ts` or `spaces/index.ts` in `src`. */
function publicEntries(folder: string, { exports = {} }: Manifest): Entries {
  const names = Object.keys(exports).filter((name) => name !== '.' && name !== './package.json');
  const source = (name: string) => (existsSync(`${folder}src/${name}.ts`) ? `src/${name}.ts` : `src/${name}/index.ts`);
  return { index: 'src/index.ts', ...Object.fromEntries(names.map((name) => [name.slice(2), source(name.slice(2))])) };
}

/**
 * @param config The `import.meta.url` of the package's tsup.config.ts.
 * @param loaded Files that are loaded by name, not imported: threads and child processes. They get no declarations.
 */
export function base(config: string, loaded: Entries = {}, options: Options = {}): Options {
  const folder = fileURLToPath(new URL('.', config));
  const manifest = JSON.parse(readFileSync(`${folder}package.json`, 'utf8')) as Manifest;
  const entry = publicEntries(folder, manifest);
  return {
    entry: { ...entry, ...loaded },
    format: ['esm', 'cjs'],
    target: 'node20',
    // one copy of a class, whichever entry a program imports it from
    splitting: true,
    // TypeScript 6 calls the declaration builder's default `baseUrl` deprecated; without this the build stops.
    // `AsyncDisposable` comes from TypeScript itself, so that users need no types of Node for it.
    dts: {
      entry,
      banner: '/// <reference lib="esnext.disposable" />',
      compilerOptions: { ignoreDeprecations: '6.0', paths: {} },
    },
    sourcemap: true,
    // packages carry `src`, which the maps name
    esbuildOptions: (esbuild) => {
      esbuild.sourcesContent = false;
    },
    clean: true,
    shims: true,
    ...options,
  };
}
