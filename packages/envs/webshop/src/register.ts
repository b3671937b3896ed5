/** The ids of this package. Importing the package registers them. */
import { type KnownEnv, register } from '@vlgym/core';
import type { WebShopOptions } from './env/options.js';
import { WebShopEnv } from './env/text-env.js';

declare module '@vlgym/core' {
  interface KnownEnvs {
    'webshop/WebAgentTextEnv-v0': KnownEnv<WebShopEnv, WebShopOptions>;
    'vlgym/WebShop-v1': KnownEnv<WebShopEnv, WebShopOptions>;
  }
}

const module = '@vlgym/webshop';

/** As in ReAct, ExpeL, verl-agent and GEM; the original's text environment has no limit. */
const maxEpisodeSteps = 15;

/** The original's text environment: synthetic goals, search on every page, shortcuts. */
register({
  id: 'webshop/WebAgentTextEnv-v0',
  module,
  maxEpisodeSteps,
  entryPoint: (options) => new WebShopEnv(options),
});

/** Human goals, loop-holes closed, every goal drawn by its weight. */
register({
  id: 'vlgym/WebShop-v1',
  module,
  maxEpisodeSteps,
  entryPoint: (options) => new WebShopEnv({ goals: 'human', strict: true, ...options }),
});

/** The same in a real browser; needs puppeteer-core and, at the first reset, Chromium. */
register({
  id: 'vlgym/WebShopBrowser-v1',
  module,
  maxEpisodeSteps,
  entryPoint: async (options) => new (await import('./browser/browser-env.js')).WebShopBrowserEnv(options),
});
