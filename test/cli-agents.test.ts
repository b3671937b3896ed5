/** Agents on the command line: failures that never look like scores, results for scripts, suites, comparisons. */
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluate, randomAgent } from '@vlgym/agents';
import { compare, readEvaluation } from '@vlgym/agents/results';
import '@vlgym/points24';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { chatServer } from './support/chat-server.js';
import { vlgym } from './support/vlgym.js';
import { ROOT } from './support/workspaces.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const GAME = ['eval', 'vlgym/NumberLine-v1'];
let home = '';
const here = (...args: string[]) => vlgym(args, { cwd: home });

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'vlgym-agents-'));
  await symlink(join(ROOT, 'node_modules'), join(home, 'node_modules'));
  await writeFile(
    join(home, 'broken.mjs'),
    "export default { name: 'broken', act: () => { throw new TypeError('no such door'); } };",
  );
  await writeFile(
    join(home, 'offline.mjs'),
    "export default { name: 'offline', act: () => ({ text: '', error: { boundary: 'model', code: 'MODEL_TIMEOUT', message: 'too late' } }) };",
  );
});
afterAll(() => rm(home, { recursive: true, force: true }));

describe('vlgym eval', () => {
  it('says that no episode counted, and prints no rate', async () => {
    const { code, stdout, stderr } = await here(...GAME, '--agent', './offline.mjs', '--episodes', '4');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^no episode counted: no score \(4 of 4 episodes failed or stopped\)/);
    expect(stdout).not.toMatch(/^success/m);
    expect(stderr).toMatch(/first failure in \S+ \(seed 0\): MODEL_TIMEOUT\ntoo late/);
  });

  it('prints the stack of the first error of an agent, and stops there with --fail-fast', async () => {
    const broken = [...GAME, '--agent', './broken.mjs', '--episodes', '3'];
    expect((await here(...broken)).stderr).toMatch(/AGENT_FAILED\nTypeError: no such door\n {4}at .*broken\.mjs/);
    const { code, stderr } = await here(...broken, '--fail-fast');
    expect(code).toBe(1);
    expect(stderr).toMatch(/AGENT_FAILED The agent failed in \S+: no such door/);
  });

  it('stops at a wrong key after one request', async () => {
    const server = await chatServer(() => (response: ServerResponse) => void response.writeHead(401).end('{}'));
    const model = ['--agent', 'openai', '--model', 'm', '--base-url', server.url, '--parallel', '1'];
    const { code, stderr } = await here(...GAME, ...model);
    expect(server.requests).toBe(1);
    await server.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^MODEL_UNAUTHORIZED The model "m" cannot be used: .*\n {2}hint: check the API key/m);
  });

  it('refuses a used folder with what to type, and appends nothing', async () => {
    const play = () => here(...GAME, '--agent', 'oracle', '--episodes', '3', '--record', 'used');
    expect((await play()).code).toBe(0);
    const before = await readFile(join(home, 'used/episodes.jsonl'), 'utf8');
    const { code, stderr } = await play();
    expect(code).toBe(1);
    expect(stderr).toMatch(/FOLDER_USED The folder used has 3 recorded episodes\.\n.*\n {2}hint: add --resume/);
    expect(await readFile(join(home, 'used/episodes.jsonl'), 'utf8')).toBe(before);
  });

  it('writes result.json and a report, and prints the same JSON with --json', async () => {
    const args = [...GAME, '--agent', 'oracle', '--episodes', '5', '--record', 'kept', '--json'];
    const { stdout } = await here(...args);
    expect(JSON.parse(stdout)).toMatchObject({
      schema: 'vlgym.result/1',
      cells: [{ environment: 'vlgym/NumberLine-v1', agent: 'oracle', scores: { successRate: 1, counted: 5 } }],
    });
    expect(await readFile(join(home, 'kept/result.json'), 'utf8')).toBe(stdout);
    expect(await readFile(join(home, 'kept/report.html'), 'utf8')).toContain('oracle on vlgym/NumberLine-v1');
  });
});

describe('an estimate', () => {
  const prices = ['--prices', 'inputPerMillion=2', '--prices', 'outputPerMillion=8'];

  it('of eval gives requests, tokens, cost and time, and asks nothing', async () => {
    const server = await chatServer(() => 'never');
    const model = ['--agent', 'openai', '--model', 'm', '--base-url', server.url, '--settings', 'maxOutputTokens=50'];
    const asked = [...GAME, ...model, ...prices, '--episodes', '400', '--estimate'];
    const { code, stdout } = await here(...asked);
    expect(stdout).toMatch(/^m on vlgym\/NumberLine-v1 +[\d,]+ +[\d,]+ +[\d,]+ +\d+\.\d\d +\d+ min/m);
    expect(stdout).toContain('Nothing was sent.');
    const [found] = JSON.parse((await here(...asked, '--json')).stdout) as Record<string, number>[];
    expect(found).toMatchObject({ outputTokens: 50 * found!.requests! });
    expect(found!.cost).toBeCloseTo((2 * found!.inputTokens! + 8 * found!.outputTokens!) / 1e6, 9);
    expect(found!.minutes).toBeCloseTo((found!.requests! * 5) / 60 / 8, 9); // 5 s each, eight at a time
    expect(server.requests).toBe(0);
    await server.close();
    expect(code).toBe(0);
  });

  it('of a suite has a row for each model and environment, also for a plain PROVIDER/MODEL', async () => {
    await writeFile(
      join(home, 'models.yaml'),
      `environments: [vlgym/NumberLine-v1, vlgym/EZPoints-v1]
agents:
  - random
  - maker/one
  - { model: maker/two, prices: { inputPerMillion: 1, outputPerMillion: 1 }, limits: { requestsPerMinute: 1 } }
seeds: 0-9
`,
    );
    const { code, stdout } = await here('suite', 'models.yaml', '--estimate');
    for (const environment of ['NumberLine', 'EZPoints']) {
      expect(stdout).toMatch(new RegExp(`^maker/one on vlgym/${environment}-v1 .* – +`, 'm'));
      expect(stdout).toMatch(new RegExp(`^maker/two on vlgym/${environment}-v1 .* \\d+ min`, 'm'));
    }
    expect(stdout).toMatch(/^all, one after the other/m);
    expect(code).toBe(0);
  });

  it.each([
    ['--budget', 'cost=1'],
    ['--settings', 'temperature=0'],
    ['--repair-turns', '1'],
  ])('refuses %s %s for an agent that asks no model: it would change nothing', async (...option) => {
    const { code, stderr } = await here(...GAME, '--agent', 'oracle', ...option);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(new RegExp(`${option[0]}( 1)? is not used by --agent oracle`)),
    ]);
  });

  it('of an agent that asks no model says so', async () => {
    const { stdout } = await here(...GAME, '--agent', 'random', '--estimate');
    expect(stdout).toMatch(/nothing to estimate/);
  });
});

describe('vlgym suite', () => {
  it('plays a file, tells why a cell has no score, goes on, and is compared', async () => {
    await writeFile(
      join(home, 'cards.yaml'),
      `environments: [vlgym/NumberLine-v1]
agents:
  - random
  - oracle
  - { agent: ./offline.mjs, name: away }
seeds: 0-7
attempts: 2
`,
    );
    const first = await here('suite', 'cards.yaml');
    expect(first.code).toBe(1); // one agent has no score
    expect(first.stdout).toMatch(/^oracle +100\.0 %/m);
    expect(first.stdout).toMatch(/^away +no episode counted/m);
    expect(first.stdout).toMatch(/^random − oracle \(vlgym\/NumberLine-v1\) .* oracle succeeds more often/m);
    expect(first.stderr).toMatch(
      /away on vlgym\/NumberLine-v1: 16 × MODEL_TIMEOUT too late \(first seed 0; not counted\)/,
    );
    const again = await here('suite', 'cards.yaml', '--json');
    expect(again.stdout).toBe(await readFile(join(home, 'runs/cards/result.json'), 'utf8'));
    const compared = await here('compare', 'runs/cards', 'runs/cards', '--json');
    expect(JSON.parse(compared.stdout)).toMatchObject({ comparisons: [{ difference: 0 }, { difference: 0 }] });
    // the agent that is away has nothing to compare
    const gated = await here('compare', 'runs/cards', 'runs/cards', '--gate');
    expect([gated.code, gated.stderr]).toEqual([1, expect.stringContaining('away on vlgym/NumberLine-v1 cannot be')]);
    for (const agent of ['oracle', 'random']) await here(...GAME, '--agent', agent, '--record', `runs/gate-${agent}`);
    expect((await here('compare', 'runs/gate-random', 'runs/gate-oracle', '--gate')).code).toBe(0);
    const own = 'runs/gate-oracle';
    for (const words of [
      `export jsonl ${own} --out ${own}/episodes.jsonl`,
      `view ${own} --export ${own}/episodes.jsonl`,
      `compare runs/gate-random ${own} --folder ${own}`,
    ]) {
      const refused = await here(...words.split(' '));
      expect([refused.code, refused.stderr], words).toEqual([2, expect.stringContaining('would replace a part of')]);
    }
    const nowhere = await here('runs', 'restore', 'none.tar.gz', '--out', 'cards.yaml/box');
    expect(nowhere.stderr).toMatch(/^FILE_WRITE_FAILED Could not write .*cards\.yaml\/box \(ENOTDIR\)\./m);
    const habit = '{ agent: blind, like: runs/gate-oracle }';
    await writeFile(
      join(home, 'habit.yaml'),
      `environments: [vlgym/NumberLine-v1]\nagents: [random, ${habit}]\nseeds: 0-3`,
    );
    expect((await here('suite', 'habit.yaml')).stdout).toMatch(/^blind +\d/m);
    const worse = await here('compare', 'runs/gate-oracle', 'runs/gate-random', '--gate');
    expect([worse.code, worse.stderr]).toEqual([1, expect.stringMatching(/random \(gate-random\) lost [\d.]+ points/)]);
  });

  it.each([
    ['agents: [random]', /environments/],
    ['environments: [vlgym/NumberLine-v1]\nagents: [{ modl: x }]', /agents\.0/],
    ['environments: [vlgym/NumberLin-v1]\nagents: [random]', /did you mean "vlgym\/NumberLine-v1"/],
    ['environments: [vlgym/NumberLine-v1]\nagents: [random]\nseeds: 5-1', /range/],
  ])('refuses %j', async (text, says) => {
    await writeFile(join(home, 'bad.yaml'), text);
    const { code, stderr } = await here('suite', 'bad.yaml');
    expect(stderr).toMatch(says);
    expect(code).toBeGreaterThan(0);
  });
});

it('results of code and of the command are one format: equal, read alike, and compared alike', async () => {
  const env = 'vlgym/NumberLine-v1';
  for (const agent of ['oracle', 'random']) {
    await here(...GAME, '--agent', agent, '--episodes', '8', '--record', `command-${agent}`);
  }
  const [record, theirs] = [join(home, 'code-random'), join(home, 'command-random')];
  await evaluate({ env, agent: randomAgent(), episodes: 8, record });
  expect(await readEvaluation(record)).toEqual(await readEvaluation(theirs));
  const names = ['command-oracle', 'code-random'] as const;
  const { stdout } = await here('compare', ...names, '--json');
  const found = await compare(join(home, names[0]), join(home, names[1]), { names });
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(found)));
  // the same tasks, but no episode counts: a failure, not a wrong folder
  const error = { boundary: 'model', code: 'MODEL_HTTP_ERROR', message: 'HTTP 500' } as const;
  const down = { name: 'random', act: () => ({ text: '', error }) };
  await evaluate({ env, agent: down, episodes: 8, record: join(home, 'code-down') });
  const { code, stderr } = await here('compare', 'code-random', 'code-down');
  expect([code, stderr]).toEqual([1, expect.stringContaining('cannot be compared: 8 of 8 episodes do not count')]);
});

it('vlgym compare refuses what is not a result', async () => {
  const { code, stderr } = await here('compare', 'nowhere', 'nowhere');
  expect(code).toBe(2);
  expect(stderr).toMatch(/^USAGE nowhere holds no result\./);
});
