import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string) => fileURLToPath(new URL(`./${path}/src/index.ts`, import.meta.url));

export default defineConfig({
  resolve: {
    // Tests read the sources; only tests of the packed packages and of worker threads need a build.
    alias: [
      { find: /^@vlgym\/core$/, replacement: source('packages/core') },
      { find: /^@vlgym\/render$/, replacement: source('packages/render') },
      { find: /^@vlgym\/points24$/, replacement: source('packages/envs/points24') },
      { find: /^@vlgym\/miniworld$/, replacement: source('packages/envs/miniworld') },
      { find: /^@vlgym\/alfworld$/, replacement: source('packages/envs/alfworld') },
      { find: /^@vlgym\/webshop$/, replacement: source('packages/envs/webshop') },
      {
        find: /^@vlgym\/webshop\/browser$/,
        replacement: fileURLToPath(new URL('./packages/envs/webshop/src/browser/index.ts', import.meta.url)),
      },
      { find: /^@vlgym\/agents$/, replacement: source('packages/agents') },
      { find: /^@vlgym\/gpu$/, replacement: source('packages/gpu') },
      { find: /^@vlgym\/rl$/, replacement: source('packages/algos/rl') },
      { find: /^@vlgym\/gtr-turbo$/, replacement: source('packages/algos/gtr-turbo') },
      { find: /^@vlgym\/vl-dac$/, replacement: source('packages/algos/vl-dac') },
      { find: /^@vlgym\/baselines$/, replacement: source('packages/algos/baselines') },
    ],
  },
  test: {
    include: ['packages/**/*.test.ts', 'apps/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
