/** Shops by their options, opened once per process: environments of one catalogue share products, index and goals. */
import { openCatalogue } from '../catalogue/disk-catalogue.js';
import type { GeneratorOptions } from '../generator/generate-product.js';
import { generatedStore } from '../generator/generated-store.js';
import { Shop, type ShopOptions } from '../shop/shop.js';

export type CatalogueOption = { readonly folder: string } | GeneratorOptions;

type JsonShopOptions = Omit<ShopOptions, 'filterGoals' | 'nouns' | 'search' | 'instructed' | 'pricing'>;

const opened = new Map<string, Shop>();
/** Shops kept; a program that walks through many catalogues does not fill the memory. */
const MOST_OPENED = 4;

export function openShop(catalogue: CatalogueOption = {}, options: JsonShopOptions = {}): Shop {
  const key = JSON.stringify([catalogue, Object.entries(options).sort()]);
  const before = opened.get(key);
  if (before) return before;
  const shop =
    'folder' in catalogue ? fromFolder(catalogue.folder, options) : new Shop(generatedStore(catalogue), options);
  if (opened.size >= MOST_OPENED) opened.delete(opened.keys().next().value!);
  opened.set(key, shop);
  return shop;
}

function fromFolder(folder: string, options: JsonShopOptions): Shop {
  const { store, index, instructed, pricing } = openCatalogue(folder);
  return new Shop(store, { ...options, search: index, instructed, pricing });
}
