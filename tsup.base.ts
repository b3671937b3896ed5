/** Build settings shared by every package: ESM and CommonJS with declarations and source maps. */
import { existsSync, readFileSync } from 'node:fs';
import type { Options } from 'tsup';

type Entries = Record<string, string>;

/** The sources of what `exports` of the package.json in this folder names: `./spaces` is `src/spaces.ts` or `src/spaces/index.ts`. */
function publicEntries(): Entries {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly exports: Record<string, unknown> };
  const names = Object.keys(exports).filter((name) => name !== '.' && name !== './package.json');
  const source = (name: string) => (existsSync(`src/${name}.ts`) ? `src/${name}.ts` : `src/${name}/index.ts`);
  return Object.fromEntries(['index', ...names.map((name) => name.slice(2))].map((name) => [name, source(name)]));
}

/** Entries whose types no other entry mentions. Some need the types of Node or of an optional peer. */
const SEPARATE = [
  'index',
  'internal',
  'testing',
  'verification',
  'browser',
  'server',
  'env-server',
  'mcp',
  'http',
  'webgl',
];

/**
 * References that load the types of further entries with each. Without them the compiler of a user cannot name a type that
 * it infers from one entry and another exports (TS2883).
 */
function references(names: readonly string[]): string {
  const { name } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly name: string };
  const topics = names.filter((entry) => !SEPARATE.includes(entry));
  return topics.map((topic) => `\n/// <reference types="${name}/${topic}" />`).join('');
}

/** @param loaded Files that are loaded by name, not imported: threads and child processes. They get no declarations. */
export function base(loaded: Entries = {}, options: Options = {}): Options {
  const entry = publicEntries();
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
      banner: `/// <reference lib="esnext.disposable" />${references(Object.keys(entry))}`,
      compilerOptions: { ignoreDeprecations: '6.0', paths: {} },
    },
    sourcemap: true,
    clean: true,
    shims: true,
    ...options,
  };
}
