/**
 * Copying, before a lesson of conversations. Commands name things and codes that a page or a room has shown; a model that
 * starts with whole episodes learns the commonest names by heart instead, and copies of a few random words teach it to look
 * back within minutes. The second half has the form of the shop: repeat the request, then give the codes of lines that have
 * certain words.
 */
import type { ChatMessage, Generator } from '@vlgym/core';
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

/**
 * Two to 24 words, and the same again; then a page of one to twelve lines, and the codes of up to six that are asked for by
 * words of theirs, first by words of the request. Small numbers are the most frequent.
 */
export function codeCopy(rng: Generator): Example {
  const request = randomWords(rng, small(rng, 2, 24));
  const lines = Array.from({ length: small(rng, 1, 12) }, () => ({
    code: productCode(rng),
    title: randomWords(rng, rng.integers(3, 9)),
    price: `$${rng.integers(1, 100)}.${rng.integers(10, 100)}`,
  }));
  const [meant, ...others] = rng.permutation(lines.length).slice(0, 6);
  lines[meant!]!.title += ` ${part(rng, request)}`;
  const page = lines.flatMap(({ code, title, price }) => [code, title, price]).join(' [SEP] ');
  const messages: ChatMessage[] = [
    { role: 'user', content: request },
    { role: 'assistant', content: `search[${request}]` },
    { role: 'user', content: page },
  ];
  let line = lines[meant!]!;
  for (const other of others) {
    messages.push({ role: 'assistant', content: `click[${line.code}]` });
    line = lines[other]!;
    messages.push({ role: 'user', content: part(rng, line.title) });
  }
  const answers = messages.flatMap(({ role }, place) => (role === 'assistant' ? [place] : []));
  return { messages, response: `click[${line.code}]`, answers };
}

/** A code as the shop gives its products. */
export const productCode = (rng: Generator): string =>
  `B0${Array.from({ length: 8 }, () => CODE[rng.integers(0, CODE.length)]).join('')}`;

/** A number from `low` to `high`, evenly distributed on a logarithmic scale. */
const small = (rng: Generator, low: number, high: number): number => Math.round(low * (high / low) ** rng.random());

/** The first words of a text, at least one. */
function part(rng: Generator, text: string): string {
  const words = text.split(' ');
  return words.slice(0, rng.integers(1, words.length + 1)).join(' ');
}

const randomWords = (rng: Generator, count: number): string =>
  Array.from({ length: count }, () => WORDS[rng.integers(0, WORDS.length)]).join(' ');
