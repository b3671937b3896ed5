/** `optimizer.shuffle: 'episodes'`: an optimizer step takes whole episodes, each once in an epoch. */
import type { Sequence } from '@vlgym/rl';
import { train } from '@vlgym/rl';
import { vlDac } from '@vlgym/vl-dac';
import { expect, it, vi } from 'vitest';
import { CorridorEnv, smallPolicy } from './algos-tasks.js';

type Steps = readonly { readonly episodeId: string; readonly responseIds: Int32Array }[];

/** Per optimizer step of one epoch, the episodes of the responses that it has read. */
async function run(shuffle: 'steps' | 'episodes') {
  const policy = await smallPolicy({ seed: 1 });
  const read: Int32Array[][] = [[]];
  const accumulate = policy.accumulate.bind(policy);
  vi.spyOn(policy, 'accumulate').mockImplementation((sequences, loss, options) => {
    read.at(-1)!.push(...(sequences as readonly Sequence[]).map(({ responseIds }) => responseIds));
    return accumulate(sequences, loss, options);
  });
  const step = policy.step.bind(policy);
  vi.spyOn(policy, 'step').mockImplementation((options) => {
    if (!options.onlyValue) read.push([]);
    return step(options);
  });
  let steps: Steps = [];
  const metrics: object[] = [];
  try {
    await train({
      policy,
      algorithm: vlDac({
        rollout: { maxNewTokens: 3 },
        optimizer: { epochs: 1, batch: 8, shuffle },
        value: { warmupUpdates: 0 },
      }),
      makeEnv: () => new CorridorEnv(),
      seed: 3,
      updates: 1,
      stepsPerUpdate: 32,
      numEnvs: 4,
      onTargets: ({ buffer }) => {
        steps = buffer.steps;
      },
      onMetrics: ({ metrics: all }) =>
        metrics.push(Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith('time/')))),
    });
    const episodeOf = new Map(steps.map(({ responseIds, episodeId }) => [responseIds, episodeId]));
    const minibatches = read.slice(0, -1).map((responses) => responses.map((response) => episodeOf.get(response)!));
    return { minibatches, count: steps.length, metrics };
  } finally {
    policy.close();
  }
}

it('keeps the turns of an episode in one optimizer step, which has at least `batch` of them but for the last', async () => {
  const { minibatches, count } = await run('episodes');
  expect(minibatches.flat()).toHaveLength(count);
  expect(minibatches.length).toBeGreaterThan(1);
  for (const steps of minibatches.slice(0, -1)) expect(steps.length).toBeGreaterThanOrEqual(8);
  const places = minibatches.flatMap((steps) => [...new Set(steps)]);
  expect(new Set(places).size).toBe(places.length);
});

it('gives the same run again, and another than single steps', async () => {
  const [first, again, single] = [await run('episodes'), await run('episodes'), await run('steps')];
  expect(again).toEqual(first);
  expect(single.metrics).not.toEqual(first.metrics);
  for (const steps of single.minibatches) expect(steps).toHaveLength(8);
  const places = single.minibatches.flatMap((steps) => [...new Set(steps)]);
  expect(new Set(places).size).toBeLessThan(places.length);
});
