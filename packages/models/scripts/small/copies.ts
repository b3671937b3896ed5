/**
 * Copying, before a lesson of conversations. Commands name things and codes that a page or a room has shown; a model that
 * starts with whole episodes learns the commonest names by heart instead, and copies of a few random words teach it to look
 * back within minutes. The second half has the form of the shop: repeat the request, then give the code of the line that
 * has some of its words.
 */
import type { Generator } from '@vlgym/core';
import tokenizer from '../../assets/small-tokenizer.json' with { type: 'json' };
import type { Example } from './lesson.js';

/** Entries of the vocabulary, so that each is learned as a name; `Ġ` stands for the blank before a word. */
const WORDS = Object.keys(tokenizer.model.vocab)
  .filter((entry) => /^Ġ?[A-Za-z][A-Za-z0-9]*$/.test(entry))
  .map((entry) => entry.replace('Ġ', ''));
const CODE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Two to six words, and the same again. */
export function wordCopy(rng: Generator): Example {
  const words = randomWords(rng, rng.integers(2, 7));
  return { messages: [{ role: 'user', content: words }], response: words };
}

/** Two to 24 words, and the same again; then one to eight lines, and the code of one. Small numbers are the most frequent. */
export function codeCopy(rng: Generator): Example {
  const count = Math.round(2 * 12 ** rng.random());
  const request = randomWords(rng, count);
  const hint = request.split(' ', rng.integers(1, count + 1)).join(' ');
  const lines = Array.from({ length: Math.round(8 ** rng.random()) }, () => ({
    code: `B0${Array.from({ length: 8 }, () => CODE[rng.integers(0, CODE.length)]).join('')}`,
    title: randomWords(rng, rng.integers(2, 12)),
    price: `$${rng.integers(1, 100)}.${rng.integers(10, 100)}`,
  }));
  const meant = rng.integers(0, lines.length);
  const page = lines.map(({ code, title, price }, i) => [code, i === meant ? `${title} ${hint}` : title, price]);
  return {
    messages: [
      { role: 'user', content: request },
      { role: 'assistant', content: `search[${request}]` },
      { role: 'user', content: page.flat().join(' [SEP] ') },
    ],
    response: `click[${lines[meant]!.code}]`,
    answers: [1],
  };
}

const randomWords = (rng: Generator, count: number): string =>
  Array.from({ length: count }, () => WORDS[rng.integers(0, WORDS.length)]).join(' ');
