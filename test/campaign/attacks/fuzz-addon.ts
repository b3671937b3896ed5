/** Random calls of the native addon, hostile ones among them: the process survives, or the finding is its signal. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from '../../support/workspaces.js';
import type { Attack } from '../attack.js';
import { runScript } from '../support/child.js';

const SCRIPT = join(ROOT, 'packages/gpu/scripts/fuzz-addon.ts');
const TSX = createRequire(import.meta.url).resolve('tsx');
const CALLS = 2000;

export const fuzzAddon: Attack = {
  name: 'fuzz-addon',
  about: 'random and hostile calls of the native addon',
  async run({ seed }) {
    const args = ['--calls', String(CALLS), '--seed', String(seed % 2 ** 31)];
    const { code, signal, stderr, timedOut } = await runScript(SCRIPT, { args, preload: [TSX], timeout: 300_000 });
    if (code === 0) return { counts: { calls: CALLS }, findings: [] };
    const what = timedOut ? 'does not return' : signal === null ? 'breaks a rule' : `dies by ${signal}`;
    const command = `npx tsx packages/gpu/scripts/fuzz-addon.ts ${args.join(' ')}`;
    return { counts: { calls: 0 }, findings: [{ title: `the addon ${what}`, detail: stderr.slice(-2000), command }] };
  },
};
