import { checkEnv, make } from '@vlgym/core';
import { conformance } from '@vlgym/core/testing';
import { describe, expect, it } from 'vitest';
import { golden, goldenCatalog } from '../../test-support/golden.js';
import { ruleAction } from '../agents/rule.js';
import { loadCatalog } from '../catalog/read-raw.js';
import { generateProducts } from '../generator/generated-store.js';
import { Shop } from '../shop/shop.js';
import { WebShopEnv } from './text-env.js';
import '../register.js';

const traces = golden('traces');
const { products, report } = goldenCatalog();

describe('the catalog', () => {
  it('is cleaned as the original cleans it', () => {
    const loaded = Object.fromEntries(
      products.map((product) => [
        product.asin,
        {
          Title: product.title,
          Description: product.description,
          BulletPoints: product.bulletPoints,
          Price: product.price,
          pricing: product.pricing,
          options: Object.fromEntries(product.options.map(({ name, values }) => [name, values])),
          option_to_image: product.optionImages,
          Attributes: product.attributes,
          MainImage: product.mainImage,
          query: product.query,
          category: product.category,
          product_category: product.productCategory,
          Rating: 'N.A.',
        },
      ]),
    );
    expect(loaded).toEqual(golden('loaded-products').products);
    expect(report.skipped).toEqual({
      'asin seen before': 1,
      'asin is "nan"': 1,
      'asin is longer than 10 characters': 1,
    });
  });
});

// biome-ignore lint/suspicious/noExplicitAny: the original's records
describe.each(traces.envs as any[])('set $python_seed_before_server of the reference traces', (set) => {
  const shop = new Shop(products, {
    goals: set.human_goals ? 'human' : 'synthetic',
    priceSeed: set.python_seed_before_server,
    showAttributes: set.show_attrs,
  });

  it('has the same prices and goals in the same order', () => {
    if (set.product_prices) {
      expect(Object.fromEntries(products.map(({ asin }) => [asin, shop.price(asin)]))).toEqual(set.product_prices);
    }
    expect(shop.goals).toHaveLength(set.n_goals);
    const options = (goal: Shop['goals'][number]) =>
      goal.goalOptions instanceof Map ? Object.fromEntries(goal.goalOptions) : goal.goalOptions;
    const first = shop.goals
      .slice(0, set.first_goals.length)
      .map((goal) => [goal.asin, goal.priceUpper, options(goal), goal.weight, goal.instruction]);
    expect(first).toEqual(set.first_goals);
    // biome-ignore lint/suspicious/noExplicitAny: the original's records
    for (const [index, goal] of ((set.goals ?? []) as any[]).entries()) {
      expect(shop.goals[index]).toMatchObject({ asin: goal.asin, instruction: goal.instruction_text });
    }
  });

  // biome-ignore lint/suspicious/noExplicitAny: the original's records
  it.each(set.episodes as any[])('replays $session byte for byte', (episode) => {
    const modes = ['text', 'text_rich', 'url'] as const;
    const envs = modes.map((observationMode) => new WebShopEnv({ observationMode, afterDone: 'continue' }, shop));
    const started = envs.map((env) => env.reset({ options: { goal: episode.goal_index, session: episode.session } }));
    const view = (
      list: { observation: string; info: { availableActions: { hasSearchBar: boolean; clickables: string[] } } }[],
    ) => ({
      text: list[0]!.observation,
      text_rich: list[1]!.observation,
      url: list[2]!.observation,
      available: {
        has_search_bar: list[0]!.info.availableActions.hasSearchBar,
        clickables: list[0]!.info.availableActions.clickables,
      },
    });
    expect(view(started)).toEqual(episode.first);
    for (const step of episode.steps) {
      const results = envs.map((env) => env.step(step.action));
      const { text, text_rich, url, available } = step;
      expect(view(results)).toEqual({ text, text_rich, url, available });
      expect([results[0]!.reward, results[0]!.terminated]).toEqual([step.reward, step.done]);
      if (step.verbose) expect(results[0]!.info.rewardParts).toEqual(step.verbose);
      const { state } = envs[0]!.snapshot() as { state: { session: Record<string, unknown> } };
      const { keywords, pageNumber, asin, asins, options, counts } = state.session;
      expect({
        keywords,
        page: pageNumber,
        asin,
        asins: [...(asins as string[])].sort(),
        options: Object.fromEntries(options as [string, string][]),
        actions: counts,
      }).toEqual(step.state);
    }
  });
});

it('covers all 34 episodes and 301 steps of the reference', () => {
  // biome-ignore lint/suspicious/noExplicitAny: the original's records
  const episodes = traces.envs.flatMap((set: any) => set.episodes);
  // biome-ignore lint/suspicious/noExplicitAny: the original's records
  const steps = episodes.reduce((sum: number, episode: any) => sum + episode.steps.length, 0);
  expect([episodes.length, steps]).toEqual([34, 301]);
});

const human = new Shop(products, { goals: 'human', goalDraw: 'fixed' });
const small = { catalog: { products: 300, seed: 5 } } as const;

describe('the text environment', () => {
  it('returns earlier observations and actions before the page, oldest first', () => {
    const env = new WebShopEnv({ numPrevObs: 2, numPrevActions: 1, observationMode: 'url' }, human);
    const first = env.reset({ options: { goal: 3, session: 's' } }).observation;
    const second = env.step('search[rug]').observation.split(' [SEP] ').at(-1)!;
    const page = env.step('think[hmm]').observation;
    expect(page).toBe([first, second, 'think[hmm]', second].join(' [SEP] '));
  });

  it.each([
    ['buy now', 'not of the form'],
    ['search[]', 'not of the form'],
    ['a thought\nsearch[rug]', 'not of the form'],
    ['press[buy now]', 'unknown action'],
    ['click[buy now]', 'nothing on this page'],
    ['click[search]', 'needs words'],
    ['', 'not of the form'],
  ])('rejects %j with a reason', (action, reason) => {
    const env = new WebShopEnv({}, human);
    const { observation } = env.reset({ seed: 1 });
    const step = env.step(action);
    expect(step).toMatchObject({ observation, reward: 0, terminated: false });
    expect(step.info).toMatchObject({ actionValid: false, actionEffective: false });
    expect(step.info.reason).toContain(reason);
  });

  it.each(['search[x] trailing', 'search[a[b]', 'SEARCH[x]', 'click[a[b]]'])(
    'reads %j as the original does',
    (action) => {
      const env = new WebShopEnv({}, human);
      env.reset({ seed: 1 });
      expect(env.step(action).info.actionValid).toBe(action === 'search[x] trailing');
    },
  );

  it.each([
    'search[ ]',
    `search[${'red shoe '.repeat(1111)}]`,
    'search[<c>]',
    'search[<a> x]',
    'search[<r>]',
    'search[\u0000 <script>]',
  ])('accepts an unusual search: %s', (action) => {
    const env = new WebShopEnv({}, human);
    env.reset({ seed: 1 });
    expect(env.step(action).info).toMatchObject({ page: 'results', actionValid: true });
    expect(env.step('click[next >]').info.page).toBe('results');
    expect(env.step('click[< prev]').info.page).toBe('results');
  });

  it('refuses values that are not actions, steps after the end, and unknown goals', () => {
    const env = new WebShopEnv({}, human);
    expect(() => env.step('x')).toThrow(expect.objectContaining({ code: 'RESET_NEEDED' }));
    env.reset({ options: { goal: 0 } });
    expect(() => env.step(3 as never)).toThrow(expect.objectContaining({ code: 'INVALID_ACTION' }));
    while (!env.step(env.expert()!).terminated);
    expect(() => env.step('search[x]')).toThrow(expect.objectContaining({ code: 'EPISODE_OVER' }));
    expect(() => env.reset({ options: { goal: 79 } })).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
    expect(() => env.reset({ options: { session: '../x' } })).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }),
    );
  });

  it('draws the same session and goal from the same seed', () => {
    const [a, b] = [new WebShopEnv({}, human), new WebShopEnv({}, human)];
    for (const seed of [0, 1, 2]) expect(a.reset({ seed })).toEqual(b.reset({ seed }));
    expect(a.reset()).toEqual(b.reset());
  });

  it.each([
    [{ dialgue: 'json-v1' }, 'UNKNOWN_OPTION'],
    [{ dialogue: 'json-v9' }, 'INVALID_OPTION'],
    [{ catalog: { products: 7 } }, 'INVALID_OPTION'],
    [{ catalog: { products: 100 }, split: 'train' }, 'INVALID_OPTION'],
    [{ catalog: { products: 100 }, goalIndices: [0, 1_000_000] }, 'INVALID_OPTION'],
    [{ catalog: { products: 100 }, goalIndices: [] }, 'INVALID_OPTION'],
    [{ catalog: { products: 100 }, goals: 'synthetic', priceBounds: 'enumerated' }, 'INVALID_OPTION'],
    [{ catalog: { folder: '/no/such/folder' } }, 'CATALOG_FORMAT'],
  ])('refuses the options %j', (options, code) => {
    const message = expect.stringMatching(/expected: |hint: /);
    expect(() => new WebShopEnv(options as never)).toThrow(expect.objectContaining({ code, message }));
  });
});

describe('actionEffective', () => {
  it.each([
    ['text', false],
    ['text_rich', true],
    ['url', true],
  ] as const)('follows the observation: in mode %s a chosen option shows: %s', (observationMode, shows) => {
    const env = new WebShopEnv({ observationMode }, human);
    env.reset({ options: { goal: 0 } });
    env.step(`search[${env.plan!.query}]`);
    env.step(`click[${env.plan!.asin.toLowerCase()}]`);
    const choose = `click[${env.plan!.options[0]![1]}]`;
    expect([env.step(choose), env.step(choose)].map(({ info }) => info.actionEffective)).toEqual([shows, false]);
  });
});

describe('a named session', () => {
  const goals = (strict: boolean, name: string, count = 6) => {
    const env = new WebShopEnv({ strict }, human);
    env.reset({ seed: 1 });
    return Array.from({ length: count }, () => env.reset({ options: { session: name } }).info.goalIndex);
  };

  it('keeps its goal as in the original; with `strict`, each visit draws one', () => {
    expect(new Set(goals(false, 'bob')).size).toBe(1);
    expect(goals(false, 'bob')).toEqual(goals(false, 'bob'));
    expect(new Set(goals(true, 'bob')).size).toBeGreaterThan(1);
  });

  it('is also found by a drawn name, and after a snapshot', () => {
    const env = new WebShopEnv({}, human);
    const { url, goalIndex } = env.reset({ seed: 5 }).info;
    expect(env.reset({ options: { session: url.split('/').at(-1) } }).info.goalIndex).toBe(goalIndex);
    const bob = env.reset({ options: { session: 'bob' } }).info.goalIndex;
    env.reset();
    const other = new WebShopEnv({}, human);
    other.restore(env.snapshot());
    expect(other.reset({ options: { session: 'bob' } }).info.goalIndex).toBe(bob);
  });

  it('is forgotten on a new seed, so that equal seeds give equal visits', () => {
    const [used, fresh] = [new WebShopEnv({}, human), new WebShopEnv({}, human)];
    for (const seed of [1, 2, 3]) used.reset({ seed, options: { session: 'bob' } });
    const again = { seed: 9, options: { session: 'bob' } };
    expect(used.reset(again)).toEqual(fresh.reset(again));
  });

  it('cannot be combined with an unknown option', () => {
    const env = new WebShopEnv({}, human);
    expect(() => env.reset({ options: { gaol: 3 } })).toThrow(
      expect.objectContaining({ code: 'UNKNOWN_OPTION', hint: expect.stringContaining('goal') }),
    );
  });
});

describe('goals by their indices', () => {
  it('are the only ones drawn', () => {
    const goalIndices = [7, 3, 11];
    const env = new WebShopEnv({ ...small, goals: 'human', goalIndices });
    const seen = new Set(Array.from({ length: 40 }, (_, seed) => env.reset({ seed }).info.goalIndex));
    expect([...seen].sort((a, b) => a - b)).toEqual([3, 7, 11]);
  });
});

describe('a shop with a cart', () => {
  const shop = new Shop(generateProducts({ products: 300 }), { goals: 'human', cart: true });
  const atItem = () => {
    const env = new WebShopEnv({ strict: true }, shop);
    env.reset({ options: { goal: 0 } });
    while (env.expert() !== 'click[buy now]') env.step(env.expert()!);
    return env;
  };

  it('shows the choice before it is bought', () => {
    const env = atItem();
    const { observation, reward, terminated, info } = env.step('click[buy now]');
    expect({ reward, terminated, page: info.page }).toEqual({ reward: 0, terminated: false, page: 'cart' });
    expect(info.availableActions.clickables).toEqual(['back to search', '< prev', 'place order']);
    expect(observation).toContain('Your cart');
    for (const [name, value] of env.plan!.options) expect(observation).toContain(`${name}: ${value}`);
  });

  it('allows going back and choosing again', () => {
    const env = atItem();
    env.step('click[buy now]');
    expect(env.step('click[< prev]').info.page).toBe('item');
    expect(env.expert()).toBe('click[buy now]');
  });

  it('gives the rewards of a shop without a cart', () => {
    const env = atItem();
    env.step('click[buy now]');
    expect(env.expert()).toBe('click[place order]');
    expect(env.step('click[place order]')).toMatchObject({ reward: env.plan!.reward, terminated: true });
  });

  it('continues from a snapshot of it', () => {
    const env = atItem();
    env.step('click[buy now]');
    const other = new WebShopEnv({ strict: true }, shop);
    other.restore(env.snapshot());
    expect(other.step('click[place order]')).toEqual(env.step('click[place order]'));
  });

  it('works with the rule agent', () => {
    const env = new WebShopEnv({ strict: true }, shop);
    let { info } = env.reset({ options: { goal: 1 } });
    const taken: string[] = [];
    for (let over = false; !over; ) {
      taken.push(ruleAction(info));
      ({ info, terminated: over } = env.step(taken.at(-1)!));
    }
    expect(taken.slice(-2)).toEqual(['click[buy now]', 'click[place order]']);
  });
});

describe('strict', () => {
  const start = (strict: boolean) => {
    const env = new WebShopEnv({ strict }, human);
    env.reset({ options: { goal: 0 } });
    const asin = env.plan!.asin.toLowerCase();
    env.step(`search[${env.plan!.query}]`);
    return { env, asin };
  };

  it('searches only on the page with the search box', () => {
    expect(start(false).env.step('search[rug]').info.actionValid).toBe(true);
    expect(start(true).env.step('search[rug]').info).toMatchObject({ actionValid: false, actionEffective: false });
  });

  it('keeps the options of a product that is left and opened again', () => {
    for (const strict of [false, true]) {
      const { env, asin } = start(strict);
      env.step(`click[${asin}]`);
      const value = env.plan!.options[0]![1];
      env.step(`click[${value}]`);
      env.step('click[< prev]');
      const { url } = env.step(`click[${asin}]`).info;
      expect(url.includes(value)).toBe(strict);
    }
  });

  it('keeps them over "Back to Search", from the product and from the results', () => {
    for (const [strict, leave] of [
      [false, ['click[back to search]']],
      [true, ['click[back to search]']],
      [true, ['click[< prev]', 'click[back to search]']],
      [true, ['click[description]', 'click[back to search]']],
    ] as const) {
      const { env, asin } = start(strict);
      env.step(`click[${asin}]`);
      const value = env.plan!.options[0]![1];
      env.step(`click[${value}]`);
      for (const action of leave) env.step(action);
      env.step(`search[${env.plan!.query}]`);
      expect(env.step(`click[${asin}]`).info.url.includes(value)).toBe(strict);
    }
  });

  it('accepts an option with brackets, which the original cannot parse; its expert avoids such options', () => {
    const options = { size: [{ value: '8 [US] men' }, { value: '9 [US] men' }] };
    const row = { asin: 'A', name: 'Red Shoe', category: 'fashion', query: 'shoe', product_category: 'Shoes' };
    const wish = { instruction: 'a shoe', instruction_attributes: ['red'], instruction_options: ['8 [us] men'] };
    const shop = new Shop(
      loadCatalog({
        products: [{ ...row, customization_options: options }],
        attributes: { A: { attributes: ['red'] } },
        human: { A: [wish] },
      }).products,
      { goals: 'human' },
    );
    const bought = (strict: boolean) => {
      const env = new WebShopEnv({ strict }, shop);
      env.reset({ options: { goal: 0 } });
      const taken: string[] = [];
      for (let over = false; !over && taken.length < 8; ) {
        taken.push(env.expert()!);
        over = env.step(taken.at(-1)!).terminated;
      }
      return [taken.slice(2), env.plan!.reward, env.oracle()];
    };
    expect(bought(true)).toEqual([['click[8 [us] men]', 'click[buy now]'], 1, undefined]);
    expect(bought(false)).toEqual([['click[buy now]'], 2 / 3, undefined]);
  });

  it('has no pages after the last result', () => {
    const { env } = start(true);
    const pages = Array.from({ length: 8 }, () => env.step('click[next >]').info.actionValid);
    expect(pages.filter(Boolean).length).toBeLessThan(5);
    expect(pages.at(-1)).toBe(false);
  });
});

describe('the registered environments', () => {
  it.each(['webshop/WebAgentTextEnv-v0', 'vlgym/WebShop-v1'] as const)('%s keep the contract', async (id) => {
    await checkEnv(() => make(id, { options: { ...small } }), { steps: 12 });
  });

  it('end an episode without a purchase after 15 steps', async () => {
    const env = await make('vlgym/WebShop-v1', { options: { ...small } });
    await env.reset({ seed: 1 });
    for (let step = 1; step <= 15; step += 1) {
      const { truncated, reward } = await env.step('search[x]');
      expect([truncated, reward]).toEqual([step === 15, 0]);
    }
  });
});

conformance(
  'WebShopEnv, rich text',
  () => new WebShopEnv({ ...small, goals: 'human', observationMode: 'text_rich', dialogue: 'tools-v1' }),
  { describe, it },
  { steps: 12 },
);

describe('agents', () => {
  const env = new WebShopEnv({ catalog: { products: 1000 }, goals: 'human', strict: true });

  it('the oracle gets reward 1 whenever it acts, on at least 99 % of goals', () => {
    let won = 0;
    const count = Math.min(env.shop.goals.length, 300);
    for (let goal = 0; goal < count; goal += 1) {
      env.reset({ options: { goal } });
      let reward = 0;
      for (let steps = 0, over = false; !over && steps < 15; steps += 1) {
        const action = env.oracle();
        if (action === undefined) break;
        ({ reward, terminated: over } = env.step(action));
      }
      if (env.plan?.reward === 1) expect([goal, reward]).toEqual([goal, 1]);
      if (reward === 1) won += 1;
    }
    expect(won / count).toBeGreaterThanOrEqual(0.99);
  });

  it('the rule buys the first product it finds', () => {
    let { info } = env.reset({ options: { goal: 1 } });
    const taken: string[] = [];
    for (let over = false; !over; ) {
      taken.push(ruleAction(info));
      ({ info, terminated: over } = env.step(taken.at(-1)!));
    }
    expect(taken).toHaveLength(3);
    expect(info.rewardParts).toBeDefined();
  });
});

describe('an action written by a model', () => {
  const env = new WebShopEnv({ strict: true });
  const written = ['\ud83d shoes', 'x'.repeat(30_000), 'İ'.repeat(30_000), `a${'😀'.repeat(15_000)}`];

  it.each(['json-v1', 'tags-v1', 'tools-v1', 'chat-v1'] as const)(
    'is accepted by the environment, even with lone surrogates, in %s',
    (style) => {
      const { dialogue } = new WebShopEnv({ dialogue: style });
      for (const words of written) {
        const { observation, info } = env.reset({ seed: 1 });
        const answer = {
          'json-v1': JSON.stringify({ thoughts: '', action: `search[${words}]` }),
          'tags-v1': `<think></think><action>search[${words}]</action>`,
          'tools-v1': JSON.stringify({ name: 'search_action', arguments: { keywords: words } }),
          'chat-v1': `First a search.\nsearch[${words}]`,
        }[style];
        const { action, legal } = dialogue.parse(answer, { observation, info, history: [] });
        expect([legal, env.actionSpace.contains(action)]).toEqual([true, true]);
        expect(env.step(action!).info.actionValid).toBe(true);
      }
    },
  );
});

it('renders pages for a terminal: brackets around what can be clicked, lines of 80 columns', () => {
  const env = new WebShopEnv({ catalog: { products: 200 }, renderMode: 'ansi' });
  env.reset({ seed: 1 });
  const walk: string[] = [env.render() as string];
  for (;;) {
    const action = env.expert();
    if (action === undefined) break;
    const { terminated } = env.step(action);
    if (terminated) break;
    walk.push(env.render() as string);
  }
  const all = walk.join('\n');
  expect(all).not.toMatch(/\[button\]|\[button_\]|clicked button/);
  expect(all).toContain('[Search]');
  expect(all).toMatch(/\[Back to Search\] \[< Prev\]/);
  for (const line of all.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});
