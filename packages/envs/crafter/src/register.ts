/** Registers this package's environments on import; package.json lists the ids. */
import { CONTENT_SPLITS, type KnownEnv, register, registerVerifier } from '@vlgym/core';
import { CrafterEnv } from './env/crafter-env.js';
import type { ObservationOfKind } from './env/observations.js';
import type { CrafterOptions, ObservationKind } from './env/options.js';
import type { CrafterId } from './env/variants.js';

/** An environment, and what it observes by the option `observation`. */
type Known<Default extends ObservationKind> = KnownEnv<
  CrafterEnv<ObservationOfKind<Default>>,
  CrafterOptions,
  { observation: { [Kind in ObservationKind]: CrafterEnv<ObservationOfKind<Kind>> } }
>;

declare module '@vlgym/core' {
  interface KnownEnvs {
    'CrafterReward-v1': Known<'image'>;
    'CrafterNoReward-v1': Known<'image'>;
    'balrog/Crafter-v0': Known<'both'>;
  }
}

const GUIDE = {
  goal: 'Unlock as many of the 22 achievements as you can: from wood, a table and a pickaxe to iron tools and a diamond.',
  rules:
    'Walk with the arrows; space collects, drinks, eats or hits what is in front of you. Eat cows and plants, drink water, sleep (z). Zombies on grass and skeletons in tunnels hurt you, and lava kills.',
  score: 'Each first achievement gains 1. A lost point of health costs 0.1, and a regained one gains it.',
};

const TITLES: Readonly<Record<CrafterId, string>> = {
  'CrafterReward-v1': 'Crafter',
  'CrafterNoReward-v1': 'Crafter without rewards',
  'balrog/Crafter-v0': 'Crafter of BALROG',
};

const SHORT_NAMES: Partial<Record<CrafterId, readonly string[]>> = {
  'CrafterReward-v1': ['crafter'],
  'balrog/Crafter-v0': ['balrog-crafter'],
};

for (const id of Object.keys(TITLES) as CrafterId[]) {
  register({
    id,
    module: '@vlgym/crafter',
    surface: 'page',
    title: TITLES[id],
    shortNames: SHORT_NAMES[id],
    splits: CONTENT_SPLITS,
    guide: id === 'CrafterNoReward-v1' ? { ...GUIDE, score: 'Nothing is paid; the achievements count.' } : GUIDE,
    entryPoint: (options: CrafterOptions) => new CrafterEnv(options, id),
  });
}

registerVerifier({
  name: 'crafter',
  description:
    'Crafter 1.8.3, its chunks in the order of arrival: random actions. Worlds, objects, items, rewards, ends, and the pictures of every step must be equal.',
  load: async () => (await import('./verifier.js')).crafter,
});
