/** Registers this package's environments on import; package.json lists the ids. */
import { type KnownEnv, register, registerVerifier } from '@vlgym/core';
import type { WebShopOptions } from './env/options.js';
import { SHOP_GUIDE } from './env/player-words.js';
import { WebShopEnv } from './env/text-env.js';
import { browserStage, openStage } from './server/play-stage.js';

declare module '@vlgym/core' {
  interface KnownEnvs {
    'webshop/WebAgentTextEnv-v0': KnownEnv<WebShopEnv, WebShopOptions>;
    'vlgym/WebShop-v1': KnownEnv<WebShopEnv, WebShopOptions>;
  }
}

/** As in ReAct, ExpeL, verl-agent and GEM; the original's text environment has no limit. */
const maxEpisodeSteps = 15;

const common = {
  module: '@vlgym/webshop',
  maxEpisodeSteps,
  surface: 'page',
  guide: SHOP_GUIDE,
  // `split` alone keeps its published meaning; docs/splits.md
  splits: {
    train: { splitScheme: 'content', split: 'train' },
    test: { splitScheme: 'content', split: 'test' },
  },
} as const;

/** The original's text environment: synthetic goals, search on every page, shortcuts. */
register({
  ...common,
  id: 'webshop/WebAgentTextEnv-v0',
  title: 'WebShop as published',
  openStage,
  entryPoint: (options) => new WebShopEnv(options),
});

const measured = {
  episodes: 500,
  source: 'test goals of a generated catalog of 5,000 products: packages/envs/webshop/bench/baselines.ts',
};

/** Human goals, loopholes closed, every goal drawn by its weight. */
register({
  ...common,
  id: 'vlgym/WebShop-v1',
  title: 'WebShop',
  shortNames: ['webshop'],
  baselines: [
    { agent: 'random clicks', successRate: 0.038, ...measured },
    { agent: 'rule: search the instruction, buy the first', successRate: 0.232, ...measured },
    { agent: 'oracle', successRate: 1, ...measured },
  ],
  openStage,
  entryPoint: (options) => new WebShopEnv({ goals: 'human', strict: true, ...options }),
});

/** The same in a real browser; needs Chromium at the first reset. */
register({
  ...common,
  id: 'vlgym/WebShopBrowser-v1',
  title: 'WebShop in a browser',
  openStage: () => browserStage,
  entryPoint: async (options) => new (await import('./browser/browser-env.js')).WebShopBrowserEnv(options),
});

/** The shop as shops look today: photographs, ratings, a cart, believable texts. Also needs @vlgym/render and three. */
register({
  ...common,
  id: 'vlgym/WebShopBrowser-v2',
  title: 'WebShop in a browser, as shops look today',
  openStage: () => browserStage,
  entryPoint: async (options) => (await import('./browser/browser-env-v2.js')).browserEnvV2(options),
});

registerVerifier({
  name: 'webshop',
  description:
    'WebShop’s own text environment and, with Java, Lucene: fresh catalogs of 400 products. Prices, goals, pages, addresses, available actions, rewards and their parts must be equal, as must hits and scores of queries.',
  load: async () => (await import('./verifier/webshop.js')).webshop,
});
