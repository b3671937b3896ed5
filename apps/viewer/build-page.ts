/** Bundles the page into two files that load nothing else: `dist/page/viewer.js` and `viewer.css`. */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const BUNDLED = `/*! With Preact 11 (Copyright (c) 2015-present Jason Miller) and uPlot 1.6 (Copyright (c) Leon Sorokin), both MIT. */`;

export async function buildPage(): Promise<void> {
  await build({
    entryPoints: { viewer: fileURLToPath(new URL('./page/main.tsx', import.meta.url)) },
    outdir: fileURLToPath(new URL('./dist/page', import.meta.url)),
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    banner: { js: BUNDLED, css: BUNDLED },
    logLevel: 'warning',
  });
}
