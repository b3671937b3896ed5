/** Browsers that are killed, hang, or are restarted. */

import { leaseChromium } from '@vlgym/site/pages';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { CHROMIUM, NEEDS_CHROMIUM } from '../../test-support/chromium.js';
import { generateProducts } from '../generator/generated-store.js';
import { Shop } from '../shop/shop.js';
import { WebShopBrowserEnv } from './browser-env.js';
import type { WebShopBrowserOptions } from './browser-options.js';

const shop = new Shop(generateProducts({ products: 300, seed: 3 }), { goals: 'human' });
const TIMEOUT = 60_000;
const envs: WebShopBrowserEnv[] = [];
const opened = (options: WebShopBrowserOptions = {}) => {
  const env = new WebShopBrowserEnv({ screenshot: false, timeout: TIMEOUT, ...options }, shop);
  envs.push(env);
  return env;
};

describe.skipIf(!CHROMIUM)(`a browser${NEEDS_CHROMIUM}`, () => {
  afterEach(() => vi.unstubAllGlobals());
  afterAll(() => Promise.all(envs.map((env) => env.close())));

  it('that is killed truncates the episode, and another is opened', async () => {
    const env = opened();
    await env.reset({ options: { goal: 0 } });
    const { browser, release } = await leaseChromium();
    const ended = new Promise((resolve) => browser.once('disconnected', resolve));
    browser.process()!.kill('SIGKILL');
    await ended;
    const lost = await env.step('search[lamp]');
    expect(lost).toMatchObject({ truncated: true, terminated: false, reward: 0, info: { lost: expect.any(String) } });
    await expect(env.step('search[lamp]')).rejects.toMatchObject({ code: 'EPISODE_OVER' });
    await release(true);
    await env.reset({ options: { goal: 0 } });
    expect((await env.step('search[lamp]')).info.page).toBe('results');
  });

  it('is restarted after `restartAfter` episodes without losing one', async () => {
    const [first, second] = [opened({ restartAfter: 3 }), opened({ restartAfter: 3 })];
    const browsers: unknown[] = [];
    // A separate browser, because others use the shared one.
    await Promise.all(envs.filter((env) => env !== first && env !== second).map((env) => env.close()));
    for (let episode = 0; episode < 3; episode += 1) {
      for (const env of [first, second]) {
        await env.reset({ options: { goal: 0 } });
        expect((await env.step('search[lamp]')).info.page).toBe('results');
        browsers.push(env.page!.browser());
      }
    }
    const [a, b, c, d, e, f] = browsers;
    expect([b, c].every((browser) => browser === a)).toBe(true);
    expect(d === a).toBe(false);
    expect([e, f].every((browser) => browser === d)).toBe(true);
  });

  it('whose page never answers truncates the episode', async () => {
    const env = opened();
    await env.reset({ options: { goal: 0 } });
    await env.page!.evaluate("void fetch('http://elsewhere.invalid/x').catch(() => 0)");
    const { blockedRequests } = (await env.step('scroll[0]')).info;
    expect(blockedRequests).toBeGreaterThan(0);
    void env.page!.evaluate('for (;;) {}').catch(() => undefined);
    const setTimeout = globalThis.setTimeout;
    const sooner = (late: () => void, milliseconds?: number) =>
      setTimeout(late, milliseconds === TIMEOUT ? 1000 : milliseconds);
    vi.stubGlobal('setTimeout', sooner); // a page that works may take all its time, also on a busy machine
    const lost = await env.step('search[lamp]');
    vi.unstubAllGlobals();
    expect([lost.truncated, lost.info.blockedRequests]).toEqual([true, blockedRequests]);
    expect(lost.info.lost).toContain('did not answer');
    await env.reset({ options: { goal: 0 } });
    expect((await env.step('search[lamp]')).truncated).toBe(false);
  }, 120_000);
});
