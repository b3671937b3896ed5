import { defineConfig } from 'tsup';
import { base } from '../../tsup.base.js';

export default defineConfig({
  ...base(import.meta.url),
  external: ['puppeteer-core'],
  esbuildPlugins: [
    {
      // the bundle of build-driver.ts
      name: 'driver-apart',
      setup: ({ onResolve }) =>
        onResolve({ filter: /^\.\/puppeteer\.js$/ }, () => ({ path: './puppeteer.cjs', external: true })),
    },
  ],
});
