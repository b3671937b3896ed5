/** The shop in every theme, in a real browser: other pictures, the same elements and rewards. */
import { afterAll, describe, expect, it } from 'vitest';
import { CHROMIUM, NEEDS_CHROMIUM } from '../../test-support/chromium.js';
import { ruleAction } from '../agents/rule.js';
import { generateProducts } from '../generator/generated-store.js';
import { Shop } from '../shop/shop.js';
import { LOOKS } from '../themes/theme.js';
import { WebShopBrowserEnv } from './browser-env.js';
import { browserEnvV2 } from './browser-env-v2.js';
import type { BrowserInfo } from './info.js';

const shop = new Shop(generateProducts({ products: 200, seed: 2, visual: 0.3, wording: 'shop' }), {
  goals: 'human',
  goalDraw: 'fixed',
  searchShortcuts: false,
});
const envs: WebShopBrowserEnv[] = [];
const opened = (options: ConstructorParameters<typeof WebShopBrowserEnv>[0]) => {
  const env = new WebShopBrowserEnv({ screenshot: false, accessibility: true, timeout: 60_000, ...options }, shop);
  envs.push(env);
  return env;
};
const GOAL = 4;
const agents = {
  oracle: (env: WebShopBrowserEnv) => env.expert()!,
  rule: (_: WebShopBrowserEnv, info: BrowserInfo) => ruleAction(info),
};

/** Plays a goal. @returns The reward, roles and names on every page, and how many pop-ups were closed. */
async function play(env: WebShopBrowserEnv, agent: keyof typeof agents) {
  let { observation, info } = await env.reset({ seed: 1, options: { goal: GOAL } });
  const pages: string[][] = [];
  const boxes: string[] = [];
  let popUps = 0;
  for (let step = 0; step < 15; step += 1) {
    if (info.popUp === undefined) pages.push(observation.elements.map(({ role, name }) => `${role} ${name}`));
    popUps += Number(info.popUp !== undefined);
    boxes.push(JSON.stringify(observation.elements.map(({ box }) => box)));
    const result = await env.step(agents[agent](env, info));
    expect(result.info.reason).toBeUndefined();
    if (result.terminated) return { reward: result.reward, pages, popUps, boxes };
    ({ observation, info } = result);
  }
  return expect.unreachable('the episode does not end');
}

describe.skipIf(!CHROMIUM)(`themes in a browser${NEEDS_CHROMIUM}`, () => {
  afterAll(() => Promise.all(envs.map((env) => env.close())));

  it('have the same roles, names and rewards, for the oracle and for the rule', async () => {
    const plain = opened({});
    const expected = { oracle: await play(plain, 'oracle'), rule: await play(plain, 'rule') };
    expect([expected.oracle.reward, expected.rule.reward]).not.toEqual([0, 0]);
    for (const theme of ['original', ...LOOKS] as const) {
      const env = opened({ theme });
      for (const agent of ['oracle', 'rule'] as const) {
        const { reward, pages } = await play(env, agent);
        expect([theme, reward, pages]).toEqual([theme, expected[agent].reward, expected[agent].pages]);
      }
    }
  }, 120_000);

  it('keep them with pop-ups and moved buttons, which agents close and find', async () => {
    const expected = await play(envs[0]!, 'rule');
    const env = opened({ theme: 'market', disturbances: ['pop-ups', 'moved-buttons'] });
    const seen = await play(env, 'rule');
    expect([seen.reward, seen.pages, seen.popUps > 0]).toEqual([expected.reward, expected.pages, true]);
    expect(await play(env, 'rule')).toEqual(seen);
    expect(seen.boxes).not.toEqual((await play(opened({ theme: 'market' }), 'rule')).boxes);
  }, 120_000);

  it('refuse a click and a search behind a pop-up, and say how to close it', async () => {
    const env = opened({ theme: 'gallery', disturbances: ['pop-ups'] });
    let goal = -1;
    let { info } = await env.reset({ seed: 1, options: { goal: 0 } });
    // a window in front of the whole page; banners and corners leave some of it free
    while (info.popUp !== 'no thanks' && info.popUp !== 'maybe later') {
      const next = info.page === 'item' ? undefined : env.expert();
      if (next === undefined) goal += 1;
      ({ info } = next === undefined ? await env.reset({ seed: 1, options: { goal } }) : await env.step(next));
    }
    expect(info.availableActions.clickables).toContain(info.popUp);
    const behind = info.availableActions.hasSearchBar ? 'search[lamp]' : 'click[back to search]';
    const reason = `a pop-up is in front of it; click[${info.popUp}] closes the pop-up`;
    expect((await env.step(behind)).info).toMatchObject({ actionValid: false, actionEffective: false, reason });
    expect((await env.step(`click[${info.popUp}]`)).info.popUp).toBeUndefined();
    expect((await env.step(behind)).info.actionEffective).toBe(true);
  }, 60_000);

  it('make `vlgym/WebShopBrowser-v2`: a shop with a cart, in a theme', async () => {
    const env = browserEnvV2({ catalog: { products: 100 }, screenshot: false });
    envs.push(env);
    await env.reset({ seed: 1, options: { goal: 0 } });
    const pages: string[] = [];
    for (let action = env.expert(); action !== undefined; action = env.expert()) {
      pages.push((await env.step(action)).info.page);
    }
    expect(pages).toContain('cart');
    expect(await env.page!.evaluate("document.querySelector('.theme-market .cart-count').textContent")).toBe('1');
  }, 60_000);
});
