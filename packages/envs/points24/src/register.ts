/** The ids of this package. Importing the package registers them. */
import { type KnownEnv, type RgbImage, register } from '@vlgym/core';
import { BlackjackEnv, type BlackjackTotals, BlackjackV1Env } from './games/blackjack.js';
import { EZPointsEnv, EZPointsV1Env } from './games/ez-points.js';
import { NumberLineEnv } from './games/number-line.js';
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
import { SignsEnv } from './games/signs.js';

/** `isPixel: false` shows totals in place of pictures. */
type Totals<E extends BlackjackEnv<BlackjackTotals>> = { isPixel: { false: E } };

declare module '@vlgym/core' {
  interface KnownEnvs {
    'gym_cards/NumberLine-v0': KnownEnv<NumberLineEnv, NumberLineOptions>;
    'gym_cards/EZPoints-v0': KnownEnv<EZPointsEnv, EZPointsOptions>;
    'gym_cards/Points24-v0': KnownEnv<Points24Env, Points24Options>;
    'gym_cards/Blackjack-v0': KnownEnv<BlackjackEnv<RgbImage>, BlackjackOptions, Totals<BlackjackEnv<BlackjackTotals>>>;
    'vlgym/NumberLine-v1': KnownEnv<NumberLineEnv, NumberLineOptions>;
    'vlgym/EZPoints-v1': KnownEnv<EZPointsV1Env, EZPointsV1Options>;
    'vlgym/Points24-v1': KnownEnv<Points24V1Env, Points24V1Options>;
    'vlgym/Blackjack-v1': KnownEnv<BlackjackV1Env<RgbImage>, BlackjackOptions, Totals<BlackjackV1Env<BlackjackTotals>>>;
    'vlgym/Signs-v1': KnownEnv<SignsEnv, SignsOptions>;
  }
}

const module = '@vlgym/points24';

/** The outer limit of the published registration; only a game without an end of its own could meet it. */
const maxEpisodeSteps = 300;

register({
  id: 'gym_cards/NumberLine-v0',
  module,
  maxEpisodeSteps,
  entryPoint: (options) => new NumberLineEnv(options),
});
register({ id: 'gym_cards/EZPoints-v0', module, maxEpisodeSteps, entryPoint: (options) => new EZPointsEnv(options) });
register({ id: 'gym_cards/Points24-v0', module, maxEpisodeSteps, entryPoint: (options) => new Points24Env(options) });
register({ id: 'gym_cards/Blackjack-v0', module, maxEpisodeSteps, entryPoint: (options) => new BlackjackEnv(options) });

register({ id: 'vlgym/NumberLine-v1', module, entryPoint: (options) => new NumberLineEnv(options) });
register({ id: 'vlgym/EZPoints-v1', module, entryPoint: (options) => new EZPointsV1Env(options) });
register({ id: 'vlgym/Points24-v1', module, entryPoint: (options) => new Points24V1Env(options) });
register({ id: 'vlgym/Blackjack-v1', module, entryPoint: (options) => new BlackjackV1Env(options) });
register({ id: 'vlgym/Signs-v1', module, entryPoint: (options) => new SignsEnv(options) });
