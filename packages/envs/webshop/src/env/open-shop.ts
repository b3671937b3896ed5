/** Opens each shop once per process: environments with equal options share products, index, and goals. */
import { openCatalog } from '../catalog/disk-catalog.js';
import type { GeneratorOptions } from '../generator/generate-product.js';
import { generatedStore } from '../generator/generated-store.js';
import { Shop, type ShopOptions } from '../shop/shop.js';

export type CatalogOption = { readonly folder: string } | GeneratorOptions;

type JsonShopOptions = Omit<ShopOptions, 'filterGoals' | 'nouns' | 'search' | 'instructed' | 'pricing'>;

export interface ShopLease {
  readonly shop: Shop;
  /** Call once when done. Files close after the last user calls it. */
  release(): void;
}

interface OpenShop {
  readonly shop: Shop;
  /** Number of leases that have not been released. */
  users: number;
  /** Whether new environments can share it. */
  cached: boolean;
}

const opened = new Map<string, OpenShop>();
/** Maximum number of cached shops, so that a program with many catalogs does not fill the memory. */
const MAX_CACHED = 4;

export function openShop(catalog: CatalogOption = {}, options: JsonShopOptions = {}): ShopLease {
  const key = JSON.stringify([catalog, Object.entries(options).sort()]);
  const entry = opened.get(key) ?? cache(key, newShop(catalog, options));
  entry.users += 1;
  return {
    shop: entry.shop,
    release() {
      entry.users -= 1;
      closeUnused(entry);
    },
  };
}

function cache(key: string, shop: Shop): OpenShop {
  const oldest = opened.size < MAX_CACHED ? undefined : opened.entries().next().value;
  if (oldest) {
    opened.delete(oldest[0]);
    oldest[1].cached = false;
    closeUnused(oldest[1]);
  }
  const entry = { shop, users: 0, cached: true };
  opened.set(key, entry);
  return entry;
}

function closeUnused({ shop, users, cached }: OpenShop): void {
  if (users === 0 && !cached) shop.products.close?.();
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
