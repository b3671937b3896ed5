/** `vlgym/Canary-v1`: a world whose only clue is in the picture. Importing it registers the id. */
import { type KnownEnv, register } from '@vlgym/core';
import { CanaryEnv, type CanaryOptions } from './canary-env.js';

export { CANARY_COLORS, type CanaryCounts, CanaryEnv, type CanaryInfo, type CanaryOptions } from './canary-env.js';
export { type CanaryReport, type CanaryVerdict, canaryVerdict } from './verdict.js';

declare module '@vlgym/core' {
  interface KnownEnvs {
    'vlgym/Canary-v1': KnownEnv<CanaryEnv, CanaryOptions>;
  }
}

register({
  id: 'vlgym/Canary-v1',
  module: '@vlgym/canary',
  entryPoint: (options: CanaryOptions) => new CanaryEnv(options),
  title: 'Canary: do pixels arrive?',
  shortNames: ['canary'],
  guide: {
    goal: 'Name the color of the square.',
    rules:
      'Choose red, green, blue or yellow. Every turn shows another square, and a fixed number of turns ends the episode.',
    score: 'Each right color gains 1; three of four right ones are a success.',
  },
  baselines: [{ agent: 'oracle', successRate: 1, episodes: 100, source: 'packages/envs/canary/src/canary.test.ts' }],
  training: {
    updates: 20,
    stepsPerUpdate: 512,
    numEnvs: 64,
    evaluateEvery: 10,
    evaluationTemperature: 1,
    warmStart: { teacher: 'oracle', examples: 2048, learningRate: 2e-3, batch: 64, mistakes: 1 },
    maxNewTokens: 16,
    rewardScale: 1,
    overrides: { advantage: { gamma: 0 }, reward: { formatValid: 0 } },
  },
});
