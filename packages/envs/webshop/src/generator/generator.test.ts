import { describe, expect, it } from 'vitest';
import { rewardOf } from '../reward/reward.js';
import { analyze } from '../search/analyze.js';
import { documentText } from '../search/document-text.js';
import { ProductGenerator } from './generate-product.js';
import { generateProducts } from './generated-store.js';
import { KINDS } from './kinds.js';
import { parsePictureSpec, pictureSpec } from './picture-spec.js';
import { opinionOf } from './reviews.js';
import { OPTION_VALUES } from './words.js';

const products = generateProducts({ products: 2000, seed: 1, visual: 0.3 });

describe('a generated catalog', () => {
  it('is determined by its seed', () => {
    expect(generateProducts({ products: 100, seed: 1 })).toEqual(generateProducts({ products: 100, seed: 1 }));
    const titles = (seed: number) => generateProducts({ products: 100, seed }).map(({ title }) => title);
    expect(titles(1)).not.toEqual(titles(2));
  });

  it('has unique asins at any size', () => {
    const generator = new ProductGenerator({ products: 1_200_000, seed: 4 });
    const asins = new Set<string>();
    for (let position = 0; position < 1_200_000; position += 60) asins.add(generator.product(position).asin);
    expect(asins.size).toBe(20_000);
    for (const asin of asins) expect(asin).toMatch(/^B0[A-Z0-9]{8}$/);
  });

  it('has five categories, more than forty kinds, and near-duplicates', () => {
    expect(new Set(products.map(({ category }) => category)).size).toBe(5);
    expect(KINDS.length).toBeGreaterThan(40);
    const family = products.slice(0, 4);
    expect(new Set(family.map(({ title }) => title.split(',')[0])).size).toBe(1);
    expect(new Set(family.map(documentText)).size).toBe(4);
  });

  it('mentions every attribute in its text', () => {
    for (const { attributes, bulletPoints, description } of products) {
      const text = `${bulletPoints.join(' ')} ${description}`.toLowerCase();
      for (const attribute of attributes) expect(text).toContain(attribute);
    }
  });

  it('asks only for attributes and options of the product', () => {
    for (const { instructions = [], options, attributes } of products) {
      const values = options.flatMap((group) => group.values);
      for (const wish of instructions) {
        expect(wish.options.filter((value) => !values.includes(value))).toEqual([]);
        expect(wish.attributes.filter((attribute) => !attributes.includes(attribute))).toEqual([]);
        expect(wish.attributes.length).toBeGreaterThan(0);
      }
    }
  });

  it.each(Object.entries(OPTION_VALUES))('offers under %s only values that count when chosen', (name, values) => {
    const { attributes, ...product } = products[0]!;
    const missed = values.filter((value) => {
      const options = new Map([[name, value]]);
      const goal = { ...product, name: product.title, attributes, goalOptions: options, priceUpper: 1000 };
      return rewardOf({ product: products[0]!, goal, price: 1, options }, { nouns: () => [] }).parts.r_option !== 1;
    });
    expect(missed).toEqual([]);
  });

  it('asks for a pattern that only the picture of an option shows', () => {
    const seen = products.filter(
      ({ instructions, options }) => instructions && options.some(({ name }) => name === 'design'),
    );
    expect(seen.length).toBeGreaterThan(200);
    for (const product of seen) {
      const { instruction, options } = product.instructions![0]!;
      const design = options.find((value) => value.startsWith('design '))!;
      const { pattern } = parsePictureSpec(product.optionImages[design])!;
      expect(instruction).toContain(pattern === 'plain' ? 'without any pattern' : `${pattern} design`);
      expect(analyze(documentText(product))).not.toContain('stripe');
    }
  });
});

it('parses the picture specifications that it writes, and nothing else', () => {
  const spec = { shape: 'shoe', color: 'navy blue', pattern: 'striped', pack: 3 } as const;
  expect(parsePictureSpec(pictureSpec(spec))).toEqual(spec);
  expect(parsePictureSpec('http://elsewhere.invalid')).toBeUndefined();
  expect(parsePictureSpec('draw:shoe/red/odd/9999')).toMatchObject({ pattern: 'plain', pack: 24 });
});

describe('the wording of shops', () => {
  const natural = generateProducts({ products: 1000, seed: 1, wording: 'shop' });

  it('names things as shops do: a brand first, no word twice in the name, prices with two digits', () => {
    for (const { title, price } of natural) {
      const [head] = title.split(', ') as [string];
      const words = head.toLowerCase().split(/[\s-]+/);
      expect([title, new Set(words).size]).toEqual([title, words.length]);
      expect(price).toMatch(/^\$\d+\.\d\d(?: to \$\d+\.\d\d)?$/);
      expect(title.length).toBeLessThan(160);
    }
    expect(new Set(natural.map(({ title }) => title)).size).toBeGreaterThan(950);
  });

  it('mentions every attribute, and leaves no gap to fill in', () => {
    for (const { attributes, bulletPoints, description } of natural) {
      const text = `${bulletPoints.join(' ')} ${description}`.toLowerCase();
      expect(text).not.toMatch(/[{}]|undefined/);
      for (const attribute of attributes) expect(text).toContain(attribute);
    }
  });

  it('changes texts and prices only', () => {
    const kept = (products: typeof natural) =>
      products.slice(0, 100).map(({ asin, options, attributes }) => [asin, options, attributes]);
    expect(kept(natural)).toEqual(kept(generateProducts({ products: 1000, seed: 1 })));
  });

  it('writes reviews that name only what a product has', () => {
    for (const product of natural.slice(0, 300)) {
      const { rating, count, reviews } = opinionOf(product)!;
      expect([rating >= 3.4, rating <= 4.9, count >= 5]).toEqual([true, true, true]);
      for (const { text, stars } of reviews) {
        expect(text).not.toMatch(/[{}]|undefined/);
        expect(stars).toBeGreaterThanOrEqual(1);
      }
      expect(opinionOf(product)!.reviews).toEqual(reviews);
    }
  });
});
