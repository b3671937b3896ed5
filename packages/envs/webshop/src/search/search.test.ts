import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { golden } from '../../test-support/golden.js';
import { MemoryStore } from '../catalog/memory-store.js';
import { analyze } from './analyze.js';
import { byteToLength, inverseNorms, lengthToByte, termScore, termWeight } from './bm25.js';
import { indexProducts, indexTexts } from './build-index.js';
import { ChunkBuilder } from './chunk-builder.js';
import { mergeChunks } from './merge-chunks.js';
import { SearchIndex } from './search-index.js';
import { eachToken } from './tokens.js';

const reference = golden('search') as {
  contents: Record<string, string>;
  queries: { query: string; hits: [string, number][] }[];
  analysis: [string, string[]][];
};

describe('analysis', () => {
  it('gives the reference terms for all 152 texts', () => {
    expect(reference.analysis).toHaveLength(152);
    expect(reference.analysis.map(([text]) => [text, analyze(text)])).toEqual(reference.analysis);
  });

  it.each([
    ['a.b.c. 1.2.3 5\'10" 1,299.00', ['a.b.c', '1.2.3', "5'10", '1,299.00']],
    ['__ _a_ b__c', ['_a_', 'b__c']],
    ['a:b c;d 1:2 1;2 a1.b', ['a:b', 'c', 'd', '1', '2', '1;2', 'a1', 'b']],
    ['x-large/tall', ['x', 'large', 'tall']],
    ['東京 カタカナ ひら', ['東', '京', 'カタカナ', 'ひ', 'ら']],
    ['ﬁne naïve', ['ﬁne', 'naïve']],
    ['👩‍👩‍👧‍👦 rug 👩🏽‍💻👍 ❤️‍🔥 ab', ['👩‍👩‍👧‍👦', 'rug', '👩🏽‍💻', '👍', '❤️‍🔥', 'ab']],
    ['Brand™ 👍🏽 x', ['Brand', '™', '👍🏽', 'x']],
    ["o'neil's d’or", ["o'neil's", 'd’or']],
  ])('splits %s at word boundaries', (text, expected) => {
    const words: string[] = [];
    eachToken(text, (word) => words.push(word));
    expect(words).toEqual(expected);
  });

  it('splits ASCII in one pass like the general pattern', () => {
    const unit = fc.constantFrom(...'ab19_\'.,;:- "/#*\n');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
        const [plain, general]: string[][] = [[], []];
        eachToken(text, (word) => plain!.push(word));
        eachToken(`${text} é`, (word) => general!.push(word));
        expect([...plain!, 'é']).toEqual(general);
      }),
      { numRuns: 2000 },
    );
  });

  it('cuts endless words at 255 characters, in linear time', () => {
    const words: number[] = [];
    for (const text of ['x'.repeat(1_000_000), `é${'x'.repeat(1_000_000)}`]) {
      eachToken(text, (word) => words.push(word.length));
    }
    expect(Math.max(...words)).toBe(255);
  });
});

describe('document lengths in one byte', () => {
  it('are exact up to 39 and keep the order', () => {
    for (let length = 0; length < 5000; length += 1) {
      const kept = byteToLength(lengthToByte(length));
      if (length < 40) expect(kept).toBe(length);
      expect(kept).toBeLessThanOrEqual(length);
      expect(lengthToByte(kept)).toBe(lengthToByte(length));
    }
  });
});

describe('search', () => {
  const ids = Object.keys(reference.contents);
  const index = indexTexts(ids, Object.values(reference.contents));
  const found = (query: string) => index.search(query).map(({ position, score }) => [ids[position], score]);

  it('covers all golden queries', () => expect(reference.queries).toHaveLength(115));

  it.each(reference.queries)('gives the reference hits, scores and order for $query', ({ query, hits }) => {
    expect(found(query)).toEqual(hits.map(([id, score]) => [id, Math.fround(score)]));
  });

  it.each(['', '   ', 'zzzznothing', 'the of and', '!!!'])('finds nothing for %j', (query) => {
    expect(index.search(query)).toEqual([]);
  });

  it('accepts a query of 10,000 characters', () => {
    expect(index.search('sandal rug '.repeat(1000))).toHaveLength(29);
  });
});

/** Scores every document without pruning. */
function scanner(texts: readonly string[]) {
  const documents = texts.map((text) => {
    const terms = analyze(text);
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    return { length: terms.length, counts };
  });
  const filled = documents.filter(({ length }) => length > 0).length;
  const total = documents.reduce((sum, { length }) => sum + length, 0);
  const norms = inverseNorms(total, Math.max(filled, 1));
  return (query: string, limit: number) => {
    const wanted = new Map<string, number>();
    for (const term of analyze(query)) wanted.set(term, (wanted.get(term) ?? 0) + 1);
    const sums = new Float64Array(texts.length);
    for (const [term, count] of wanted) {
      const weight = termWeight(count, documents.filter(({ counts }) => counts.has(term)).length, filled);
      documents.forEach(({ counts, length }, position) => {
        const frequency = counts.get(term);
        if (frequency) sums[position]! += termScore(weight, frequency, norms[lengthToByte(length)]!);
      });
    }
    return [...sums]
      .map((sum, position) => ({ position, score: Math.fround(sum) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.position - b.position)
      .slice(0, limit);
  };
}

describe('pruning', () => {
  const words = ['red', 'blue', 'shoe', 'sofa', 'lamp', 'x1', 'x2', 'x3'];
  const ids = (count: number) => Array.from({ length: count }, (_, index) => String(index).padStart(6, '0'));

  it('does not change results: small catalogs, all queries', () => {
    const text = fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((list) => list.join(' '));
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 60 }),
        text,
        fc.integer({ min: 1, max: 5 }),
        (texts, query, limit) => {
          expect(indexTexts(ids(texts.length), texts).search(query, limit)).toEqual(scanner(texts)(query, limit));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('does not change results: long postings with skip lists', () => {
    const texts = Array.from({ length: 6000 }, (_, number) => {
      const list = [];
      if (number % 2 === 0) list.push('red');
      if (number % 3 !== 0) list.push('shoe', ...(number % 7 === 0 ? ['shoe'] : []));
      if (number % 211 === 5) list.push('sofa', 'sofa');
      if (number % 997 === 3) list.push('rare');
      for (let fill = 0; fill < number % 11; fill += 1) list.push(`w${(number * 31 + fill) % 97}`);
      return list.join(' ');
    });
    const index = indexTexts(ids(texts.length), texts);
    const scan = scanner(texts);
    for (const query of [
      'rare red shoe',
      'sofa red shoe',
      'red shoe',
      'rare sofa',
      'w3 w4 red',
      'shoe rare w5 sofa red red',
    ]) {
      for (const limit of [1, 5, 50]) expect(index.search(query, limit)).toEqual(scan(query, limit));
    }
  });

  it('orders equal scores by id, whatever the order of the catalog', () => {
    const index = indexTexts(['c', 'a', 'b'], ['shoe', 'shoe', 'shoe']);
    expect(index.search('shoe').map(({ position }) => position)).toEqual([1, 2, 0]);
  });
});

describe('the index as bytes', () => {
  it('is equal for any number of chunks and builders', () => {
    const texts = ['red shoe', 'blue shoe shoe', '', 'a red red lamp'];
    const positions = Uint32Array.from([0, 1, 2, 3]);
    const one = new ChunkBuilder();
    const whole = mergeChunks([{ ...one.build(0, texts), dictionary: one.terms }], positions);
    const [left, right] = [new ChunkBuilder(), new ChunkBuilder()];
    const parts = [
      { ...right.build(2, texts.slice(2)), dictionary: right.terms },
      { ...left.build(0, texts.slice(0, 1)), dictionary: left.terms },
      { ...left.build(1, texts.slice(1, 2)), dictionary: left.terms },
    ];
    expect(Buffer.concat(mergeChunks(parts, positions)).equals(Buffer.concat(whole))).toBe(true);
  });

  it('is refused if it is not an index or is truncated', () => {
    const bytes = Buffer.concat(
      mergeChunks([{ ...new ChunkBuilder().build(0, ['x']), dictionary: ['x'] }], Uint32Array.from([0])),
    );
    for (const wrong of [
      Buffer.from('hello\n'),
      Buffer.from('{"kind":"other"}\n'),
      Buffer.alloc(0),
      bytes.subarray(0, bytes.length - 9),
    ]) {
      expect(() => new SearchIndex(wrong)).toThrow(expect.objectContaining({ code: 'INDEX_FORMAT' }));
    }
  });
});

it('refuses a list where a store of products is needed, in place of an empty index', () => {
  for (const products of [[], [{ asin: 'A' }], undefined]) {
    expect(() => indexProducts(products as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION', hint: expect.stringContaining('MemoryStore') }),
    );
  }
  expect(indexProducts(new MemoryStore([])).search('rug', 5)).toEqual([]);
});
