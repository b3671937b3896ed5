/** Settings of LOOP: recommended, and those of the published code (`docs/specs/algorithms.md` 9.1). */
import type { Overrides } from '@vlgym/rl';
import type { loopOptions } from './loop-options.js';

export const RECOMMENDED: Overrides<typeof loopOptions> = {
  loss: { clipLow: 0.1, clipHigh: 0.1 },
  // as the published code: what is hardly better or worse than the group only adds noise
  filter: { minAbsAdvantage: 0.01 },
  optimizer: { epochs: 2, batch: 128, maxGradNorm: 0.1, learningRate: { initial: 5e-5, final: 5e-5 } },
};

/**
 * Differences in the published code: groups of six, a mean over all tokens of an episode and then over episodes, no format
 * reward, every step trained. Left out: weight decay of 0.01, mini-batches of 32 episodes, the end of an update at a KL of
 * 20, and the end of a collection when nine of ten episodes are there. Its 40 tasks per update are `numEnvs: 240`.
 */
export const PUBLISHED: Overrides<typeof loopOptions> = {
  group: { size: 6 },
  rollout: { fallbackLoss: 'keep' },
  reward: { formatValid: 0, formatInvalid: 0 },
  correction: { kind: 'none' },
  loss: { aggregation: 'seq_mean_token_sum' },
  weighting: { per: 'episode' },
};
