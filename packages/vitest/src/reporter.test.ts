/** A whole run of Vitest with the reporter: the terminal, the summary for GitHub Actions, and what strangers may write there. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { AgentCheck } from './check.js';
import { summaryMarkdown } from './report/summary.js';
import { reportText } from './report/terminal.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const TEST = `
import { expect, test } from 'vitest';
import { corridor, playerAt } from '${ROOT}packages/vitest/test-support/players.ts';
import '@vlgym/vitest';

test('walks', async () => { await expect(playerAt(1)).toSolve(corridor, { rate: 0.8 }); });
test('chance does not', async () => { await expect(playerAt(0.1)).not.toSolve(corridor, { rate: 0.8 }); });
test('walks always', async () => { await expect(playerAt(0.3)).toSolve(corridor, { rate: 0.8 }); });
`;

it('reports failed episodes step by step, and writes a summary of the job', { timeout: 300_000 }, async () => {
  const home = await mkdtemp(join(tmpdir(), 'vlgym-reporter-'));
  const summary = join(home, 'summary.md');
  await writeFile(join(home, 'agent.test.ts'), TEST);
  const config = join(home, 'vitest.config.ts');
  const reporter = join(ROOT, 'packages/vitest/src/reporter.ts');
  const env = { ...process.env, GITHUB_STEP_SUMMARY: summary };
  await writeFile(
    config,
    `import base from '${ROOT}vitest.config.ts';
const { projects, ...rest } = base.test;
export default { ...base, test: { ...rest, include: ['*.test.ts'], reporters: ['default', '${reporter}'] } };`,
  );
  try {
    const failed = await run('npx', ['vitest', 'run', '--config', config, '--root', home, '--no-color'], {
      cwd: ROOT,
      env,
    }).catch((error: { stdout: string; stderr: string }) => error);
    expect(failed.stdout).toMatch(/✓ walks\n {3}solves 1 keeps a success rate of 80 % on the environment: \d+ of \d+/);
    expect(failed.stdout).toMatch(/✗ walks always\n {3}solves 0.3 does not keep/);
    expect(failed.stdout).toMatch(/✓ chance does not\n {3}solves 0.1 does not keep [^\n]*\n ✗/);
    expect(failed.stdout).toMatch(
      /seed \d+ \(CorridorEnv.\d+\): environment, return -0.5, 5 turns\n {7}0 {2}0 {2}reward -0.1/,
    );
    expect(failed.stdout).toMatch(
      /\d+ of 120 episodes were needed, about \d+ model calls saved; \d+ model calls, cost/,
    );
    const text = await readFile(summary, 'utf8');
    expect(text).toMatch(/^\| ✅ \| walks \| solves 1 \|/m);
    expect(text).toMatch(/^\| ❌ \| walks always \| solves 0\.3 \|/m);
    expect(text).toMatch(/^\| ✅ \| chance does not \| solves 0\.1 \|/m);
    expect(text.match(/<details>/g)).toHaveLength(1);
    expect(text).toMatch(/<details><summary>walks always: failed episodes/);
    expect(text).toMatch(/npx vlgym watch \.vlgym\/vitest\/[\w-]+\/walks-always<\/code>/);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});

it('escapes what agents and environments wrote', () => {
  const check: AgentCheck = {
    matcher: 'toSolve',
    agent: '[a](http://evil) | <img src=x>',
    environment: 'e\nnext | row',
    verdict: 'alarm',
    text: '**bold** `code`',
    episodes: 1,
    planned: 1,
    excluded: 0,
    usage: { requests: 0, inputTokens: 0, outputTokens: 0, cost: 0 },
    failures: [
      {
        id: 'x',
        seed: 0,
        end: '</pre><script>',
        return: 0,
        length: 1,
        steps: [{ index: 0, action: '<b>', reward: 0 }],
      },
    ],
  };
  const text = summaryMarkdown([{ test: 't', check }]);
  expect(text).toContain('\\[a\\](http://evil) \\| &lt;img src=x&gt;');
  expect(text).toContain('e next \\| row');
  expect(text).toContain('\\*\\*bold\\*\\* \\`code\\`');
  expect(text).toContain('&lt;/pre&gt;&lt;script&gt;');
});

it('names the entries of cassettes that nobody asked for', () => {
  const text = reportText([], [{ file: '/tmp/shopper.jsonl', entries: ['openai/gpt, user: Buy a red shoe'] }]);
  expect(text).toContain('shopper.jsonl: 1 stale entry, not asked for\n   openai/gpt, user: Buy a red shoe');
});
