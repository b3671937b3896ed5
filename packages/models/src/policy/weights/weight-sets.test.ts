import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Generator } from '@vlgym/core';
import { memory, ones, type Tensor, tidy } from '@vlgym/gpu';
import { afterEach, describe, expect, it } from 'vitest';
import type { CreatePolicyOptions } from '../create-policy.js';
import {
  bytes,
  largestDifference,
  lora,
  sequencesOf,
  smallPolicy,
  snapshot,
  trainingLogProbs,
  update,
} from '../policy.test-helper.js';
import type { VlmPolicy } from '../vlm-policy.js';

const open: VlmPolicy[] = [];
afterEach(() => {
  for (const policy of open.splice(0)) policy.close();
});

async function make(options: CreatePolicyOptions = {}): Promise<VlmPolicy> {
  const policy = await smallPolicy(options);
  open.push(policy);
  return policy;
}

describe.each([
  ['all weights', 'full'],
  ['adapters', lora],
] as const)('sets of weights, training %s', (_, train) => {
  const meanKl = async (policy: VlmPolicy, other: 'reference' | 'teacher' | 'old') => {
    const divergence = { from: other, kind: 'exact-kl' } as const;
    const { divergences } = await policy.score(sequencesOf(policy), { divergence });
    return divergences!.flatMap((row) => [...row]).reduce((a, b) => a + b, 0);
  };

  it('start equal and diverge when the policy is trained', async () => {
    const policy = await make({ train });
    expect(await meanKl(policy, 'reference')).toBeCloseTo(0, 5);
    await update(policy);
    expect(await meanKl(policy, 'reference')).toBeGreaterThan(1e-3);
    expect(await meanKl(policy, 'teacher')).toBeGreaterThan(1e-3);
  });

  it('a teacher made from the whole task vector equals the policy, without it the reference', async () => {
    const policy = await make({ train });
    await update(policy);
    await update(policy);
    const state = policy.adapterState();
    const deltas = function* () {
      for (const name of policy.adaptedNames) yield [name, policy.delta(state, name)] as const;
    };
    const alive = memory().tensors;
    policy.setTeacher(deltas());
    policy.setTeacher(deltas());
    expect(await meanKl(policy, 'teacher')).toBeCloseTo(0, 5);
    expect(memory().tensors - alive).toBeLessThanOrEqual(policy.model.parameters().length);
    policy.setTeacher([]);
    expect(await meanKl(policy, 'teacher')).toBeCloseTo(await meanKl(policy, 'reference'), 6);
    for (const tensor of state.values()) tensor.dispose();
  });

  it('a checkpoint of the buffer survives the disk and later updates', async () => {
    const policy = await make({ train });
    await update(policy);
    const state = policy.adapterState();
    const [name] = policy.adaptedNames;
    const delta = tidy(() => bytes(policy.delta(state, name!)));
    await update(policy);
    expect(tidy(() => bytes(policy.delta(state, name!)))).toBe(delta);
    for (const tensor of state.values()) tensor.dispose();
  });

  it('folding makes the policy its own reference and changes no output', async () => {
    const policy = await make({ train });
    await update(policy);
    const before = await policy.score(sequencesOf(policy));
    policy.foldIntoReference();
    const after = await policy.score(sequencesOf(policy));
    for (const [i, logProbs] of before.logProbs.entries())
      expect(largestDifference(logProbs, after.logProbs[i]!)).toBeLessThan(1e-5);
    expect(await meanKl(policy, 'reference')).toBeCloseTo(0, 5);
    await update(policy);
    expect(await meanKl(policy, 'reference')).toBeGreaterThan(1e-3);
  });

  it('sampling, scoring and a loss see the set they ask for', async () => {
    const policy = await make({ train });
    const sequences = sequencesOf(policy);
    const original = await policy.score(sequences);
    await update(policy);
    const reference = await policy.score(sequences, { weights: 'reference' });
    expect(reference.logProbs).toEqual(original.logProbs);
    const [input] = sequences.map((sequence) => sequence.input);
    const options = { maxNewTokens: 6, temperature: 0, rng: new Generator(1) } as const;
    const [sampled] = await policy.sample([input!], { ...options, weights: 'reference' });
    const scored = await policy.score([{ input: input!, responseIds: sampled!.tokenIds }], { weights: 'reference' });
    expect(largestDifference(sampled!.logProbs, scored.logProbs[0]!)).toBeLessThan(1e-5);
    let difference = 0;
    await policy.accumulate(sequences, (outputs) => {
      const distribution = outputs.distributionOf('reference') as Tensor;
      expect(distribution.requiresGrad).toBe(false);
      difference = outputs.distribution().sub(distribution).abs().mean().item();
      return outputs.logProbs.sum();
    });
    expect(difference).toBeGreaterThan(1e-4);
  });

  it('the old set is what was current at keepOld, also after more training', async () => {
    const policy = await make({ train });
    await update(policy);
    const sequences = sequencesOf(policy);
    const before = await policy.score(sequences);
    policy.keepOld();
    expect(await meanKl(policy, 'old')).toBeCloseTo(0, 5);
    await update(policy);
    expect(await meanKl(policy, 'old')).toBeGreaterThan(1e-3);
    const old = await policy.score(sequences, { weights: 'old' });
    for (const [i, logProbs] of before.logProbs.entries())
      expect(largestDifference(logProbs, old.logProbs[i]!)).toBeLessThan(1e-6);
    const alive = memory().tensors;
    policy.keepOld();
    expect(memory().tensors).toBe(alive);
    expect(await meanKl(policy, 'old')).toBeCloseTo(0, 5);
  });

  it('comparing two sets leaves both as they were', async () => {
    const policy = await make({ train });
    await update(policy);
    const state = policy.adapterState();
    policy.setTeacher(policy.adaptedNames.map((name) => [name, policy.delta(state, name)] as const));
    for (const tensor of state.values()) tensor.dispose();
    await update(policy);
    const trained = await trainingLogProbs(policy, 1);
    const fromTeacher = async (from: 'current' | 'teacher') => {
      const divergence = { from, kind: 'exact-kl' } as const;
      return (await policy.score(sequencesOf(policy), { weights: 'teacher', divergence })).divergences!;
    };
    const [forth, same] = [await fromTeacher('current'), await fromTeacher('teacher')];
    expect(Math.max(...forth[0]!)).toBeGreaterThan(1e-4);
    expect(Math.max(...same[0]!)).toBe(0);
    const { logProbs } = await policy.score(sequencesOf(policy));
    for (const [i, row] of trained.entries()) expect(largestDifference(row, logProbs[i]!)).toBeLessThan(1e-5);
  });

  it('the divergence comes with the scores: the exact KL, its log-ratios, at its own temperature', async () => {
    const policy = await make({ train });
    await update(policy);
    const sequences = sequencesOf(policy);
    const reference = await policy.score(sequences, { weights: 'reference', temperature: 2 });
    const current = await policy.score(sequences, { temperature: 2 });
    const plain = await policy.score(sequences, { temperature: 0.5 });
    const at = async (kind: 'exact-kl' | 'log-ratio') => {
      const divergence = { from: 'reference', temperature: 2, kind } as const;
      return policy.score(sequences, { temperature: 0.5, divergence });
    };
    const ratios = await at('log-ratio');
    const exact = await at('exact-kl');
    for (const [i, logProbs] of current.logProbs.entries()) {
      const difference = logProbs.map((value, l) => value - reference.logProbs[i]![l]!);
      expect(largestDifference(ratios.divergences![i]!, difference)).toBeLessThan(1e-5);
      expect(Math.min(...exact.divergences![i]!)).toBeGreaterThan(-1e-6);
      expect(ratios.logProbs[i]).toEqual(plain.logProbs[i]);
    }
    expect(exact.divergences!.flatMap((row) => [...row]).reduce((a, b) => a + b)).toBeGreaterThan(1e-3);
  });

  it('values follow from the states that scoring gives, and training them there moves nothing else', async () => {
    const policy = await make({ train });
    const sequences = sequencesOf(policy);
    const { values, states } = await policy.score(sequences, { states: true });
    let seen: number[] = [];
    const before = snapshot(policy);
    await policy.accumulateValues(states!, (fromStates) => {
      seen = Array.from(fromStates.toArray() as Float32Array);
      return fromStates.sum();
    });
    expect(largestDifference(seen, values)).toBeLessThan(1e-6);
    await policy.step({ learningRate: 0.1, maxGradNorm: 1, onlyValue: true });
    for (const [name, after] of snapshot(policy))
      expect(after !== before.get(name), name).toBe(name.startsWith('value_head'));
    expect(policy.version).toBe(0);
  });

  it('a standardized value head removes a common shift of all states, also after a checkpoint', async () => {
    const policy = await make({ train });
    const sequences = sequencesOf(policy);
    const { states, values } = await policy.score(sequences, { states: true });
    policy.standardizeValues(states!);
    const standardized = (await policy.score(sequences)).values;
    expect(largestDifference(standardized, values)).toBeGreaterThan(1e-3);
    const shifted = states!.map((state) => state.map((value) => value + 5));
    expect(largestDifference(await policy.valuesOf(shifted), standardized)).toBeGreaterThan(1e-2);
    policy.standardizeValues(shifted);
    expect(largestDifference(await policy.valuesOf(shifted), standardized)).toBeLessThan(1e-3);
    policy.standardizeValues(states!);
    const folder = await mkdtemp(join(tmpdir(), 'vlgym-head-'));
    await policy.save(folder);
    const other = await make({ train, seed: 5 });
    await other.load(folder);
    expect((await other.score(sequences)).values).toEqual(standardized);
    await rm(folder, { recursive: true });
  });

  it('names that are not trained are refused, and the teacher stays the reference', async () => {
    const policy = await make({ train });
    expect(() => policy.setTeacher([['model.nothing', ones([1])]])).toThrow(
      expect.objectContaining({ code: 'UNKNOWN_WEIGHT' }),
    );
    expect(await meanKl(policy, 'teacher')).toBeCloseTo(0, 5);
  });
});

it('merged adapters compute what adapters next to the weights do', async () => {
  const policy = await make({ train: lora, dtype: 'float64' });
  await update(policy);
  const trained = await trainingLogProbs(policy, 1);
  const { logProbs } = await policy.score(sequencesOf(policy));
  for (const [i, row] of trained.entries()) expect(largestDifference(row, logProbs[i]!)).toBeLessThan(1e-6);
});
