/** Rules that the losses keep: signs of the clip, the guard, padding, accumulation, KL (`docs/specs/algorithms.md` 15.4 to 15.10). */

import { ppoTokenActor, rl4vlmActor } from '@vlgym/baselines';
import { Generator } from '@vlgym/core';
import { type Tensor, tensor, tidy } from '@vlgym/gpu';
import {
  type Aggregation,
  exactKl,
  exactKlTensor,
  klEstimate,
  ratioStatistics,
  sftLoss,
  totalsOf,
  valueLoss,
} from '@vlgym/rl/losses';
import { LossBatch, reduceCritic } from '@vlgym/rl/update';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actorOf, microBatch, tokenLogProbs } from './algos-loss-helper.js';

const leaf = (data: ArrayLike<number>, shape?: readonly number[]): Tensor =>
  tensor(Float64Array.from(data), { dtype: 'float64', requiresGrad: true, ...(shape && { shape }) });
const gradient = (of: Tensor): number[] => Array.from(of.grad?.toArray() ?? [], Number);

const STEP = { temperature: 1, thoughtCoefficient: 0.5, span: 'all', clipLow: 0.1, clipHigh: 0.1 } as const;

/** Gradient of the token loss by the log-prob, for one token with this ratio and advantage. */
function slope(ratio: number, advantage: number, options: { dualClip?: number } = {}): number {
  return tidy(() => {
    const logProbs = leaf([Math.log(ratio)], [1, 1]);
    const batch = microBatch(1, { oldLogProbs: [0], advantages: [advantage], mask: [1] });
    actorOf(ppoTokenActor, logProbs, batch, {
      clipLow: 0.2,
      clipHigh: 0.28,
      dualClip: null,
      ...options,
    }).mean.backward();
    return gradient(logProbs)[0]!;
  });
}

describe('the clip', () => {
  it.each([
    ['A > 0, ratio above 1 + clipHigh', 1.5, 1, 0],
    ['A > 0, ratio inside', 1.1, 1, -1.1],
    ['A > 0, ratio just below 1 + clipHigh', 1.27, 1, -1.27],
    ['A > 0, ratio below 1 − clipLow', 0.5, 1, -0.5],
    ['A < 0, ratio above 1 + clipHigh', 1.5, -1, 1.5],
    ['A < 0, ratio inside', 0.9, -1, 0.9],
    ['A < 0, ratio below 1 − clipLow', 0.5, -1, 0],
    ['A = 0', 1.5, 0, 0],
  ])('%s', (_, ratio, advantage, expected) => {
    expect(slope(ratio, advantage)).toBeCloseTo(expected, 12);
  });

  it('the dual clip ends the gradient of a negative advantage at a ratio of c', () => {
    expect(slope(2.9, -1, { dualClip: 3 })).toBeCloseTo(2.9, 12);
    expect(slope(3.1, -1, { dualClip: 3 })).toBe(0);
    expect(slope(3.1, 1, { dualClip: 3 })).toBeCloseTo(0, 12);
  });

  it('the ratio guard drops the unclipped branch of the whole batch when one ratio exceeds 10', () => {
    const run = (ratio: number) =>
      tidy(() => {
        const steps = leaf([Math.log(ratio), Math.log(0.5)], [2, 1]);
        const batch = microBatch(2, { mask: [1, 1], advantages: [-1, 1] });
        actorOf(rl4vlmActor, steps, batch, { ...STEP, ratioGuard: 10 }).mean.backward();
        return gradient(steps);
      });
    expect(run(9)).toEqual([4.5, -0.25].map((value) => expect.closeTo(value, 12)));
    expect(run(11)).toEqual([0, 0].map((value) => expect.closeTo(value, 12)));
  });

  it('a log-ratio beyond 20 is clamped, stays finite, and is reported', () => {
    const logProbs = leaf([0, -900], [1, 2]);
    const batch = microBatch(1, { oldLogProbs: [-900, 0], advantages: [-1], mask: [1, 1] });
    const { mean, ratio } = actorOf(ppoTokenActor, logProbs, batch, { clipLow: 0.2, clipHigh: 0.2, dualClip: null });
    expect(mean.item()).toBeCloseTo((Math.exp(20) + 0.8) / 2, 3);
    expect(ratioStatistics(Array.from(ratio!.toArray(), Number), [1, 1]).clamped).toBe(1);
    expect(ratioStatistics([1, Math.fround(Math.exp(20)), Math.fround(Math.exp(-20))], [1, 1, 1]).clamped).toBeCloseTo(
      2 / 3,
    );
  });
});

/** A batch of `rows` responses of unequal length, with everything a loss asks for. */
function randomBatch(rows: number, seed: number) {
  const rng = new Generator(seed);
  const lengths = Array.from({ length: rows }, () => rng.integers(1, 9));
  const uniform = (count: number) => Array.from(rng.uniform(-2, 0, count));
  return {
    rows,
    lengths,
    logProbs: lengths.map(uniform),
    oldLogProbs: lengths.map(uniform),
    advantages: Array.from(rng.normal(0, 1, rows)),
    values: Array.from(rng.normal(0, 1, rows)),
    returns: Array.from(rng.normal(0, 1, rows)),
  };
}
type Batch = ReturnType<typeof randomBatch>;

/** Losses and gradients of some rows of a batch, padded to `width`. */
function lossOf(batch: Batch, rows: readonly number[], width: number, aggregation: Aggregation | 'step', whole: Batch) {
  const pad = (values: readonly (readonly number[])[], filler = 0) =>
    rows.flatMap((row) => [...values[row]!, ...Array<number>(width - values[row]!.length).fill(filler)]);
  const mask = pad(batch.lengths.map((n) => Array<number>(n).fill(1)));
  const wholeMask = whole.lengths.flatMap((n) => Array.from({ length: 9 }, (_, i) => (i < n ? 1 : 0)));
  const totals = totalsOf(wholeMask, whole.rows);
  return tidy(() => {
    const logProbs = leaf(pad(batch.logProbs), [rows.length, width]);
    const values = leaf(rows.map((row) => batch.values[row]!));
    const advantages = rows.map((row) => batch.advantages[row]!);
    const clip = { clipLow: 0.2, clipHigh: 0.28 };
    const actionMask = mask.map((bit, i) => (i % width > 1 ? bit : 0));
    const data = microBatch(rows.length, {
      mask,
      thoughtMask: mask.map((bit, i) => bit - actionMask[i]!),
      actionMask,
      oldLogProbs: pad(batch.oldLogProbs),
      advantages,
      returns: rows.map((row) => batch.returns[row]!),
      totals,
    });
    const policy =
      aggregation === 'step'
        ? actorOf(rl4vlmActor, logProbs, data, { ...STEP, ...clip, ratioGuard: null }).mean
        : actorOf(ppoTokenActor, logProbs, data, { ...clip, dualClip: null }, { aggregation, constantLength: 7 }).mean;
    const critic = reduceCritic(valueLoss(values, new LossBatch(data, logProbs)), data);
    const sft = sftLoss(logProbs, mask, totals.tokens);
    const total = policy.add(critic.mul(0.5) as Tensor).add(sft as Tensor);
    total.backward();
    const perRow = gradient(logProbs);
    return {
      loss: total.item(),
      gradients: rows.map((row, i) => perRow.slice(i * width, i * width + batch.lengths[row]!)),
      padding: rows.flatMap((row, i) => perRow.slice(i * width + batch.lengths[row]!, (i + 1) * width)),
      values: gradient(values),
    };
  });
}

const kinds = ['token_mean', 'seq_mean_token_mean', 'seq_mean_token_sum', 'seq_sum_over_constant', 'step'] as const;

describe.each(kinds)('%s', (kind) => {
  it('a batch of 8 is 8 micro-batches of 1 and twice 4, whatever the token counts', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const batch = randomBatch(8, seed);
        const rows = [...batch.lengths.keys()];
        const whole = lossOf(batch, rows, 9, kind, batch);
        for (const size of [1, 4]) {
          const parts = Array.from({ length: 8 / size }, (_, i) => rows.slice(i * size, (i + 1) * size)).map((part) =>
            lossOf(batch, part, Math.max(...part.map((row) => batch.lengths[row]!)), kind, batch),
          );
          expect(parts.reduce((sum, { loss }) => sum + loss, 0)).toBeCloseTo(whole.loss, 12);
          expect(parts.flatMap(({ gradients }) => gradients)).toEqual(closeTo(whole.gradients));
          expect(parts.flatMap(({ values }) => values)).toEqual(closeTo(whole.values));
        }
      }),
      { numRuns: 20 },
    );
  });

  it('padding changes no loss and no gradient, and gets none', () => {
    const batch = randomBatch(5, 3);
    const rows = [0, 1, 2, 3, 4];
    const tight = lossOf(batch, rows, 9, kind, batch);
    const wide = lossOf(batch, rows, 40, kind, batch);
    expect(wide.loss).toBeCloseTo(tight.loss, 12);
    expect(wide.gradients).toEqual(closeTo(tight.gradients));
    expect(wide.padding.every((value) => value === 0)).toBe(true);
  });
});

const closeTo = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(closeTo) : expect.closeTo(value as number, 12);

describe('KL', () => {
  const distribution = fc
    .array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 5, maxLength: 5 })
    .map((logits) => {
      const logSum = Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit), 0));
      return logits.map((logit) => logit - logSum);
    });

  it('is never negative when exact, and zero for equal policies', () => {
    fc.assert(
      fc.property(distribution, distribution, (p, q) => {
        expect(exactKl(p, q)).toBeGreaterThanOrEqual(0);
        expect(exactKl(p, p)).toBe(0);
      }),
    );
  });

  it('has no gradient where agent and teacher are equal, nor has imitation of oneself in expectation', () => {
    tidy(() => {
      const logits = leaf([0.3, -1, 0.8, 0.1], [1, 4]);
      const teacher = logits.detach().logSoftmax(-1);
      const kl = exactKlTensor(logits.logSoftmax(-1), teacher) as Tensor;
      kl.sum().backward();
      expect(kl.item()).toBeCloseTo(0, 15);
      expect(gradient(logits)).toEqual(closeTo([0, 0, 0, 0]));

      // labels drawn from the agent itself, weighted by their probability: the mean gradient of the label loss
      const own = leaf([0.3, -1, 0.8, 0.1], [1, 4]);
      const ids = tensor(new Int32Array([0, 1, 2, 3]), { shape: [4, 1] }).to('int64');
      const mask = tensor(new Float64Array([1, 1, 1, 1]), { dtype: 'float64', shape: [4, 1] });
      const { logProbs } = tokenLogProbs(own.expand([4, 4]).unsqueeze(1), ids, mask);
      const probabilities = own.detach().softmax(-1).reshape([4, 1]);
      (logProbs.mul(probabilities).sum().neg() as Tensor).backward();
      expect(gradient(own)).toEqual(closeTo([0, 0, 0, 0]));
    });
  });

  it('k1 and k3 converge to the exact value: a million samples, three standard errors', () => {
    const agent = [0.5, 0.2, 0.2, 0.1].map(Math.log);
    const teacher = [0.1, 0.4, 0.25, 0.25].map(Math.log);
    const rng = new Generator(7);
    const draws = rng.random(1_000_000);
    const edges = [0.5, 0.7, 0.9, 1];
    const exact = exactKl(agent, teacher);
    for (const kind of ['k1', 'k3'] as const) {
      let sum = 0;
      let squares = 0;
      for (const draw of draws) {
        const token = edges.findIndex((edge) => draw < edge);
        const value = klEstimate(agent[token]! - teacher[token]!, kind);
        sum += value;
        squares += value * value;
      }
      const mean = sum / draws.length;
      const error = Math.sqrt((squares / draws.length - mean * mean) / draws.length);
      expect(Math.abs(mean - exact), kind).toBeLessThan(3 * error);
    }
  });
});
