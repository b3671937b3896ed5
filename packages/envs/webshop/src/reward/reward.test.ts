import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { golden } from '../../test-support/golden.js';
import { normalizeColor } from './colors.js';
import { cachedNouns, winkNouns } from './nouns.js';
import { rewardOf } from './reward.js';
import { tokenSetRatio } from './token-set-ratio.js';

const fuzz = golden('fuzz') as {
  rows: [string, string, number, number, number][];
  normalize_color: [string, string][];
};
const reward = golden('reward') as { cases: GoldenCase[] };

interface GoldenCase {
  readonly id: number;
  // biome-ignore lint/suspicious/noExplicitAny: the original's records
  readonly purchased: any;
  // biome-ignore lint/suspicious/noExplicitAny: the original's records
  readonly goal: any;
  readonly price: number;
  readonly options: Record<string, string>;
  readonly expected: { reward: number; info: object };
}

describe('fuzzy matching', () => {
  it('gives the reference score for all 810 pairs with both back-ends', () => {
    expect(fuzz.rows).toHaveLength(810);
    expect(fuzz.rows.map(([a, b]) => [a, b, tokenSetRatio(a, b), tokenSetRatio(a, b, 'indel')])).toEqual(
      fuzz.rows.map(([a, b, difflib, levenshtein]) => [a, b, difflib, levenshtein]),
    );
  });

  it.each([
    ['large', 'x-large', 100],
    ['large', 'large wide', 100],
    ['', 'large', 0],
    ['***', '***', 0],
    ['\u00e9\u00e9', 'large', 0],
  ])('%j and %j are %d alike', (a, b, score) => {
    expect(tokenSetRatio(a, b)).toBe(score);
  });

  it('is symmetric in the words, and 100 for a phrase with itself', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'ab c-1_') }),
        fc.string({ unit: fc.constantFrom(...'ab c-1_') }),
        (a, b) => {
          expect(tokenSetRatio(a, b, 'indel')).toBe(tokenSetRatio(b, a, 'indel'));
          if (/\w/.test(a)) expect(tokenSetRatio(a, a)).toBe(100);
        },
      ),
    );
  });

  it('ignores popular characters of a long text as starts of a block, like difflib', () => {
    const long = `${'a'.repeat(150)} ${'b'.repeat(150)}`;
    expect(tokenSetRatio(`x${'a'.repeat(150)}`, long)).toBe(0);
    expect(tokenSetRatio(`x${'a'.repeat(150)}`, long, 'indel')).toBeGreaterThan(60);
  });

  it('reduces values to colors by the first word of the list inside them', () => {
    expect(fuzz.normalize_color.map(([value]) => [value, normalizeColor(value)])).toEqual(fuzz.normalize_color);
  });
});

describe('the reward', () => {
  it('covers all golden cases', () => expect(reward.cases).toHaveLength(200));

  it.each(reward.cases)('agrees with the reference in case $id', ({ purchased, goal, price, options, expected }) => {
    const wanted = Array.isArray(goal.goal_options)
      ? goal.goal_options
      : new Map<string, string>(Object.entries(goal.goal_options));
    const result = rewardOf(
      {
        product: {
          title: purchased.Title,
          query: purchased.query,
          productCategory: purchased.product_category,
          attributes: purchased.Attributes,
          bulletPoints: purchased.BulletPoints,
          description: purchased.Description,
          nouns: purchased.name_nouns,
        },
        goal: {
          name: goal.name,
          query: goal.query,
          productCategory: goal.product_category,
          attributes: goal.attributes,
          goalOptions: wanted,
          priceUpper: goal.price_upper,
          nouns: goal.name_nouns,
        },
        price,
        options: new Map(Object.entries(options)),
      },
      { nouns: () => [] },
    );
    expect(result).toEqual({ reward: expected.reward, parts: expected.info });
  });
});

describe('the noun tagger', () => {
  it('finds the nouns of a product name in lower case, with repeats', () => {
    expect(winkNouns('Fjordly Leather Sandal, Gray Sandal for Women')).toEqual(
      expect.arrayContaining(['leather', 'sandal', 'women']),
    );
    expect(winkNouns('')).toEqual([]);
  });

  it('is called once per name', () => {
    const asked: string[] = [];
    const nouns = cachedNouns((name) => {
      asked.push(name);
      return [name];
    });
    expect([nouns('a'), nouns('a'), nouns('b')]).toEqual([['a'], ['a'], ['b']]);
    expect(asked).toEqual(['a', 'b']);
  });
});
