import { defineConfig } from 'tsup';
import { base } from '../../tsup.base.js';

export default defineConfig(base({ 'parquet/child': 'src/parquet/child.ts' }));
