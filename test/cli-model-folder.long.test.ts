/** The command line on a model folder as others publish it, of toy size: what `tiny` does, with the same flags. */
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sha256OfFile } from '@vlgym/core/internal';
import { createPolicy, loadPolicy } from '@vlgym/models';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { writeToyFolder } from '../packages/models/scripts/toy-folder.js';
import { endAtMessage } from './support/self-ending.js';
import { vlgym } from './support/vlgym.js';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

let home = '';
let model = '';
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'vlgym-model-'));
  model = join(home, 'toy');
  await writeToyFolder(model);
});
afterAll(() => rm(home, { recursive: true, force: true }));

async function metrics(folder: string): Promise<unknown[]> {
  const lines = (await readFile(join(folder, 'metrics.jsonl'), 'utf8')).trim().split('\n');
  return lines.map((line) => JSON.parse(line, (key, value: unknown) => (key.startsWith('time/') ? undefined : value)));
}

const SMALL = '--num-envs 4 --steps-per-update 8 --evaluation-episodes 1 --warm-start-examples 16 --lora-rank 4';
const trainWith = (algorithm: string, flags: string, maxNewTokens: number) => (folder: string) => [
  'train',
  algorithm,
  ...`--model ${model} ${SMALL} --updates 2 --threads 1${flags}`.split(' '),
  ...['--set', JSON.stringify({ value: { warmupUpdates: 0 }, rollout: { maxNewTokens } }), '--folder', folder],
];

// the flags of sampling lie together on one of them: each is a whole run of its own; a whole answer takes more tokens
describe.each([
  ['vl-dac', ' --save-adapter', 16],
  ['vl-dac', ' --constrain json --sampler-dtype bfloat16', 64],
  ['gtr-turbo-kl', '', 16],
])('vlgym train %s on a model folder%s', (algorithm, flags, maxNewTokens) => {
  it('trains adapters on EZPoints, and goes on after a kill bit for bit', async () => {
    const train = trainWith(algorithm, flags, maxNewTokens);
    const runs = await mkdtemp(join(home, `${algorithm}-`));
    const straight = join(runs, 'straight');
    const whole = await vlgym(train(straight));
    expect(whole.stderr).toMatch(/warm start[\s\S]*training/);
    expect(whole.code).toBe(0);
    const logged = await metrics(straight);
    expect(logged.length).toBe(3);
    // only a sampler of its own is corrected for
    expect(JSON.stringify(logged.at(-1)).includes('"correction/ess"')).toBe(flags.includes('sampler'));

    if (flags.includes('save-adapter')) await expectExports(straight);

    const killed = join(runs, 'killed');
    await cp(join(straight, 'start'), join(killed, 'start'), { recursive: true });
    const stopped = await vlgym(train(killed), {
      env: endAtMessage('update', 2, 'SIGKILL'),
      onMessage: () => {},
    });
    expect(stopped.code).toBeNull();
    const resumed = await vlgym([...train(killed), '--resume']);
    expect(resumed.code).toBe(0);
    expect(await metrics(killed)).toEqual(await metrics(straight));
    expect(await weightsHash(killed)).toBe(await weightsHash(straight));
  });
});

/** The adapter and the whole model are what the run ended with, and can be judged. */
async function expectExports(run: string): Promise<void> {
  const merged = join(run, 'merged');
  expect(await vlgym(['export', run, '--to', 'merged'])).toMatchObject({ code: 0, stdout: `${merged}\n` });
  const again = join(run, 'adapter-again');
  expect((await vlgym(['export', run, '--to', 'adapter', '--out', again])).code).toBe(0);
  const open = {
    trained: () => loadPolicy(join(run, 'checkpoint-000002', 'policy')),
    saved: () => createPolicy({ model, adapter: join(run, 'adapter') }),
    exported: () => createPolicy({ model, adapter: again }),
    merged: () => createPolicy({ model: merged }),
    base: () => createPolicy({ model }),
  };
  const scores: Record<string, number[]> = {};
  for (const [name, make] of Object.entries(open)) {
    const policy = await make();
    const input = policy.encode([{ role: 'user', content: 'What is 3 + 4?' }]);
    const { logProbs } = await policy.score([{ input, responseIds: Int32Array.of(5, 6, 7) }]);
    scores[name] = [...logProbs[0]!];
    policy.close();
  }
  const { trained, base, ...others } = scores as { trained: number[]; base: number[] } & typeof scores;
  for (const [name, found] of Object.entries(others)) {
    expect(farthest(found, trained), name).toBeLessThan(farthest(base, trained) / 10);
  }
  const judged = await vlgym(['eval', 'vlgym/EZPoints-v1', '--model', merged, '--episodes', '2', '--json']);
  expect(judged.code).toBe(0);
  expect(JSON.parse(judged.stdout)).toBeTypeOf('object');
  const shown = await vlgym(['eval', 'vlgym/EZPoints-v1', '--model', merged, '--episodes', '1']);
  expect(shown.stdout).toMatch(/\d+ of \d+ answers computed/);
}

const farthest = (a: readonly number[], b: readonly number[]) =>
  Math.max(...a.map((value, index) => Math.abs(value - b[index]!)));

/** SHA-256 of the trained tensors in the last checkpoint. */
async function weightsHash(folder: string): Promise<string> {
  const policy = join(folder, 'checkpoint-000002', 'policy');
  const current = (await readdir(policy)).find((name) => name.startsWith('current'))!;
  return sha256OfFile(join(policy, current));
}

describe('vlgym models inspect', () => {
  it('says what a folder is and what it needs', async () => {
    const { code, stdout } = await vlgym(['models', 'inspect', model, '--lora-rank', '4']);
    expect(code).toBe(0);
    expect(stdout).toContain('qwen2_5_vl (family qwen2.5-vl)');
    expect(stdout).toContain('2 layers of width 32');
    expect(stdout).toMatch(/^bfloat16 +0\.000 GB/m);
  });

  it('reports a folder without a model with its code and a next step', async () => {
    const { code, stderr } = await vlgym(['models', 'inspect', home]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^MODEL_FOLDER/m);
    expect(stderr).toContain('config.json');
  });
});

describe('vlgym models import', () => {
  const golden = fileURLToPath(new URL('./golden/gguf/qwen2.gguf', import.meta.url));

  it('says what it will write and with how much memory, then writes a folder', async () => {
    const folder = join(home, 'imported');
    const { code, stdout } = await vlgym(['models', 'import', golden, folder, '--dtype', 'bfloat16']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^qwen2, [\d,]+ weights \(tensors: .*\), 266 tokens: writes 0\.000 GB as bfloat16 with 0\.\d+ GB of/,
    );
    expect((await readdir(folder)).sort()).toEqual([
      ...['config.json', 'generation_config.json', 'model.safetensors', 'tokenizer.json', 'tokenizer_config.json'],
    ]);
  });

  it('reports a file of another format with its code and a next step', async () => {
    const { code, stderr } = await vlgym(['models', 'import', fileURLToPath(import.meta.url), join(home, 'no')]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^GGUF_INVALID/m);
    expect(stderr).toContain('does not start with "GGUF"');
  });

  it('asks for both paths', async () => {
    const { code, stderr } = await vlgym(['models', 'import', golden]);
    expect(code).toBe(2);
    expect(stderr).toContain('PATHS');
  });
});
