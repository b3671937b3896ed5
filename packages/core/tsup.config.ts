import { defineConfig } from 'tsup';
import { base } from '../../tsup.base.js';

const options = base();

export default defineConfig({
  ...options,
  // worker.js is the thread of `WorkerVectorEnv`: loaded by file name, not imported
  entry: { index: 'src/index.ts', 'vector/worker': 'src/vector/worker.ts' },
  dts: { ...(options.dts as object), entry: 'src/index.ts' },
});
