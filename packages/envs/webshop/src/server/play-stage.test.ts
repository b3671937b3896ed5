/** The person's view matches the state of the environment. */
import { afterEach, describe, expect, it } from 'vitest';
import type { WebShopOptions } from '../env/options.js';
import { WebShopEnv } from '../env/text-env.js';
import { openStage } from './play-stage.js';

describe('the shop on the page', () => {
  const stages: Awaited<ReturnType<typeof openStage>>[] = [];
  afterEach(async () => {
    for (const stage of stages.splice(0)) await stage.close();
  });

  async function opened(options: WebShopOptions) {
    const env = new WebShopEnv({ catalog: { products: 300 }, goals: 'human', ...options });
    const stage = await openStage(env);
    stages.push(stage);
    const { info } = env.reset({ seed: 1, options: { goal: 0 } });
    return { env, seen: (now = info) => stage.html(now) };
  }

  it('shows the cart before it is bought, and what was bought', async () => {
    const { env, seen } = await opened({ cart: true, strict: true });
    let page = '';
    let observed = '';
    for (let over = false; !over; ) {
      const { observation, info, terminated } = env.step(env.expert()!);
      observed = observation;
      page = await seen(info);
      expect([info.page, page.includes('Your cart')]).toEqual([info.page, info.page === 'cart']);
      over = terminated;
    }
    expect(page).toContain('Thank you for shopping');
    expect(page).toMatch(/Your score: \d+ of 100/);
    expect(page).not.toContain('MTurk');
    expect(env.describeState()).toMatch(/^Thank you for shopping with us! Your score is \d+ of 100\.$/);
    expect(observed).toContain('MTurk'); // agents still read the original's page
  });

  it('is dressed for people and follows the colors of the system, while observations stay those of agents', async () => {
    const { env, seen } = await opened({});
    const before = env.step('search[rug]').observation;
    const page = await seen();
    expect(page).toContain('theme-market');
    expect(page).toContain('@media (prefers-color-scheme: dark)');
    const agents = new WebShopEnv({ catalog: { products: 300 }, goals: 'human' });
    agents.reset({ seed: 1, options: { goal: 0 } });
    expect(agents.step('search[rug]').observation).toBe(before);
  });

  it('is set in its font, which the policy of the page would not let it fetch', async () => {
    const { seen } = await opened({});
    const page = await seen();
    expect(page.match(/@font-face/g)).toHaveLength(1);
    expect(page).toContain('url(data:font/woff2;base64,d09GMg'); // wOF2
    expect(page).not.toContain('/static/fonts/');
  });

  it.each(['..', 'a/1/{x}', 'lamp 100% / é ?#', '<r>', '<c> garden'])(
    'shows the products that a search for %s has found',
    async (words) => {
      const { env, seen } = await opened({});
      const { observation, info } = env.step(`search[${words}]`);
      const page = await seen(info);
      expect(page).toContain(/Page 1 \(Total results: \d+\)/.exec(observation)![0]);
      for (const asin of observation.match(/B0\w{8}/g) ?? []) expect(page).toContain(asin);
      expect(env.step('click[next >]').info.page).toBe('results');
    },
  );
});
