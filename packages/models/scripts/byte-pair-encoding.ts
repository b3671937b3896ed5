/**
 * Byte-pair encoding as in Sennrich et al. 2016 (arXiv 1508.07909) on the bytes of each piece, written as a
 * `tokenizer.json` of Hugging Face tokenizers. Equal counts go to the pair that comes first in vocabulary order, so that
 * the same texts give the same file.
 */
import { byteCharacters } from '../src/tokenizer/byte-level.js';
import type { Weighted } from './tokenizer-corpus.js';

export interface EncodingOptions {
  /** Entries of the vocabulary, special tokens included. */
  readonly size: number;
  /** Pieces that no merge crosses. */
  readonly pieces: string;
  readonly specialTokens: readonly string[];
}

interface Piece {
  symbols: string[];
  readonly count: number;
}

/** Pairs with their counts, and the pieces that have them; kept up to date as pieces change. */
class PairCounts {
  readonly #counts = new Map<string, number>();
  readonly #places = new Map<string, Set<Piece>>();

  constructor(pieces: readonly Piece[]) {
    for (const piece of pieces) this.add(piece, 1);
  }

  /** Counts the pairs of a piece, or with -1 forgets them. */
  add(piece: Piece, sign: 1 | -1): void {
    for (let i = 1; i < piece.symbols.length; i += 1) {
      const pair = `${piece.symbols[i - 1]} ${piece.symbols[i]}`;
      const count = (this.#counts.get(pair) ?? 0) + sign * piece.count;
      if (count === 0) this.#counts.delete(pair);
      else this.#counts.set(pair, count);
      const places = this.#places.get(pair) ?? new Set();
      if (sign === 1) this.#places.set(pair, places.add(piece));
    }
  }

  /** The pieces that may have the pair. */
  places(pair: string): readonly Piece[] {
    return [...(this.#places.get(pair) ?? [])];
  }

  mostFrequent(rank: (symbol: string) => number, size: number): string | undefined {
    let best: string | undefined;
    let bestCount = 0;
    const place = (pair: string) => {
      const [left, right] = pair.split(' ') as [string, string];
      return rank(left) * size + rank(right);
    };
    for (const [pair, count] of this.#counts) {
      if (count > bestCount || (count === bestCount && best && place(pair) < place(best))) {
        best = pair;
        bestCount = count;
      }
    }
    return best;
  }
}

/** The whole tokenizer as the JSON object of a `tokenizer.json`. */
export function trainTokenizer(
  texts: Iterable<Weighted>,
  { size, pieces: pattern, specialTokens }: EncodingOptions,
): object {
  const all = piecesOf(texts, pattern);
  const counts = new PairCounts(all);
  const vocabulary = new Map(byteCharacters().map((character, byte) => [character, byte]));
  const merges: [string, string][] = [];
  while (vocabulary.size < size - specialTokens.length) {
    const pair = counts.mostFrequent((symbol) => vocabulary.get(symbol)!, size);
    if (!pair) throw new Error('the corpus is too small for the vocabulary');
    const [left, right] = pair.split(' ') as [string, string];
    merges.push([left, right]);
    vocabulary.set(left + right, vocabulary.size);
    for (const piece of counts.places(pair)) {
      counts.add(piece, -1);
      piece.symbols = join(piece.symbols, left, right);
      counts.add(piece, 1);
    }
  }
  const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false };
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: specialTokens.map((content, i) => ({
      id: vocabulary.size + i,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: null,
    pre_tokenizer: {
      type: 'Sequence',
      pretokenizers: [{ type: 'Split', pattern: { Regex: pattern }, behavior: 'Isolated', invert: false }, byteLevel],
    },
    post_processor: null,
    decoder: byteLevel,
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: false,
      vocab: Object.fromEntries(vocabulary),
      merges,
    },
  };
}

function piecesOf(texts: Iterable<Weighted>, pattern: string): Piece[] {
  const characters = byteCharacters();
  const counts = new Map<string, number>();
  for (const [text, weight] of texts) {
    for (const [piece] of text.matchAll(new RegExp(pattern, 'gu')))
      counts.set(piece, (counts.get(piece) ?? 0) + weight);
  }
  return [...counts].map(([piece, count]) => ({
    symbols: [...new TextEncoder().encode(piece)].map((byte) => characters[byte]!),
    count,
  }));
}

function join(symbols: readonly string[], left: string, right: string): string[] {
  const joined: string[] = [];
  for (let i = 0; i < symbols.length; i += 1) {
    const merges = symbols[i] === left && symbols[i + 1] === right;
    joined.push(merges ? left + right : symbols[i]!);
    if (merges) i += 1;
  }
  return joined;
}
