/** Settings under which a small model learns to walk on a CPU, as each registration declares them. */
import type { TrainingSettings } from '@vlgym/core';

/**
 * Many short decisions: the goal is tens of steps away, and an answer is one of three.
 *
 * A well-formed answer earns nothing here: paid at every step and hardly discounted, it would be worth more than the
 * goal, which ends the pay. A low temperature in training resembles greedy play: a policy that leaves a corner only by
 * random steps does not learn to leave it.
 */
export const WALK_TRAINING: TrainingSettings = {
  options: { dialogue: 'compact-v1' },
  updates: 30,
  stepsPerUpdate: 1024,
  numEnvs: 32,
  evaluateEvery: 10,
  evaluationTemperature: 0.2,
  warmStart: { teacher: 'oracle', examples: 28_800, learningRate: 2e-3, batch: 64, mistakes: 0.8 },
  maxNewTokens: 24,
  overrides: {
    advantage: { gamma: 0.97 },
    reward: { formatValid: 0 },
    rollout: { temperature: 0.3 },
    loss: { temperature: 0.3 },
    optimizer: { learningRate: { initial: 1e-4, final: 2e-5, period: 30 } },
  },
  rewardScale: 1,
};

/**
 * From a start that sees and acts at random: temperature 1 in sampling, loss and evaluation, because a lower one would
 * turn the small preferences of a random policy into fixed habits before play has said anything about them.
 */
export const SMALL_ROOM_TRAINING: TrainingSettings = {
  ...WALK_TRAINING,
  updates: 10,
  evaluateEvery: 5,
  evaluationTemperature: 1,
  warmStart: { teacher: 'oracle', examples: 12_800, learningRate: 2e-3, batch: 64, mistakes: 1 },
  overrides: {
    advantage: { gamma: 0.95 },
    reward: { formatValid: 0 },
    rollout: { temperature: 1 },
    loss: { temperature: 1 },
    optimizer: { learningRate: { initial: 2e-4, final: 1e-4, period: 10 } },
  },
};
