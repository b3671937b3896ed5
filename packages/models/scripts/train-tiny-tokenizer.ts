/**
 * Writes assets/tiny-tokenizer.json: a byte-level BPE vocabulary of 1,024 entries in the format of Hugging Face tokenizers.
 *
 *     npx tsx packages/models/scripts/train-tiny-tokenizer.ts && npx biome format --write packages/models/assets
 *
 * `tokenizer.test.ts` makes the file again exactly.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { trainTokenizer } from './byte-pair-encoding.js';
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

/** The whole tokenizer as the JSON object of a `tokenizer.json`. */
export function trainTinyTokenizer(texts: Iterable<Weighted> = corpus()): object {
  return trainTokenizer(texts, { size: VOCABULARY_SIZE, pieces: PIECES, specialTokens: SPECIAL_TOKENS });
}

const TARGET = fileURLToPath(new URL('../assets/tiny-tokenizer.json', import.meta.url));
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(TARGET, `${JSON.stringify(trainTinyTokenizer(), undefined, 2)}\n`);
}
