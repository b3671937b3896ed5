/**
 * `npm run test:readers`: our exports read by the programs that they are for: pyarrow, pandas, datasets, Inspect, Trackio,
 * MLflow, TensorBoard, and verifiers' own traces. Sets up a Python in the user's cache once (3 minutes, 1.5 GB of disk).
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, run } from './setup.mjs';

const { cacheFolder } = await import(pathToFileURL(join(root, 'packages/gpu/dist/setup.js')).href);

const home = join(cacheFolder(), 'readers');
const python = join(home, 'bin/python');
const stamp = join(home, 'packages.done');
const packages = readFileSync(join(root, 'test/readers/requirements.txt'), 'utf8');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== packages) {
  process.stdout.write('• Python with the readers\n');
  mkdirSync(home, { recursive: true });
  if (!existsSync(python)) run('python3', ['-m', 'venv', home]);
  const wheels = ['--quiet', '--disable-pip-version-check', '--only-binary=:all:'];
  run(python, ['-m', 'pip', 'install', ...wheels, '-r', join(root, 'test/readers/requirements.txt')]);
  writeFileSync(stamp, packages);
}
if (!process.argv.includes('--setup')) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const env = { ...process.env, VLGYM_TEST_READERS: python };
  const words = [vitest, 'run', 'test/readers', ...process.argv.slice(2)];
  process.exit(spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit', env }).status ?? 1);
}
