/** Settings under which a small model learns these games on a CPU, as each registration declares them. */
import type { TrainingSettings } from '@vlgym/core';

export const PUZZLE_TRAINING: TrainingSettings = {
  options: { observation: 'image', dialogue: 'compact-v1', tileSize: 8 },
  updates: 16,
  stepsPerUpdate: 512,
  numEnvs: 32,
  evaluateEvery: 4,
  evaluationTemperature: 0.2,
  warmStart: { teacher: 'oracle', mistakes: 0.5, examples: 25_600, learningRate: 2e-3, batch: 64 },
  maxNewTokens: 24,
  rewardScale: 1,
  overrides: { advantage: { gamma: 0.95 }, reward: { formatValid: 0 } },
};
