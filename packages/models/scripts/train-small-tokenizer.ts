/**
 * Writes assets/small-tokenizer.json: a byte-level BPE vocabulary of 4,096 entries, learned from prompts and answers of
 * the environments that the `small` preset is meant for.
 *
 *     npx tsx packages/models/scripts/train-small-tokenizer.ts
 *
 * A piece is a word or a number, so that a thing has the same entry wherever it is named: what a page or a room shows, a
 * model has to copy. Longer pieces are for what repeats itself and is never copied: the beginning of a sentence of a text
 * game (`You arrive at`), a key of JSON (`{"action":"`), the next item of a list (`, and a`).
 *
 * Weights belong to the vocabulary that they were trained with. The one in `assets` is kept when lessons change their words.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type AnyEnv, Generator, make, messageText } from '@vlgym/core';
import { trainTokenizer } from './byte-pair-encoding.js';
import { examplesOf } from './small/batches.js';
import { lessons } from './small/lessons.js';
import { corpus, type Weighted } from './tokenizer-corpus.js';
import { SPECIAL_TOKENS } from './train-tiny-tokenizer.js';

const VOCABULARY_SIZE = 4096;
const EXAMPLES = 1500;

const NOT_NAMED = '(?!\\p{L}| \\p{N})';
const MARK = '[^\\s\\p{L}\\p{N}+*/=()\\-]+';
// codes of products, `B0DDOEI5XA`: one entry per character, because pairs of them are too rare to be learned
const CODE = '\\p{Lu}(?=[\\p{Lu}\\p{N}])|(?<=\\p{Lu})\\p{N}|\\p{N}(?=\\p{Lu})';
const PIECES = [
  CODE,
  '[\\]"}]*[{,]? ?"\\p{L}+": ?["\\[]?',
  ' \\[SEP\\] ',
  '[.,] (?:The|On the|In it|you see)(?: nothing)?(?=[ .,])',
  ', (?:and )?a(?= )',
  `(?:You|Your|On|In|Looking)(?: \\p{Ll}+${NOT_NAMED}){1,6}`,
  ' ?\\p{N}{1,3}',
  ' ?[+*/=()\\-](?: (?=\\p{N}))?',
  // the space before a number belongs to the mark, so that lists and formulas have the same numbers
  `${MARK}(?: ${MARK})*(?: (?=\\p{N}))?`,
  ' ?\\p{L}+',
  '\\s*[\\r\\n]+',
  '\\s+(?!\\S)',
  '\\s+',
].join('|');

/** Prompts and answers of the training side of every lesson. */
async function texts(): Promise<Weighted[]> {
  const all: Weighted[] = [...corpus()];
  for (const { env: id, options, splits, mix } of Object.values(lessons)) {
    const env = (await make(id, { options: { ...options, ...splits.train } })) as AnyEnv;
    let count = 0;
    for await (const { messages, response } of examplesOf(mix, env, new Generator(0))) {
      for (const message of messages) all.push([messageText(message), 1]);
      all.push([response, 2]);
      count += 1;
      if (count === EXAMPLES) break;
    }
    await env.close();
  }
  // every number that a search for 24 can meet is one entry
  for (let number = 0; number <= 256; number += 1) all.push([String(number), 1000]);
  return all;
}

const TARGET = fileURLToPath(new URL('../assets/small-tokenizer.json', import.meta.url));
const options = { size: VOCABULARY_SIZE, pieces: PIECES, specialTokens: SPECIAL_TOKENS };
writeFileSync(TARGET, `${JSON.stringify(trainTokenizer(await texts(), options))}\n`);
