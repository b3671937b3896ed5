import { gtrTurboKl } from '@vlgym/gtr-turbo';
import { createPolicy } from '@vlgym/models';
import { NumberLineEnv } from '@vlgym/points24';
import { train } from '@vlgym/rl';
import { supervisedWarmStart } from '@vlgym/rl/warm-start';

const policy = await createPolicy({ preset: 'tiny', seed: 1 });
const makeEnv = () => new NumberLineEnv({ dialogue: 'compact-v1', size: { height: 84, width: 112 } });
await supervisedWarmStart({ policy, makeEnv, examples: 2560, learningRate: 3e-3, until: null, seed: 1 });

await train({
  policy,
  algorithm: gtrTurboKl({
    rollout: { maxNewTokens: 32 },
    value: { warmupUpdates: 0 },
    optimizer: { batch: 32, learningRate: { initial: 1e-3 } },
  }),
  makeEnv,
  updates: 3,
  stepsPerUpdate: 32,
  numEnvs: 16,
  seed: 1,
  onMetrics: ({ update, metrics }) =>
    console.log('update', update, 'KL to the teacher', metrics['teacher/kl-mean']?.toExponential(1)),
});
policy.close();
