/**
 * Users' own files on the command line: environments, agents and algorithms, variants, options in files, and a run that
 * another terminal reads. Each claim is about a process.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { complete, hasShell } from './support/shells.js';
import { vlgym } from './support/vlgym.js';
import { ROOT } from './support/workspaces.js';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const run = promisify(execFile);
const TINY =
  '--updates 1 --steps-per-update 8 --num-envs 2 --warm-start-examples 64 --evaluation-episodes 4 --evaluate-every 1';
const tiny = TINY.split(' ');

let home = '';
const here = (...args: string[]) => vlgym(args, { cwd: home });
const json = async (...path: string[]) => JSON.parse(await readFile(join(home, ...path), 'utf8'));
const updates = async (folder: string) =>
  (await readFile(join(home, folder, 'metrics.jsonl'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line, (key, value: unknown) => (key.startsWith('time/') ? undefined : value)));

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'vlgym-plugging-'));
  await symlink(join(ROOT, 'node_modules'), join(home, 'node_modules'));
  for (const [kind, name] of [
    ['env', 'my-maze'],
    ['agent', 'my-agent'],
    ['algorithm', 'my-reinforce'],
  ] as const) {
    const { code, stderr } = await here('new', kind, name);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  }
});
afterAll(() => rm(home, { recursive: true, force: true }));

describe('vlgym new', () => {
  it.each(['my-maze', 'my-agent', 'my-reinforce'])('starts %s, which passes its own test', async (name) => {
    const { stdout } = await run(process.execPath, ['--test'], { cwd: join(home, name) });
    expect(stdout).toMatch(/# pass [12]\n# fail 0/);
    for (const entry of await readdir(join(home, name), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      expect(await readFile(join(entry.parentPath, entry.name), 'utf8')).not.toMatch(/my-name|MyName|My name/);
    }
  });

  it('starts an environment that publishes as it is: license, files, peers, a workflow', async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json'], { cwd: join(home, 'my-maze') });
    const [{ files }] = JSON.parse(stdout);
    expect(files.map(({ path }: { path: string }) => path).sort()).toEqual(['LICENSE', 'README.md', 'index.js', 'package.json', 'test.js']); // biome-ignore format: one line
    const { license, keywords, peerDependencies, private: isPrivate } = await json('my-maze', 'package.json');
    expect({ license, isPrivate, keywords: keywords.length > 0, peers: Object.keys(peerDependencies) }).toEqual({
      license: 'MIT',
      isPrivate: undefined,
      keywords: true,
      peers: ['@vlgym/core', 'zod'],
    });
    expect(await readdir(join(home, 'my-maze/.github/workflows'))).toEqual(['test.yml']);
  });

  it('starts an environment that play opens as a page, where an option of the page asks for it', async () => {
    let page: Promise<string> | undefined;
    const { code } = await vlgym(['play', 'my/MyMaze-v0', '--import', './index.js', '--no-open'], {
      cwd: join(home, 'my-maze'),
      started: (child) =>
        child.stdout?.on('data', (text) => {
          page ??= fetch(/http:\S+/.exec(String(text))![0]).then((response) => response.text());
          void page.finally(() => child.kill('SIGINT'));
        }),
    });
    expect(await page!).toContain('<title>vlgym play</title>');
    expect(code).toBe(130);
  });

  it.each([
    [['new', 'env', 'my-maze'], /^USAGE .*my-maze is not empty/],
    [['new', 'env', '../up'], /^USAGE Invalid name/],
    [['new', 'world', 'x'], /^USAGE Unknown kind "world"/],
    [['new', 'env'], /^USAGE WHAT: expected a kind and a name/],
  ])('refuses %j', async (args, says) => {
    const { code, stderr } = await here(...args);
    expect(stderr).toMatch(says);
    expect(code).toBe(2);
  });
});

describe('code of the user', () => {
  it('may be TypeScript, on every Node', async () => {
    await mkdir(join(home, 'typed'), { recursive: true });
    await writeFile(
      join(home, 'typed/agent.ts'),
      `import { type AgentContext } from '@vlgym/agents';
import { turnFromAction } from '@vlgym/agents/model';
import { first } from './first.js';
interface Named { readonly name: string }
const named: Named = { name: 'typed' };
export default { ...named, act: (context: AgentContext) => turnFromAction(context, first(context.env)) };`,
    );
    await writeFile(
      join(home, 'typed/first.ts'),
      'export const first = (env: { oracle?: () => unknown }): unknown => env.oracle?.();',
    );
    const played = await here('eval', 'vlgym/EZPoints-v1', '--agent', './typed/agent.ts', '--episodes', '4');
    expect(played.stdout).toMatch(/success +100\.0 %/);
    expect(played.code).toBe(0);
  });

  it('plays as an agent of an environment, both from files', async () => {
    const { stdout } = await here(
      ...'eval my/MyMaze-v0 --import ./my-maze/index.js --agent ./my-agent/index.js --episodes 4'.split(' '),
    );
    expect(stdout).toMatch(/success +100\.0 %/);
  });

  it.each([
    [['eval', '--agent', 'orcle'], 2, /^USAGE Unknown agent "orcle"[\s\S]*did you mean "oracle"\?/],
    [['eval', '--agent', './my-maze/index.js'], 2, /^USAGE .*exports no agent[\s\S]*vlgym new agent/],
    [['eval', '--agent', './none.ts'], 1, /^IMPORT_FAILED .*none\.ts/],
    [['train', './my-agent/index.js'], 2, /^USAGE .*holds no algorithm[\s\S]*vlgym new algorithm/],
    [['eval', 'nowhere/X-v0'], 1, /^UNKNOWN_ENV [\s\S]*hint: .*--import/],
  ])('that is missing is told in words of the command line: %j', async (args, exitCode, says) => {
    const { code, stderr } = await here(...args);
    expect(stderr).toMatch(says);
    expect(stderr).not.toMatch(/resume: true|import '/);
    expect(code).toBe(exitCode);
  });
});

describe('an algorithm of the user', () => {
  const trainIn = (size: readonly string[], ...more: string[]) =>
    here('train', './my-reinforce/index.js', '--env', 'vlgym/NumberLine-v1', ...size, '--threads', '1', ...more);
  const train = (...more: string[]) => trainIn(tiny, ...more);

  it('lists its hyperparameters', async () => {
    const { stdout } = await here('algorithms', './my-reinforce/index.js', '--json');
    const options = JSON.parse(stdout) as { name: string; default: unknown; range: string }[];
    expect(options).toContainEqual({
      name: 'optimizer.epochs',
      default: 1,
      kind: 'algorithm',
      range: 'integer > 0',
      description: 'passes over the buffer in one update',
    });
    const help = await here('train', './my-reinforce/index.js', '--help');
    expect(help.stdout).toMatch(
      /^Hyperparameters of My Reinforce[\s\S]*^ {2}loss\.clipLow +0\.1 +algorithm +number > 0\n {6}the probability ratio may fall to 1 − clipLow$/m,
    );
    expect(help.stdout).toMatch(
      /^ {2}baseline +mean +algorithm +mean, none\n {6}what is subtracted from the return of an episode$/m,
    );
  });

  it('trains, keeps every hyperparameter that was in force, and is refused at once in the same folder', async () => {
    const first = await train('--folder', 'mine', '--set', 'optimizer.epochs=2');
    expect(first.stdout).toMatch(/^My Reinforce: /);
    expect(first.code).toBe(0);
    const plan = await json('mine', 'run.json');
    expect(plan.typed).toMatchObject({ set: { optimizer: { epochs: 2 } } });
    expect(plan.effective).toMatchObject({
      algorithm: 'my-reinforce',
      set: { optimizer: { epochs: 2 } },
      config: { optimizer: { epochs: 2, batch: 64 }, loss: { clipLow: 0.1 }, rollout: { temperature: 0.5 } },
      origins: { 'optimizer.epochs': 'flag', 'optimizer.batch': 'model', 'loss.clipLow': 'algorithm' },
      warmStartPlan: { examples: 64 },
      modelOptimizer: { betas: [0.9, 0.99] },
    });
    expect((await json('mine', 'result.json')).config).toEqual(plan.effective.config);

    const again = await train('--folder', 'mine');
    expect(again.stderr).toMatch(/^FOLDER_IN_USE .*mine/m);
    expect(again.stderr).toMatch(/add --resume/);
    expect(again.stderr).not.toMatch(/warm start|resume: true/); // minutes of a larger one
    expect(again.code).toBe(1);
  });

  it('is refused before the warm start where its steps do not fit, in the names of the flags', async () => {
    const odd = tiny.with(tiny.indexOf('--steps-per-update') + 1, '7');
    const { stderr } = await trainIn(odd, '--folder', 'odd');
    expect(stderr).toMatch(/^INVALID_OPTION The option --steps-per-update cannot be 7/m);
    expect(stderr).toMatch(/multiple of --num-envs = 2/);
  });
});

describe('a loss of a researcher', () => {
  it.each([
    ['reinforce-plus-plus', 'My REINFORCE++', []],
    ['thought-entropy', 'Thought entropy', ['loss/thought-entropy']],
  ])('trains from its file alone, in less than 60 lines: %s', async (name, title, addends) => {
    const source = await readFile(join(ROOT, 'test/researcher', `${name}.ts`), 'utf8');
    expect(source.split('\n').length).toBeLessThan(60);
    await writeFile(join(home, `${name}.ts`), source);
    const group = name === 'thought-entropy' ? ['--set', 'group.size=2'] : [];
    const game = ['--env', 'vlgym/NumberLine-v1', ...tiny, '--threads', '1', '--folder', name, ...group];
    const { code, stdout, stderr } = await here('train', `./${name}.ts`, ...game);
    expect(stderr).not.toMatch(/^[A-Z_]{4,} /m);
    expect(stdout).toMatch(new RegExp(`^${title.replaceAll('+', '\\+')}: `));
    expect(code).toBe(0);
    const { metrics } = (await updates(name)).at(-1);
    expect(Object.keys(metrics)).toEqual(expect.arrayContaining(['loss/policy', 'ratio/clipped-high', ...addends]));
    expect(metrics['ratio/first-pass-deviation']).toBeLessThan(1e-5);
  });
});

describe('a model family of the user', () => {
  it('trains, is saved under its name, and plays, from a TypeScript file', async () => {
    await cp(join(ROOT, 'packages/models/test/toy-family.ts'), join(home, 'toy-family.ts'));
    await writeFile(
      join(home, 'family.ts'),
      `import { registerModelFamily } from '@vlgym/models';
import { toyFamily } from './toy-family.js';
registerModelFamily(toyFamily);`,
    );
    const family = ['--import', './family.ts'];
    const game = [
      '--env',
      'vlgym/NumberLine-v1',
      '--model',
      'toy-small',
      '--threads',
      '1',
      '--folder',
      'toys',
      ...tiny,
    ];
    const trained = await here('train', 'vl-dac', ...family, ...game);
    expect(trained.stderr).not.toMatch(/^[A-Z_]{4,} /m);
    expect(trained.code).toBe(0);
    expect(await json('toys', 'run.json')).toMatchObject({ typed: { model: 'toy-small' } });

    const [checkpoint] = (await readdir(join(home, 'toys'))).filter((name) => name.startsWith('checkpoint-'));
    const weights = ['--agent', 'policy', '--weights', `toys/${checkpoint}/policy`];
    const played = ['eval', 'vlgym/NumberLine-v1', ...weights, '--episodes', '2'];
    expect((await here(...played, ...family)).stdout).toMatch(/^success +/m);
    expect((await here(...played)).stderr).toMatch(/^UNKNOWN_MODEL Unknown model family "toy"[\s\S]*hint: .*--import/m);
  });
});

describe('vlgym bench', () => {
  it('sets variants and algorithms of files beside each other, as YAML says; its Reproduce does it again', async () => {
    const config = [
      'envs: [vlgym/NumberLine-v1]',
      'algorithms: ["vl-dac:wide", ./my-reinforce/index.js]',
      'baseline: my-reinforce',
      'seeds: 2-2',
      'set:',
      '  optimizer.epochs: 1',
      '  vl-dac:wide: { loss.clipHigh: 0.4 }',
      'jobs: 1',
    ].join('\n');
    await writeFile(join(home, 'bench.yaml'), config);
    const first = await here('bench', '--config', 'bench.yaml', ...tiny, '--out', 'bench');
    expect(first.stderr).not.toMatch(/^[A-Z_]{4,} /m);
    expect(first.stdout).toMatch(/^VL-DAC \(wide\) +1 /m);
    expect(first.code).toBe(0);
    const root = 'bench/vlgym-NumberLine-v1';
    expect((await readdir(join(home, root))).sort()).toEqual(['my-reinforce-2', 'start', 'vl-dac_wide-2']);
    const plan = async (name: string) => (await json(root, `${name}-2`, 'run.json')).effective;
    expect((await plan('vl-dac_wide')).config).toMatchObject({
      loss: { clipHigh: 0.4, clipLow: 0.1 },
      optimizer: { epochs: 1 },
    });
    expect(await plan('my-reinforce')).toMatchObject({
      set: { optimizer: { epochs: 1 } }, // what is said of another algorithm is not part of this run
      config: { loss: { clipHigh: 0.1 }, optimizer: { epochs: 1 } },
    });

    const report = await readFile(join(home, 'bench/report.html'), 'utf8');
    expect(report).toMatch(/Hyperparameters in force/);
    const pages = [...report.matchAll(/<a href="([^"]+episodes\.html)">/g)].map(([, href]) => href!);
    expect(pages).toHaveLength(3); // before training, and two runs
    for (const href of pages) {
      expect(await readFile(join(home, 'bench', href), 'utf8')).toMatch(/of 4 episodes solved/);
    }

    const [, typed] = /<pre[^>]*>([^<]+)<\/pre>/.exec(report)!;
    const command = typed!
      .replace(/&#(\d+);/g, (_, number) => String.fromCodePoint(Number(number)))
      .replaceAll('&amp;', '&');
    expect(command).not.toContain('--config');
    const [program, ...words] = (await run('sh', ['-c', `printf '%s\\n' ${command}`])).stdout.trim().split('\n');
    expect(program).toBe('vlgym');
    const again = await here(...words.with(words.indexOf('--out') + 1, 'again'));
    expect(again.code).toBe(0);
    for (const name of ['my-reinforce-2', 'vl-dac_wide-2']) {
      expect(await updates(`again/vlgym-NumberLine-v1/${name}`)).toEqual(await updates(`${root}/${name}`));
    }

    const status = await here('status', 'bench');
    expect(status.stdout).toMatch(/vl-dac_wide-2 +done +1 of 1 +8 /);
    expect(status.stdout).toMatch(/^training 100 % +ended$/m);
    const second = await here('bench', '--config', 'bench.yaml', ...tiny, '--out', 'bench');
    expect(second.stderr).toMatch(/^training +100 %/m); // it started at 0 % and ended there
  });

  it.each([
    [['--algorithms', 'vl-dac:wide'], /^USAGE The variant "vl-dac:wide" has no settings\./],
    [['--algorithms', 'vl-dac', '--set', 'rl4vlm.loss.clipLow=0.2'], /^USAGE --set has settings for "rl4vlm"/],
    [['--algorithms', 'vl-dac', '--model', 'huge'], /^UNKNOWN_MODEL/],
  ])('refuses %j before anything is trained', async (args, says) => {
    const { stderr, stdout } = await here('bench', ...args, '--baseline', 'vl-dac', '--out', 'never');
    expect(stderr).toMatch(says);
    expect(stdout).toBe('');
  });

  it('names the settings of a task that an algorithm has no option for, and alarms when the start solves nothing', async () => {
    await writeFile(
      join(home, 'hopeless.mjs'),
      `import { register } from '@vlgym/core';
import { MyMaze } from './my-maze/index.js';
class Hopeless extends MyMaze { step(action) { return { ...super.step(action), reward: 0 }; } }
register({ id: 'my/Hopeless-v0', entryPoint: () => new Hopeless(), maxEpisodeSteps: 4, training: {
  updates: 1, stepsPerUpdate: 16, numEnvs: 8, evaluateEvery: 1, evaluationTemperature: 0, maxNewTokens: 16, rewardScale: 1,
  warmStart: { teacher: 'oracle', examples: 64, learningRate: 0.002, batch: 64, mistakes: 0 },
  overrides: { advantage: { gamma: 0.5 } } } });`,
    );
    const { stderr, code } = await here(
      ...'train grpo --env my/Hopeless-v0 --import ./hopeless.mjs --evaluation-episodes 4 --folder hopeless'.split(' '),
    );
    expect(stderr).toMatch(/^grpo leaves out advantage\.gamma of my\/Hopeless-v0 \(it has no such option\)$/m);
    expect(stderr).toMatch(/^alarm the warm start solves none of 4 episodes/m);
    expect(code).toBe(0);
  });
});

describe('lists for scripts', () => {
  it.each([
    ['envs', 'id', 'vlgym/EZPoints-v1'],
    ['agents', 'name', 'oracle'],
    ['algorithms', 'name', 'vl-dac'],
  ])('vlgym %s --json', async (command, key, value) => {
    const rows = JSON.parse((await here(command, '--json')).stdout) as Record<string, unknown>[];
    expect(rows).toContainEqual(expect.objectContaining({ [key]: value }));
    expect((await here(command)).stdout).toMatch(new RegExp(`^${value} `, 'm'));
  });
});

describe.each(['bash', 'zsh', 'fish'] as const)('completion in %s', (shell) => {
  const lines = {
    'vlgym trai': 'train',
    'vlgym train --ste': '--steps-per-update',
    'vlgym train vl-': 'vl-dac',
    'vlgym eval vlgym/EZ': 'vlgym/EZPoints-v1',
    'vlgym alfworld down': 'download',
    'vlgym alfworld download --v': '--version',
    'vlgym completion z': 'zsh',
  };

  it.skipIf(!hasShell(shell))(`completes what is typed (needs ${shell} on this machine)`, async () => {
    const script = join(home, `completion.${shell}`);
    const { stdout } = await here('completion', shell);
    await writeFile(script, stdout);
    for (const name of ['train', 'status', 'watch']) expect(stdout).toContain(name);
    const found = await complete(shell, script, Object.keys(lines));
    expect(found).toEqual(Object.values(lines).map((word) => expect.arrayContaining([word])));
    expect(found[0]).toEqual(['train']); // and nothing that does not begin so
  });
});
