/** Every typed option is used: one that would change nothing, and one that says two things, are refused. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { entries } from '../commands/index.js';
import { checkedOptions, parseArguments } from './command.js';
import { allCommands, find } from './command-group.js';
import { checkNeeds, needs } from './needs.js';

// loading them all takes longer than a test may on a busy machine
await allCommands(entries);

const folder = mkdtempSync(join(tmpdir(), 'vlgym-needs-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** As `main` does, without a process; stopped before anything is trained or served, should nothing be refused. */
async function vlgym(line: string, signal = AbortSignal.abort()): Promise<void> {
  const found = await find(entries, line.split(' '));
  if ('group' in found) throw new Error('a group');
  const typed = parseArguments(found.command, found.args);
  const stdout = { write: () => true } as unknown as NodeJS.WriteStream;
  const { given, isHandedOn = false } = typed;
  const context = { stdout, stderr: stdout, signal, given, isHandedOn };
  await found.command.run(checkedOptions(found.command, typed), { ...context, commands: async () => [] });
}

const refused = (message: string) =>
  expect.objectContaining({ code: 'USAGE', message: expect.stringContaining(message), hint: expect.any(String) });

const config = file('twice.yaml', 'steps-per-update: 64\nstepsPerUpdate: 32');
const dotted = file('dotted.yaml', 'set: { loss.clipLow: 0.1, loss: { clipLow: 0.2 } }');

it.each<[line: string, message: string]>([
  ['eval --seed 1 --seed 2', '--seed is given twice: "1" and "2"'],
  ['eval --seed=1 --seed 1', '--seed is given twice: "1" and "1"'],
  ['eval --json --no-json', '--json is given twice: "--json" and "--no-json"'],
  [`train --config ${config} --config other.yaml`, `--config is given twice: "${config}" and "other.yaml"`],
  [`train --config ${config}`, 'stepsPerUpdate is given twice: 64 and 32'],
  [`train --config ${dotted}`, 'set.loss.clipLow is given twice: 0.1 and 0.2'],
  ['train --set loss.clipLow=1 --set loss.clipLow=2', '--set.loss.clipLow is given twice: 1 and 2'],
  ['eval --env-options size=1 --env-options {"size":2}', '--env-options.size is given twice: 1 and 2'],
  ['eval vlgym/A-v1 --env vlgym/B-v1', 'ENV is given twice: "vlgym/A-v1" and "vlgym/B-v1"'],
  ['doctor --no-quiet=1', '--no-quiet takes no value'],
  ['doctor --quiet=true', '--quiet takes no value'],
  ['eval --no-record=runs/x', 'Unknown option "--no-record"'],
  ['bench --seeds 0,0', '--seeds: each seed once'],
])('one option says one thing: %s', async (line, message) => {
  await expect(vlgym(line)).rejects.toThrow(refused(message));
});

it('lists and objects accumulate, and a flag overrides a config file', async () => {
  const { command, args } = (await find(entries, [
    ...['train', '--config', file('run.yaml', 'seed: 1\nset: { loss.clipLow: 0.1 }'), '--seed', '2'],
    ...['--set', 'loss.clipLow=0.2', '--set', 'loss.clipHigh=0.3', '--import', 'a', '--import', 'b'],
  ])) as Extract<Awaited<ReturnType<typeof find>>, { command: unknown }>;
  const { options, given } = parseArguments(command, args);
  expect(options).toMatchObject({ seed: 2, set: { loss: { clipLow: 0.2, clipHigh: 0.3 } }, import: ['a', 'b'] });
  expect(given).toMatchObject({ seed: 'flag', set: { loss: { clipLow: 'flag' } } });
});

const card = file('card.png', '');
const PLAYS = 'vlgym/EZPoints-v1';

it.each<[line: string, message: string]>([
  // play
  ['play --terminal --port 3000', '--port 3000 is not used by the terminal'],
  ['play --terminal --no-open', '--no-open is not used by the terminal'],
  ['play --port 3000 --episodes 2', '--episodes 2 is not used by the page'],
  ['play --page --episodes 2', '--episodes 2 is not used by the page'],
  ['play --page --terminal', '--page and --terminal exclude each other'],
  ['play --no-page --no-terminal', '--page and --terminal exclude each other'],
  ['play --agent oracle --no-page', '--agent oracle plays on the page'],
  ['play --weights runs/x --terminal', '--agent policy plays on the page'],
  ['play --temperature 0', '--temperature 0 is not used by a person'],
  // agents
  ['eval --weights runs/x --agent random', '--weights runs/x is not used by --agent random'],
  ['eval --agent openai --model m --weights runs/x', '--weights runs/x is not used by --agent openai'],
  ['eval --agent openai --model m --temperature 0', '--temperature 0 is not used by --agent openai'],
  ['eval --agent openai --model m --max-new-tokens 9', '--max-new-tokens 9 is not used by --agent openai'],
  ['eval --sampler-dtype int8', '--sampler-dtype int8 is not used by --agent random'],
  ['eval --sampler-dtype same', '--sampler-dtype same is not used by --agent random'],
  ['eval --prompt-cache 512', '--prompt-cache 512 is not used by --agent random'],
  ['eval --api-key-env KEY', '--api-key-env KEY is not used by --agent random'],
  ['eval --agent openai --model m --api-key-env NO_SUCH_KEY', '--api-key-env NO_SUCH_KEY names a variable that is not'],
  ['eval --like runs/x', '--like runs/x is not used by --agent random'],
  ['eval --agent oracle --model m', '--model m is not used by --agent oracle'],
  ['eval --base-url http://host/v1', '--base-url http://host/v1 is not used by --agent random'],
  ['eval --device cuda', '--device cuda is not used by --agent random'],
  ['eval --constrain json', '--constrain json is not used by --agent random'],
  ['eval --constrain none --agent maker/model', '--constrain none is not used by --agent PROVIDER/MODEL'],
  ['eval --agent ./mine.ts --repair-turns 1', '--repair-turns 1 is not used by --agent ./FILE'],
  ['eval --agent oracle --budget requests=1', '--budget is not used by --agent oracle'],
  ['eval --agent maker/model --budget cost=1', '--budget cost=1 needs --prices'],
  ['eval --view', '--view needs --record'],
  ['eval --resume', '--resume needs --record'],
  // questions
  ['transfer ask muirbench --miniature --settings temperature=1', '--settings is not used by --agent random'],
  ['transfer ask muirbench --miniature --questions q.jsonl', '--questions and --miniature exclude each other'],
  ['transfer ask video-mme --miniature --frames f', '--frames and --miniature exclude each other'],
  ['transfer ask video-mme --miniature --videos v', '--videos and --miniature exclude each other'],
  ['transfer ask muirbench --questions q.jsonl --frames f', '--frames f is not used by questions about images'],
  [
    'transfer ask muirbench --miniature --frames-per-video 4',
    '--frames-per-video 4 is not used by questions about images',
  ],
  ['transfer judge a.jsonl --agent policy --weights x --budget tokens=1', '--budget is not used by --agent policy'],
  // serving
  [`serve ${PLAYS} --socket /tmp/x --protocol gymnasium --port 1`, '--port and --socket exclude each other'],
  [`serve ${PLAYS} --socket /tmp/x --protocol gymnasium --host 0.0.0.0`, '--host and --socket exclude each other'],
  [`serve ${PLAYS} --socket /tmp/x`, '--socket /tmp/x is not used by --protocol openenv'],
  [`serve ${PLAYS} --protocol gymnasium --face native`, '--face native is not used by --protocol gymnasium'],
  [`mcp ${PLAYS} --host 0.0.0.0`, '--host 0.0.0.0 needs --port'],
  // training
  ['train --warm-start none --warm-start-examples 5', '--warm-start-examples 5 is not used by --warm-start none'],
  ['train --warm-start-examples 0 --warm-start-batch 5', '--warm-start-batch 5 is not used by --warm-start-examples 0'],
  ['train --start runs/x --warm-start-mistakes 0.1', '--warm-start-mistakes and --start exclude each other'],
  ['train --start runs/x --warm-start-seed 1', '--warm-start-seed and --start exclude each other'],
  ['train --start runs/x --warm-start expert', '--warm-start and --start exclude each other'],
  ['train --lora-rank 8', '--lora-rank 8 is not used by the preset tiny'],
  ['train --dtype bfloat16', '--dtype bfloat16 is not used by the preset tiny'],
  ['train --save-adapter', '--save-adapter is not used by the preset tiny'],
  ['train --record-episodes 3', '--record-episodes 3 needs --record'],
  ['train --shard-optimizer', '--shard-optimizer needs another value than --procs 1 or WORLD_SIZE'],
  ['train --nccl', '--nccl needs another value than --procs 1 or WORLD_SIZE'],
  ['train --nccl --procs 2', '--nccl needs --device cuda'],
  ['train vl-dac --control imitation', 'ALGORITHM and --control exclude each other'],
  ['train --control imitation --set loss.clipLow=0.1', '--set is not used by the control imitation'],
  ['train --control imitation --record', '--record 1 is not used by the control imitation'],
  ['train --control imitation --num-envs 4', '--num-envs 4 is not used by the control imitation'],
  ['train --control imitation --evaluate-every 2', '--evaluate-every 2 is not used by the control imitation'],
  ['train --control imitation --env-workers 2', '--env-workers 2 is not used by the control imitation'],
  ['train --engine sglang', '--engine sglang needs --sampler or VLGYM_SAMPLERS'],
  ['train --run demo', '--run demo needs --redis or VLGYM_QUEUE or --sampler or VLGYM_SAMPLERS or --max-staleness'],
  ['train --listen 0.0.0.0:1', '--listen 0.0.0.0:1 needs --redis or VLGYM_QUEUE'],
  ['train --blobs b', '--blobs b needs --redis'],
  ['train --max-staleness 0 --replay-ledger runs/x', '--max-staleness and --replay-ledger exclude each other'],
  ['train --max-staleness 1 --env-workers 2', '--env-workers and --max-staleness exclude each other'],
  ['bench --warm-start none --warm-start-examples 5', '--warm-start-examples 5 is not used by --warm-start none'],
  ['bench --lora-rank 8', '--lora-rank 8 is not used by the preset tiny'],
  ['bench --algorithms vl-dac --baseline grpo', '--baseline grpo does not run'],
  ['bench --probe-tolerance 0.1', '--probe-tolerance 0.1 needs --sampler or VLGYM_SAMPLERS'],
  ['sweep --over loss.clipLow=0.1,0.2 --samples 5', '--samples 5 is not used by --search grid'],
  ['sweep --over loss.clipLow=0.1,0.2 --search random --eta 3', '--eta 3 is not used by --search random'],
  ['sweep --over loss.clipLow=0.1,0.2 --lora-rank 8', '--lora-rank 8 is not used by the preset tiny'],
  ['sft rows.jsonl --lora-rank 8', '--lora-rank 8 is not used by the preset tiny'],
  ['sft rows.jsonl --start runs/x --dtype float16', '--dtype and --start exclude each other'],
  ['sft rows.jsonl --eval-share 0 --evaluate-every 5', '--evaluate-every 5 is not used by --eval-share 0'],
  // a cluster
  ['rollout --redis redis://h --parallel 2', '--parallel and --redis exclude each other'],
  ['worker --redis redis://h --all-runs --run demo --blobs b', '--run and --all-runs exclude each other'],
  ['worker --redis redis://h --player p.js --model m --blobs b', '--model and --player exclude each other'],
  ['status runs/x --redis redis://h', '--redis and FOLDER exclude each other'],
  ['launch slurm --dry-run --bucket b', '--bucket b is not used by slurm'],
  ['launch compose --dry-run --queue-name q', '--queue-name q is not used by compose'],
  ['launch slurm --dry-run --worker-image i', '--worker-image i is not used by slurm'],
  ['launch skypilot --dry-run --gpus 2', '--gpus 2 is not used by skypilot'],
  ['launch k8s --dry-run --sampler-image i', '--sampler-image i is not used by --samplers 0'],
  ['launch compose --dry-run --samplers 3 --model /m', '--samplers 3 is not used by compose'],
  // recordings
  ['runs --yes', '--yes is not used by list'],
  ['runs --out x', '--out x is not used by list'],
  ['runs prune --state stopped --json', '--json is not used by prune'],
  ['runs restore a.tar.gz --state stopped', '--state stopped is not used by restore'],
  ['export trackio runs/x --out y', '--out y is not used by trackio'],
  ['export adapter runs/x --episodes all', '--episodes all is not used by adapter'],
  ['export parquet runs/x --server http://h', '--server http://h is not used by parquet'],
  ['export inspect runs/x --steps 3', '--steps 3 is not used by inspect'],
  ['view --episodes 3', '--episodes 3 needs --export'],
  ['view --megabytes 3', '--megabytes 3 needs --export'],
  ['view --export run.html --port 3000', '--port and --export exclude each other'],
  ['view --export run.html --agents ./mine.ts', '--agents and --export exclude each other'],
  ['claims runs/x --markdown --json', '--markdown and --json exclude each other'],
  ['verify cards --python python3', '--python python3 needs --setup'],
  [`webshop import ${card} --products p.csv`, 'are both files of products'],
])('what would change nothing is refused: %s', async (line, message) => {
  for (const name of ['VLGYM_QUEUE', 'VLGYM_SAMPLERS', 'WORLD_SIZE']) vi.stubEnv(name, undefined);
  await expect(vlgym(line)).rejects.toThrow(refused(message));
  vi.unstubAllEnvs();
});

it('groups of episodes that do not exist are refused', async () => {
  const played = vlgym(`eval ${PLAYS} --episodes 1 --breakdown nope`, new AbortController().signal);
  await expect(played).rejects.toThrow(refused('--breakdown nope groups nothing'));
});

it('groups of a suite that do not exist are refused after its result is written', async () => {
  const environments = [{ id: 'NumberLine', breakdown: 'nope' }, 'EZPoints'];
  const suite = file('suite.json', JSON.stringify({ environments, agents: ['random'], seeds: 2 }));
  const out = join(folder, 'suite');
  const played = vlgym(`suite ${suite} --folder ${out}`, new AbortController().signal);
  await expect(played).rejects.toThrow(refused('breakdown nope of vlgym/NumberLine-v1 groups nothing'));
  expect(readFileSync(join(out, 'result.json'), 'utf8')).toContain('"cells"');
});

it('two models of one launch are refused, and more than vLLM serves', async () => {
  const { checkLaunch, launchOptions } = await import('../launch/plan.js');
  const check = (given: object) => () => checkLaunch(z.object(launchOptions).parse(given));
  expect(check({ model: '/a', learner: 'train --model /b' })).toThrow('--model /a is not used by the learner');
  expect(check({ model: '/a', samplers: 1, learner: 'train --lora-rank 300' })).toThrow('more than vLLM serves');
});

describe('a condition', () => {
  const options = z.object({
    a: z
      .string()
      .default('x')
      .meta(needs({ b: true })),
    b: z.boolean().default(false),
    c: z
      .boolean()
      .default(false)
      .meta(needs([{ b: true }, { NEEDS_TEST: true }])),
  });
  const check = (values: object, given: Record<string, string>) => () =>
    checkNeeds({ options }, { a: 'x', b: false, c: false, ...values }, given);

  it.each<[what: string, values: object, given: Record<string, string>]>([
    ['a default that nobody typed', {}, {}],
    ['a default in a file that commands share', {}, { a: 'file' }],
    ['a switch that is off anyway', {}, { c: 'flag' }],
    ['one that holds', { a: 'y', b: true }, { a: 'flag', b: 'flag' }],
  ])('refuses nothing for %s', (_, values, given) => {
    expect(check(values, given)).not.toThrow();
  });

  it('refuses a typed value with what it needs, also from a file', () => {
    expect(check({}, { a: 'flag' })).toThrow('--a x needs --b.');
    expect(check({ a: 'y' }, { a: 'file' })).toThrow(
      expect.objectContaining({ code: 'USAGE', value: 'y', expected: '--b', hint: expect.any(String) }),
    );
  });

  it('may hold by a variable of the environment', () => {
    expect(check({ c: true }, { c: 'flag' })).toThrow('--c needs --b or NEEDS_TEST.');
    vi.stubEnv('NEEDS_TEST', '1');
    expect(check({ c: true }, { c: 'flag' })).not.toThrow();
    vi.unstubAllEnvs();
  });
});
