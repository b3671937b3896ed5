import { defineConfig } from 'tsup';
import { base } from '../../tsup.base.js';

const options = base();
const entry = { index: 'src/index.ts' };

export default defineConfig({
  ...options,
  // the process that decodes Parquet: loaded by file name, not imported
  entry: { ...entry, 'parquet/child': 'src/parquet/child.ts' },
  dts: { ...(options.dts as object), entry },
});
