/** Registers this package's environments on import; package.json lists the ids. */
import { CONTENT_SPLITS, type KnownEnv, register, type TrainingSettings } from '@vlgym/core';
import { ArcadeEnv, type ArcadeOptions } from './arcade-env.js';
import type { ArcadeGame } from './game.js';
import { CATCH } from './games/catch.js';
import { LAMPS } from './games/lamps.js';
import { RULE } from './games/rule.js';

declare module '@vlgym/core' {
  interface KnownEnvs {
    'vlgym/ArcadeCatch-v1': KnownEnv<ArcadeEnv, ArcadeOptions>;
    'vlgym/ArcadeLamps-v1': KnownEnv<ArcadeEnv, ArcadeOptions>;
    'vlgym/ArcadeRule-v1': KnownEnv<ArcadeEnv, ArcadeOptions>;
  }
}

const training: TrainingSettings = {
  options: { dialogue: 'compact-v1' },
  updates: 16,
  stepsPerUpdate: 256,
  numEnvs: 8,
  evaluateEvery: 4,
  evaluationTemperature: 0.2,
  warmStart: { teacher: 'oracle', mistakes: 0.5, examples: 6400, learningRate: 2e-3, batch: 64 },
  maxNewTokens: 24,
  rewardScale: 1,
};
const SOURCE = 'packages/envs/arcade/README.md';

function add(
  id: string,
  game: ArcadeGame,
  title: string,
  shortName: string,
  rates: readonly [oracle: number, random: number],
) {
  register({
    id,
    module: '@vlgym/arcade',
    entryPoint: (options: ArcadeOptions) => new ArcadeEnv(game, options),
    title,
    shortNames: [shortName],
    surface: 'page',
    splits: CONTENT_SPLITS,
    guide: game.guide,
    baselines: [
      { agent: 'oracle', successRate: rates[0], episodes: 40, source: SOURCE },
      { agent: 'random', successRate: rates[1], episodes: 40, source: SOURCE },
    ],
    training,
  });
}

add('vlgym/ArcadeCatch-v1', CATCH, 'Catch', 'arcade-catch', [0.95, 0]);
add('vlgym/ArcadeLamps-v1', LAMPS, 'Lamps', 'arcade-lamps', [1, 0]);
add('vlgym/ArcadeRule-v1', RULE, 'Hidden rule', 'arcade-rule', [1, 0]);
