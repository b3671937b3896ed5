/** Settings under which a small model learns these games on a CPU, as each registration declares them. */
import type { TrainingSettings } from '@vlgym/core';

/** An illegal action ends the training episode, as in the published runs of GTR-Turbo: the steps after it would repeat it. */
const END_AT_ILLEGAL = { earlyTruncation: { rewards: [-1] } };

export const CARD_TRAINING = {
  options: { size: { height: 84, width: 112 }, dialogue: 'compact-v1' },
  updates: 10,
  stepsPerUpdate: 512,
  numEnvs: 64,
  evaluateEvery: 2,
  evaluationTemperature: 0,
  warmStart: { teacher: 'oracle', episodes: 2000, examples: 15_360, learningRate: 2e-3, batch: 64, mistakes: 0.7 },
  maxNewTokens: 64,
  rewardScale: 10,
  overrides: { rollout: END_AT_ILLEGAL },
} as const satisfies TrainingSettings;

export const POINTS24_TRAINING: TrainingSettings = {
  ...CARD_TRAINING,
  options: { size: { height: 84, width: 224 }, dialogue: 'compact-v1', solvableOnly: true },
  warmStart: { teacher: 'oracle', examples: 51_200, learningRate: 2e-3, batch: 64, mistakes: 0 },
};

/**
 * From a start that reads cards and acts at random: temperature 1 in sampling, loss and evaluation, because a lower one
 * would turn the small preferences of a random policy into fixed habits before play has said anything about them.
 */
export const SIGNS_TRAINING: TrainingSettings = {
  ...CARD_TRAINING,
  updates: 16,
  stepsPerUpdate: 1024,
  evaluateEvery: 8,
  evaluationTemperature: 1,
  warmStart: { teacher: 'oracle', examples: 24_576, learningRate: 1.5e-3, batch: 32, mistakes: 1 },
  maxNewTokens: 32,
  overrides: {
    advantage: { gamma: 1 },
    reward: { formatValid: 0 },
    rollout: { ...END_AT_ILLEGAL, temperature: 1 },
    loss: { temperature: 1 },
    optimizer: { learningRate: { initial: 3e-4, final: 1e-4, period: 16 } },
  },
};
