import { defineConfig } from 'tsup';
import { base } from '../../tsup.base.js';

export default defineConfig(
  base({ entry: { index: 'src/index.ts', 'env-server': 'src/env-server/index.ts', server: 'src/server.ts' } }),
);
