import { copyFile } from 'node:fs/promises';
import { defineConfig } from 'tsup';
import { base } from '../../tsup.base.js';

// A program, not a library: one format, no declarations. The page's script goes into the page as it is.
export default defineConfig(
  base({
    entry: ['src/cli.ts'],
    format: ['esm'],
    dts: false,
    shims: false,
    onSuccess: () => copyFile('src/play/page-script.js', 'dist/page-script.js'),
  }),
);
