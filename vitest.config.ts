import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const { compilerOptions } = JSON.parse(readFileSync(file('tsconfig.json'), 'utf8')) as {
  readonly compilerOptions: { readonly paths: Readonly<Record<string, readonly string[]>> };
};

/** The source of a package of ours, by the `paths` of tsconfig.json. */
function sourceOf(specifier: string): string | undefined {
  const [, name, entry] = /^@vlgym\/([\w-]+)(?:\/([\w-]+))?$/.exec(specifier) ?? [];
  const paths = compilerOptions.paths[entry === undefined ? '@vlgym/*' : `@vlgym/${name}/*`] ?? [];
  return paths.map((path) => file(path.replace('*', (entry ?? name)!))).find((path) => existsSync(path));
}

const NEVER = ['**/node_modules/**', '**/dist/**'];
/** Files that install packages, start other programs and languages, train until something is learned, or attack at random. */
const LONG = '**/*.long.test.ts';
const FOLDERS = ['packages', 'apps', 'test'];
const filesEndingIn = (ending: string) => FOLDERS.map((folder) => `${folder}/**/*${ending}`);

/**
 * What outlives a test file. Files that name none of it share a process, in any order: to load the same modules for each
 * of them again takes as long as to run half of their tests.
 */
const OUTLIVES =
  /register|\bvi\.|process\.|memoryUsage|heap|spawn|child_process|[cC]hromium|[bB]rowser|setTimeout|listen|createServer|Worker|globalThis/;

function testFilesIn(folder: string): string[] {
  return readdirSync(file(folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : testFilesIn(path);
    return path.endsWith('.test.ts') && !path.endsWith('.long.test.ts') ? [path] : [];
  });
}

const shared = FOLDERS.flatMap(testFilesIn).filter((path) => !OUTLIVES.test(readFileSync(file(path), 'utf8')));

export default defineConfig({
  // Tests read the sources; only tests of the packed packages and of worker threads need a build. An export condition
  // would reach those threads too, and Node 20 cannot read TypeScript there.
  plugins: [{ name: 'vlgym-sources', enforce: 'pre', resolveId: (specifier) => sourceOf(specifier) }],
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'suite', include: filesEndingIn('.test.ts'), exclude: [...NEVER, LONG, ...shared] },
      },
      { extends: true, test: { name: 'suite-shared', include: shared, isolate: false } },
      { extends: true, test: { name: 'long', include: filesEndingIn('.long.test.ts'), exclude: NEVER } },
    ],
    pool: 'forks',
    // Vitest leaves one core to itself, which halves two. Some files wait for brokers and browsers: three keep two cores busy.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
