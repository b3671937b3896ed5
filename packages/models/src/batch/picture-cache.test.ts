/** A frozen vision encoder runs once per picture; a trained one in every forward. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChatMessage, Generator, type Image } from '@vlgym/core';
import { setNumThreads } from '@vlgym/gpu';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type ToyType, writeToyFolder } from '../../scripts/toy-folder.js';
import { type CreatePolicyOptions, createPolicy } from '../policy/create-policy.js';
import type { VlmPolicy } from '../policy/vlm-policy.js';

setNumThreads(1);
const home = mkdtempSync(join(tmpdir(), 'vlgym-pictures-'));
const TYPES: readonly ToyType[] = ['qwen2_vl', 'qwen2_5_vl', 'qwen3_vl'];
beforeAll(async () => {
  for (const type of TYPES) await writeToyFolder(join(home, type), { type });
});
afterAll(() => rmSync(home, { recursive: true }));

const open: VlmPolicy[] = [];
afterEach(() => {
  for (const policy of open.splice(0)) policy.close();
});

/** A policy, and how often its vision encoder has run. */
async function watched(type: ToyType, options: CreatePolicyOptions = {}) {
  const train = { lora: { r: 2, alpha: 4 } };
  const policy = await createPolicy({ model: join(home, type), config: { valueHead: [4] }, train, ...options });
  open.push(policy);
  const [, visual] = [...policy.model.namedModules()].find(([name]) => name === 'model.visual')!;
  return { policy, runs: vi.spyOn(visual as unknown as { steps: () => unknown }, 'steps') };
}

function picture(seed: number): Image {
  const rng = new Generator(seed);
  return {
    data: Uint8Array.from({ length: 56 * 84 * 3 }, () => rng.integers(256)),
    height: 56,
    width: 84,
    channels: 3,
  };
}

/** New picture objects every time: pictures are known by their pixels. */
const sequencesOf = (policy: VlmPolicy) =>
  [[1], [2, 1], [3]].map((seeds) => {
    const content = seeds.map((seed) => ({ type: 'image', image: picture(seed) }) as const);
    const messages: ChatMessage[] = [{ role: 'user', content: [...content, { type: 'text', text: 'Which way?' }] }];
    return { input: policy.encode(messages), responseIds: policy.encodeResponse('left').ids };
  });

it.each(TYPES)('%s encodes three pictures three times in sampling, scoring and two steps', async (type) => {
  const { policy, runs } = await watched(type);
  const inputs = sequencesOf(policy).map(({ input }) => input);
  await policy.sample(inputs, { maxNewTokens: 2, rng: new Generator(1) });
  for (let step = 0; step < 2; step += 1) {
    await policy.accumulate(sequencesOf(policy), ({ logProbs }) => logProbs.sum());
    await policy.step({ learningRate: 1e-3, maxGradNorm: 1 });
  }
  const scores = await policy.score(sequencesOf(policy), { divergence: { from: 'reference', kind: 'log-ratio' } });
  expect(runs).toHaveBeenCalledTimes(3);

  const without = await watched(type, { imageCacheBytes: 0 });
  for (let step = 0; step < 2; step += 1) {
    await without.policy.accumulate(sequencesOf(policy), ({ logProbs }) => logProbs.sum());
    await without.policy.step({ learningRate: 1e-3, maxGradNorm: 1 });
  }
  const again = await without.policy.score(sequencesOf(policy));
  expect(without.runs.mock.calls.length).toBeGreaterThan(2);
  for (const [i, row] of scores.logProbs.entries())
    for (const [t, logProb] of row.entries()) expect(logProb).toBeCloseTo(again.logProbs[i]![t]!, 4);
});

it('keeps no more bytes than it may', async () => {
  // one picture has 6 tokens of 32 numbers in float32
  const { policy, runs } = await watched('qwen2_vl', { imageCacheBytes: 6 * 32 * 4 * 2 });
  await policy.score(sequencesOf(policy));
  expect(runs).toHaveBeenCalledTimes(3);
  // the longest row was read last
  await policy.score(sequencesOf(policy).slice(1, 2));
  expect(runs).toHaveBeenCalledTimes(3);
  await policy.score(sequencesOf(policy));
  expect(runs.mock.calls.length).toBeGreaterThan(3);
});

it.each<[string, CreatePolicyOptions]>([
  ['all weights are trained', { train: 'full' }],
  ['its weights have adapters', { train: { lora: { r: 2, alpha: 4, targets: /qkv|q_proj/ } } }],
])('is not used where %s', async (_, options) => {
  const { policy, runs } = await watched('qwen2_vl', options);
  await policy.score(sequencesOf(policy));
  await policy.score(sequencesOf(policy));
  expect(runs).toHaveBeenCalledTimes(2);
});
