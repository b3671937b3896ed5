import { hashImage, PythonRandom } from '@vlgym/core';
import { afterAll, describe, expect, it } from 'vitest';
import { CHROMIUM, NEEDS_CHROMIUM } from '../../test-support/chromium.js';
import { planOf } from '../agents/plan.js';
import { loadCatalog } from '../catalog/read-raw.js';
import { WebShopEnv } from '../env/text-env.js';
import { generateProducts } from '../generator/generated-store.js';
import { Shop } from '../shop/shop.js';
import { WebShopBrowserEnv } from './browser-env.js';
import type { BrowserObservation } from './page-observation.js';

const catalog = { products: 300, seed: 3, visual: 0.2 };
const shop = new Shop(new WebShopEnv({ catalog, goals: 'human' }).shop.products, {
  goals: 'human',
  goalDraw: 'fixed',
  searchShortcuts: false,
});
const envs: WebShopBrowserEnv[] = [];
const opened = (options: ConstructorParameters<typeof WebShopBrowserEnv>[0] = {}, other = shop) => {
  const env = new WebShopBrowserEnv({ screenshot: false, ...options }, other);
  envs.push(env);
  return env;
};

describe.skipIf(!CHROMIUM)(`the browser environment${NEEDS_CHROMIUM}`, () => {
  afterAll(() => Promise.all(envs.map((env) => env.close())));

  /** Plays random clicks, and searches on the page with the search box. */
  async function bothAgree(
    goal: number,
    steps: number,
    choose?: (env: WebShopBrowserEnv) => string | undefined,
    [live, text] = [envs[0] ?? opened(), new WebShopEnv({ strict: true }, shop)],
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

  const episodes = Number(process.env.VLGYM_WEBSHOP_EPISODES ?? 4);

  it(`agrees with the text environment on ${episodes} random episodes`, async () => {
    for (let goal = 0; goal < episodes; goal += 1) await bothAgree(goal, 15);
  }, 600_000);

  it('agrees with the text environment without `strict`: goals, shortcuts, and loopholes of the original', async () => {
    const options = { catalog: { products: 200 }, goals: 'human', strict: false } as const;
    const [live, text] = [new WebShopBrowserEnv({ ...options, screenshot: false }), new WebShopEnv(options)];
    envs.push(live);
    for (let seed = 0; seed < 4; seed += 1) {
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
      if (plan) expect(await bothAgree(goal, 15, (env) => env.expertAction())).toBe(plan.reward);
    }
  }, 600_000);

  it('can be operated by keyboard alone', async () => {
    const env = opened();
    await env.reset({ options: { goal: 0 } });
    await env.step('key[Tab]');
    await env.step('type[Oak Desk]');
    const { info, observation } = await env.step('key[Enter]');
    expect(info.page).toBe('results');
    expect(observation.url).toContain('oak%2Bdesk');
  });

  it('buys with two options by keyboard alone', async () => {
    const env = opened();
    const several = ({ options }: { options: readonly { values: readonly string[] }[] }) =>
      options.length === 2 && options.every(({ values }) => values.length > 1);
    const goal = shop.goals.findIndex(({ asin }) => several(shop.productOf(asin)!));
    const product = shop.productOf(shop.goals[goal]!.asin)!;
    await env.reset({ options: { goal } });
    const focus = async (found: string) => {
      for (let presses = 0; presses < 60; presses += 1) {
        await env.step('key[Tab]');
        if (await env.page!.evaluate(`((it) => ${found})(document.activeElement)`)) return;
      }
      expect.fail(`${found} is never reached`);
    };
    await focus("it.id === 'search_input'");
    await env.step(`type[${product.title}]`);
    await env.step('key[Enter]');
    await focus(`it.textContent === '${product.asin}'`);
    await env.step('key[Enter]');
    for (const { name } of product.options) {
      await focus(`it.type === 'radio' && it.name === ${JSON.stringify(name)}`);
      await env.step('key[ArrowDown]');
    }
    await focus("it.textContent === 'Buy Now'");
    const { terminated, info } = await env.step('key[Enter]');
    expect([terminated, info.page]).toEqual([true, 'done']);
    expect(info.rewardParts!.r_type).toBeGreaterThan(0);
    const { session } = env.snapshot().state as { session: { asin: string; options: [string, string][] } };
    expect([session.asin, session.options.map(([name]) => name)]).toEqual([
      product.asin,
      product.options.map(({ name }) => name),
    ]);
  });

  it('clicks by mark an element that the window cuts off', async () => {
    const env = opened({ width: 640, height: 480 });
    for (const part of ['top', 'bottom']) {
      await env.reset({ options: { goal: 0 } });
      const { observation } = await env.step('search[lamp]');
      const link = observation.elements.filter(({ role }) => role === 'link')[4]!;
      const [, y, , height] = link.box;
      const { elements } = (await env.step(`scroll[${part === 'top' ? y + height - 2 : y - 478}]`)).observation;
      expect(elements.find(({ mark }) => mark === link.mark)!.visible).toBe(true);
      const { info } = await env.step(`mark[${link.mark}]`);
      expect([part, info.page, info.url.includes(link.name)]).toEqual([part, 'item', true]);
    }
  });

  it('opens no page after the last hit, by mark, by place, or by key', async () => {
    const env = opened();
    await env.reset({ options: { goal: 0 } });
    let last = await env.step('search[lamp]');
    for (let more = true; more; ) {
      const next = await env.step('click[next >]');
      more = next.info.actionValid!;
      last = more ? next : last;
    }
    const { mark, box } = last.observation.elements.find(({ name }) => name === 'Next >')!;
    const center = `${box[0] + Math.round(box[2] / 2)},${box[1] + Math.round(box[3] / 2)}`;
    await env.page!.evaluate("document.querySelector('form[action] .btn-primary').blur()");
    for (const action of [`mark[${mark}]`, `at[${center}]`]) {
      const { observation, info } = await env.step(action);
      expect([action, observation.text, observation.url]).toEqual([
        action,
        last.observation.text,
        last.observation.url,
      ]);
      expect(info).toMatchObject({ actionValid: true, actionEffective: false });
    }
    await env.page!.evaluate("[...document.querySelectorAll('.btn')].find((b) => b.textContent === 'Next >').focus()");
    expect((await env.step('key[Enter]')).observation.text).toBe(last.observation.text);
  });

  it('types brackets as they are', async () => {
    const env = opened();
    await env.reset({ options: { goal: 0 } });
    await env.step('key[Tab]');
    expect((await env.step('type[a [big] lamp[]')).info.actionValid).toBe(true);
    expect(await env.page!.evaluate("document.getElementById('search_input').value")).toBe('a [big] lamp[');
  });

  it('names a visit like the text environment, and refuses other options', async () => {
    const [env, text] = [opened(), new WebShopEnv({ strict: true }, shop)];
    const options = { goal: 2, session: 'by_name-1' };
    expect((await env.reset({ options })).info.url).toBe(text.reset({ options }).info.url);
    await expect(env.reset({ options: { session: 'a/b' } })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    await expect(env.reset({ options: { gaol: 1 } })).rejects.toMatchObject({ code: 'UNKNOWN_OPTION' });
  });

  it('clicks by mark and by place, scrolls, and goes back to the page before', async () => {
    const env = opened();
    await env.reset({ options: { goal: 0 } });
    const results = await env.step('search[lamp]');
    const link = results.observation.elements.find(({ role }) => role === 'link')!;
    const item = await env.step(`mark[${link.mark}]`);
    expect(item.info.page).toBe('item');
    expect(item.observation.text).not.toBe(results.observation.text);
    const back = await env.step('back');
    expect(back.observation.text).toBe(results.observation.text);
    const [x, y, width, height] = back.observation.elements.find(({ name }) => name === 'Back to Search')!.box;
    expect((await env.step('scroll[300]')).info.actionValid).toBe(true);
    await env.step('scroll[-300]');
    expect((await env.step(`at[${x + Math.round(width / 2)},${y + Math.round(height / 2)}]`)).info.page).toBe('index');
  });

  it('goes back through sub-page, options, and product, and never to the visit before', async () => {
    const env = opened();
    await env.reset({ options: { goal: 1 } });
    await env.step('search[lamp]');
    await env.reset({ options: { goal: 0 } });
    const seen = [(await env.step('search[shoe]')).observation];
    const links = seen[0]!.elements.filter(({ role }) => role === 'link');
    for (const { name } of links) {
      const item = await env.step(`click[${name}]`);
      const options = item.observation.elements.filter(({ role }) => role === 'radio');
      if (options.length === 0) {
        await env.step('back');
        continue;
      }
      seen.push(item.observation);
      seen.push((await env.step(`click[${options.at(-1)!.name}]`)).observation);
      break;
    }
    expect(seen).toHaveLength(3);
    seen.push((await env.step('click[features]')).observation);
    const places = ({ url, text, elements }: BrowserObservation) => [url, text, elements.map(({ box }) => box)];
    for (const before of seen.slice(0, -1).reverse()) {
      expect(places((await env.step('back')).observation)).toEqual(places(before));
    }
    expect((await env.step('back')).info.page).toBe('index');
    expect((await env.step('back')).info).toMatchObject({
      actionValid: false,
      page: 'index',
      reason: expect.stringContaining('no page'),
    });
  });

  it('has pages that work without script', async () => {
    const env = opened();
    await env.reset({ options: { goal: 0 } });
    const page = env.page!;
    const browser = await page.browserContext().newPage();
    await browser.setJavaScriptEnabled(false);
    await browser.goto(page.url());
    await browser.type('#search_input', 'lamp');
    const follow = async (selector: string) => {
      await Promise.all([browser.waitForNavigation(), browser.click(selector)]);
      return new URL(browser.url()).pathname.split('/')[1];
    };
    expect(await follow('.btn')).toBe('search_results');
    expect(await follow('a.product-link')).toBe('item_page');
    expect(await follow('form[action*=Features] .btn')).toBe('item_sub_page');
    await browser.goBack();
    expect(await follow('.purchase')).toBe('done');
    await browser.close();
  });

  it.each(['click[no such thing]', 'mark[99]', 'at[x]', 'key[F13]', 'fly[away]', 'hm', 'scroll[far]'])(
    'rejects %s with a reason',
    async (action) => {
      const env = envs[0]!;
      const { observation } = await env.reset({ options: { goal: 0 } });
      const step = await env.step(action);
      expect(step.info).toMatchObject({ actionValid: false, actionEffective: false, reason: expect.any(String) });
      const { text, url, elements, lastError } = step.observation;
      expect({ text, url, elements }).toEqual({
        text: observation.text,
        url: observation.url,
        elements: observation.elements,
      });
      expect(lastError).toBe(step.info.reason);
    },
  );

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

  it('shows pages without requests, and the same pages by requests', async () => {
    const env = opened();
    const play = async (prepare = '') => {
      await env.reset({ options: { goal: 0 } });
      await env.page!.evaluate(prepare);
      const seen = [await env.step('search[lamp]')];
      seen.push(await env.step(`click[${seen[0]!.info.availableActions.clickables.at(-1)}]`));
      return seen.map(({ observation, info }) => [observation.text, observation.url, info.page]);
    };
    const asked = await play();
    const requests: string[] = [];
    env.page!.on('request', (request) => {
      const { protocol, pathname } = new URL(request.url());
      const [, name = ''] = pathname.split('/');
      if (protocol === 'http:' && name !== 'static') requests.push(`${request.method()} ${name}`);
    });
    expect(await play()).toEqual(asked);
    expect(requests.splice(0)).toEqual(['GET 0']);
    expect(await play('window.askShop = undefined')).toEqual(asked);
    expect(requests).toEqual(['GET 0', 'POST 0', 'GET item_page']);
  });

  it('is in front for its scripts without screenshots, too, and can be photographed', async () => {
    const env = opened();
    await env.reset({ options: { goal: 0 } });
    expect(await env.page!.evaluate('[document.visibilityState, document.hasFocus()]')).toEqual(['visible', true]);
    expect((await env.page!.screenshot()).length).toBeGreaterThan(1000);
    expect((await env.step('search[lamp]')).info.page).toBe('results');
  });

  it('refuses steps after the end', async () => {
    const env = opened();
    await env.reset({ options: { goal: 1 } });
    for (let over = false; !over; ) over = (await env.step(env.expertAction()!)).terminated;
    await expect(env.step('back')).rejects.toMatchObject({ code: 'EPISODE_OVER' });
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

  it('separates two visits in one browser', async () => {
    const [a, b] = [opened(), opened()];
    await Promise.all([a.reset({ options: { goal: 0 } }), b.reset({ options: { goal: 1 } })]);
    const [one, two] = await Promise.all([a.step('search[lamp]'), b.step('search[shoe]')]);
    expect(one.observation.url).toContain('lamp');
    expect(two.observation.url).toContain('shoe');
  });

  it('never leaves the shop and counts attempts to', async () => {
    const env = opened();
    await env.reset({ options: { goal: 0 } });
    // Tried one at a time: a navigation among them would end the others.
    for (const attempt of [
      "void location.assign('http://elsewhere.invalid/')",
      "void fetch('http://elsewhere.invalid/x').catch(() => 0)",
      "document.body.append(Object.assign(new Image(), { src: 'http://elsewhere.invalid/i.png' }))",
      "document.body.append(Object.assign(document.createElement('iframe'), { src: 'http://elsewhere.invalid/' }))",
      "void navigator.sendBeacon('http://elsewhere.invalid/b')",
    ]) {
      const before = (await env.step('scroll[0]')).info.blockedRequests;
      await env.page!.evaluate(attempt);
      const { info } = await env.step('scroll[1]');
      expect([attempt, info.blockedRequests > before]).toEqual([attempt, true]);
    }
    const popup = new Promise((resolve) => env.page!.once('popup', resolve));
    await env.page!.evaluate("void window.open('http://elsewhere.invalid/')");
    await popup;
    await env.step('scroll[1]');
    const { info, observation } = await env.step('search[lamp]');
    expect(info.blockedRequests).toBeGreaterThanOrEqual(6);
    expect([info.page, observation.url.startsWith('/search_results/')]).toEqual(['results', true]);
  });

  it.each([
    [1280, 720],
    [640, 480],
  ])('draws a state with the same pixels when it is seen again, %i x %i', async (width, height) => {
    const env = opened({ screenshot: true, width, height });
    await env.reset({ options: { goal: 0 } });
    const first = (await env.step('search[lamp]')).observation;
    const link = first.elements.find(({ role }) => role === 'link')!.name;
    const seen = new Map([[first.url, hashImage(first.screenshot)]]);
    for (let visit = 0; visit < 3; visit += 1) {
      for (const action of ['click[next >]', 'click[< prev]', `click[${link}]`, 'click[< prev]']) {
        const { url, screenshot } = (await env.step(action)).observation;
        const picture = hashImage(screenshot);
        expect([visit, action, seen.get(url) ?? picture]).toEqual([visit, action, picture]);
        seen.set(url, picture);
      }
    }
  });

  it('draws the same state with the same pixels, and marks on request', async () => {
    const env = opened({ screenshot: true, width: 640, height: 480, accessibility: true });
    const pictures: string[] = [];
    for (let visit = 0; visit < 2; visit += 1) {
      await env.reset({ options: { goal: 3 } });
      const { observation } = await env.step('search[lamp]');
      expect(env.observationSpace.contains(observation)).toBe(true);
      expect(observation.accessibility).toContain('button "Next >"');
      pictures.push(hashImage(observation.screenshot));
    }
    expect(pictures[0]).toBe(pictures[1]);
  });

  it('shows the whole page on request, and accepts its places and marks', async () => {
    const env = opened({ screenshot: 'page', pageHeight: 1600, width: 640, height: 480, marks: true });
    await env.reset({ options: { goal: 3 } });
    const { observation } = await env.step('search[lamp]');
    expect(observation.screenshot).toMatchObject({ width: 640, height: 1600 });
    expect(env.observationSpace.contains(observation)).toBe(true);
    const links = observation.elements.filter(({ role }) => role === 'link');
    const far = links.find(({ box }) => box[1] > 900 && box[1] < 1500)!;
    const lines = (from: number, to: number) => observation.screenshot.data.subarray(from * 640 * 3, to * 640 * 3);
    expect(new Set(lines(far.box[1], far.box[1] + far.box[3])).size).toBeGreaterThan(2); // drawn, although below the window
    const [x, y, width, height] = far.box;
    const item = await env.step(`at[${x + Math.round(width / 2)},${y + Math.round(height / 2)}]`);
    expect([item.info.page, item.observation.url.includes(far.name)]).toEqual(['item', true]);
  });

  it('continues from a snapshot as before, even in another environment', async () => {
    const [first, second] = [opened(), opened()];
    await first.reset({ seed: 5 });
    const { observation } = await first.step('search[lamp]');
    const { name } = observation.elements.find(({ role }) => role === 'link')!;
    await first.step(`click[${name}]`);
    await first.step('click[features]');
    const saved = JSON.parse(JSON.stringify(first.snapshot()));
    const rest = ['click[< prev]', 'click[< prev]', 'click[back to search]', 'search[shoe]', 'click[next >]'];
    const played = async (env: WebShopBrowserEnv) => {
      const seen: unknown[] = [];
      for (const action of rest) {
        const { observation: page, ...result } = await env.step(action);
        seen.push([page.url, page.text, result]);
      }
      return [seen, (env.snapshot() as { state: unknown }).state, (await env.reset()).info.goalIndex];
    };
    const then = await played(first);
    second.restore(saved);
    expect(second.snapshot()).toEqual(saved);
    expect(await played(second)).toEqual(then);
    expect(() => second.restore({ kind: 'webshop/1', state: {} })).toThrow(
      expect.objectContaining({ code: 'SNAPSHOT_MISMATCH' }),
    );
  });

  it('shows a cart like the text environment', async () => {
    const withCart = new Shop(generateProducts({ products: 100 }), { goals: 'human', cart: true });
    const [live, text] = [opened({}, withCart), new WebShopEnv({ strict: true }, withCart)];
    await live.reset({ options: { goal: 0 } });
    text.reset({ options: { goal: 0 } });
    for (let over = false; !over; ) {
      const action = text.expertAction()!;
      const [a, b] = [await live.step(action), text.step(action)];
      expect([a.observation.text, a.info.availableActions]).toEqual([b.observation, b.info.availableActions]);
      expect([a.reward, a.terminated, a.info.page]).toEqual([b.reward, b.terminated, b.info.page]);
      over = b.terminated;
    }
  });
});
