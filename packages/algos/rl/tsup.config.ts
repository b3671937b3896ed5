import { defineConfig } from 'tsup';
import { base } from '../../../tsup.base.js';

const options = base();
const entry = { index: 'src/index.ts' };

export default defineConfig({
  ...options,
  // the thread of `threadEnvs`: loaded by file name, not imported
  entry: { ...entry, 'rollout/thread-worker': 'src/rollout/thread-worker.ts' },
  dts: { ...(options.dts as object), entry },
});
