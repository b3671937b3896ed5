import { defineConfig } from 'tsup';
import { base } from '../../tsup.base.js';

export default defineConfig(base({}, { format: ['esm'], shims: false }));
