import { defineConfig } from 'tsup';
import { base } from '../../tsup.base.js';

export default defineConfig(
  base({
    entry: { index: 'src/index.ts', mcp: 'src/mcp/index.ts', episode: 'src/episode.ts' },
  }),
);
