/**
 * `npm run test:examples [-- NAME…]`: each example copied to an empty folder and used by the commands of its README, with our
 * packages from packed files: tests, terminal, page, expert, replay, watch, MCP, training, Python. Needs `npm run build`
 * first; a few minutes.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './setup.mjs';

const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const env = { ...process.env, VLGYM_TEST_EXAMPLES: process.argv.slice(2).join(',') || 'all' };
const words = [vitest, 'run', 'test/packed-examples'];
process.exit(spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit', env }).status ?? 1);
