/** Registers every level on import; package.json lists the ids. */
import { CONTENT_SPLITS, type KnownEnv, register, registerVerifier } from '@vlgym/core';
import { mixedLocal } from './babyai/levels/mixed-local.js';
import { createMiniGrid } from './env/make-level.js';
import { MiniGridEnv } from './env/minigrid-env.js';
import type { ObservationOfKind } from './env/observations.js';
import {
  checkedMixedOptions,
  type MiniGridOptions,
  type MixedLocalOptions,
  type ObservationKind,
} from './env/options.js';
import { gridGuide } from './people/words.js';
import { LEVELS, type LevelId } from './suite.js';
import { GRID_TRAINING } from './training.js';

/** A level, its options, and what it observes by the option `observation`. */
type Known<Options extends MiniGridOptions> = KnownEnv<
  MiniGridEnv<ObservationOfKind<'symbolic'>>,
  Options,
  { observation: { [Kind in ObservationKind]: MiniGridEnv<ObservationOfKind<Kind>> } }
>;

type Suite = { readonly [Id in LevelId]: Known<MiniGridOptions> };

declare module '@vlgym/core' {
  interface KnownEnvs extends Suite {
    'BabyAI-MixedTrainLocal-v0': Known<MixedLocalOptions>;
  }
}

const shared = {
  module: '@vlgym/minigrid',
  surface: 'page',
  guide: gridGuide,
  training: GRID_TRAINING,
} as const;

/** Names for the levels that a newcomer tries first. */
const SHORT_NAMES: Partial<Record<LevelId, readonly string[]>> = {
  'MiniGrid-DoorKey-6x6-v0': ['minigrid'],
  'BabyAI-GoToLocal-v0': ['babyai'],
};

/** Levels whose world never changes: every seed is the same task, and there is nothing to split. */
export const ONE_WORLD: readonly LevelId[] = [
  'MiniGrid-DistShift1-v0',
  'MiniGrid-DistShift2-v0',
  'MiniGrid-Empty-5x5-v0',
  'MiniGrid-Empty-6x6-v0',
  'MiniGrid-Empty-8x8-v0',
  'MiniGrid-Empty-16x16-v0',
];

for (const id of Object.keys(LEVELS) as LevelId[]) {
  register({
    ...shared,
    id,
    title: id.replace(/-v0$/, '').replaceAll('-', ' '),
    shortNames: SHORT_NAMES[id],
    splits: ONE_WORLD.includes(id) ? undefined : CONTENT_SPLITS,
    entryPoint: (options: MiniGridOptions) => createMiniGrid(id, options),
  });
}

register({
  ...shared,
  id: 'BabyAI-MixedTrainLocal-v0',
  title: 'BabyAI-Text of BALROG',
  shortNames: ['babyai-text'],
  splits: CONTENT_SPLITS,
  entryPoint(given: MixedLocalOptions) {
    const { kind = 'goto', distractors = 0, ...options } = checkedMixedOptions(given);
    return new MiniGridEnv(`BabyAI-MixedTrainLocal-v0/${kind}/${distractors}`, mixedLocal(kind, distractors), options);
  },
});

registerVerifier({
  name: 'minigrid',
  description:
    'All levels of minigrid 3.2.0: random and expert actions. Missions, grids, symbols, rewards and ends must be equal, and every fourth episode its pictures, too.',
  load: async () => (await import('./verifier.js')).minigrid,
});
