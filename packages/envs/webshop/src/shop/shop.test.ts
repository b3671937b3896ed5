import { PythonRandom } from '@vlgym/core/random';
import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../catalog/memory-store.js';
import { loadCatalog } from '../catalog/read-raw.js';
import { generateProducts } from '../generator/generated-store.js';
import { parsePictureSpec } from '../generator/picture-spec.js';
import { specOf } from '../server/picture.js';
import { parseAction } from './action.js';
import type { Element } from './element.js';
import { Shop } from './shop.js';

const products = generateProducts({ products: 300, seed: 3, visual: 1 });

describe('a shop', () => {
  it.each([{ productsPerPage: 0 }, { productsPerPage: 2.5 }, { limitGoals: 0 }, { limitGoals: -1 }, { searchHits: 0 }])(
    'refuses %j',
    (options) => {
      expect(() => new Shop(products, options)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
    },
  );

  it('reports whether the catalog has no goals or the filter keeps none', () => {
    const message = (options: object, catalog = products) => {
      try {
        return String(new Shop(catalog, options));
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(message({ filterGoals: () => false })).toMatch(/`filterGoals` keeps none of \d+ goals/);
    const without = products.map(({ instruction: _, ...product }) => product);
    expect(message({ filterGoals: () => false }, without)).toContain('The catalog has no synthetic goals');
  });

  it('reads all products for a shortcut once, not for every page of results', () => {
    class Counting extends MemoryStore {
      reads = 0;
      override at(position: number) {
        this.reads += 1;
        return super.at(position);
      }
    }
    const store = new Counting(products);
    const shop = new Shop(store);
    const session = shop.newSession('s', 0);
    const reads = (...keywords: string[]) => {
      store.reads = 0;
      shop.openResults(session, keywords, 1, () => new PythonRandom(0));
      return store.reads;
    };
    for (const words of [
      ['<c>', 'garden'],
      ['<q>', products[0]!.query],
      ['<a>', products[0]!.attributes[0]!],
    ]) {
      expect([reads(...words), reads(...words)]).toEqual([300, 0]);
      expect(session.hits.length).toBeGreaterThan(0);
    }
  });
});

describe('the picture of a product', () => {
  const product = products.find(
    ({ options }) =>
      options.some(({ name }) => name === 'design') &&
      options.some(({ name, values }) => name === 'color' && values.length > 1),
  )!;
  const values = (name: string) => product.options.find((group) => group.name === name)!.values;
  const shop = new Shop(products, { goals: 'human' });

  function shown(...chosen: readonly (readonly [string, string])[]) {
    const session = shop.newSession('s', 0);
    shop.openProduct(session, product.asin);
    for (const [name, value] of chosen) shop.chooseOption(session, name, value);
    expect(parsePictureSpec(picture(shop.page(session)))).toEqual(specOf(product, session.options));
    return specOf(product, session.options);
  }
  const picture = ({ tag, attributes, children }: Element): string | undefined =>
    tag === 'img'
      ? attributes.src
      : children.map((child) => (typeof child === 'string' ? '' : picture(child))).find(Boolean);

  it('matches all chosen options, in any order', () => {
    const [first, second] = values('color') as [string, string];
    const striped = values('design').find((name) => parsePictureSpec(product.optionImages[name])!.pattern !== 'plain')!;
    const { pattern } = parsePictureSpec(product.optionImages[striped])!;
    expect(shown(['color', first], ['design', striped], ['color', second])).toMatchObject({ color: second, pattern });
    expect(shown(['design', striped], ['color', second])).toMatchObject({ color: second, pattern });
    expect(shown(['design', striped], ['color', second], ['color', first])).toMatchObject({ color: first, pattern });
    expect(shown()).toEqual(parsePictureSpec(product.mainImage));
  });

  it("is that of the last chosen option with a picture, in catalogs with the sellers' own", () => {
    const options = { color: [{ value: 'red', image: 'red.jpg' }, { value: 'constructor' }], size: [{ value: 'big' }] };
    const row = {
      asin: 'A',
      name: 'Rug',
      category: 'garden',
      query: 'rug',
      product_category: 'Rugs',
      images: ['main.jpg'],
    };
    const loaded = loadCatalog({
      products: [{ ...row, customization_options: options }],
      attributes: { A: { instruction: 'a rug' } },
    });
    const real = new Shop(loaded.products);
    const session = real.newSession('s', 0);
    real.openProduct(session, 'A');
    const sources = [['size', 'big'] as const, ['color', 'red'] as const, ['color', 'constructor'] as const].map(
      ([name, value]) => {
        real.chooseOption(session, name, value);
        return picture(real.page(session));
      },
    );
    expect(sources).toEqual(['main.jpg', 'red.jpg', 'main.jpg']);
  });
});

describe('the strict grammar', () => {
  it.each([
    ['click[8 [us] men]', 'click', '8 [us] men'],
    ['search[a [b] c] and more', 'search', 'a [b] c'],
    ['search[a[b]', 'search', 'a[b'],
    ['click[x]', 'click', 'x'],
    ['click[]', 'click[]', undefined],
    ['type[a [b]]', 'type[a ', 'b]'],
    ['a thought\nclick[x]', 'a thought\nclick[x]', undefined],
  ])('reads %j', (text, name, argument) => expect(parseAction(text, true)).toEqual({ name, argument }));
});
