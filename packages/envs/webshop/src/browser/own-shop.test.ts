/** A shop of one's own: 50 products from a CSV file, with their photographs, in both shops. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RgbImage } from '@vlgym/core';
import { encodePng, toDataUrl } from '@vlgym/core/images';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM, NEEDS_CHROMIUM } from '../../test-support/chromium.js';
import { importCatalog } from '../catalog/import-catalog.js';
import { loadCatalog } from '../catalog/read-raw.js';
import { WebShopEnv } from '../env/text-env.js';
import { ShopServer } from '../server/shop-server.js';
import { Shop } from '../shop/shop.js';
import { WebShopBrowserEnv } from './browser-env.js';

const PRODUCTS = 50;
/** The photograph of a product has this one color. */
const colorOf = (index: number) => [255 - index * 4, index * 5, (index * 37) % 256] as const;
const photo = (index: number): RgbImage => {
  const [width, height] = [60, 40];
  const data = Uint8Array.from({ length: width * height * 3 }, (_, at) => colorOf(index)[at % 3]!);
  return { data, width, height, channels: 3 };
};
const words = ['amber', 'birch', 'cedar', 'dune', 'ember', 'fern', 'grove', 'haze', 'iris', 'jade'];
const titleOf = (index: number) => `Mug ${words[index % 10]} ${words[Math.floor(index / 10)]} no ${index}`;

let home = '';
let folder = '';
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'vlgym-own-shop-'));
  folder = join(home, 'catalog');
  await mkdir(join(home, 'photos'));
  const lines = ['id,title,price,photo,kind,attributes,option size'];
  for (let index = 0; index < PRODUCTS; index += 1) {
    await writeFile(join(home, 'photos', `${index}.png`), encodePng(photo(index)));
    const attributes = `hand made|${words[index % 10]}`;
    lines.push(
      `M${index},"${titleOf(index)}, ""glazed""",${5 + index}.50,photos/${index}.png,mugs,${attributes},small|large`,
    );
  }
  await writeFile(join(home, 'mugs.csv'), `\ufeff${lines.join('\r\n')}\r\n`);
  const report = await importCatalog({ products: join(home, 'mugs.csv') }, folder, { workers: 0 });
  expect(report).toEqual({ rows: PRODUCTS, products: PRODUCTS, skipped: {}, examples: [], photos: PRODUCTS });
});
afterAll(() => rm(home, { recursive: true, force: true }));

const shopOf = () => ({ catalog: { folder }, goals: 'human', goalDraw: 'fixed', strict: true }) as const;

describe('a shop of products from a CSV file', () => {
  it('is played by the oracle in text, to a reward of 1', async () => {
    const env = new WebShopEnv(shopOf());
    for (const goal of [0, 17, 49]) {
      env.reset({ options: { goal } });
      let last: ReturnType<typeof env.step> | undefined;
      while (!last?.terminated) last = env.step(env.oracle()!);
      expect([goal, last.reward]).toEqual([goal, 1]);
    }
    await env.close();
  });

  it('serves its photographs, and no other file of its folder', async () => {
    const env = new WebShopEnv(shopOf());
    await using server = new ShopServer(env.shop);
    await server.listen();
    const [name] = await readdir(join(folder, 'photos'));
    const get = async (path: string) => fetch(server.url + path).then(({ status, headers }) => [status, headers.get('content-type')]); // biome-ignore format: one line
    expect(await get(`/static/photos/${name}`)).toEqual([200, 'image/png']);
    expect(await get('/static/photos/..%2fcatalog.json')).toEqual([404, 'text/plain; charset=utf-8']);
    await env.close();
  });
});

describe.skipIf(!CHROMIUM)(`its photographs${NEEDS_CHROMIUM}`, () => {
  const share = ({ data }: RgbImage, [red, green, blue]: readonly number[]) => {
    let count = 0;
    for (let at = 0; at < data.length; at += 3) {
      if (data[at] === red && data[at + 1] === green && data[at + 2] === blue) count += 1;
    }
    return count;
  };

  it.each(['parity', 'market', 'original'] as const)(
    'were replaced by drawn boxes: they are in the screenshots of the theme %s',
    async (theme) => {
      await using env = new WebShopBrowserEnv({ ...shopOf(), theme, timeout: 60_000 });
      await env.reset({ options: { goal: 7 } });
      let [most, reward] = [0, 0];
      for (let done = false; !done; ) {
        const result = await env.step(env.expert()!);
        done = result.terminated;
        reward = result.reward;
        const product = /\/M(\d+)/.exec(result.info.url)?.[1];
        if (product === undefined || done) continue;
        most = Math.max(most, share(result.observation.screenshot as RgbImage, colorOf(Number(product))));
      }
      expect(reward).toBe(1);
      expect(most).toBeGreaterThan(10_000); // of 240 x 160 pixels
    },
    120_000,
  );

  it('of data URLs in memory are shown, and short in texts', async () => {
    const given = { id: 'D1', title: 'Vase', photo: toDataUrl(photo(3)), attributes: ['blue'] };
    const shop = new Shop(loadCatalog({ products: [given, { ...given, id: 'D2', photo: 'https://elsewhere.invalid/x.png' }] }).products, { goals: 'human', goalDraw: 'fixed' }); // biome-ignore format: one line
    const text = new WebShopEnv({ observationMode: 'html', strict: true }, shop);
    text.reset({ options: { goal: 0 } });
    const { observation } = text.step('search[vase]');
    expect(observation).toContain('data:image/png,...');
    await using env = new WebShopBrowserEnv({ timeout: 60_000 }, shop);
    await env.reset({ options: { goal: 0 } });
    const shown = await env.step('search[vase]');
    expect(share(shown.observation.screenshot as RgbImage, colorOf(3))).toBeGreaterThan(5000);
  }, 120_000);
});
