/** Training in mixed precision: losses correct for a sampler in float32, ratios start at one, and a run is the same again. */
import { train } from '@vlgym/rl';
import { vlDac } from '@vlgym/vl-dac';
import { expect, it } from 'vitest';
import { CorridorEnv, smallPolicy } from './algos-tasks.js';

type Metrics = Readonly<Record<string, number>>;

async function run(autocast: 'none' | 'bfloat16'): Promise<Metrics[]> {
  const policy = await smallPolicy({ seed: 1, autocast });
  const found: Metrics[] = [];
  try {
    await train({
      policy,
      algorithm: vlDac({
        rollout: { maxNewTokens: 3 },
        optimizer: { epochs: 2, batch: 8, learningRate: { initial: 1e-3, final: 1e-3 } },
        value: { warmupUpdates: 0 },
      }),
      makeEnv: () => new CorridorEnv(),
      seed: 3,
      updates: 2,
      stepsPerUpdate: 8,
      numEnvs: 4,
      onMetrics: ({ metrics }) => {
        found.push(Object.fromEntries(Object.entries(metrics).filter(([name]) => !name.startsWith('time/'))));
      },
    });
  } finally {
    policy.close();
  }
  return found;
}

it('corrects for a sampler in float32, and its ratios start at one', async () => {
  const [rounded, exact] = [await run('bfloat16'), await run('none')];
  for (const metrics of rounded) {
    expect(metrics['correction/ess']).toBeGreaterThan(0.99);
    expect(metrics['mismatch/k3']).toBeLessThan(1e-3);
    expect(metrics['ratio/first-pass-deviation']).toBeLessThan(metrics['ratio/tolerance']!);
  }
  expect(exact[0]!['correction/ess']).toBeUndefined();
  const names = ['loss/policy', 'loss/value', 'response/length-mean'] as const;
  for (const name of names) expect(rounded[0]![name]).toBeCloseTo(exact[0]![name]!, 2);
  expect(rounded[0]!['optimizer/grad-norm']).not.toBe(exact[0]!['optimizer/grad-norm']);
});

it('gives the same run again', async () => {
  expect(await run('bfloat16')).toEqual(await run('bfloat16'));
});
