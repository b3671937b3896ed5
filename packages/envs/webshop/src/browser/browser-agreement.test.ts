/** The shop in a browser says and does what the text environment does. */
import { PythonRandom } from '@vlgym/core/random';
import { afterAll, describe, expect, it } from 'vitest';
import { OpenedEnvs, shop } from '../../test-support/browser-shop.js';
import { CHROMIUM, NEEDS_CHROMIUM } from '../../test-support/chromium.js';
import { planOf } from '../agents/plan.js';
import { loadCatalog } from '../catalog/read-raw.js';
import { WebShopEnv } from '../env/text-env.js';
import { generateProducts } from '../generator/generated-store.js';
import { Shop } from '../shop/shop.js';
import { WebShopBrowserEnv } from './browser-env.js';

const opens = new OpenedEnvs();
const opened = opens.open.bind(opens);

/** Plays random clicks, and searches on the page with the search box. */
async function bothAgree(
  goal: number,
  steps: number,
  choose?: (env: WebShopBrowserEnv) => string | undefined,
  [live, text] = [opens.again(), new WebShopEnv({ strict: true }, shop)],
) {
  const random = new PythonRandom(goal);
  let seen = await live.reset({ seed: goal, options: { goal } });
  let read = text.reset({ seed: goal, options: { goal } });
  for (let step = 0; step < steps; step += 1) {
    expect(seen.observation.text).toBe(read.observation);
    expect(seen.info.availableActions).toEqual(read.info.availableActions);
    const words = ['lamp', 'soft shoes', 'tea +"ü" <b>'][goal % 3]!;
    const { hasSearchBar, clickables } = read.info.availableActions;
    const clicks = clickables.filter((name) => name !== 'search' && !(hasSearchBar && name === 'search'));
    const action = choose ? choose(live) : hasSearchBar ? `search[${words}]` : `click[${random.choice(clicks)}]`;
    const [a, b] = [await live.step(action!), text.step(action!)];
    expect([action, a.reward, a.terminated, a.info.actionValid, a.info.reason]).toEqual([
      action,
      b.reward,
      b.terminated,
      b.info.actionValid,
      b.info.reason,
    ]);
    expect(a.observation.text).toBe(b.observation);
    if (a.terminated) return a.reward;
    [seen, read] = [a, b];
  }
  return undefined;
}

describe.skipIf(!CHROMIUM)(`the browser environment agrees with the text environment${NEEDS_CHROMIUM}`, () => {
  afterAll(() => opens.close());

  const episodes = Number(process.env.VLGYM_WEBSHOP_EPISODES ?? 4);

  it(`agrees with the text environment on ${episodes} random episodes`, async () => {
    for (let goal = 0; goal < episodes; goal += 1) await bothAgree(goal, 15);
  }, 600_000);

  it('agrees with the text environment without `strict`: goals, shortcuts, and loopholes of the original', async () => {
    const options = { catalog: { products: 200 }, goals: 'human', strict: false } as const;
    const [live, text] = [new WebShopBrowserEnv({ ...options, screenshot: false }), new WebShopEnv(options)];
    opens.keep(live);
    for (let seed = 0; seed < 2; seed += 1) {
      expect((await live.reset({ seed })).info).toMatchObject(text.reset({ seed }).info);
      const actions = [
        ...['search[<r>]', 'click[next >]', 'click[< prev]', 'search[<c> garden]', 'search[lamp]'],
        ...Array.from({ length: 6 }, () => 'click[next >]'),
        ...['search[shoe a\rb]', 'search[<r>]'],
      ];
      for (const action of actions) {
        const [a, b] = [await live.step(action), text.step(action)];
        expect([action, a.observation.text, a.info]).toEqual([
          action,
          b.observation,
          { ...b.info, blockedRequests: 0 },
        ]);
      }
      await bothAgree(seed, 8, undefined, [live, text]);
    }
  }, 120_000);

  it('wins with the oracle like the text environment', async () => {
    const goals = process.env.VLGYM_WEBSHOP_EPISODES ? shop.goals.keys() : [1, 2];
    for (const goal of goals) {
      const plan = planOf(shop, shop.goals[goal]!, true);
      if (plan) expect(await bothAgree(goal, 15, (env) => env.expert())).toBe(plan.reward);
    }
  }, 600_000);

  it('searches for no words, and for ten thousand characters', async () => {
    const [env, text] = [opened(), new WebShopEnv({ strict: true }, shop)];
    await env.reset({ options: { goal: 0 } });
    text.reset({ options: { goal: 0 } });
    await env.step('key[Tab]');
    expect((await env.step('key[Enter]')).info.page).toBe('index'); // an empty box
    expect((await env.step('search[]')).info.actionValid).toBe(false);
    for (const words of ['red shoe '.repeat(1111), '😀'.repeat(19_990), 'shoe\rred', 'shoe\u0000red']) {
      const found = await env.step(`search[${words}]`);
      const read = text.step(`search[${words}]`);
      expect([found.info.page, found.observation.text]).toEqual(['results', read.observation]);
      expect(found.info.url).toBe(read.info.url);
      for (const environment of [env, text]) await environment.step('click[back to search]');
    }
  });

  it('names a visit like the text environment, and refuses other options', async () => {
    const [env, text] = [opened(), new WebShopEnv({ strict: true }, shop)];
    const options = { goal: 2, session: 'by_name-1' };
    expect((await env.reset({ options })).info.url).toBe(text.reset({ options }).info.url);
    await expect(env.reset({ options: { session: 'a/b' } })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    await expect(env.reset({ options: { gaol: 1 } })).rejects.toMatchObject({ code: 'UNKNOWN_OPTION' });
  });

  it('shows hostile product text as text', async () => {
    const { products } = loadCatalog({
      products: ['B000000001', 'B000000002'].map((asin) => ({
        asin,
        name: `<script>document.title='got you'</script> "Rug" & 'Lamp' \u202e x`,
        full_description: '</p><img src=x onerror="document.title=\'got you\'">',
        pricing: null,
        images: ['http://elsewhere.invalid/x.png'],
        product_category: 'Home',
        small_description: [' ', '', '\n', 'a\r\nb'],
        customization_options: {
          'Co"lor\'': [
            { value: '"red" & <b>' },
            { value: "café's 東京" },
            { value: 'features' },
            { value: 'attributes' },
          ],
        },
        category: 'garden',
        query: 'rugs',
      })),
      attributes: {
        B000000001: { attributes: ['x'], instruction: 'Find me <b>rugs</b>', instruction_attributes: ['x'] },
      },
    });
    const odd = new Shop(products, { goalDraw: 'fixed' });
    const [live, text] = [opened({}, odd), new WebShopEnv({ strict: true }, odd)];
    await live.reset({ options: { goal: 0 } });
    text.reset({ options: { goal: 0 } });
    const actions = [
      'search[rug]',
      'click[b000000001]',
      'click["red" & <b>]',
      "click[café's 東京]",
      'click[description]',
      'click[< prev]',
      'click[features]',
      'click[< prev]',
      'click[attributes]',
      'click[< prev]',
      'click[buy now]',
    ];
    for (const action of actions) {
      const [a, b] = [await live.step(action), text.step(action)];
      expect([action, a.observation.text, a.reward]).toEqual([action, b.observation, b.reward]);
      expect(a.info.availableActions).toEqual(b.info.availableActions);
    }
    expect(await live.page!.title()).toBe('WebShop - Done');
  });

  it('shows a cart like the text environment', async () => {
    const withCart = new Shop(generateProducts({ products: 100 }), { goals: 'human', cart: true });
    const [live, text] = [opened({}, withCart), new WebShopEnv({ strict: true }, withCart)];
    await live.reset({ options: { goal: 0 } });
    text.reset({ options: { goal: 0 } });
    for (let over = false; !over; ) {
      const action = text.expert()!;
      const [a, b] = [await live.step(action), text.step(action)];
      expect([a.observation.text, a.info.availableActions]).toEqual([b.observation, b.info.availableActions]);
      expect([a.reward, a.terminated, a.info.page]).toEqual([b.reward, b.terminated, b.info.page]);
      over = b.terminated;
    }
  });
});
