/** The memory estimate of `vlgym models inspect`, against the peaks that the allocator counts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Generator } from '@vlgym/core';
import { memoryUse, resetPeakMemory, setNumThreads } from '@vlgym/gpu';
import { afterAll, expect, it } from 'vitest';
import { writeToyFolder } from '../../scripts/toy-folder.js';
import { type CreatePolicyOptions, createPolicy } from '../policy/create-policy.js';
import type { VlmPolicy } from '../policy/vlm-policy.js';
import { inspectModel } from './inspect.js';
import { loadModel } from './load-model.js';

setNumThreads(1);
const home = mkdtempSync(join(tmpdir(), 'vlgym-inspect-'));
afterAll(() => rmSync(home, { recursive: true }));

const ROWS = 4;
const TOKENS = 160;
const lora = { r: 8, alpha: 16 };

/** One row of `TOKENS` tokens, nearly all of them a response. */
const input = { promptIds: Int32Array.from({ length: 6 }, (_, i) => 30 + i), images: [] };
const sequence = { input, responseIds: Int32Array.from({ length: TOKENS - 6 }, (_, i) => 40 + (i % 200)) };

/** One step of two micro-batches: the second finds the gradients of the first. */
async function step(policy: VlmPolicy): Promise<void> {
  for (let i = 0; i < 2; i += 1) await policy.accumulate([sequence], ({ logProbs }) => logProbs.sum());
  await policy.step({ learningRate: 1e-4, maxGradNorm: 1 });
}

it.each(['float32', 'bfloat16'] as const)('agrees with measured peaks in %s', async (dtype) => {
  const folder = join(home, dtype);
  await writeToyFolder(folder, { type: 'qwen2_5_vl' });
  const { memory, samplerCopies } = await inspectModel(folder, { lora, rows: ROWS, tokens: TOKENS });
  const said = memory.find((need) => need.dtype === dtype)!;
  const { bytes } = memoryUse();
  const peakOf = async (work: () => Promise<unknown>) => {
    resetPeakMemory();
    await work();
    return memoryUse().peak - bytes;
  };

  const { model } = await loadModel(folder, { dtype });
  expect(memoryUse().bytes - bytes).toBe(said.weights);
  model.dispose();

  const ways: Readonly<Record<'lora' | 'loraCheckpointed' | 'full', CreatePolicyOptions>> = {
    lora: { train: { lora } },
    loraCheckpointed: { train: { lora }, checkpointActivations: true },
    full: { train: 'full' },
  };
  for (const [way, options] of Object.entries(ways)) {
    const policy = await createPolicy({ model: folder, dtype, config: { valueHead: [4] }, ...options });
    await step(policy);
    const measured = await peakOf(() => step(policy));
    const ratio = said[way as keyof typeof ways] / measured;
    expect(ratio, way).toBeGreaterThan(0.75);
    expect(ratio, way).toBeLessThan(1.35);
    if (way === 'lora' && dtype === 'float32') {
      const inputs = Array.from({ length: ROWS }, () => input);
      const sample = () => policy.sample(inputs, { maxNewTokens: TOKENS - 6, rng: new Generator(1) });
      expect(said.sampling / (await peakOf(sample)), 'sampling').toBeGreaterThan(0.6);
      for (const samplerDtype of ['bfloat16', 'int8'] as const) {
        const copying = await createPolicy({ model: folder, config: { valueHead: [4] }, samplerDtype, ...options });
        const before = memoryUse().bytes;
        await copying.sample([input], { maxNewTokens: 2, rng: new Generator(1) });
        expect(memoryUse().bytes - before, samplerDtype).toBe(samplerCopies[samplerDtype]);
        copying.close();
      }
    }
    policy.close();
  }
});
