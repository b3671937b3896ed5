import { cp } from 'node:fs/promises';
import { defineConfig } from 'tsup';
import { base } from '../../tsup.base.js';

// A program, and the benchmark and the report for use from code. ES modules only: environments are imported at the top
// level. The page's script goes into the page as it is.
export default defineConfig(
  base(
    import.meta.url,
    {},
    {
      entry: ['src/cli.ts', 'src/index.ts'],
      format: ['esm'],
      dts: { entry: 'src/index.ts', compilerOptions: { ignoreDeprecations: '6.0', paths: {} } },
      shims: false,
      onSuccess: () => cp('src/play/page-script', 'dist/page-script', { recursive: true }),
    },
  ),
);
