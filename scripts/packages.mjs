/**
 * What the packages publish, as publint and attw see it. npm packs all of them at once, and one process looks at the
 * packed files: started for each package, both tools would pack it again and load a compiler of their own.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getExitCode } from '@arethetypeswrong/cli/internal/getExitCode';
import { typed } from '@arethetypeswrong/cli/internal/render';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { publicPackages } from './checks.mjs';
import { root } from './setup.mjs';

/** Packages without CommonJS: a command, and matchers of a test runner that has none. */
const ESM_ONLY = ['vlgym', '@vlgym/vitest'];

/** What is wrong with a packed package, or nothing. */
async function problemsOf(name, file) {
  const data = new Uint8Array(readFileSync(file));
  const { messages, pkg } = await publint({ strict: true, pack: { tarball: data.buffer } });
  const problems = messages.map((message) => `publint: ${formatMessage(message, pkg)}`);
  const analysis = await checkPackage(createPackageFromTarballData(data));
  const ignoreResolutions = ESM_ONLY.includes(name) ? ['node10', 'node16-cjs'] : ['node10'];
  if (getExitCode(analysis, { ignoreResolutions }) !== 0) {
    problems.push(`attw: ${await typed(analysis, { ignoreResolutions, format: 'ascii' })}`);
  }
  return problems;
}

const folder = mkdtempSync(join(tmpdir(), 'vlgym-packages-'));
try {
  const workspaces = publicPackages().flatMap((each) => ['--workspace', each]);
  const how = { cwd: root, encoding: 'utf8', maxBuffer: 64 << 20, stdio: ['ignore', 'pipe', 'pipe'] };
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder, ...workspaces], how);
  for (const { name, filename } of JSON.parse(packed)) {
    const problems = await problemsOf(name, join(folder, filename));
    if (problems.length === 0) continue;
    process.stdout.write(`${name}\n${problems.join('\n')}\n`);
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
