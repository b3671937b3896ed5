import { Generator } from '@vlgym/core';
import { expect, it } from 'vitest';
import { loadCatalog } from '../catalog/read-raw.js';
import { WebShopEnv } from '../env/text-env.js';
import { generateProducts } from '../generator/generated-store.js';
import { Shop } from '../shop/shop.js';
import { drawActions } from './draw-episode.js';
import { generatedRaw } from './raw-catalog.js';
import { webshop } from './webshop.js';

it('writes generated products as rows that load as they were, but for prices that test the rules', () => {
  const { products, report } = loadCatalog(generatedRaw(100, 2));
  const made = generateProducts({ products: 100, seed: 2, visual: 0.1 });
  expect(report.products).toBe(100);
  for (const [index, product] of products.entries()) {
    const { pricing, price, ...rest } = product;
    const { pricing: _, price: __, ...expected } = made[index]!;
    expect(rest).toEqual({ ...expected, optionImages: rest.optionImages });
    if (index % 11 !== 0)
      expect(pricing).toEqual(
        made[index]!.pricing.slice(0, 2).concat(index % 13 || made[index]!.pricing.length > 1 ? [] : [250]),
      );
  }
});

it('draws the same actions for a seed: searches, clicks, mistakes, and a purchase in most episodes', () => {
  const shop = new Shop(generateProducts({ products: 100, seed: 1 }), { goals: 'human' });
  const env = new WebShopEnv({ afterDone: 'continue' }, shop);
  const draw = (seed: number) => {
    let { info } = env.reset({ seed, options: { goal: 0 } });
    const actions: string[] = [];
    for (const action of drawActions(shop, () => info, new Generator(seed))) {
      actions.push(action);
      ({ info } = env.step(action));
    }
    return actions;
  };
  const episodes = Array.from({ length: 20 }, (_, seed) => draw(seed));
  expect(draw(3)).toEqual(episodes[3]);
  expect(episodes.flat()).toEqual(expect.arrayContaining(['dance', 'click[back to search]']));
  expect(
    episodes.filter((actions) => actions.some((action) => /^click\[buy now\]$/i.test(action))).length,
  ).toBeGreaterThan(8);
});

const MISSING = await webshop.missing();

it.skipIf(MISSING !== undefined)(
  `finds prices, goals, pages, actions, rewards and searches equal to the original's${MISSING ? ` (skipped: ${MISSING}; run vlgym verify webshop --setup)` : ''}`,
  async () => {
    const { agreements } = await webshop.compare({ episodes: 3, seed: 40 });
    for (const { what, agreed, compared, first } of agreements) {
      expect([what, compared > 0, agreed, first]).toEqual([what, true, compared, undefined]);
    }
  },
  300_000,
);
