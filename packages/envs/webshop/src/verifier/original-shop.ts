/** A fresh catalog in the shop of the original and in ours. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OriginalProcess } from '@vlgym/core/verification';
import { z } from 'zod';
import { loadCatalog } from '../catalog/read-raw.js';
import { winkNouns } from '../reward/nouns.js';
import { Shop } from '../shop/shop.js';
import { generatedRaw } from './raw-catalog.js';

const PRICE_SEED = 4;

const loaded = z.object({
  goals: z.array(z.tuple([z.string(), z.number(), z.number()])),
  prices: z.record(z.string(), z.number()),
  lucene: z.boolean(),
});

export interface BothShops {
  readonly ours: Shop;
  readonly asins: readonly string[];
  /** The original's result for the same rows. */
  readonly theirs: z.output<typeof loaded>;
}

/** @param seed  Seed of the catalog; an even seed uses human goals, an odd seed synthetic ones. */
export async function openBothShops(original: OriginalProcess, products: number, seed: number): Promise<BothShops> {
  const raw = generatedRaw(products, seed);
  const humanGoals = seed % 2 === 0;
  const catalog = loadCatalog(raw);
  const ours = new Shop(catalog.products, { goals: humanGoals ? 'human' : 'synthetic', priceSeed: PRICE_SEED });
  const folder = await mkdtemp(join(tmpdir(), 'vlgym-verify-'));
  try {
    const nouns = Object.fromEntries(catalog.products.map(({ title }) => [title, winkNouns(title)]));
    const files = { products: raw.products, attributes: raw.attributes, human: raw.human, nouns };
    const paths: Record<string, string> = {};
    for (const [name, content] of Object.entries(files)) {
      paths[name] = join(folder, `${name}.json`);
      await writeFile(paths[name], JSON.stringify(content));
    }
    const request = { do: 'load', ...paths, human_goals: humanGoals, price_seed: PRICE_SEED };
    const asins = catalog.products.map(({ asin }) => asin);
    return { ours, asins, theirs: loaded.parse(await original.ask(request)) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
