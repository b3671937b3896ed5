/** Settings under which a small model learns the levels on a CPU, as each registration declares them. */
import type { TrainingSettings } from '@vlgym/core';

/** Many short decisions; the answer says what is ahead, which the picture shows. */
export const GRID_TRAINING: TrainingSettings = {
  options: { observation: 'image', dialogue: 'compact-v1' },
  updates: 20,
  stepsPerUpdate: 1024,
  numEnvs: 32,
  evaluateEvery: 5,
  evaluationTemperature: 0.2,
  warmStart: { teacher: 'oracle', mistakes: 0.5, examples: 25_600, learningRate: 2e-3, batch: 64 },
  maxNewTokens: 24,
  rewardScale: 1,
  overrides: { advantage: { gamma: 0.97 }, reward: { formatValid: 0 } },
};
