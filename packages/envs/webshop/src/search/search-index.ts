/**
 * Full-text search: the best products for a query, with Lucene's BM25 scores and order.
 *
 * Postings are read term by term, the rarest (heaviest) first. Once the remaining terms cannot lift an unseen document into
 * the list, no new candidates are added. Once few candidates are left, only they are looked up in the long lists of common
 * words, along skip lists. Both are exact: `test/golden/webshop-search.json.gz` pins order and scores, and tests
 * compare with a scan of all documents.
 */
import { analyze } from './analyze.js';
import { inverseNorms, scoreTable, TABLED, termScore, termWeight } from './bm25.js';
import { checkTables } from './check-tables.js';
import { sink } from './heap.js';
import { type IndexHeader, SKIP_FROM, splitIndex } from './index-layout.js';

export interface Hit {
  /** Position in the catalog, from 0. */
  readonly position: number;
  /** A 32-bit float, as in Lucene. */
  readonly score: number;
}

/** Tolerance for comparing sums, because scores are rounded to 32 bits after addition. */
const TOLERANCE = 1 - 1e-6;

interface QueryTerm {
  readonly number: number;
  readonly weight: number;
  /** Upper bound of the term's score for any document. */
  readonly maxScore: number;
}

export class SearchIndex {
  readonly header: IndexHeader;
  readonly #termTexts: Uint8Array;
  readonly #termOffsets: Uint32Array;
  readonly #counts: Uint32Array;
  readonly #postingOffsets: Uint32Array;
  readonly #bounds: Float32Array;
  readonly #skipOffsets: Uint32Array;
  readonly #skips: Uint32Array;
  readonly #lengths: Uint8Array;
  readonly #positions: Uint32Array;
  readonly #postings: Uint8Array;
  readonly #norms: Float32Array;

  readonly #sums: Float64Array;
  readonly #seen: Uint32Array;

  /**
   * @param bytes  Result of `mergeChunks`; not copied if aligned, so threads can share it.
   * @throws {IndexFormatError}  The bytes are not an index of this version, or were changed.
   */
  constructor(bytes: Uint8Array) {
    const { header, parts } = splitIndex(bytes);
    const numbers = (part: Uint8Array) => new Uint32Array(part.buffer, part.byteOffset, part.length / 4);
    this.header = header;
    this.#termTexts = parts.termTexts;
    this.#termOffsets = numbers(parts.termOffsets);
    this.#counts = numbers(parts.counts);
    this.#postingOffsets = numbers(parts.postingOffsets);
    this.#bounds = new Float32Array(parts.bounds.buffer, parts.bounds.byteOffset, parts.bounds.length / 4);
    this.#skipOffsets = numbers(parts.skipOffsets);
    this.#skips = numbers(parts.skips);
    this.#lengths = parts.lengths;
    this.#positions = numbers(parts.positions);
    this.#postings = parts.postings;
    checkTables({
      documents: header.documents,
      termOffsets: this.#termOffsets,
      termBytes: this.#termTexts.length,
      postingOffsets: this.#postingOffsets,
      postingBytes: this.#postings.length,
      skipOffsets: this.#skipOffsets,
      skips: this.#skips,
      positions: this.#positions,
    });
    this.#norms = inverseNorms(header.totalTerms, Math.max(header.searchable, 1));
    this.#sums = new Float64Array(header.documents);
    this.#seen = new Uint32Array(header.documents);
  }

  /**
   * @param query  Plain words; any of them may match.
   * @param limit  Maximum number of hits.
   * @returns      Best first, equal scores by id; empty for a query without known words.
   */
  search(query: string, limit = 50): Hit[] {
    const terms = this.#queryTerms(query);
    if (terms.length === 0 || limit <= 0) return [];
    const seen = this.#accumulate(terms, limit);
    const best = this.#best(seen, limit);
    this.#forget(seen);
    return best;
  }

  #queryTerms(query: string): QueryTerm[] {
    const counts = new Map<string, number>();
    for (const term of analyze(query)) counts.set(term, (counts.get(term) ?? 0) + 1);
    const found: QueryTerm[] = [];
    for (const [text, count] of counts) {
      const number = this.#termNumber(text);
      if (number < 0) continue;
      const weight = termWeight(count, this.#counts[number]!, this.header.searchable);
      found.push({ number, weight, maxScore: weight * this.#bounds[number]! * (1 + 1e-5) });
    }
    return found.sort((a, b) => b.maxScore - a.maxScore);
  }

  /** Index of the term in the sorted dictionary, or -1. */
  #termNumber(text: string): number {
    const wanted = Buffer.from(text);
    let [low, high] = [0, this.header.terms - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const entry = this.#termTexts.subarray(this.#termOffsets[middle]!, this.#termOffsets[middle + 1]!);
      const order = Buffer.compare(entry, wanted);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** Sums the scores of all documents that can be among the best. @returns The number of candidates. */
  #accumulate(terms: readonly QueryTerm[], limit: number): number {
    let toCome = terms.reduce((sum, term) => sum + term.maxScore, 0);
    let seen = 0;
    let open = true;
    for (const [index, term] of terms.entries()) {
      if (index > 0 && seen >= limit) {
        const floor = this.#floor(seen, limit) * TOLERANCE;
        if (toCome < floor) {
          open = false;
          seen = this.#keep(seen, floor - toCome);
        }
      }
      toCome -= term.maxScore;
      const count = this.#counts[term.number]!;
      if (!open && count >= SKIP_FROM && seen * 48 < count) this.#lookUp(term, seen);
      else seen = this.#readAll(term, seen, open);
    }
    return seen;
  }

  /**
   * Adds the scores of a term by reading its whole list.
   *
   * @param open  Whether to add unseen documents. @returns The number of candidates.
   */
  #readAll({ number, weight }: QueryTerm, before: number, open: boolean): number {
    const table = scoreTable(weight, this.#norms);
    const [postings, lengths, norms, sums, seen] = [this.#postings, this.#lengths, this.#norms, this.#sums, this.#seen];
    const end = this.#postingOffsets[number + 1]!;
    let count = before;
    let document = 0;
    for (let at = this.#postingOffsets[number]!; at < end; ) {
      let byte = postings[at]!;
      at += 1;
      let code = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = postings[at]!;
        at += 1;
        code |= (byte & 127) << shift;
      }
      document += code >>> 1;
      let frequency = 1;
      if ((code & 1) === 0) {
        byte = postings[at]!;
        at += 1;
        frequency = byte & 127;
        for (let shift = 7; byte > 127; shift += 7) {
          byte = postings[at]!;
          at += 1;
          frequency |= (byte & 127) << shift;
        }
      }
      const sum = sums[document]!;
      if (sum === 0) {
        if (!open) continue;
        seen[count] = document;
        count += 1;
      }
      const length = lengths[document]!;
      const score =
        frequency <= TABLED ? table[frequency * 256 + length]! : termScore(weight, frequency, norms[length]!);
      sums[document] = sum + score;
    }
    return count;
  }

  /** Adds the scores of a term to the candidates, jumping along its skip list. */
  #lookUp({ number, weight }: QueryTerm, count: number): void {
    const candidates = this.#seen.subarray(0, count).sort();
    const [postings, skips] = [this.#postings, this.#skips];
    const start = this.#postingOffsets[number]!;
    const end = this.#postingOffsets[number + 1]!;
    const lastSkip = this.#skipOffsets[number + 1]! - 1;
    let block = this.#skipOffsets[number]!;
    let at = start;
    const endOf = (of: number) => (of < lastSkip ? start + skips[2 * of + 3]! : end);
    let blockEnd = endOf(block);
    let document = -1;
    let base = 0;
    let frequency = 0;
    for (const candidate of candidates) {
      if (document >= candidate) {
        if (document === candidate) this.#sums[candidate]! += this.#score(weight, frequency, candidate);
        continue;
      }
      // The last block that starts at or before the candidate.
      if (block < lastSkip && skips[2 * (block + 1)]! < candidate) {
        let [low, high] = [block + 1, lastSkip];
        while (low < high) {
          const middle = (low + high + 1) >> 1;
          if (skips[2 * middle]! < candidate) low = middle;
          else high = middle - 1;
        }
        block = low;
        base = skips[2 * block]!;
        at = start + skips[2 * block + 1]!;
        blockEnd = endOf(block);
      }
      // A candidate lies in its block or nowhere; reading on would take quadratic time on a false skip list.
      while (at < blockEnd) {
        let byte = postings[at]!;
        at += 1;
        let code = byte & 127;
        for (let shift = 7; byte > 127; shift += 7) {
          byte = postings[at]!;
          at += 1;
          code |= (byte & 127) << shift;
        }
        base += code >>> 1;
        frequency = 1;
        if ((code & 1) === 0) {
          byte = postings[at]!;
          at += 1;
          frequency = byte & 127;
          for (let shift = 7; byte > 127; shift += 7) {
            byte = postings[at]!;
            at += 1;
            frequency |= (byte & 127) << shift;
          }
        }
        document = base;
        if (document >= candidate) break;
      }
      if (document === candidate) this.#sums[candidate]! += this.#score(weight, frequency, candidate);
      else if (at >= end && document < candidate) return;
    }
  }

  #score(weight: number, frequency: number, document: number): number {
    return termScore(weight, frequency, this.#norms[this.#lengths[document]!]!);
  }

  /** Score of the `limit`-th best candidate. */
  #floor(seen: number, limit: number): number {
    const heap = new Float64Array(limit); // smallest first
    for (let index = 0; index < seen; index += 1) {
      const sum = this.#sums[this.#seen[index]!]!;
      if (sum > heap[0]!) sink(heap, sum);
    }
    return heap[0]!;
  }

  /** Drops candidates below `floor`. */
  #keep(seen: number, floor: number): number {
    let kept = 0;
    for (let index = 0; index < seen; index += 1) {
      const document = this.#seen[index]!;
      if (this.#sums[document]! < floor) this.#sums[document] = 0;
      else {
        this.#seen[kept] = document;
        kept += 1;
      }
    }
    return kept;
  }

  #best(seen: number, limit: number): Hit[] {
    const floor = seen > limit ? Math.fround(this.#floor(seen, limit) * TOLERANCE) : 0;
    const found: { document: number; score: number }[] = [];
    for (let index = 0; index < seen; index += 1) {
      const document = this.#seen[index]!;
      const sum = this.#sums[document]!;
      if (sum >= floor) found.push({ document, score: Math.fround(sum) });
    }
    found.sort((a, b) => b.score - a.score || a.document - b.document);
    return found.slice(0, limit).map(({ document, score }) => ({ position: this.#positions[document]!, score }));
  }

  #forget(seen: number): void {
    for (let index = 0; index < seen; index += 1) this.#sums[this.#seen[index]!] = 0;
  }
}
