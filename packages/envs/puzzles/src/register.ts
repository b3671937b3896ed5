/** Registers this package's environments on import; package.json lists the ids. */
import { CONTENT_SPLITS, type KnownEnv, register, registerVerifier } from '@vlgym/core';
import { BabaEnv, type BabaOptions } from './baba/baba-env.js';
import { FrozenLakeEnv, type FrozenLakeOptions } from './lake/frozen-lake-env.js';
import { BABA_GUIDE, lakeGuide, sokobanGuide, VAGEN_LAKE_GUIDE, VAGEN_SOKOBAN_GUIDE } from './people/guides.js';
import { SOKOBAN_LEVELS } from './sokoban/levels.js';
import { SokobanEnv, type SokobanOptions } from './sokoban/sokoban-env.js';
import { PUZZLE_TRAINING } from './training.js';
import { VagenLakeEnv, type VagenLakeOptions } from './vagen/vagen-lake-env.js';
import { VagenSokobanEnv, type VagenSokobanOptions } from './vagen/vagen-sokoban-env.js';

type SokobanId = keyof typeof SOKOBAN_LEVELS;
type Rooms = { readonly [Id in SokobanId]: KnownEnv<SokobanEnv, SokobanOptions> };

declare module '@vlgym/core' {
  interface KnownEnvs extends Rooms {
    'FrozenLake-v1': KnownEnv<FrozenLakeEnv, FrozenLakeOptions>;
    'FrozenLake8x8-v1': KnownEnv<FrozenLakeEnv, FrozenLakeOptions>;
    'vagen/Sokoban-v0': KnownEnv<VagenSokobanEnv, VagenSokobanOptions>;
    'balrog/BabaIsAI-v0': KnownEnv<BabaEnv, BabaOptions>;
    'vagen/FrozenLake-v0': KnownEnv<VagenLakeEnv, VagenLakeOptions>;
  }
}

const shared = { module: '@vlgym/puzzles', surface: 'page', training: PUZZLE_TRAINING } as const;
/** Turns of an episode; VAGEN leaves the limit to its trainer. */
const MAX_TURNS = 20;

for (const id of Object.keys(SOKOBAN_LEVELS) as SokobanId[]) {
  register({
    ...shared,
    id,
    title: id.replaceAll('-', ' '),
    splits: CONTENT_SPLITS,
    guide: sokobanGuide,
    entryPoint: (options: SokobanOptions) => new SokobanEnv(options, SOKOBAN_LEVELS[id]),
  });
}

register({
  ...shared,
  id: 'FrozenLake-v1',
  title: 'FrozenLake',
  maxEpisodeSteps: 100,
  guide: lakeGuide,
  entryPoint: (options: FrozenLakeOptions) => new FrozenLakeEnv(options),
});
register({
  ...shared,
  id: 'FrozenLake8x8-v1',
  title: 'FrozenLake 8x8',
  maxEpisodeSteps: 200,
  guide: lakeGuide,
  entryPoint: (options: FrozenLakeOptions) => new FrozenLakeEnv(options, '8x8'),
});
register({
  ...shared,
  id: 'vagen/Sokoban-v0',
  title: 'Sokoban of VAGEN',
  shortNames: ['vagen-sokoban'],
  maxEpisodeSteps: MAX_TURNS,
  splits: CONTENT_SPLITS,
  guide: VAGEN_SOKOBAN_GUIDE,
  entryPoint: (options: VagenSokobanOptions) => new VagenSokobanEnv(options),
});
register({
  ...shared,
  id: 'vagen/FrozenLake-v0',
  title: 'FrozenLake of VAGEN',
  shortNames: ['vagen-lake'],
  maxEpisodeSteps: MAX_TURNS,
  splits: CONTENT_SPLITS,
  guide: VAGEN_LAKE_GUIDE,
  entryPoint: (options: VagenLakeOptions) => new VagenLakeEnv(options),
});

register({
  module: '@vlgym/puzzles',
  surface: 'page',
  id: 'balrog/BabaIsAI-v0',
  title: 'Baba Is AI of BALROG',
  shortNames: ['baba'],
  splits: CONTENT_SPLITS,
  guide: BABA_GUIDE,
  entryPoint: (options: BabaOptions) => new BabaEnv(options),
});

registerVerifier({
  name: 'puzzles',
  description:
    'Sokoban of gym-sokoban and FrozenLake of Gymnasium: rooms, maps and random actions. Rooms, the draws after them, states, rewards and ends must be equal.',
  load: async () => (await import('./verifier.js')).puzzles,
});
