/** Tokenizers of pieces agree with Hugging Face's `tokenizers`: `scripts/piece_golden.py`. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextTokenizer } from './tokenizer.js';

interface Golden {
  readonly definition: Record<string, never> & { model: { vocab: Record<string, number> } };
  readonly encoded: readonly (readonly [text: string, ids: readonly number[]])[];
  readonly decoded: readonly (readonly [ids: readonly number[], text: string])[];
}

const file = new URL('../../../../test/golden/pieces/tokenizers.json', import.meta.url);
const golden = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Golden>;

describe.each(Object.entries(golden))('a tokenizer like that of %s', (_, { definition, encoded, decoded }) => {
  const tokenizer = new TextTokenizer(definition);
  const pieces = (ids: ArrayLike<number>) => {
    const { text, tokenEnds } = tokenizer.decode(ids);
    return [...tokenEnds].map((end, index) => text.slice(index === 0 ? 0 : tokenEnds[index - 1]!, end));
  };

  it('gives texts the same ids', () => {
    for (const [text, ids] of encoded) expect([text, ...tokenizer.encode(text)]).toEqual([text, ...ids]);
  });

  it('gives ids the same texts, token by token', () => {
    for (const [ids, text] of decoded) {
      expect([ids, tokenizer.decode(ids).text]).toEqual([ids, text]);
      expect(pieces(ids).join('')).toBe(text);
    }
  });

  it('gives back any text that does not begin with a blank', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        fc.pre(!/[\u2581<]|^ /u.test(text));
        expect(tokenizer.decode(tokenizer.encode(text)).text).toBe(text);
      }),
    );
  });

  it('gives a character in bytes to the token that completes it', () => {
    const bytes = [0xe4, 0xb8, 0xad].map((byte) => tokenizer.id(`<0x${byte.toString(16).toUpperCase()}>`));
    expect(pieces([...bytes, tokenizer.id('a')])).toEqual(['', '', '中', 'a']);
    expect(pieces(bytes.slice(0, 2))).toEqual(['\ufffd', '\ufffd']);
    expect(Array.from(tokenizer.bytesOf(bytes[0]!)!)).toEqual([0xe4]);
  });

  it('takes ten thousand characters without a blank', () => {
    expect(tokenizer.encode('left'.repeat(2500)).length).toBeGreaterThan(2000);
  });
});

describe('a definition is refused', () => {
  const { definition } = golden.llama2!;
  const without = (token: string) => {
    const { [token]: _, ...vocab } = definition.model.vocab;
    return { ...definition, model: { ...(definition.model as object), vocab } };
  };
  it.each<[string, object, string]>([
    ['without a byte', without('<0x0A>'), 'it lacks <0x0A>'],
    ['without a decoder', { ...definition, decoder: null }, 'decoder: must be Replace'],
    ['with another decoder', { ...definition, decoder: { type: 'Metaspace' } }, 'decoder: must be Replace'],
    ['with digits alone', { ...definition, pre_tokenizer: { type: 'Digits' } }, 'Digits splits what pieces may join'],
    [
      'without byte fallback',
      { ...definition, model: { ...(definition.model as object), byte_fallback: false } },
      'only in a vocabulary of pieces',
    ],
    ['with another blank', { ...definition, normalizer: { type: 'Prepend', prepend: '_' } }, 'normalizer'],
  ])('%s', (_, changed, message) => {
    const make = () => new TextTokenizer(changed);
    expect(make).toThrow(expect.objectContaining({ code: 'TOKENIZER_FILE' }));
    expect(make).toThrow(message);
  });
});
