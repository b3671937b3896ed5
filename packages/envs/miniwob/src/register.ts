/** Registers this package's environment on import; package.json lists the id. */
import { CONTENT_SPLITS, type KnownEnv, register, registerVerifier } from '@vlgym/core';
import { MiniWoBEnv } from './env/miniwob-env.js';
import type { MiniWoBOptions } from './env/options.js';

declare module '@vlgym/core' {
  interface KnownEnvs {
    'vlgym/MiniWoB-v1': KnownEnv<MiniWoBEnv, MiniWoBOptions>;
  }
}

register({
  id: 'vlgym/MiniWoB-v1',
  module: '@vlgym/miniwob',
  entryPoint: (options: MiniWoBOptions) => new MiniWoBEnv(options),
  title: 'MiniWoB++',
  shortNames: ['miniwob'],
  surface: 'page',
  maxEpisodeSteps: 20,
  splits: CONTENT_SPLITS,
  baselines: [{ agent: 'random', successRate: 0.1, episodes: 40, source: 'packages/envs/miniwob/README.md' }],
  guide: {
    goal: 'Do on a small web page what the yellow field asks: click, type, choose, drag, read, answer mail.',
    rules:
      'Actions name an element by its number or a place by its pixels. The page’s clock moves on with each action.',
    score: 'The page pays from -1 to 1 at the end; 1 is a success.',
  },
});

registerVerifier({
  name: 'miniwob',
  description:
    'MiniWoB++ 1.1.0 through Selenium, its pages loaded again for each episode and without its time limit: clicks at pixels, keys and texts, by the expert and at random. Instructions, elements, rewards before the loss by time, and ends must be equal.',
  load: async () => (await import('./verifier/miniwob.js')).miniwob,
});
