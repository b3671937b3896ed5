/** Shops by their options, opened once per process: environments of one catalog share products, index and goals. */
import { openCatalog } from '../catalog/disk-catalog.js';
import type { GeneratorOptions } from '../generator/generate-product.js';
import { generatedStore } from '../generator/generated-store.js';
import { Shop, type ShopOptions } from '../shop/shop.js';

export type CatalogOption = { readonly folder: string } | GeneratorOptions;

type JsonShopOptions = Omit<ShopOptions, 'filterGoals' | 'nouns' | 'search' | 'instructed' | 'pricing'>;

export interface HeldShop {
  readonly shop: Shop;
  /** To be called once, by who needs it no more: files are closed when nobody does. */
  release(): void;
}

interface OpenShop {
  readonly shop: Shop;
  /** Who has not released it. */
  users: number;
  /** Among those that the next environment may share. */
  kept: boolean;
}

const opened = new Map<string, OpenShop>();
/** Shops kept; a program that walks through many catalogs does not fill the memory. */
const MOST_OPENED = 4;

export function openShop(catalog: CatalogOption = {}, options: JsonShopOptions = {}): HeldShop {
  const key = JSON.stringify([catalog, Object.entries(options).sort()]);
  const entry = opened.get(key) ?? keep(key, newShop(catalog, options));
  entry.users += 1;
  return {
    shop: entry.shop,
    release() {
      entry.users -= 1;
      closeUnused(entry);
    },
  };
}

function keep(key: string, shop: Shop): OpenShop {
  const oldest = opened.size < MOST_OPENED ? undefined : opened.entries().next().value;
  if (oldest) {
    opened.delete(oldest[0]);
    oldest[1].kept = false;
    closeUnused(oldest[1]);
  }
  const entry = { shop, users: 0, kept: true };
  opened.set(key, entry);
  return entry;
}

function closeUnused({ shop, users, kept }: OpenShop): void {
  if (users === 0 && !kept) shop.products.close?.();
}

function newShop(catalog: CatalogOption, options: JsonShopOptions): Shop {
  if (!('folder' in catalog)) return new Shop(generatedStore(catalog), options);
  const { store, index, instructed, pricing } = openCatalog(catalog.folder);
  try {
    return new Shop(store, { ...options, search: index, instructed, pricing });
  } catch (error) {
    store.close();
    throw error;
  }
}
