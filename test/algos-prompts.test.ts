/** Updates and evaluations do not depend on the prompts that were sampled before them. */
import { train } from '@vlgym/rl';
import { vlDac } from '@vlgym/vl-dac';
import { afterEach, expect, it, vi } from 'vitest';
import { CorridorEnv, smallPolicy } from './algos-tasks.js';

afterEach(() => {
  vi.restoreAllMocks();
});

it('prompts are forgotten before each of three updates and two evaluations', async () => {
  const policy = await smallPolicy({ seed: 1, promptCacheBytes: 2 ** 20 });
  const events: string[] = [];
  const forget = policy.forgetPrompts.bind(policy);
  vi.spyOn(policy, 'forgetPrompts').mockImplementation(() => {
    events.push('forget');
    return forget();
  });
  try {
    await train({
      policy,
      algorithm: vlDac({
        rollout: { maxNewTokens: 3 },
        optimizer: { epochs: 1, batch: 8 },
        value: { warmupUpdates: 0 },
      }),
      makeEnv: () => new CorridorEnv(),
      seed: 3,
      updates: 3,
      stepsPerUpdate: 8,
      numEnvs: 4,
      evaluation: { seeds: [1, 2], every: 3 },
      onMetrics: ({ update }) => events.push(`update ${update}`),
    });
  } finally {
    policy.close();
  }
  const update = (number: number) => ['forget', `update ${number}`];
  // the last update is followed by an evaluation, before its record
  expect(events).toEqual([...update(0), ...update(1), ...update(2), 'forget', ...update(3)]);
});
