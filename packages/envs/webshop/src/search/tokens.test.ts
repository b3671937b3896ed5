import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { golden } from '../../test-support/golden.js';
import { pythonLower } from '../python/lower-case.js';
import { analyze } from './analyze.js';
import { ChunkBuilder } from './chunk-builder.js';
import { mergeChunks } from './merge-chunks.js';
import { eachToken } from './tokens.js';

const reference = golden('words') as {
  texts: [text: string, words: string[], terms: string[]][];
  blocks: Record<string, string>;
};

function wordsOf(text: string): string[] {
  const words: string[] = [];
  eachToken(text, (word) => words.push(word));
  return words;
}

describe('the words of Lucene 8.11', () => {
  it('are found in 1,500 texts with stars, boxes, joiners, emoji, 々 and circled letters', () => {
    expect(reference.texts).toHaveLength(1500);
    for (const [text, words] of reference.texts) expect(wordsOf(text), JSON.stringify(text)).toEqual(words);
  });

  it('give the same terms', () => {
    for (const [text, , terms] of reference.texts) expect(analyze(text), JSON.stringify(text)).toEqual(terms);
  });

  it('are found for every code point in six contexts', () => {
    const hex = (word: string) => Buffer.from(word, 'utf16le').swap16().toString('hex');
    const contexts = (x: string) => `a${x}b ${x}9${x}1 '${x}s ${x}\ufe0f\u200d${x} \u6771${x}\u30ab${x} _${x}_ A${x}.`;
    const digestOf = (block: number) => {
      const digest = createHash('sha256');
      for (let code = block << 12; code < (block + 1) << 12; code += 1) {
        const words = wordsOf(contexts(String.fromCodePoint(code)));
        digest.update(`${words.map((word) => `${hex(word)} `).join('')}\n`);
      }
      return digest.digest('hex').slice(0, 16);
    };
    const blocks = Object.keys(reference.blocks);
    expect(blocks).toHaveLength(49);
    expect(Object.fromEntries(blocks.map((block) => [block, digestOf(Number(block))]))).toEqual(reference.blocks);
  });

  it.each([
    ['★shoes ☞ box☐', ['★', 'shoes', '☞', 'box', '☐']],
    ['zero\u200bwidth 時々 🄰🅩', ['zero', 'width', '時', '々', '🄰🅩']],
    ['א"ב א\'', ['א"ב', "א'"]],
  ])('splits %s', (text, words) => expect(wordsOf(text)).toEqual(words));
});

describe('one index on every Node', () => {
  it('has the same bytes for characters that are newer than some runtimes', () => {
    // U+A7CB and U+A7DC are capitals of Unicode 16, and their small letters are old
    const texts = reference.texts.map(([text]) => pythonLower(`${text} Straße \ua7cb \ua7dc \u{10d50} İ ΣΑΣ`));
    const builder = new ChunkBuilder();
    const chunk = { ...builder.build(0, texts), dictionary: builder.terms };
    const digest = createHash('sha256');
    for (const part of mergeChunks(
      [chunk],
      Uint32Array.from(texts, (_, position) => position),
    ))
      digest.update(part);
    expect(digest.digest('hex')).toBe('499a2f199ae712aed786757c27709c63314b2420991a633572155d8c359ed07a');
  });
});
