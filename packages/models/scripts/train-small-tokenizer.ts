/**
 * Writes assets/small-tokenizer.json: a byte-level BPE vocabulary of 4,096 entries, learned from prompts and answers of
 * the environments that the `small` preset is meant for.
 *
 *     npx tsx packages/models/scripts/train-small-tokenizer.ts
 *
 * A piece is up to six words, so that an entry may be a whole phrase (`Commands that can be executed now`): prompts of
 * these environments repeat themselves, and become a third as long as with entries inside words. Numbers stay apart.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type AnyEnv, Generator, make, messageText } from '@vlgym/core';
import { trainTokenizer } from './byte-pair-encoding.js';
import { lessons } from './small/lessons.js';
import { corpus, type Weighted } from './tokenizer-corpus.js';
import { SPECIAL_TOKENS } from './train-tiny-tokenizer.js';

const VOCABULARY_SIZE = 4096;
const EXAMPLES = 1500;

const PIECES =
  '\\p{N}{1,3}| ?[+*/=()\\-](?: (?=\\p{N}))?|[^\\s\\p{L}\\p{N}+*/=()\\-]+(?: [^\\s\\p{L}\\p{N}+*/=()\\-]+)*(?: (?=\\p{N}))?| ?\\p{L}+(?: \\p{L}+){0,5}(?: (?=\\p{N}))?|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+';

/** Prompts and answers of the training side of every lesson. */
async function texts(): Promise<Weighted[]> {
  const all: Weighted[] = [...corpus()];
  for (const { env: id, options, splits, examples } of Object.values(lessons)) {
    const env = (await make(id, { options: { ...options, ...splits.train } })) as AnyEnv;
    let count = 0;
    for await (const { messages, response } of examples(env, new Generator(0))) {
      for (const message of messages) all.push([messageText(message), 1]);
      all.push([response, 2]);
      count += 1;
      if (count === EXAMPLES) break;
    }
    await env.close();
  }
  // every number that a search for 24 can meet is one entry
  for (let number = 0; number <= 100; number += 1) all.push([String(number), 1000]);
  return all;
}

const TARGET = fileURLToPath(new URL('../assets/small-tokenizer.json', import.meta.url));
const options = { size: VOCABULARY_SIZE, pieces: PIECES, specialTokens: SPECIAL_TOKENS };
writeFileSync(TARGET, `${JSON.stringify(trainTokenizer(await texts(), options))}\n`);
