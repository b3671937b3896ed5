/**
 * A regression test of a tool agent as a developer has it: packed packages in an empty folder, two tests of fewer than 15 lines,
 * answers from cassettes in CI. It is green for the agent that was recorded, red for one that became worse, and green for 95 of 100
 * samples of the same agent. Each sample is a recording and a later run: the episodes that the model of the agents would win are
 * known from its draws, as the played recording shows, and the test of the matcher judges them.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { recordedEvaluations } from '@vlgym/agents';
import { type SuccessPair, sequentialPairs } from '@vlgym/agents/statistics';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closure, publicPackages, ROOT, requireBuild, type Workspace } from './support/workspaces.js';

const run = promisify(execFile);
const FILES = join(ROOT, 'test/agent-regressions');
const NAMES = ['@vlgym/vitest', '@vlgym/points24', '@vlgym/webshop'];
let folder = '';

beforeAll(async () => {
  requireBuild();
  folder = await realpath(await mkdtemp(join(tmpdir(), 'vlgym-regressions-')));
  const ours = [...new Set(NAMES.flatMap((name) => closure(publicPackages.find((each) => each.name === name)!)))];
  const workspaces = ours.flatMap(({ name }: Workspace) => ['--workspace', name]);
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder, ...workspaces], { cwd: ROOT });
  const tarballs = (JSON.parse(stdout) as { filename: string }[]).map(({ filename }) => `./${filename}`);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'theirs', private: true, type: 'module' }));
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...tarballs, 'vitest@4.1.12', 'ai@7.0.173', 'zod@4.6.7', ...flags], { cwd: folder });
  await cp(FILES, folder, { recursive: true });
}, 300_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs both tests, with a model of this skill or in CI, where there is none. */
async function vitest(given: { readonly SKILL: string } | { readonly CI: string }, cwd = folder) {
  const { CI: _, GITHUB_STEP_SUMMARY: __, NODE_OPTIONS: ___, VITEST: ____, ...rest } = process.env;
  const env = { ...rest, NO_COLOR: '1', ...given };
  const args = ['vitest', 'run', '--reporter', 'default', '--reporter', '@vlgym/vitest/reporter'];
  return run('npx', args, { cwd, env }).then(
    ({ stdout }) => ({ stdout, code: 0 }),
    ({ stdout, code }: { stdout: string; code: number }) => ({ stdout, code }),
  );
}

/** The draw of the model in an episode, as `stand-in.mjs` makes it. */
const draw = (sample: string, episode: string): number =>
  createHash('sha256').update(`${sample} ${episode}`).digest().readUInt32LE() / 2 ** 32;

describe('the regression tests of two tool agents', { timeout: 300_000 }, () => {
  it.each(['points24', 'webshop'])('%s: fewer than 15 lines', async (name) => {
    const lines = (await readFile(join(FILES, `${name}.test.js`), 'utf8')).trimEnd().split('\n');
    expect(lines.length).toBeLessThan(15);
  });

  it('are recorded once, and green in CI without a network', async () => {
    expect(await vitest({ SKILL: '0.9' })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/card player was recorded in recorded\/points24: [\d.]+ % of 40 episodes solved/),
    });
    const { code, stdout } = await vitest({ CI: '1' });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/card player solves \S+ as well as recorded\/points24/)]);
    expect(stdout).toMatch(/shopper solves \S+ as well as recorded\/webshop: 0 gained and 0 lost in 34 episodes/);
  });

  it.each(['points24', 'webshop'])('%s: green for at least 95 of 100 samples of the same agent', async (name) => {
    const [played] = await recordedEvaluations(join(folder, 'recorded', name));
    const { episodes } = played!;
    // what was played: an episode is won where its draw says so
    expect(episodes.map(({ success }) => success)).toEqual(episodes.map(({ taskKey }) => draw('', taskKey!) < 0.9));
    // a model that samples draws in each episode, also where two have the same task
    const wins = (sample: string) => episodes.map(({ id }) => draw(sample, id) < 0.9);
    const test = sequentialPairs({ pairs: episodes.length });
    let green = 0;
    for (let sample = 0; sample < 100; sample += 1) {
      const now = wins(`now ${sample}`);
      const pairs = wins(`then ${sample}`).map((then, index): SuccessPair => [then, now[index]!]);
      if (test.judge(pairs)?.verdict === 'pass') green += 1;
    }
    expect(green).toBeGreaterThanOrEqual(95);
  });

  it('are red for agents that became worse, also in CI', async () => {
    for (const name of ['points24', 'webshop']) await rm(join(folder, `${name}.jsonl`));
    for (const given of [{ SKILL: '0.4' }, { CI: '1' }]) {
      const { code, stdout } = await vitest(given);
      expect(code).toBe(1);
      expect(stdout).toMatch(/✗ plays Points24 as well as it did\n +card player no longer solves vlgym\/Points24-v1/);
      expect(stdout).toMatch(/✗ shops as well as it did\n +shopper no longer solves vlgym\/WebShop-v1/);
    }
  });

  it('the front page shows what Vitest prints', async () => {
    const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
    const [, code, output] = /^## Test an agent$.*?^```ts\n(.*?)^```$.*?^```\n(.*?)^```$/ms.exec(readme)!;
    await mkdir(join(folder, 'front'));
    await writeFile(join(folder, 'front/agent.test.ts'), code!);
    const { code: status, stdout } = await vitest({ CI: '' }, join(folder, 'front'));
    expect(status).toBe(1); // one of both is there to fail
    for (const line of output!.split('\n').filter((each) => each.trim() !== '…')) expect(stdout).toContain(line);
  });
});
