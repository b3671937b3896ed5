/**
 * Properties of merging: exactness, order, shift, sparsity, and a teacher that is the merge (`docs/specs/algorithms.md` 7.6,
 * 15.11).
 */

import { Generator } from '@vlgym/core';
import { type Tensor, tensor, tidy } from '@vlgym/gpu';
import {
  AdapterHistory,
  gtrTurboKl,
  linearMerge,
  type MergeablePolicy,
  type MergeMethod,
  mergeFactors,
  mergeIntoTeacher,
  mergeMetrics,
  mergeWeights,
  tiesMerge,
} from '@vlgym/gtr-turbo';
import { type Policy, type Sequence, train } from '@vlgym/rl';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BanditEnv, smallPolicy } from './algos-tasks.js';

const float32 = (values: readonly number[]): Tensor => tensor(Float32Array.from(values));
const numbers = (of: { toArray(): ArrayLike<unknown> }): number[] => Array.from(of.toArray(), Number);
const vector = fc.array(fc.float({ min: -4, max: 4, noNaN: true }), { minLength: 10, maxLength: 10 });
const closeTo = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 5));

describe('tiesMerge', () => {
  it('gives a single checkpoint back bit for bit, whatever its weight', () => {
    fc.assert(
      fc.property(vector, fc.double({ min: 0.01, max: 5, noNaN: true }), (values, weight) => {
        tidy(() => {
          const merged = tiesMerge([float32(values)], { density: 1, weights: [weight] }).merged;
          expect(numbers(merged).map((value) => value + 0)).toEqual(numbers(float32(values)).map((value) => value + 0));
        });
      }),
    );
  });

  it('does not depend on the order of the checkpoints', () => {
    fc.assert(
      fc.property(fc.array(vector, { minLength: 2, maxLength: 4 }), (vectors) => {
        tidy(() => {
          // whole values and powers of two as weights add up exactly: no tied vote is decided by rounding
          const rounded = vectors.map((values) => values.map(Math.round));
          const weights = rounded.map((_, i) => 2 ** i);
          const merge = (order: readonly number[]) =>
            numbers(
              tiesMerge(
                order.map((i) => float32(rounded[i]!)),
                { density: 0.8, weights: order.map((i) => weights[i]!) },
              ).merged,
            );
          const order = rounded.map((_, i) => i);
          expect(merge(order.toReversed())).toEqual(closeTo(merge(order)));
        });
      }),
    );
  });

  it('keeps as many entries as the density says', () => {
    const rng = new Generator(0);
    const values = Array.from(rng.normal(0, 1, 1000));
    for (const density of [1, 0.8, 0.5, 0.1]) {
      tidy(() => {
        const { merged } = tiesMerge([float32(values)], { density, weights: [1] });
        expect(numbers(merged).filter((value) => value !== 0)).toHaveLength(Math.floor(density * 1000));
      });
    }
  });

  it('counts conflicts and agreements', () => {
    tidy(() => {
      const { statistics } = tiesMerge([float32([1, 1, 0, -2]), float32([1, -1, 0, -2])], {
        density: 1,
        weights: [0.5, 0.5],
      });
      expect(statistics).toMatchObject({ entries: 4, conflicts: 1, unanimous: 2 });
      expect(mergeMetrics([statistics])).toMatchObject({ conflictShare: 0.25, unanimousShare: 0.5 });
    });
  });

  it.each([
    [[], [], 1],
    [[[1]], [], 1],
    [[[1]], [1, 1], 1],
    [[[1]], [1], 0],
    [[[1]], [1], 1.1],
  ])('refuses vectors %j with weights %j at density %d', (vectors, weights, density) => {
    tidy(() => {
      expect(() => tiesMerge(vectors.map(float32), { density, weights })).toThrow(RangeError);
    });
  });
});

it('merging in factor space is flagged, because it is another thing', () => {
  tidy(() => {
    const adapter = { a: float32([1, 2]).reshape([1, 2]), b: float32([3, 4]).reshape([2, 1]) };
    const merged = mergeFactors([adapter, adapter], { weights: [0.5, 0.5], scaling: 1, method: 'linear' });
    expect(merged.approximate).toBe(true);
    // two equal checkpoints: the merge should be either of them, and comes out twice as large
    expect(numbers(merged.delta)).toEqual(closeTo([6, 12, 8, 16]));
  });
});

describe.each(['full', 'lora'] as const)('a policy that trains %s weights', (kind) => {
  const create = () => smallPolicy({ seed: 1, ...(kind === 'lora' && { train: { lora: { r: 4, alpha: 8 } } }) });

  /** Some optimizer steps in some direction. */
  async function drift(policy: Policy, sequences: readonly Sequence[], steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) {
      await policy.accumulate(sequences, ({ logProbs }) => logProbs.sum().neg());
      await policy.step({ learningRate: 1e-2, maxGradNorm: 1 });
    }
  }

  const question = (policy: Policy, text: string): Sequence => ({
    input: policy.encode([{ role: 'user', content: text }]),
    responseIds: Int32Array.of(65, 66, 67),
  });

  it('has the merge as its teacher: θ_0 before, the checkpoint itself for one, and another after every merge', async () => {
    const policy = await create();
    const sequences = ['A', 'B'].map((text) => question(policy, text));
    const score = async (weights: 'current' | 'teacher' | 'reference') =>
      (await policy.score(sequences, { weights })).logProbs.flatMap((row) => Array.from(row));
    expect(await score('teacher')).toEqual(await score('reference'));

    const buffer = new AdapterHistory(policy, 10);
    const seen: number[][] = [];
    for (let round = 0; round < 3; round++) {
      await drift(policy, [sequences[round % 2]!], 2);
      await buffer.append();
      const options = { method: 'ties', density: 1, weighting: 'sma', alpha: 0.5, rng: new Generator(0) } as const;
      const metrics = mergeIntoTeacher(policy, buffer.weights, options);
      if (round === 0) {
        expect(await score('teacher')).toEqual(closeTo(await score('current')));
        expect(metrics.cosineToLatest).toBeCloseTo(1, 5);
      }
      seen.push(await score('teacher'));
    }
    expect(new Set(seen.map((scores) => scores.join())).size).toBe(3);
    buffer.dispose();
    policy.close();
  });

  it.each(['linear', 'ties', 'dare-linear', 'dare-ties'] as MergeMethod[])(
    'computes as θ_0 plus a %s merge made by hand',
    async (method) => {
      const policy: MergeablePolicy = await create();
      const byHand: MergeablePolicy = await create();
      const sequences = ['A', 'B'].map((text) => question(policy, text));
      const buffer = new AdapterHistory(policy, 10);
      for (const sequence of sequences) {
        await drift(policy, [sequence], 2);
        await buffer.append();
      }
      const density = 0.8;
      mergeIntoTeacher(policy, buffer.weights, {
        method,
        density,
        weighting: 'ema',
        alpha: 0.5,
        rng: new Generator(3),
      });

      const weights = mergeWeights(2, 'ema', 0.5);
      const rng = new Generator(3);
      byHand.setTeacher(
        policy.adaptedNames.map((name) => {
          const deltas = buffer.weights.map((state) => {
            const delta = policy.delta(state, name);
            if (!method.startsWith('dare')) return delta;
            const kept = numbers(delta).map((value) => (rng.random() < density ? value / density : 0));
            return tensor(Float32Array.from(kept), { shape: delta.shape });
          });
          const merged = method.endsWith('linear')
            ? linearMerge(deltas, weights)
            : tiesMerge(deltas, { density: method === 'ties' ? density : 1, weights }).merged;
          return [name, merged] as const;
        }),
      );
      const [own, other] = await Promise.all(
        [policy, byHand].map((one) => one.score(sequences, { weights: 'teacher' })),
      );
      expect(own!.logProbs.flatMap((row) => Array.from(row))).toEqual(
        closeTo(other!.logProbs.flatMap((row) => Array.from(row))),
      );
      buffer.dispose();
      policy.close();
      byHand.close();
    },
  );

  it('guides itself: after a merge the teacher differs from θ_0, and updates see its KL', async () => {
    const policy = await create();
    const kls: number[] = [];
    await train({
      policy,
      algorithm: gtrTurboKl({
        rollout: { maxNewTokens: 3 },
        value: { warmupUpdates: 0 },
        guidance: { klRange: 'response', klUnparsable: 'skip' },
        merge: { every: 'epoch' },
        optimizer: { epochs: 2, batch: 16, learningRate: { initial: 1e-2 } },
      }),
      makeEnv: () => new BanditEnv(),
      updates: 3,
      stepsPerUpdate: 16,
      numEnvs: 8,
      seed: 1,
      onMetrics: ({ metrics }) => {
        kls.push(metrics['teacher/kl-mean']!);
        expect(metrics['merge/checkpoints']).toBe(2 * kls.length);
      },
    });
    expect(kls[0]).toBeCloseTo(0, 6);
    policy.close();
  });
});
