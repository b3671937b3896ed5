/** Actions of the browser environment: keys, marks, places, and ways back. */

import type { BrowserObservation } from '@vlgym/site/pages';
import { afterAll, describe, expect, it } from 'vitest';
import { OpenedEnvs, shop } from '../../test-support/browser-shop.js';
import { CHROMIUM, NEEDS_CHROMIUM } from '../../test-support/chromium.js';

const opens = new OpenedEnvs();
const opened = opens.open.bind(opens);

describe.skipIf(!CHROMIUM)(`actions of the browser environment${NEEDS_CHROMIUM}`, () => {
  afterAll(() => opens.close());

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

  it.each(['click[no such thing]', 'mark[99]', 'at[x]', 'key[F13]', 'fly[away]', 'hm', 'scroll[far]'])(
    'rejects %s with a reason',
    async (action) => {
      const env = opens.again();
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

  it('refuses steps after the end', async () => {
    const env = opened();
    await env.reset({ options: { goal: 1 } });
    for (let over = false; !over; ) over = (await env.step(env.expert()!)).terminated;
    await expect(env.step('back')).rejects.toMatchObject({ code: 'EPISODE_OVER' });
  });
});
