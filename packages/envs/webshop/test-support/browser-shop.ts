/** A shop of 300 products for the tests of the browser environment, and its environments, closed together. */
import { WebShopBrowserEnv } from '../src/browser/browser-env.js';
import { WebShopEnv } from '../src/env/text-env.js';
import { Shop } from '../src/shop/shop.js';

const catalog = { products: 300, seed: 3, visual: 0.2 };

export const shop = new Shop(new WebShopEnv({ catalog, goals: 'human' }).shop.products, {
  goals: 'human',
  goalDraw: 'fixed',
  searchShortcuts: false,
});

type Options = ConstructorParameters<typeof WebShopBrowserEnv>[0];

export class OpenedEnvs {
  readonly #envs: WebShopBrowserEnv[] = [];

  open(options: Options = {}, other = shop): WebShopBrowserEnv {
    return this.keep(new WebShopBrowserEnv({ screenshot: false, timeout: 60_000, ...options }, other));
  }

  keep(env: WebShopBrowserEnv): WebShopBrowserEnv {
    this.#envs.push(env);
    return env;
  }

  /** The first one, which costs no start of a browser. */
  again(): WebShopBrowserEnv {
    return this.#envs[0] ?? this.open();
  }

  async close(): Promise<void> {
    await Promise.all(this.#envs.map((env) => env.close()));
  }
}
