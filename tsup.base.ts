/** Build settings shared by every package: ESM and CommonJS with declarations and source maps. */
import type { Options } from 'tsup';

export function base(options: Options = {}): Options {
  return {
    entry: ['src/index.ts'],
    format: ['esm', 'cjs'],
    target: 'node20',
    // TypeScript 6 calls the declaration builder's default `baseUrl` deprecated; without this the build stops.
    // `AsyncDisposable` comes from TypeScript itself, so that users need no types of Node for it.
    dts: {
      banner: '/// <reference lib="esnext.disposable" />',
      compilerOptions: { ignoreDeprecations: '6.0', paths: {} },
    },
    sourcemap: true,
    clean: true,
    shims: true,
    ...options,
  };
}
