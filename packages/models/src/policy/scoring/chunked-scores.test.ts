/** Scores in chunks are those of whole distributions: numbers and gradients. */
import type { PolicyOutputs } from '@vlgym/rl';
import { afterEach, describe, expect, it } from 'vitest';
import { largestDifference, lora, sequencesOf, smallPolicy } from '../policy.test-helper.js';
import type { VlmPolicy } from '../vlm-policy.js';
import type { ForwardOutputs } from './outputs.js';

const open: VlmPolicy[] = [];
afterEach(() => {
  for (const policy of open.splice(0)) policy.close();
});

/** One that keeps whole distributions, and one that does not: its vocabulary of 1,024 is more than 1. */
async function both(options: Parameters<typeof smallPolicy>[0]): Promise<[dense: VlmPolicy, chunked: VlmPolicy]> {
  const kind = { dtype: 'float64', ...options } as const;
  const pair = [await smallPolicy(kind), await smallPolicy({ ...kind, denseVocabulary: 1 })] as const;
  open.push(...pair);
  return [...pair];
}

const LOSSES: Readonly<Record<string, (outputs: PolicyOutputs) => PolicyOutputs['logProbs']>> = {
  'log-probabilities': ({ logProbs }) => logProbs.mul(logProbs).sum(),
  'entropies and values': ({ entropies, values }) => entropies.mul(entropies).sum().add(values.mul(values).sum()),
  'log-probabilities, entropies and a divergence': (outputs) => {
    const asked = { from: 'reference', kind: 'log-ratio', temperature: 0.5 } as const;
    const divergence: PolicyOutputs['logProbs'] = (outputs as ForwardOutputs).divergence(asked);
    const squares = outputs.logProbs.mul(outputs.logProbs).sum();
    return outputs.entropies.sum().add(squares).add(divergence.mul(outputs.mask).sum());
  },
  'an exact divergence': (outputs) => {
    const divergence: PolicyOutputs['logProbs'] = (outputs as ForwardOutputs).divergence({
      from: 'reference',
      kind: 'exact-kl',
    });
    return divergence.mul(outputs.mask).sum().add(outputs.logProbs.sum());
  },
  'whole distributions': (outputs) => outputs.distribution().exp().mul(outputs.distribution()).sum(),
};

describe.each([
  ['adapters', { train: lora }],
  ['all weights', { train: 'full' }],
] as const)('training %s', (_, options) => {
  it.each(Object.keys(LOSSES))('takes the same step for a loss of %s', async (name) => {
    const [dense, chunked] = await both(options);
    for (const policy of [dense, chunked]) {
      for (let step = 0; step < 2; step += 1) {
        await policy.accumulate(sequencesOf(policy), LOSSES[name]!, { temperature: 0.7 });
        // small next to Adam's normalization: what differs in the last digits stays there
        await policy.step({ learningRate: 1e-3, maxGradNorm: 1 });
      }
    }
    const [a, b] = [dense, chunked].map((policy) => [...policy.model.namedParameters()]);
    for (const [i, [path, parameter]] of a!.entries()) {
      expect(largestDifference(parameter.toNumbers(), b![i]![1].toNumbers()), path).toBeLessThan(1e-6);
    }
  });

  it('scores the same', async () => {
    const [dense, chunked] = await both(options);
    for (const policy of [dense, chunked]) {
      await policy.accumulate(sequencesOf(policy), LOSSES['log-probabilities']!);
      await policy.step({ learningRate: 1e-3, maxGradNorm: 1 });
    }
    for (const kind of ['log-ratio', 'exact-kl'] as const) {
      const scoresOf = (policy: VlmPolicy) =>
        policy.score(sequencesOf(policy), { temperature: 0.7, divergence: { from: 'reference', kind } });
      const [a, b] = [await scoresOf(dense), await scoresOf(chunked)];
      for (const key of ['logProbs', 'entropies', 'divergences'] as const)
        for (const [i, row] of a[key]!.entries()) expect(largestDifference(row, b[key]![i]!)).toBeLessThan(1e-5);
      expect(largestDifference(a.values, b.values)).toBeLessThan(1e-5);
      expect(Math.max(...a.divergences!.map((row) => Math.max(...row)))).toBeGreaterThan(1e-6);
    }
  });
});

it('gradients of several micro-batches add up', async () => {
  const [dense, chunked] = await both({ train: lora });
  for (const policy of [dense, chunked]) {
    for (const sequence of sequencesOf(policy)) await policy.accumulate([sequence], LOSSES['log-probabilities']!);
    await policy.step({ learningRate: 1e-3, maxGradNorm: 1 });
  }
  const sequences = sequencesOf(dense);
  const [a, b] = [await dense.score(sequences), await chunked.score(sequences)];
  for (const [i, row] of a.logProbs.entries()) expect(largestDifference(row, b.logProbs[i]!)).toBeLessThan(1e-5);
});

it('scores only what is asked for', async () => {
  const [dense, chunked] = await both({ train: lora });
  for (const policy of [dense, chunked]) {
    const whole = await policy.score(sequencesOf(policy));
    const values = await policy.score(sequencesOf(policy), { logProbs: false, entropies: false });
    expect(values.values).toEqual(whole.values);
    expect([...values.logProbs, ...values.entropies].every((row) => row.length === 0)).toBe(true);
    const { logProbs, entropies } = await policy.score(sequencesOf(policy), { entropies: false });
    expect(logProbs).toEqual(whole.logProbs);
    expect(entropies.every((row) => row.length === 0)).toBe(true);
  }
});
