/** The ids of this package. Importing the package registers them. */
import { register } from '@vlgym/core';
import { BlackjackEnv, BlackjackV1Env } from './games/blackjack.js';
import { EZPointsEnv, EZPointsV1Env } from './games/ez-points.js';
import { NumberLineEnv } from './games/number-line.js';
import { Points24Env, Points24V1Env } from './games/points24.js';
import { SignsEnv } from './games/signs.js';

declare module '@vlgym/core' {
  interface KnownEnvs {
    'gym_cards/NumberLine-v0': NumberLineEnv;
    'gym_cards/EZPoints-v0': EZPointsEnv;
    'gym_cards/Points24-v0': Points24Env;
    'gym_cards/Blackjack-v0': BlackjackEnv;
    'vlgym/NumberLine-v1': NumberLineEnv;
    'vlgym/EZPoints-v1': EZPointsV1Env;
    'vlgym/Points24-v1': Points24V1Env;
    'vlgym/Blackjack-v1': BlackjackV1Env;
    'vlgym/Signs-v1': SignsEnv;
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
