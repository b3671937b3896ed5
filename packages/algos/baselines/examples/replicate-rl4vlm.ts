import { rl4vlm } from '@vlgym/baselines';
import { createPolicy } from '@vlgym/models';
import { NumberLineEnv } from '@vlgym/points24';
import { train } from '@vlgym/rl';
import { supervisedWarmStart } from '@vlgym/rl/warm-start';

const policy = await createPolicy({ preset: 'tiny', seed: 1 });
const makeEnv = () => new NumberLineEnv({ dialogue: 'compact-v1', size: { height: 84, width: 112 } });
await supervisedWarmStart({ policy, makeEnv, examples: 2560, learningRate: 3e-3, until: null, seed: 1 });

// what the published code does, temperature 0.2 and ratio guard included, against the recommended corrections
for (const replicate of [true, false]) {
  const overrides = {
    rollout: { maxNewTokens: 32 },
    value: { warmupUpdates: 0 },
    optimizer: { batch: 32, microBatch: 8 },
  };
  const algorithm = rl4vlm(overrides, { replicate });
  const { last } = await train({ policy, algorithm, makeEnv, updates: 2, stepsPerUpdate: 32, numEnvs: 16, seed: 1 });
  console.log({ replicate, clipped: last?.metrics['ratio/clipped-low'], entropy: last?.metrics['entropy/response'] });
}
policy.close();
