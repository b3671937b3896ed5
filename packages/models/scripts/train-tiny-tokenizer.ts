/**
 * Writes assets/tiny-tokenizer.json: a byte-level BPE vocabulary of 1,024 entries in the format of Hugging Face tokenizers.
 *
 *     npx tsx packages/models/scripts/train-tiny-tokenizer.ts && npx biome format --write packages/models/assets
 *
 * Byte-pair encoding as in Sennrich et al. 2016 (arXiv 1508.07909) on the bytes of each piece; equal counts go to the
 * pair that comes first in vocabulary order, so the file can be made again exactly. `tokenizer.test.ts` does so.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { byteCharacters } from '../src/tokenizer/byte-level.js';
import { corpus, type Weighted } from './tokenizer-corpus.js';

const VOCABULARY_SIZE = 1024;

/**
 * Pieces that no merge crosses. Digits stand alone and operators join no word, so that numbers and formulas keep their
 * parts; JSON glue such as `": [` and words with the space before them may become single tokens.
 */
export const PIECES =
  '\\p{N}| ?[+*/=()\\-](?: (?=\\p{N}))?|[^\\s\\p{L}\\p{N}+*/=()\\-]+(?: [^\\s\\p{L}\\p{N}+*/=()\\-]+)*(?: (?=\\p{N}))?| ?\\p{L}+|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+';

export const SPECIAL_TOKENS = [
  '<|endoftext|>',
  '<|im_start|>',
  '<|im_end|>',
  '<|vision_start|>',
  '<|vision_end|>',
  '<|image_pad|>',
  '<|video_pad|>',
];

interface Piece {
  symbols: string[];
  readonly count: number;
}

function pieces(texts: Iterable<Weighted>): Piece[] {
  const characters = byteCharacters();
  const counts = new Map<string, number>();
  for (const [text, weight] of texts) {
    for (const [piece] of text.matchAll(new RegExp(PIECES, 'gu'))) counts.set(piece, (counts.get(piece) ?? 0) + weight);
  }
  return [...counts].map(([piece, count]) => ({
    symbols: [...new TextEncoder().encode(piece)].map((byte) => characters[byte]!),
    count,
  }));
}

function mostFrequentPair(
  all: readonly Piece[],
  vocabulary: ReadonlyMap<string, number>,
): [string, string] | undefined {
  const counts = new Map<string, number>();
  for (const { symbols, count } of all) {
    for (let i = 1; i < symbols.length; i += 1) {
      const pair = `${symbols[i - 1]} ${symbols[i]}`;
      counts.set(pair, (counts.get(pair) ?? 0) + count);
    }
  }
  let best: [string, string] | undefined;
  let bestCount = 0;
  const rank = (pair: readonly [string, string]) =>
    vocabulary.get(pair[0])! * VOCABULARY_SIZE + vocabulary.get(pair[1])!;
  for (const [key, count] of counts) {
    const pair = key.split(' ') as [string, string];
    if (count > bestCount || (count === bestCount && best && rank(pair) < rank(best))) {
      best = pair;
      bestCount = count;
    }
  }
  return best;
}

function join(symbols: readonly string[], [left, right]: readonly [string, string]): string[] {
  const joined: string[] = [];
  for (let i = 0; i < symbols.length; i += 1) {
    const merges = symbols[i] === left && symbols[i + 1] === right;
    joined.push(merges ? left + right : symbols[i]!);
    if (merges) i += 1;
  }
  return joined;
}

/** The whole tokenizer as the JSON object of a `tokenizer.json`. */
export function trainTokenizer(texts: Iterable<Weighted> = corpus()): object {
  const all = pieces(texts);
  const vocabulary = new Map(byteCharacters().map((character, byte) => [character, byte]));
  const merges: [string, string][] = [];
  while (vocabulary.size < VOCABULARY_SIZE - SPECIAL_TOKENS.length) {
    const pair = mostFrequentPair(all, vocabulary);
    if (!pair) throw new Error('the corpus is too small for the vocabulary');
    merges.push(pair);
    vocabulary.set(pair.join(''), vocabulary.size);
    for (const piece of all) piece.symbols = join(piece.symbols, pair);
  }
  const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false };
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: SPECIAL_TOKENS.map((content, i) => ({
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
      pretokenizers: [{ type: 'Split', pattern: { Regex: PIECES }, behavior: 'Isolated', invert: false }, byteLevel],
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

const TARGET = fileURLToPath(new URL('../assets/tiny-tokenizer.json', import.meta.url));
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(TARGET, `${JSON.stringify(trainTokenizer(), undefined, 2)}\n`);
}
