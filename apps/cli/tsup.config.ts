import { defineConfig } from 'tsup';
import { base } from '../../tsup.base.js';

// A program, not a library: one format, no declarations.
export default defineConfig(base({ entry: ['src/cli.ts'], format: ['esm'], dts: false, shims: false }));
