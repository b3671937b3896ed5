/** Losses that read few log-probabilities: the same numbers and gradients, without the scores in between. */
import type { Tensor } from '@vlgym/gpu';
import type { PolicyOutputs } from '@vlgym/rl';
import { afterEach, describe, expect, it } from 'vitest';
import { largestDifference, sequencesOf, smallPolicy } from './policy.test-helper.js';
import type { VlmPolicy } from './vlm-policy.js';

const open: VlmPolicy[] = [];
afterEach(() => {
  for (const policy of open.splice(0)) policy.close();
});

async function policyWith(options: Parameters<typeof smallPolicy>[0]): Promise<VlmPolicy> {
  const policy = await smallPolicy({ dtype: 'float64', ...options });
  open.push(policy);
  return policy;
}

/** Every third token is a label; none of the last sequence. */
function labelsOf(policy: VlmPolicy): Uint8Array[] {
  const rows = sequencesOf(policy).map(({ responseIds }) =>
    Uint8Array.from(responseIds, (_, i) => (i % 3 === 0 ? 1 : 0)),
  );
  rows.at(-1)!.fill(0);
  return rows;
}

/** Sum of squares over the labels. */
const lossOver = (labels: readonly Uint8Array[]) => {
  return ({ logProbs }: PolicyOutputs) => {
    const [rows, length] = logProbs.shape as [number, number];
    const weights = new Float64Array(rows * length);
    for (const [row, mask] of labels.entries()) weights.set(mask, row * length);
    return logProbs
      .mul(logProbs)
      .mul(logProbs.newTensor(weights, [rows, length]))
      .sum();
  };
};

describe.each([
  ['whole distributions', {}],
  ['distributions in chunks', { denseVocabulary: 1 }],
])('labels with %s', (_, options) => {
  it('give the loss and the step of all scores', async () => {
    const [all, few] = [await policyWith(options), await policyWith(options)];
    const labels = labelsOf(all);
    const losses = [
      await all.accumulate(sequencesOf(all), lossOver(labels), { temperature: 0.7 }),
      await few.accumulate(sequencesOf(few), lossOver(labels), { temperature: 0.7, labels }),
    ];
    expect(losses[1]).toBeCloseTo(losses[0]!, 9);
    for (const policy of [all, few]) await policy.step({ learningRate: 1e-3, maxGradNorm: 1 });
    const expected = new Map(all.model.namedParameters());
    for (const [name, parameter] of few.model.namedParameters()) {
      expect(largestDifference(parameter.toNumbers(), expected.get(name)!.toNumbers()), name).toBeLessThan(1e-6);
    }
  });

  it('leave the rest at 0', async () => {
    const policy = await policyWith(options);
    const labels = labelsOf(policy);
    let logProbs: number[] = [];
    await policy.accumulate(
      sequencesOf(policy),
      (outputs) => {
        logProbs = (outputs.logProbs.detach() as Tensor).toNumbers();
        return outputs.logProbs.sum();
      },
      { labels },
    );
    const length = logProbs.length / labels.length;
    for (const [i, value] of logProbs.entries()) {
      expect(value !== 0).toBe(labels[Math.floor(i / length)]![i % length] === 1);
    }
  });

  it('may be none at all', async () => {
    const policy = await policyWith(options);
    const labels = labelsOf(policy).map((mask) => mask.fill(0));
    expect(await policy.accumulate(sequencesOf(policy), lossOver(labels), { labels })).toBe(0);
  });
});
