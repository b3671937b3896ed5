/** Registers this package's environments on import; package.json lists the ids. */
import { CONTENT_SPLITS, type KnownEnv, type RgbImage, register, registerVerifier } from '@vlgym/core';
import type { EnvBaseline } from '@vlgym/core/registry';
import { BlackjackEnv, type BlackjackTotals, BlackjackV1Env } from './games/blackjack.js';
import { EZPointsEnv, EZPointsV1Env } from './games/ez-points.js';
import { NumberLineEnv } from './games/number-line.js';
import type { ObservationKind } from './games/observations.js';
import type {
  BlackjackOptions,
  EZPointsOptions,
  EZPointsV1Options,
  NumberLineOptions,
  Points24Options,
  Points24V1Options,
  SignsOptions,
} from './games/options.js';
import { Points24Env, Points24V1Env } from './games/points24.js';
import { SignsEnv, SignsV2Env } from './games/signs.js';
import {
  blackjackGuide,
  ezPointsGuide,
  ezPointsPublishedGuide,
  numberLineGuide,
  points24Guide,
  points24PublishedGuide,
  signsGuide,
} from './people/guides.js';
import { CARD_TRAINING, POINTS24_TRAINING, SIGNS_TRAINING } from './training.js';

type NumberLines = { observation: { [Kind in ObservationKind]: NumberLineEnv<Kind> } };
type EZPoints = { observation: { [Kind in ObservationKind]: EZPointsEnv<Kind> } };
type EZPointsV1 = { observation: { [Kind in ObservationKind]: EZPointsV1Env<Kind> } };
type Points24 = { observation: { [Kind in ObservationKind]: Points24Env<Kind> } };
type Points24V1 = { observation: { [Kind in ObservationKind]: Points24V1Env<Kind> } };
type Signs = { observation: { [Kind in ObservationKind]: SignsEnv<Kind> } };
type SignsV2 = { observation: { [Kind in ObservationKind]: SignsV2Env<Kind> } };

/** `isPixel: false` shows totals in place of pictures. */
type Blackjack = { observation: { text: BlackjackEnv<string> }; isPixel: { false: BlackjackEnv<BlackjackTotals> } };
type BlackjackV1 = {
  observation: { text: BlackjackV1Env<string> };
  isPixel: { false: BlackjackV1Env<BlackjackTotals> };
};

declare module '@vlgym/core' {
  interface KnownEnvs {
    'gym_cards/NumberLine-v0': KnownEnv<NumberLineEnv, NumberLineOptions, NumberLines>;
    'gym_cards/EZPoints-v0': KnownEnv<EZPointsEnv, EZPointsOptions, EZPoints>;
    'gym_cards/Points24-v0': KnownEnv<Points24Env, Points24Options, Points24>;
    'gym_cards/Blackjack-v0': KnownEnv<BlackjackEnv<RgbImage>, BlackjackOptions, Blackjack>;
    'vlgym/NumberLine-v1': KnownEnv<NumberLineEnv, NumberLineOptions, NumberLines>;
    'vlgym/EZPoints-v1': KnownEnv<EZPointsV1Env, EZPointsV1Options, EZPointsV1>;
    'vlgym/Points24-v1': KnownEnv<Points24V1Env, Points24V1Options, Points24V1>;
    'vlgym/Blackjack-v1': KnownEnv<BlackjackV1Env<RgbImage>, BlackjackOptions, BlackjackV1>;
    'vlgym/Signs-v1': KnownEnv<SignsEnv, SignsOptions, Signs>;
    'vlgym/Signs-v2': KnownEnv<SignsV2Env, SignsOptions, SignsV2>;
  }
}

const module = '@vlgym/points24';

/** The outer limit of the published registration; only a game that never ends could reach it. */
const maxEpisodeSteps = 300;

/** Measured scores of two agents. */
function known(random: number, oracle: number): EnvBaseline[] {
  const measured = { episodes: 100, source: 'docs/benchmark/agents.yaml' };
  return [
    { agent: 'random', successRate: random, ...measured },
    { agent: 'oracle', successRate: oracle, ...measured },
  ];
}

/** Crisp on the screen of a person; agents see 300 x 300. */
const playOptions = { size: { height: 600, width: 600 } };

const published = { module, maxEpisodeSteps, splits: CONTENT_SPLITS, training: CARD_TRAINING, playOptions };
const ours = { module, splits: CONTENT_SPLITS, training: CARD_TRAINING, playOptions };

register({
  ...published,
  id: 'gym_cards/NumberLine-v0',
  title: 'NumberLine as published',
  guide: numberLineGuide,
  entryPoint: (options) => new NumberLineEnv(options),
});
register({
  ...published,
  id: 'gym_cards/EZPoints-v0',
  title: 'EZPoints as published',
  guide: ezPointsPublishedGuide,
  entryPoint: (options) => new EZPointsEnv(options),
});
register({
  ...published,
  id: 'gym_cards/Points24-v0',
  title: 'Points24 as published',
  guide: points24PublishedGuide,
  entryPoint: (options) => new Points24Env(options),
});
register({
  ...published,
  id: 'gym_cards/Blackjack-v0',
  title: 'Blackjack as published',
  guide: blackjackGuide,
  entryPoint: (options) => new BlackjackEnv(options),
});

register({
  ...ours,
  id: 'vlgym/NumberLine-v1',
  title: 'NumberLine',
  guide: numberLineGuide,
  shortNames: ['numberline'],
  baselines: known(0.24, 1),
  entryPoint: (options) => new NumberLineEnv(options),
});
register({
  ...ours,
  id: 'vlgym/EZPoints-v1',
  title: 'EZPoints',
  guide: ezPointsGuide,
  shortNames: ['ezpoints'],
  baselines: known(0.02, 1),
  entryPoint: (options) => new EZPointsV1Env(options),
});
register({
  ...ours,
  id: 'vlgym/Points24-v1',
  title: 'Points24',
  guide: points24Guide,
  // one hand in four has no solution, which a person cannot see
  playOptions: { ...playOptions, solvableOnly: true },
  shortNames: ['points24', 'cards'],
  training: POINTS24_TRAINING,
  baselines: known(0, 0.67),
  entryPoint: (options) => new Points24V1Env(options),
});
register({
  ...ours,
  id: 'vlgym/Blackjack-v1',
  title: 'Blackjack',
  guide: blackjackGuide,
  shortNames: ['blackjack'],
  baselines: known(0.26, 0.36),
  entryPoint: (options) => new BlackjackV1Env(options),
});
register({
  ...ours,
  id: 'vlgym/Signs-v1',
  title: 'Signs',
  guide: signsGuide,
  shortNames: ['signs'],
  training: SIGNS_TRAINING,
  baselines: known(0.44, 1),
  entryPoint: (options) => new SignsEnv(options),
});
register({
  ...ours,
  id: 'vlgym/Signs-v2',
  title: 'Signs with the target in the picture',
  guide: signsGuide,
  training: SIGNS_TRAINING,
  entryPoint: (options) => new SignsV2Env(options),
});

registerVerifier({
  name: 'cards',
  description:
    'NumberLine, EZPoints, Points24 and Blackjack of gym-cards: seeded and continued episodes with varied options. Hands, rewards, ends and states must be equal; card art is not compared.',
  load: async () => (await import('./verifier/cards.js')).cards,
});
