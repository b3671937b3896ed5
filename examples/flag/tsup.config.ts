import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/index.ts'],
  format: ['esm'],
  target: 'node20',
  // TypeScript 6 calls the declaration builder's default `baseUrl` deprecated
  dts: { compilerOptions: { ignoreDeprecations: '6.0', paths: {} } },
  sourcemap: true,
  clean: true,
});
