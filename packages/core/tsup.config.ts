import { defineConfig } from 'tsup';
import { base } from '../../tsup.base.js';

const options = base();

const entry = {
  index: 'src/index.ts',
  http: 'src/http/index.ts',
  internal: 'src/internal.ts',
  testing: 'src/testing/index.ts',
  verification: 'src/verification/index.ts',
};

export default defineConfig({
  ...options,
  // worker.js is the thread of `WorkerVectorEnv`: loaded by file name, not imported
  entry: { ...entry, 'vector/worker': 'src/vector/worker.ts' },
  dts: { ...(options.dts as object), entry },
});
