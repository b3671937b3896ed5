/** `npm run quickstart`: set up, then train and compare the algorithms in a room and write the report. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root, setup } from './setup.mjs';

try {
  await setup({ chromium: false });
} catch (error) {
  process.stderr.write(`set-up stopped: ${error.message}\n`);
  process.exit(1);
}
const { status, signal } = spawnSync(
  process.execPath,
  [join(root, 'apps/cli/dist/cli.js'), 'quickstart', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
);
process.exit(status ?? (signal ? 1 : 0));
