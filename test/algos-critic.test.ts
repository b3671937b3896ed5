/** Critics learn: fitted apart, on standardized states, they predict returns of episodes they have not seen. */
import { rl4vlmStabilized } from '@vlgym/baselines';
import { type Metrics, train } from '@vlgym/rl';
import { expect, it, vi } from 'vitest';
import { CorridorEnv, smallPolicy, teachLetters } from './algos-tasks.js';

vi.setConfig({ testTimeout: 300_000 });

/** Metrics of a few updates in the corridor, with a policy that walks at random in the words of the task. */
async function metricsWith(value: { readonly epochs?: null; readonly standardize?: boolean }): Promise<Metrics[]> {
  const policy = await smallPolicy({ seed: 1 });
  await teachLetters(policy, { env: new CorridorEnv(), contexts: 5, actions: 2, right: () => 1, hint: 0, steps: 40 });
  const all: Metrics[] = [];
  await train({
    policy,
    algorithm: rl4vlmStabilized({
      rollout: { maxNewTokens: 3 },
      value: { warmupUpdates: 2, ...value },
      optimizer: { epochs: 2, batch: 64, microBatch: 64, learningRate: { initial: 1e-4, final: 1e-4 } },
    }),
    makeEnv: () => new CorridorEnv(),
    updates: 6,
    stepsPerUpdate: 256,
    numEnvs: 32,
    seed: 1,
    onMetrics: ({ metrics }) => all.push(metrics),
  });
  policy.close();
  return all;
}

const meanExplained = (all: readonly Metrics[]) =>
  all.slice(2).reduce((sum, metrics) => sum + metrics['value/explained-variance']!, 0) / all.slice(2).length;

it('a critic explains a quarter of the variance of fresh returns in every update after its warm-up, not nothing', async () => {
  // a random walk of a few cells: most of the variance of its returns is chance
  const apart = await metricsWith({});
  for (const metrics of apart.slice(2)) expect(metrics['value/explained-variance']).toBeGreaterThan(0.2);
  expect(meanExplained(apart)).toBeGreaterThan(0.25);
  // in the epochs of the policy, on states as they come, the same critic learns nothing in this time
  expect(meanExplained(await metricsWith({ epochs: null, standardize: false }))).toBeLessThan(0.05);
});
