import { defineConfig } from 'tsup';
import { base } from '../../../tsup.base.js';

const options = base();

export default defineConfig({
  ...options,
  // worker.js is the thread of `ThreadPool`: loaded by file name, not imported
  entry: { index: 'src/index.ts', 'threads/worker': 'src/threads/worker.ts' },
  dts: { ...(options.dts as object), entry: 'src/index.ts' },
});
