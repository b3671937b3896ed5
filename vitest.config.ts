import { existsSync, readFileSync } from 'node:fs';
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

export default defineConfig({
  // Tests read the sources; only tests of the packed packages and of worker threads need a build. An export condition
  // would reach those threads too, and Node 20 cannot read TypeScript there.
  plugins: [{ name: 'vlgym-sources', enforce: 'pre', resolveId: (specifier) => sourceOf(specifier) }],
  test: {
    include: ['packages/**/*.test.ts', 'apps/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    pool: 'forks',
    // Vitest leaves one core to itself, which halves two. Some files wait for brokers and browsers: three keep two cores busy.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
