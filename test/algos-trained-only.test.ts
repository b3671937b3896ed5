/** Steps that a policy does not learn from are not read again: its update is the same without them. */

import { raft } from '@vlgym/baselines';
import { defineAlgorithm, type Sequence, train, type UpdateRecord } from '@vlgym/rl';
import { onEveryStep, targetsFrom } from '@vlgym/rl/advantages';
import { groupAlgorithmOptions } from '@vlgym/rl/config';
import { rescore } from '@vlgym/rl/rollout';
import { optimize } from '@vlgym/rl/update';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { CorridorEnv, smallPolicy } from './algos-tasks.js';

afterEach(() => {
  vi.restoreAllMocks();
});

type Algorithm = Parameters<typeof train>[0]['algorithm'];
const QUICK = {
  rollout: { maxNewTokens: 4 },
  optimizer: { epochs: 2, batch: 64, microBatch: 3, learningRate: { initial: 1e-2, final: 1e-2 } },
  group: { size: 2 },
};

/**
 * Imitates every other episode, or none.
 *
 * @param readsAll  A hook that does nothing, which may look at every step.
 */
const everyOther = (readsAll: boolean, learns = true) =>
  defineAlgorithm({
    name: 'every-other',
    title: 'Every other episode',
    source: 'this test',
    options: z.strictObject(groupAlgorithmOptions),
    recommended: {},
    async update(run) {
      const { config, collector, metrics } = run;
      const buffer = await collector.collectEpisodes({ ...run, groupSize: config.group.size });
      await rescore(run, buffer);
      const isKept = buffer.episodes.map((_, episode) => (learns ? episode % 2 : 0));
      const targets = targetsFrom(buffer, onEveryStep(buffer, isKept), config, metrics);
      const policyMask = onEveryStep(buffer, isKept).map(Number);
      await optimize(
        run,
        buffer,
        { ...targets, policyMask: Uint8Array.from(policyMask) },
        {
          actor: ({ logProbs }) => ({ loss: logProbs.neg() }),
          averaging: { aggregation: 'token_mean', constantLength: 1 },
        },
        readsAll ? { beforeStep: async () => {} } : {},
      );
      return buffer;
    },
  })(QUICK);

async function run(algorithm: Algorithm) {
  const policy = await smallPolicy({ seed: 1 });
  const before = policy.adapterState();
  const accumulate = vi.spyOn(policy, 'accumulate');
  const records: UpdateRecord[] = [];
  try {
    await train({
      ...{ policy, algorithm, makeEnv: () => new CorridorEnv(), seed: 3, updates: 1, stepsPerUpdate: 24, numEnvs: 4 },
      onMetrics: (record) => records.push(record),
    });
    const after = policy.adapterState();
    const weights = [...after].flatMap(([name, tensor]) => {
      const start = before.get(name)!.toNumbers();
      return tensor.toNumbers().map((value, i) => value - start[i]!);
    });
    const read = accumulate.mock.calls.reduce((sum, [sequences]) => sum + (sequences as readonly Sequence[]).length, 0);
    return { weights, read, metrics: records[0]!.metrics, steps: records[0]!.environmentSteps };
  } finally {
    policy.close();
  }
}

describe('an update of half of the episodes', () => {
  it('reads their steps alone, and moves the weights as if it had read all', async () => {
    const [half, all] = [await run(everyOther(false)), await run(everyOther(true))];
    expect(all.read).toBe(2 * all.steps); // epochs
    expect(half.read).toBeLessThan(0.9 * all.read);
    expect(half.read).toBeGreaterThan(0);
    const size = Math.max(...all.weights.map(Math.abs));
    expect(size).toBeGreaterThan(1e-3);
    const apart = Math.max(...half.weights.map((value, i) => Math.abs(value - all.weights[i]!)));
    expect(apart / size).toBeLessThan(1e-3);
    for (const name of ['loss/policy', 'optimizer/grad-norm'] as const) {
      expect(half.metrics[name]).toBeCloseTo(all.metrics[name]!, 4);
    }
  });
});

it('an optimizer step that learns from nothing reads all of its steps, so that it is the step that it always was', async () => {
  const { read, steps } = await run(everyOther(false, false));
  expect(read).toBe(2 * steps);
});

it('RAFT reads the episodes that it imitates', async () => {
  const { read, steps } = await run(raft({ ...QUICK, group: { size: 4 }, ranking: { keep: 1 } }));
  expect(read).toBeLessThan(steps);
});
