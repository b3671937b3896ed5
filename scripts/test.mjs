/**
 * `npm test`: set up, run every test, close with `N passed, N failed, N skipped`.
 * Arguments go to vitest: `npm test -- packages/core`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, setup } from './setup.mjs';

try {
  await setup();
} catch (error) {
  process.stderr.write(`set-up stopped: ${error.message}\n`);
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), 'vlgym-test-'));
const report = join(folder, 'report.json');
const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, VLGYM_NUM_THREADS: '1' } },
);

let counts = { passed: 0, failed: 1, skipped: 0 };
try {
  const result = JSON.parse(readFileSync(report, 'utf8'));
  // A file that does not load, or whose set-up fails, has no failed test of its own, and is a failure all the same.
  const broken = result.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  );
  counts = {
    passed: result.numPassedTests,
    failed: result.numFailedTests + broken.length,
    skipped: result.numPendingTests + result.numTodoTests,
  };
} catch (error) {
  process.stderr.write(`no test report: ${error.message}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
process.exit(counts.failed > 0 || status !== 0 ? 1 : 0);
