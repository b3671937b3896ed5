/**
 * Inverts documents, one chunk at a time: which terms occur in which documents, and how often.
 *
 * A builder keeps its dictionary over all chunks, so a worker thread sends each term once. A word as written maps to the
 * number of its term, so that stemming runs once per word, not once per occurrence.
 */
import { termOf } from './analyze.js';
import { eachSpan } from './tokens.js';
import { ByteWriter } from './varint.js';
import { WordTable } from './word-table.js';

/** Postings of a range of documents: for each term, ascending documents. */
export interface IndexChunk {
  /** Number of the first document. */
  readonly first: number;
  /** Terms per document. */
  readonly lengths: Uint32Array;
  /** Terms that occur, as ascending numbers in the builder's dictionary. */
  readonly terms: Uint32Array;
  /** Number of postings per entry of `terms`. */
  readonly counts: Uint32Array;
  /** Per posting: difference to the document before (or to `first`), then frequency; varints. */
  readonly postings: Uint8Array;
}

export class ChunkBuilder {
  /** Dictionary: terms by number. */
  readonly terms: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #words = new WordTable((word) => this.#termOf(word), 1_000_000);

  #seenIn = new Int32Array(1024).fill(-1);
  #frequency = new Uint32Array(1024);

  /** @param first  Number of the first document; at most 65,536 texts. */
  build(first: number, texts: Iterable<string>): IndexChunk {
    let entries = new Uint32Array(1 << 16); // triples of term, document, frequency
    let used = 0;
    const lengths: number[] = [];
    const touched: number[] = [];
    this.#seenIn.fill(-1);
    let document = 0;
    for (const text of texts) {
      let length = 0;
      touched.length = 0;
      eachSpan(text, (start, end) => {
        const term = this.#words.valueAt(text, start, end);
        if (term < 0) return;
        length += 1;
        if (this.#seenIn[term] === document) this.#frequency[term]! += 1;
        else {
          this.#seenIn[term] = document;
          this.#frequency[term] = 1;
          touched.push(term);
        }
      });
      if (used + touched.length * 3 > entries.length) {
        const larger = new Uint32Array(Math.max(entries.length * 2, used + touched.length * 3));
        larger.set(entries.subarray(0, used));
        entries = larger;
      }
      for (const term of touched) {
        entries[used] = term;
        entries[used + 1] = document;
        entries[used + 2] = this.#frequency[term]!;
        used += 3;
      }
      lengths.push(length);
      document += 1;
    }
    return { first, lengths: Uint32Array.from(lengths), ...this.#inverted(entries.subarray(0, used)) };
  }

  /** -1 for a stop word. */
  #termOf(word: string): number {
    const term = termOf(word);
    return term === '' ? -1 : this.#numberOf(term);
  }

  #numberOf(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.terms.length;
    this.terms.push(term);
    this.#numbers.set(term, number);
    if (number >= this.#seenIn.length) {
      this.#seenIn = grown(this.#seenIn, new Int32Array(number * 2).fill(-1));
      this.#frequency = grown(this.#frequency, new Uint32Array(number * 2));
    }
    return number;
  }

  /** Counting sort by term; documents remain ascending. */
  #inverted(entries: Uint32Array): Pick<IndexChunk, 'terms' | 'counts' | 'postings'> {
    const perTerm = new Uint32Array(this.terms.length + 1);
    for (let at = 0; at < entries.length; at += 3) perTerm[entries[at]! + 1]! += 1;
    const terms: number[] = [];
    const counts: number[] = [];
    for (let term = 0; term < this.terms.length; term += 1) {
      const count = perTerm[term + 1]!;
      if (count > 0) {
        terms.push(term);
        counts.push(count);
      }
      perTerm[term + 1] = perTerm[term]! + count;
    }
    const sorted = new Uint32Array((entries.length / 3) * 2);
    for (let at = 0; at < entries.length; at += 3) {
      const place = perTerm[entries[at]!]!;
      perTerm[entries[at]!] = place + 1;
      sorted[2 * place] = entries[at + 1]!;
      sorted[2 * place + 1] = entries[at + 2]!;
    }
    const writer = new ByteWriter(entries.length);
    let place = 0;
    for (const count of counts) {
      let before = 0;
      for (const end = place + count; place < end; place += 1) {
        const document = sorted[2 * place]!;
        writer.varint(document - before);
        writer.varint(sorted[2 * place + 1]!);
        before = document;
      }
    }
    return { terms: Uint32Array.from(terms), counts: Uint32Array.from(counts), postings: writer.view().slice() };
  }
}

function grown<A extends Int32Array | Uint32Array>(from: A, to: A): A {
  to.set(from);
  return to;
}
