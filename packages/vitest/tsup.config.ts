import { defineConfig } from 'tsup';
import { base } from '../../tsup.base.js';

// Vitest is an ES module, and refuses to be required
export default defineConfig(base(import.meta.url, {}, { format: ['esm'] }));
