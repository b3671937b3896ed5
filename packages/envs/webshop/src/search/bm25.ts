/**
 * BM25 as in Lucene 8, bit for bit: 32-bit floats, and a document's length in one byte.
 *
 * k1 = 0.9 and b = 0.4 are Anserini's. Rules: `apache/lucene-solr`, `BM25Similarity`, `SmallFloat`; section 8.1 of
 * `docs/specs/webshop.md`; `test/golden/webshop-search.json.gz` pins 115 queries with scores.
 */
const K1 = Math.fround(0.9);
const B = Math.fround(0.4);

/** Lengths up to here are exact; above it, four significant bits of the rest are kept. */
const FREE = 24;

/** Encodes a length in terms as a byte. */
export function lengthToByte(length: number): number {
  return length < FREE ? length : FREE + fourBits(length - FREE);
}

function fourBits(value: number): number {
  if (value < 8) return value;
  const shift = 28 - Math.clz32(value);
  return ((value >>> shift) & 7) | ((shift + 1) << 3);
}

/** Decodes a byte to its length. */
export function byteToLength(byte: number): number {
  if (byte < FREE) return byte;
  const code = byte - FREE;
  const shift = (code >>> 3) - 1;
  return FREE + (shift < 0 ? code & 7 : ((code & 7) | 8) * 2 ** shift);
}

/** Per length byte: 1 / (k1 * ((1 - b) + b * length / average)). */
export function inverseNorms(totalTerms: number, documents: number): Float32Array {
  const average = Math.fround(totalTerms / documents);
  const rest = Math.fround(1 - B);
  return Float32Array.from({ length: 256 }, (_, byte) => {
    const share = Math.fround(Math.fround(B * byteToLength(byte)) / average);
    return 1 / Math.fround(K1 * Math.fround(rest + share));
  });
}

/** Weight of a term that occurs `count` times in the query and in `found` of `documents` documents. */
export function termWeight(count: number, found: number, documents: number): number {
  return Math.fround(count * Math.fround(Math.log(1 + (documents - found + 0.5) / (found + 0.5))));
}

/** Score of a term for a document in which it occurs `frequency` times. */
export function termScore(weight: number, frequency: number, inverseNorm: number): number {
  const saturation = Math.fround(1 + Math.fround(frequency * inverseNorm));
  return Math.fround(weight - Math.fround(weight / saturation));
}

/** Highest frequency whose scores are tabulated. */
export const TABLED = 3;

/** Scores of a term at [frequency × 256 + length byte], for frequencies up to `TABLED`. */
export function scoreTable(weight: number, norms: Float32Array): Float32Array {
  const table = new Float32Array((TABLED + 1) * 256);
  for (let frequency = 1; frequency <= TABLED; frequency += 1) {
    for (let byte = 0; byte < 256; byte += 1) {
      table[frequency * 256 + byte] = termScore(weight, frequency, norms[byte]!);
    }
  }
  return table;
}
