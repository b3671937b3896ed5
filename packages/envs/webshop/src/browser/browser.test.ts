/** The browser environment: its pages and pictures, and what they cannot leave. */
import { makeVec } from '@vlgym/core';
import { hashImage } from '@vlgym/core/images';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { OpenedEnvs } from '../../test-support/browser-shop.js';
import { CHROMIUM, NEEDS_CHROMIUM } from '../../test-support/chromium.js';
import type { WebShopBrowserEnv } from './browser-env.js';
import '../register.js';

const opens = new OpenedEnvs();
const opened = opens.open.bind(opens);

describe.skipIf(!CHROMIUM)(`the browser environment${NEEDS_CHROMIUM}`, () => {
  afterAll(() => opens.close());

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
      // The browser reports some attempts later than the page answers.
      const counted = async () => {
        const { blockedRequests } = (await env.step('scroll[1]')).info;
        expect([attempt, blockedRequests > before]).toEqual([attempt, true]);
      };
      await vi.waitFor(counted, { timeout: 30_000 });
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
    for (let visit = 0; visit < 2; visit += 1) {
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

  it('draws the windows of a vector into one block of memory', async () => {
    const bytes = 3 * 240 * 320;
    const frames = new Uint8Array(2 * bytes);
    const options = { catalog: { products: 100 }, screenshot: true, width: 320, height: 240 } as const;
    const envs = await makeVec('vlgym/WebShopBrowser-v2', { numEnvs: 2, options, frames });
    try {
      const first = (await envs.reset({ seed: [1, 2] })).observations;
      const copies = frames.slice();
      const { observations } = await envs.step(['search[lamp]', 'search[shoe]']);
      for (const [index, { screenshot }] of observations.entries()) {
        expect([screenshot.data.buffer, screenshot.data.byteOffset]).toEqual([frames.buffer, index * bytes]);
        expect(first[index]!.screenshot.data).toBe(screenshot.data);
        const part = [index * bytes, (index + 1) * bytes] as const;
        expect(Buffer.compare(frames.subarray(...part), copies.subarray(...part))).not.toBe(0);
      }
    } finally {
      await envs.close();
    }
  });
});
