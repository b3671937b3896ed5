/**
 * Samples of the regression tests of `test/agent-regressions`, from packed packages in an empty folder: how many are green for the
 * same agent, and red for a worse one.
 *
 *     npm run build && node scripts/regressions.mjs [SAMPLES] [SKILL] [WORSE]
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packed } from './packed.mjs';
import { root } from './setup.mjs';

const [samples = '100', skill = '0.9', worse = '0.5'] = process.argv.slice(2);
const OURS = ['@vlgym/vitest', '@vlgym/points24', '@vlgym/webshop'];
const THEIRS = ['vitest@4.1.12', 'ai@7.0.173', 'zod@4.6.7'];

const folder = mkdtempSync(join(tmpdir(), 'vlgym-samples-'));
const { CI: _, NODE_OPTIONS: __, ...env } = process.env;
const run = (command, args, more = {}) =>
  spawnSync(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], env: { ...env, ...more } });

try {
  const tarballs = packed(join(folder, 'packed'), OURS);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'theirs', private: true, type: 'module' }));
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  const { status } = run('npm', ['install', ...tarballs, ...THEIRS, ...flags]);
  if (status !== 0) throw new Error('npm install failed');
  cpSync(join(root, 'test/agent-regressions'), folder, { recursive: true });
  writeFileSync(join(folder, 'vitest.config.mjs'), "export default { test: { include: ['samples.js'] } };\n");

  const args = ['vitest', 'run', '--reporter', 'json', '--outputFile', 'results.json'];
  run('npx', args, { SAMPLES: samples, SKILL: skill, WORSE: worse });
  const { testResults } = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'));
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  if (tests.length !== 4 * Number(samples)) throw new Error(testResults.map(({ message }) => message).join('\n'));
  let isGood = true;
  for (const game of ['points24', 'webshop']) {
    const count = (title, status) =>
      tests.filter((each) => each.title === title && each.ancestorTitles[0].startsWith(game) && each.status === status)
        .length;
    const [green, red] = [count('same', 'passed'), count('worse', 'failed')];
    process.stdout.write(`${game}: ${green} of ${samples} green at ${skill}, ${red} of ${samples} red at ${worse}\n`);
    isGood &&= green >= 0.95 * Number(samples) && red >= 0.95 * Number(samples);
  }
  process.exitCode = isGood ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
