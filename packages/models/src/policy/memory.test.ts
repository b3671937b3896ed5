/** What training holds in memory, counted by the allocator; and that what is not held changes no number. */
import { Generator } from '@vlgym/core';
import { memoryUse, resetPeakMemory, tidy } from '@vlgym/gpu';
import { afterEach, describe, expect, it } from 'vitest';
import type { CreatePolicyOptions } from './create-policy.js';
import { everything, sequencesOf, smallConfig, smallPolicy, snapshot, update } from './policy.test-helper.js';
import type { VlmPolicy } from './vlm-policy.js';

const open: VlmPolicy[] = [];
afterEach(() => {
  for (const policy of open.splice(0)) policy.close();
});

async function make(options: CreatePolicyOptions = {}): Promise<VlmPolicy> {
  const policy = await smallPolicy(options);
  open.push(policy);
  return policy;
}

/** The most bytes beyond those held before. */
async function peakOf(work: () => unknown): Promise<number> {
  const { bytes } = memoryUse();
  resetPeakMemory();
  await work();
  return memoryUse().peak - bytes;
}

function* deltas(policy: VlmPolicy) {
  const state = policy.adapterState();
  for (const name of policy.adaptedNames) yield [name, policy.delta(state, name)] as const;
  for (const tensor of state.values()) tensor.dispose();
}

/** Matrices of four layers: 3.9 MB in float32, the largest 0.26 MB. */
const wide = {
  config: { ...smallConfig, hiddenSize: 128, headDim: 32, intermediateSize: 512, numHiddenLayers: 4 },
  train: { lora: { r: 2, alpha: 4 } },
} as const;

describe('the teacher of a policy with adapters', () => {
  it('takes no memory: it is read into the base while it computes, a matrix at a time', async () => {
    const policy = await make(wide);
    await update(policy);
    const sequences = sequencesOf(policy).slice(0, 1);
    const matrices = tidy(() => [...deltas(policy)].reduce((sum, [, delta]) => sum + 4 * delta.numel, 0));
    expect(matrices).toBeGreaterThan(3.9e6);
    const plain = await peakOf(() => policy.score(sequences, { weights: 'reference' }));
    const { bytes } = memoryUse();
    expect(await peakOf(() => policy.setTeacher(deltas(policy)))).toBeLessThan(matrices / 3);
    expect(memoryUse().bytes).toBe(bytes);
    expect(await peakOf(() => policy.score(sequences, { weights: 'teacher' }))).toBeLessThan(plain + matrices / 8);
    expect(memoryUse().bytes).toBe(bytes);
  });

  it('is what sampling, scoring and a loss see, and leaves the base bit for bit', async () => {
    const policy = await make({ train: { lora: { r: 2, alpha: 4 } }, denseVocabulary: 1 });
    await update(policy);
    const before = snapshot(policy);
    policy.setTeacher(deltas(policy));
    await update(policy);
    const trained = snapshot(policy);
    const inputs = sequencesOf(policy).map(({ input }) => input);
    const sampled = await policy.sample(inputs, { maxNewTokens: 5, rng: new Generator(1), weights: 'teacher' });
    const sequences = sampled.map(({ tokenIds }, i) => ({ input: inputs[i]!, responseIds: tokenIds }));
    const { logProbs } = await policy.score(sequences, { weights: 'teacher' });
    for (const [i, row] of sampled.entries())
      for (const [t, logProb] of row.logProbs.entries()) expect(logProb).toBeCloseTo(logProbs[i]![t]!, 5);
    expect(logProbs).not.toEqual((await policy.score(sequences, { weights: 'reference' })).logProbs);

    const withoutTeacher = await gradientsOf(policy, false);
    expect(await gradientsOf(policy, true)).toEqual(withoutTeacher);
    expect(snapshot(policy)).toEqual(trained);
    for (const [name, digest] of before)
      if (!name.includes('lora') && !name.startsWith('value_head')) expect(trained.get(name), name).toBe(digest);
  });
});

/** Gradients of the log-probabilities; a constant that depends on the teacher is computed within the same graph, or not. */
async function gradientsOf(policy: VlmPolicy, asksTeacher: boolean): Promise<number[][]> {
  await policy.accumulate(sequencesOf(policy), (outputs) => {
    if (asksTeacher) outputs.distributionOf('teacher');
    return outputs.logProbs.sum();
  });
  return takeGradients(policy);
}

function takeGradients(policy: VlmPolicy): number[][] {
  return tidy(() =>
    [...policy.model.parameters()].map((parameter) => {
      const numbers = parameter.grad?.toNumbers() ?? [];
      parameter.grad = null;
      return numbers;
    }),
  );
}

describe('checkpointed activations', () => {
  it.each<[string, CreatePolicyOptions]>([
    ['all weights', {}],
    ['all weights, scores in chunks', { denseVocabulary: 1 }],
    ['adapters', { train: { lora: { r: 2, alpha: 4 } } }],
    ['adapters with dropout', { train: { lora: { r: 2, alpha: 4, dropout: 0.3 } }, denseVocabulary: 1 }],
  ])('give the same gradients: %s', async (_, options) => {
    const kind = { dtype: 'float64', ...options } as const;
    const [plain, checkpointed] = [await make(kind), await make({ ...kind, checkpointActivations: true })];
    for (let step = 0; step < 2; step += 1) {
      const losses: number[] = [];
      for (const policy of [plain, checkpointed]) losses.push(await policy.accumulate(sequencesOf(policy), everything));
      expect(losses[1]).toBe(losses[0]);
      const [a, b] = [plain, checkpointed].map((policy) => gradientNumbers(policy));
      expect(b).toEqual(a);
      expect(a!.flat().some((number) => number !== 0)).toBe(true);
      for (const policy of [plain, checkpointed]) await policy.step({ learningRate: 1e-2, maxGradNorm: 1 });
    }
    expect(snapshot(checkpointed)).toEqual(snapshot(plain));
  });

  it('hold a small part of them, and nothing afterwards', async () => {
    const deep = { ...wide, config: { ...wide.config, hiddenSize: 64, numHiddenLayers: 8 } };
    const peaks: number[] = [];
    for (const checkpointActivations of [false, true]) {
      const policy = await make({ ...deep, checkpointActivations });
      // gradients exist from here on
      await policy.accumulate(sequencesOf(policy), everything);
      const { bytes } = memoryUse();
      peaks.push(await peakOf(() => policy.accumulate(sequencesOf(policy), everything)));
      expect(memoryUse().bytes).toBe(bytes);
    }
    expect(peaks[1]).toBeLessThan(peaks[0]! / 2);
  });

  it('are freed where the loss fails', async () => {
    const policy = await make({ checkpointActivations: true });
    const { bytes } = memoryUse();
    const failing = policy.accumulate(sequencesOf(policy), () => {
      throw new Error('no loss');
    });
    await expect(failing).rejects.toThrow('no loss');
    expect(memoryUse().bytes).toBe(bytes);
  });
});

function gradientNumbers(policy: VlmPolicy): number[][] {
  return tidy(() => [...policy.model.parameters()].map((parameter) => parameter.grad?.toNumbers() ?? []));
}
