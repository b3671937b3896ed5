import { defineConfig } from 'tsup';
import { base } from '../../../tsup.base.js';

const options = base();

export default defineConfig({
  ...options,
  entry: {
    index: 'src/index.ts',
    browser: 'src/browser/index.ts',
    // the thread of `ThreadPool`: loaded by file name, not imported
    'threads/worker': 'src/threads/worker.ts',
  },
  // one copy of the shops that are open, whichever entry opened them
  splitting: true,
  dts: { ...(options.dts as object), entry: { index: 'src/index.ts', browser: 'src/browser/index.ts' } },
});
