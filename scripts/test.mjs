/**
 * `npm test`: set up, run every check and the suite, end with `N passed, N failed, N skipped`. A failed check counts as one
 * more failure. `VLGYM_TESTS=all` adds the long tests, as CI does; `npm run test:long` runs these alone. Arguments go to vitest,
 * `npm test -- packages/core`, and then only those tests run, the long ones among them.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChecks } from './checks.mjs';
import { root, setup } from './setup.mjs';

const words = process.argv.slice(2);
const isLong = words[0] === '--long';
const selected = isLong ? words.slice(1) : words;
const isPart = isLong || selected.length > 0;
const { VLGYM_TESTS: wanted = 'suite' } = process.env;
if (!['suite', 'all'].includes(wanted)) {
  process.stderr.write(`VLGYM_TESTS is ${JSON.stringify(wanted)}, expected "suite" or "all"\n`);
  process.exit(2);
}
const projects = isLong ? ['--project=long'] : isPart || wanted === 'all' ? [] : ['--project=suite*'];

try {
  await setup();
} catch (error) {
  process.stderr.write(`set-up stopped: ${error.message}\n`);
  process.exit(1);
}

const checks = isPart ? { failed: 0 } : await runChecks();

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
    ...projects,
    ...selected,
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, VLGYM_NUM_THREADS: '1' } },
);

let counts = { passed: 0, failed: 1, skipped: 0 };
try {
  const result = JSON.parse(readFileSync(report, 'utf8'));
  // A file that does not load, or whose set-up fails, contains no failed test, but counts as a failure.
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
const failed = counts.failed + checks.failed;
process.stdout.write(`\n${counts.passed} passed, ${failed} failed, ${counts.skipped} skipped\n`);
process.exit(failed > 0 || status !== 0 ? 1 : 0);
