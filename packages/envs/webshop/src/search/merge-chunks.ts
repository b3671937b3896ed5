/** Merges the chunks of all builders into an index: sorts terms, joins postings, computes bounds and skip lists. */
import { compareText } from '../python/text.js';
import { inverseNorms, lengthToByte } from './bm25.js';
import type { IndexChunk } from './chunk-builder.js';
import { joinIndex, SKIP, SKIP_FROM } from './index-layout.js';
import { ByteWriter } from './varint.js';

export interface BuiltChunk extends IndexChunk {
  /** Dictionary of its builder. */
  readonly dictionary: readonly string[];
}

/**
 * @param chunks     In any order; together they cover all documents once.
 * @param positions  Position in the catalog, per document.
 * @returns          The pieces of the index, in order.
 */
export function mergeChunks(chunks: readonly BuiltChunk[], positions: Uint32Array): Uint8Array[] {
  const ordered = [...chunks].sort((a, b) => a.first - b.first);
  const lengths = new Uint8Array(positions.length);
  let [totalTerms, searchable] = [0, 0];
  for (const chunk of ordered) {
    chunk.lengths.forEach((length, index) => {
      lengths[chunk.first + index] = lengthToByte(length);
      totalTerms += length;
      if (length > 0) searchable += 1;
    });
  }
  const norms = inverseNorms(totalTerms, Math.max(searchable, 1));

  const names = sortedTerms(ordered);
  const postings = new ByteWriter(ordered.reduce((sum, chunk) => sum + chunk.postings.length, 64));
  const termOffsets = new Uint32Array(names.length + 1);
  const postingOffsets = new Uint32Array(names.length + 1);
  const skipOffsets = new Uint32Array(names.length + 1);
  const counts = new Uint32Array(names.length);
  const bounds = new Float32Array(names.length);
  const skips: number[] = [];
  const readers = readersOf(ordered, names);

  for (let term = 0; term < names.length; term += 1) {
    const sources = readers.sourcesOf(term);
    const count = sources.reduce((sum, { left }) => sum + left, 0);
    const start = postings.length;
    let [before, bound, done] = [0, 0, 0];
    for (const source of sources) {
      postings.reserve(source.left * 10);
      while (source.next()) {
        if (count >= SKIP_FROM && done % SKIP === 0) skips.push(before, postings.length - start);
        const { document, frequency } = source;
        const delta = (document - before) * 2;
        if (frequency === 1) postings.varint(delta + 1);
        else {
          postings.varint(delta);
          postings.varint(frequency);
        }
        const score = 1 - 1 / (1 + frequency * norms[lengths[document]!]!);
        if (score > bound) bound = score;
        before = document;
        done += 1;
      }
    }
    counts[term] = count;
    bounds[term] = bound;
    termOffsets[term + 1] = termOffsets[term]! + Buffer.byteLength(names[term]!);
    postingOffsets[term + 1] = postings.length;
    skipOffsets[term + 1] = skips.length / 2;
  }

  return joinIndex(
    { documents: positions.length, searchable, totalTerms, terms: names.length },
    {
      termTexts: Buffer.from(names.join('')),
      termOffsets: bytesOf(termOffsets),
      counts: bytesOf(counts),
      postingOffsets: bytesOf(postingOffsets),
      bounds: bytesOf(bounds),
      skipOffsets: bytesOf(skipOffsets),
      skips: bytesOf(Uint32Array.from(skips)),
      lengths,
      positions: bytesOf(positions),
      postings: postings.view(),
    },
  );
}

function bytesOf(array: Uint32Array | Float32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

function sortedTerms(chunks: readonly BuiltChunk[]): string[] {
  const all = new Set<string>();
  for (const { dictionary } of new Map(chunks.map((chunk) => [chunk.dictionary, chunk])).values()) {
    for (const term of dictionary) all.add(term);
  }
  return [...all].sort(compareText);
}

/** Reads the postings of one term in one chunk, in order. */
class PostingSource {
  document: number;
  frequency = 0;
  left: number;
  #at: number;

  constructor(
    readonly bytes: Uint8Array,
    at: number,
    count: number,
    first: number,
  ) {
    this.#at = at;
    this.left = count;
    this.document = first;
  }

  next(): boolean {
    if (this.left === 0) return false;
    this.left -= 1;
    this.document += this.#varint();
    this.frequency = this.#varint();
    return true;
  }

  #varint(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytes[this.#at]!;
      this.#at += 1;
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
  }
}

/** Finds the chunks of each term, and the start of its postings there. */
function readersOf(chunks: readonly BuiltChunk[], names: readonly string[]) {
  const numbers = new Map(names.map((name, number) => [name, number]));
  const dictionaries = new Map<readonly string[], Uint32Array>();
  const tables = chunks.map((chunk) => {
    let global = dictionaries.get(chunk.dictionary);
    if (!global) {
      global = Uint32Array.from(chunk.dictionary, (term) => numbers.get(term)!);
      dictionaries.set(chunk.dictionary, global);
    }
    const places = new Uint32Array(names.length);
    const counts = new Uint32Array(names.length);
    let at = 0;
    chunk.terms.forEach((term, index) => {
      const number = global[term]!;
      places[number] = at;
      counts[number] = chunk.counts[index]!;
      at = skipVarints(chunk.postings, at, 2 * chunk.counts[index]!);
    });
    return { chunk, places, counts };
  });
  return {
    sourcesOf: (term: number) =>
      tables
        .filter(({ counts }) => counts[term]! > 0)
        .map(
          ({ chunk, places, counts }) => new PostingSource(chunk.postings, places[term]!, counts[term]!, chunk.first),
        ),
  };
}

function skipVarints(bytes: Uint8Array, from: number, count: number): number {
  let at = from;
  for (let left = count; left > 0; at += 1) if (bytes[at]! < 128) left -= 1;
  return at;
}
