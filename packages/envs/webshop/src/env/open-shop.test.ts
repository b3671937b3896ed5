import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DiskStore } from '../catalog/disk-catalog.js';
import { generateCatalog } from '../generator/generate-catalog.js';
import { WebShopEnv } from './text-env.js';

let folder = '';
beforeAll(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'vlgym-open-shop-')), 'catalog');
  await generateCatalog(folder, { products: 100 }, { workers: 0 });
});
afterAll(() => rm(join(folder, '..'), { recursive: true, force: true }));

describe('catalogs on disk', () => {
  it('are closed once they are unused and evicted', async () => {
    const close = vi.spyOn(DiskStore.prototype, 'close');
    const open = (productsPerPage: number) => new WebShopEnv({ catalog: { folder }, productsPerPage });
    const [first, second, ...others] = [open(1), open(2), open(1), open(3), open(4), open(5), open(6)];
    expect(close).not.toHaveBeenCalled(); // the first two are no longer shared, but still in use
    first!.reset({ seed: 1 });
    expect(first!.step('search[rug]').info.actionValid).toBe(true);
    await first!.close();
    expect(close).not.toHaveBeenCalled(); // another environment uses the same shop
    await second!.close();
    expect(close.mock.contexts).toEqual([second!.shop.products]);
    for (const env of others) await env.close();
    expect(close.mock.contexts).toEqual([second!.shop.products, first!.shop.products]);
    await open(7).close(); // the oldest cached shop has no user left
    expect(close).toHaveBeenCalledTimes(3);
    close.mockRestore();
  });

  it('are closed if the constructor of the environment throws', () => {
    const close = vi.spyOn(DiskStore.prototype, 'close');
    const refused = (productsPerPage: number) =>
      expect(() => new WebShopEnv({ catalog: { folder }, productsPerPage, goalIndices: [999_999] })).toThrow();
    for (const productsPerPage of [11, 12, 13, 14, 15, 16]) refused(productsPerPage);
    expect(close.mock.calls.length).toBeGreaterThanOrEqual(2);
    close.mockRestore();
  });

  it('do not close a shop that the caller opened', async () => {
    const close = vi.spyOn(DiskStore.prototype, 'close');
    const owner = new WebShopEnv({ catalog: { folder }, productsPerPage: 21 });
    for (let turn = 0; turn < 3; turn += 1) await new WebShopEnv({}, owner.shop).close();
    for (const productsPerPage of [22, 23, 24, 25]) new WebShopEnv({ catalog: { folder }, productsPerPage });
    expect(close.mock.contexts).not.toContain(owner.shop.products);
    close.mockRestore();
  });
});
