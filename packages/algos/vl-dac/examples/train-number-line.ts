import { createPolicy } from '@vlgym/models';
import { NumberLineEnv } from '@vlgym/points24';
import { train } from '@vlgym/rl';
import { supervisedWarmStart } from '@vlgym/rl/warm-start';
import { vlDac } from '@vlgym/vl-dac';

const policy = await createPolicy({ preset: 'tiny', seed: 1 });
const makeEnv = () => new NumberLineEnv({ dialogue: 'compact-v1', size: { height: 84, width: 112 } });

// learn the format from the expert first; the result is the reference that the KL term holds on to
const start = await supervisedWarmStart({ policy, makeEnv, examples: 2560, learningRate: 3e-3, until: null, seed: 1 });
console.log('after', start.examples, 'examples the loss is', start.loss.toFixed(2));

await train({
  policy,
  algorithm: vlDac({
    rollout: { maxNewTokens: 32 },
    value: { warmupUpdates: 1 },
    optimizer: { learningRate: { initial: 1e-4 } },
  }),
  makeEnv,
  updates: 3,
  stepsPerUpdate: 32,
  numEnvs: 16,
  seed: 1,
  onMetrics: ({ update, metrics }) =>
    console.log('update', update, 'format', metrics['response/format-valid'], 'reward', metrics['rollout/reward-mean']),
});
policy.close();
