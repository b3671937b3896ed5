/** Question benchmarks on the command line: asked by agents of every kind, killed, continued, scored again, compared. */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPolicy } from '@vlgym/models';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { chatServer } from './support/chat-server.js';
import { vlgym } from './support/vlgym.js';
import { ROOT } from './support/workspaces.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 }); // a process takes as long as the machine lets it

let home = '';
const here = (...args: string[]) => vlgym(['transfer', ...args], { cwd: home });
const lines = async (file: string) => (await readFile(join(home, file), 'utf8')).split('\n').length - 1;

/** An agent that answers `B`; slowly, if asked to. */
const agentFile = (name: string, wait = 0) =>
  writeFile(
    join(home, `${name}.mjs`),
    `export default { name: 'b', act: () => new Promise((done) => setTimeout(() => done({ text: 'B' }), ${wait})) };`,
  );

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'vlgym-transfer-'));
  await symlink(join(ROOT, 'node_modules'), join(home, 'node_modules'));
  await agentFile('b');
  await agentFile('slow', 400);
});
afterAll(() => rm(home, { recursive: true, force: true }));

describe('vlgym transfer', () => {
  it('tries a benchmark without data, and compares two agents with counts and a test', async () => {
    const first = await here('ask', 'muirbench', '--miniature', '--out', 'base.jsonl');
    expect(first.stdout).toMatch(/^muirbench +lmms-eval-2025 +random +accuracy +0\.\d{4} +12 +0\.0 %$/m);
    expect((await here('ask', 'muirbench', '--miniature', '--agent', './b.mjs', '--out', 'b.jsonl')).code).toBe(0);
    const { code, stdout } = await here('compare', 'base.jsonl', 'b.jsonl');
    expect(code).toBe(0);
    expect(stdout).toMatch(/won {2}lost {2}questions {2}p/);
    expect(stdout).toContain("McNemar's exact test");
    const [found] = JSON.parse((await here('compare', 'base.jsonl', 'b.jsonl', '--json')).stdout);
    expect(found).toMatchObject({ benchmark: 'muirbench', n: 12, after: 0.25, test: 'mcnemar', undecidable: true });
  });

  it('goes on after kill -9 with the same file as an undisturbed run', async () => {
    const asked = (agent: string, out: string) =>
      ['ask', 'erqa', '--miniature', '--agent', `./${agent}.mjs`, '--parallel', '1', '--out', out] as const;
    await here(...asked('b', 'whole.jsonl'));
    const { code } = await vlgym(['transfer', ...asked('slow', 'killed.jsonl')], {
      cwd: home,
      started: (child) => {
        const look = setInterval(() => {
          lines('killed.jsonl').then(
            (count) => {
              if (count < 4) return;
              clearInterval(look);
              child.kill('SIGKILL');
            },
            () => undefined, // the file is not there yet
          );
        }, 20);
        child.once('exit', () => clearInterval(look));
      },
    });
    expect(code).toBe(null);
    const left = await lines('killed.jsonl');
    expect(left).toBeGreaterThanOrEqual(4);
    expect(left).toBeLessThan(13);
    await here(...asked('b', 'killed.jsonl'));
    expect(await readFile(join(home, 'killed.jsonl'), 'utf8')).toBe(await readFile(join(home, 'whole.jsonl'), 'utf8'));
  });

  it('asks a server greedily, with as many tokens as the harness, and scores under both years', async () => {
    const server = await chatServer(() => 'about 1');
    const model = ['--agent', 'openai', '--model', 'm', '--base-url', server.url];
    const { stdout } = await here('ask', 'vsi-bench', '--miniature', ...model, '--out', 'server.jsonl', '--json');
    expect(server.requests).toBe(12);
    await server.close();
    const reports = JSON.parse(stdout) as { rules: string; summary: { value: number } }[];
    expect(reports.map(({ rules, summary: { value } }) => [rules, value])).toEqual([
      ['lmms-eval-2025', 0],
      ['lmms-eval-2026', 0.5],
    ]);
    const again = await here('score', 'server.jsonl', '--rules', 'lmms-eval-2026', '--parts');
    expect(again.stdout).toMatch(/object_counting_MRA:\.5:\.95:\.05 +1\.0000 +4/);
  });

  it('asks a judge about answers without an option, and scores with it', async () => {
    const vague = await chatServer(() => 'the one on top');
    const judge = await chatServer(() => 'A');
    const agent = (url: string) => ['--agent', 'openai', '--model', 'm', '--base-url', url];
    await here('ask', 'mmbench', '--miniature', ...agent(vague.url), '--out', 'vague.jsonl');
    const { stdout } = await here('judge', 'vague.jsonl', ...agent(judge.url));
    expect(judge.requests).toBe(12);
    expect(stdout).toMatch(/^mmbench +lmms-eval-2026-judge \(.*circular accuracy +0\.\d{4} +12 +0\.0 %$/m);
    await Promise.all([vague.close(), judge.close()]);
    const both = await here('score', 'vague.jsonl');
    expect(both.stdout).toMatch(/lmms-eval-2026-static .* 100\.0 %$/m);
    expect(both.stdout).toMatch(/lmms-eval-2026-judge .* 0\.0 %$/m);
    const { stderr } = await here('judge', 'server.jsonl', ...agent(judge.url));
    expect(stderr).toMatch(/^NO_JUDGE vsi-bench asks no judge\.[\s\S]*hint: score/m);
  });

  it('asks a checkpoint, and does not go on with the weights of another', async () => {
    for (const seed of [1, 2]) {
      const policy = await createPolicy({ preset: 'tiny', seed });
      await policy.save(join(home, `policy-${seed}`));
      policy.close();
    }
    const asked = (seed: number) => [
      'ask',
      'mme',
      '--miniature',
      '--weights',
      `policy-${seed}`,
      '--out',
      'policy.jsonl',
    ];
    expect((await here(...asked(1))).stdout).toMatch(/^mme +lmms-eval-2025 .*perception/m);
    const { code, stderr } = await here(...asked(2));
    expect(stderr).toMatch(/^ANSWERS_DIFFER policy\.jsonl has answers with another identity/m);
    expect(code).toBe(1);
  });

  it('asks questions of the user, compares folders, and names what only one has', async () => {
    await here('miniature', 'own', '--to', 'mine');
    for (const [folder, agent] of [
      ['one', 'random'],
      ['two', './b.mjs'],
    ] as const) {
      await mkdir(join(home, folder), { recursive: true });
      const questions = ['--questions', join('mine', 'questions.jsonl')];
      await here('ask', 'own', ...questions, '--agent', agent, '--out', join(folder, 'own.jsonl'));
    }
    await here('ask', 'gqa', '--miniature', '--agent', './b.mjs', '--out', join('two', 'gqa.jsonl'));
    await here('ask', 'mme', '--miniature', '--agent', './b.mjs', '--out', join('two', 'mme.jsonl'));
    expect((await readdir(join(home, 'two'))).sort()).toEqual(['gqa.jsonl', 'mme.jsonl', 'own.jsonl']);
    const { stdout } = await here('compare', 'one', 'two');
    expect(stdout).toMatch(/^own\/vlgym-2026/m);
    expect(stdout).toContain('only on one side: gqa/lmms-eval-2025, mme/lmms-eval-2025');
  });

  it.each<[what: string, args: string[], says: RegExp]>([
    ['no questions', ['ask', 'mme'], /^USAGE --questions FILE is missing\.[\s\S]*hint: --miniature/],
    ['an expert', ['ask', 'mme', '--miniature', '--agent', 'oracle'], /^USAGE --agent oracle cannot answer/],
    ['no such rules', ['ask', 'mme', '--rules', 'x', '--miniature'], /^INVALID_OPTION .*"mme\/x"/],
    ['no answers', ['score', 'nothing.jsonl'], /^USAGE There are no answers at nothing\.jsonl/],
  ])('refuses %s, and says what to type', async (_, args, says) => {
    const { stdout, stderr } = await here(...args);
    expect(stderr).toMatch(says);
    expect(stdout).toBe('');
  });
});
