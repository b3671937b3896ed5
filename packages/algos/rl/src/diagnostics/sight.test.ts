import { describe, expect, it } from 'vitest';
import type { Sequence } from '../policy.js';
import type { StepRecord } from '../rollout/record.js';
import { MetricsTally } from './metrics.js';
import { measureSight } from './sight.js';

const picture = (value: number, side = 2) => ({
  data: new Uint8Array(side * side * 3).fill(value),
  height: side,
  width: side,
  channels: 3 as const,
});

/** Two tokens of a thought, one of an action, one of neither. */
const step = (episodeId: number, images: StepRecord['input']['images']) =>
  ({
    episodeId,
    input: { promptIds: Int32Array.of(1), images },
    responseIds: Int32Array.of(0, 1, 2, 3),
    thoughtMask: Uint8Array.of(1, 1, 0, 0),
    actionMask: Uint8Array.of(0, 0, 1, 0),
  }) as unknown as StepRecord;

/** Its thoughts read the first pixel, its actions read none. */
const looker = (score: (pixel: number) => number) => {
  const seen: number[] = [];
  return {
    seen,
    async score(sequences: readonly Sequence[]) {
      const logProbs = sequences.map(({ input }) => {
        const pixel = input.images[0]?.data[0] ?? -1;
        seen.push(pixel);
        return Float32Array.of(score(pixel), score(pixel), -1, -1);
      });
      return { logProbs, entropies: [], values: new Float32Array(sequences.length) };
    },
  };
};

async function sightOf(steps: readonly StepRecord[], score: (pixel: number) => number) {
  const policy = looker(score);
  const now = await policy.score(steps.map(({ input, responseIds }) => ({ input, responseIds })));
  const metrics = new MetricsTally();
  await measureSight(policy, steps, now, 1, metrics);
  return { metrics: metrics.toMetrics(), seen: policy.seen.slice(steps.length) };
}

describe('measureSight', () => {
  it('says apart what a gray picture and that of another episode cost thoughts and actions, in nats per token', async () => {
    const steps = [step(1, [picture(10)]), step(2, [picture(20)])];
    // the own pixel 0, gray −2, the other's −0.5
    const { metrics } = await sightOf(steps, (pixel) => (pixel === 128 ? -2 : -pixel / 20));
    expect(metrics['sight/thought-gray']).toBeCloseTo((2 - 0.5 + 2 - 1) / 2, 6);
    expect(metrics['sight/thought-swapped']).toBeCloseTo(0, 6); // one gains what the other loses
    expect(metrics['sight/action-gray']).toBe(0);
    expect(metrics['sight/answer-gray']).toBeCloseTo((2 / 3) * metrics['sight/thought-gray']!, 6);
  });

  it('is 0 for a policy that does not look', async () => {
    const { metrics } = await sightOf([step(1, [picture(10)]), step(2, [picture(20)])], () => -3);
    expect(Object.values(metrics)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it.each<[what: string, steps: StepRecord[], swapped: number[]]>([
    ['never swaps within an episode', [step(1, [picture(10)]), step(1, [picture(20)])], []],
    ['never swaps pictures of other sizes', [step(1, [picture(10)]), step(2, [picture(20, 3)])], []],
    ['never swaps equal pictures', [step(1, [picture(10)]), step(2, [picture(10)])], []],
    ['takes the next episode, at the end the first', [10, 20, 30].map((v) => step(v, [picture(v)])), [20, 30, 10]],
  ])('%s', async (_, steps, swapped) => {
    const { seen } = await sightOf(steps, () => 0);
    expect(seen).toEqual([...steps.map(() => 128), ...swapped]);
  });

  it('measures nothing without pictures', async () => {
    const { metrics, seen } = await sightOf([step(1, []), step(2, [])], () => 0);
    expect(metrics).toEqual({});
    expect(seen).toEqual([]);
  });
});
