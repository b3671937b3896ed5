import { describe, expect, it } from 'vitest';
import { ChunkBuilder } from './chunk-builder.js';
import { checksumOf, INDEX_PARTS, type IndexHeader, type IndexPart, joinIndex } from './index-layout.js';
import { mergeChunks } from './merge-chunks.js';
import { SearchIndex } from './search-index.js';

const refused = expect.objectContaining({ code: 'INDEX_FORMAT' });

function indexOf(documents: readonly string[]): Buffer {
  const builder = new ChunkBuilder();
  const chunk = { ...builder.build(0, documents), dictionary: builder.terms };
  return Buffer.concat(
    mergeChunks(
      [chunk],
      Uint32Array.from(documents, (_, index) => index),
    ),
  );
}

const SHOES = indexOf(['red shoes', 'blue shoes of a kind', 'red red red']);

/** The index with some bytes overwritten. */
function changed(edits: readonly (readonly [place: number, byte: number])[]): Buffer {
  const result = Buffer.from(SHOES);
  for (const [place, byte] of edits) result[place] = byte;
  return result;
}

/** The bytes with a matching checksum, as an attacker would write them. */
const sealed = (bytes: Buffer): Uint8Array => {
  const content = bytes.subarray(0, -4);
  return Buffer.concat([content, checksumOf([content])]);
};

/** Bytes found by the campaign (docs/reliability.md): a list of postings that starts and ends far outside of them. */
const ENDLESS = [
  [367, 41],
  [424, 128],
  [307, 23],
  [387, 117],
] as const;

describe('an index with changed bytes', () => {
  it('is refused on opening, for every byte', () => {
    for (let place = 0; place < SHOES.length; place += 1) {
      const bytes = changed([[place, SHOES[place]! ^ 0x10]]);
      expect(() => new SearchIndex(bytes), `byte ${place}`).toThrow(refused);
    }
  });

  it('is refused if it is truncated or extended', () => {
    for (let length = 0; length < SHOES.length; length += 1) {
      expect(() => new SearchIndex(SHOES.subarray(0, length)), `${length} bytes`).toThrow(refused);
    }
    expect(() => new SearchIndex(Buffer.concat([SHOES, Buffer.alloc(8)]))).toThrow(refused);
  });

  it('never makes a search endless, with the old or a matching checksum', () => {
    expect(() => new SearchIndex(changed(ENDLESS))).toThrow(refused);
    expect(() => new SearchIndex(sealed(changed(ENDLESS)))).toThrow(refused);
  });

  it('can be read from unaligned bytes', () => {
    const shifted = Buffer.alloc(SHOES.length + 1);
    SHOES.copy(shifted, 1);
    const hits = new SearchIndex(SHOES).search('red shoes');
    expect(hits).toHaveLength(3);
    expect(new SearchIndex(shifted.subarray(1)).search('red shoes')).toEqual(hits);
  });
});

describe('a forged index with a matching checksum', () => {
  it('is refused or searchable, for every changed byte', () => {
    for (let place = 0; place < SHOES.length - 4; place += 1) {
      for (const byte of [0, 1, 10, 127, 128, 255]) {
        try {
          new SearchIndex(sealed(changed([[place, byte]]))).search('red shoes');
        } catch (error) {
          expect(error, `byte ${place} is ${byte}`).toEqual(refused);
        }
      }
    }
  });

  it.each<[string, Partial<IndexHeader> | null]>([
    ['no parts', { parts: undefined as never }],
    ['parts of the wrong type', { parts: Object.fromEntries(INDEX_PARTS.map((name) => [name, 'x'])) as never }],
    ['more documents than lengths', { documents: 1e15 }],
    ['a string as the number of terms', { terms: '4' as never }],
    ['more documents with terms than documents', { searchable: 4 }],
    ['an endless number of terms', { totalTerms: null as never }],
    ['no header', null],
  ])('is refused with %s', (_, change) => {
    const end = SHOES.indexOf(10) + 1;
    const header = JSON.stringify(change && { ...JSON.parse(SHOES.toString('utf8', 0, end)), ...change });
    const line = `${header}${' '.repeat(7 - (header.length & 7))}\n`;
    const bytes = Buffer.concat([Buffer.from(line), SHOES.subarray(end)]);
    expect(() => new SearchIndex(sealed(bytes))).toThrow(refused);
  });

  it('is refused if a skip list leads backwards or out of its list', () => {
    expect(new SearchIndex(withSkips([0, 0, 1, 1])).search('common')).toHaveLength(2);
    for (const skips of [
      [0, 1, 0, 0],
      [0, 0, 0, 0],
      [0, 0, 0, 2],
      [0, 0, 0, 0xffffffff],
    ]) {
      expect(() => new SearchIndex(withSkips(skips))).toThrow(refused);
    }
  });

  it('is searched in linear time if a skip list has false documents', () => {
    const documents = 1_000_000;
    const rare = Uint8Array.from({ length: 20_000 }, (_, index) => (index === 0 ? 1 : 3)); // documents 0, 1, 2, …
    // Every block repeats the document before the candidate, which appears only at the end of the list.
    const common = new Uint8Array(documents).fill(1);
    common[documents - 1] = 3;
    const skips = Uint32Array.from({ length: 2 * documents }, (_, at) => at >> 1);
    const index = new SearchIndex(bytesOf(documents, { common: documents, rare: rare.length }, [common, rare], skips));
    const start = process.cpuUsage();
    index.search('rare common');
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1e6).toBeLessThan(1); // seconds; it took 46
  });
});

/** An index of two documents with the word `common`, and this skip list. */
function withSkips(skips: readonly number[]): Uint8Array {
  return bytesOf(2, { common: 2 }, [Uint8Array.of(1, 3)], Uint32Array.from(skips));
}

/** An index with the given postings; the skip list belongs to the first term. */
function bytesOf(
  documents: number,
  counts: Readonly<Record<string, number>>,
  postings: readonly Uint8Array[],
  skips: Uint32Array,
): Uint8Array {
  const terms = Object.keys(counts);
  const offsets = (sizes: readonly number[]) => {
    const ends = [0];
    for (const size of sizes) ends.push(ends.at(-1)! + size);
    return ends;
  };
  const numbers = (values: Iterable<number>) => new Uint8Array(Uint32Array.from(values).buffer);
  const parts: Record<IndexPart, Uint8Array> = {
    termTexts: Buffer.from(terms.join('')),
    termOffsets: numbers(offsets(terms.map(({ length }) => length))),
    counts: numbers(Object.values(counts)),
    postingOffsets: numbers(offsets(postings.map(({ length }) => length))),
    bounds: new Uint8Array(Float32Array.from(terms, () => 1).buffer),
    skipOffsets: numbers(offsets(terms.map((_, index) => (index === 0 ? skips.length / 2 : 0)))),
    skips: new Uint8Array(skips.buffer),
    lengths: new Uint8Array(documents).fill(1),
    positions: numbers(Uint32Array.from({ length: documents }, (_, index) => index)),
    postings: Buffer.concat(postings),
  };
  const header = { documents, searchable: documents, totalTerms: documents, terms: terms.length };
  return Buffer.concat(joinIndex(header, parts));
}
