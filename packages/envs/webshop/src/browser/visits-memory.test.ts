import { expect, it } from 'vitest';
import { CHROMIUM, NEEDS_CHROMIUM } from '../../test-support/chromium.js';
import { generateProducts } from '../generator/generated-store.js';
import { Shop } from '../shop/shop.js';
import { WebShopBrowserEnv } from './browser-env.js';

it.skipIf(!CHROMIUM)(`holds no documents of earlier visits for long${NEEDS_CHROMIUM}`, async () => {
  const shop = new Shop(generateProducts({ products: 50, seed: 3 }), { goals: 'human' });
  await using env = new WebShopBrowserEnv({ screenshot: false }, shop);
  for (let visit = 0; visit < 16; visit += 1) await env.reset({ seed: visit });
  const client = await env.page!.createCDPSession();
  await client.send('Performance.enable');
  const { metrics } = await client.send('Performance.getMetrics');
  // without a collection: 34
  expect(metrics.find(({ name }) => name === 'Documents')!.value).toBeLessThanOrEqual(4);
});
