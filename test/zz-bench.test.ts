import { appendFileSync } from 'node:fs';
import { grpo, rl4vlm } from '@vlgym/baselines';
import { setNumThreads } from '@vlgym/gpu';
import { gtrTurboKl } from '@vlgym/gtr-turbo';
import { createPolicy } from '@vlgym/models';
import { EZPointsEnv } from '@vlgym/points24';
import { type Preset, train } from '@vlgym/rl';
import { vlDac } from '@vlgym/vl-dac';
import { it } from 'vitest';
setNumThreads(1);
const common = { rollout: { maxNewTokens: 48 }, reward: { scale: 10 } };
const optimizer = { epochs: 4, batch: 64, microBatch: 16, learningRate: { initial: 6e-5, final: 2e-5 } };
const cases: [string, Preset, object][] = [
  ['gtr-turbo-kl', gtrTurboKl, { value: { warmupUpdates: 0 } }],
  ['rl4vlm', rl4vlm, { value: { warmupUpdates: 0 } }],
  ['vl-dac', vlDac, { value: { warmupUpdates: 0 } }],
  ['grpo', grpo, {}],
];
it.each(cases)('%s', async (name, preset, others) => {
  const policy = await createPolicy({ preset: 'tiny', seed: 1 });
  const cpu: number[] = [];
  let before = process.cpuUsage();
  await train({
    policy, algorithm: preset({ ...common, optimizer, ...others }),
    makeEnv: () => new EZPointsEnv({ dialogue: 'compact-v1', size: { height: 84, width: 112 } }),
    updates: 4, stepsPerUpdate: 128, numEnvs: 32, seed: 1,
    onMetrics: ({ metrics }) => {
      const { user, system } = process.cpuUsage(before);
      cpu.push((user + system) / 1e6); before = process.cpuUsage();
      if (cpu.length === 4) appendFileSync('/tmp/losses/bench.log', `${process.env.SIDE} ${name} cpu/update ${cpu.slice(1).map((v) => v.toFixed(2)).join(' ')} steps ${metrics['tokens/sampled']} update-wall ${metrics['time/update']!.toFixed(2)}\n`);
    },
  });
  policy.close();
}, 600_000);
