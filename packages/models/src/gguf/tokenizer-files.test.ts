/** Tokenizers out of metadata: each pre-tokenizer splits as in the `tokenizer.json` of the models that bear its name. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { byteCharacters } from '../tokenizer/byte-level.js';
import { TextTokenizer } from '../tokenizer/tokenizer.js';
import { Fields } from './fields.js';
import type { MetadataValue } from './metadata.js';
import { readTokenizer } from './tokenizer-files.js';

const MERGES = ['1 2', '12 3', '123 4', '1234 5', '4 5', 'Ġ a', "' S", "a '", "a' S"];
const merged = MERGES.map((merge) => merge.replace(' ', ''));

function fieldsWith(pre: string, more: Readonly<Record<string, MetadataValue>> = {}): Fields {
  const tokens = ['<s>', '<pad>', '<tool>', ...byteCharacters(), ...merged];
  const types = new Int32Array(tokens.length).fill(1);
  types.set([3, 5, 4]);
  return new Fields(
    'test',
    new Map<string, MetadataValue>(
      Object.entries({
        'general.architecture': 'llama',
        'llama.context_length': 64,
        'tokenizer.ggml.model': 'gpt2',
        'tokenizer.ggml.pre': pre,
        'tokenizer.ggml.tokens': tokens,
        'tokenizer.ggml.token_type': types,
        'tokenizer.ggml.merges': MERGES,
        'tokenizer.ggml.bos_token_id': 0,
        ...more,
      }),
    ),
  );
}

function piecesOf(pre: string, text: string): (string | undefined)[] {
  const tokenizer = new TextTokenizer(readTokenizer(fieldsWith(pre)).definition);
  return [...tokenizer.encode(text)].map((id) => tokenizer.token(id));
}

describe('a pre-tokenizer', () => {
  it.each([
    ['gpt-2', ['12345']],
    ['smollm', ['1', '2', '3', '4', '5']],
    ['llama-bpe', ['123', '45']],
    ['qwen2', ['1', '2', '3', '4', '5']],
  ])('%s splits digits into %j', (pre, pieces) => {
    expect(piecesOf(pre, '12345')).toEqual(pieces);
  });

  it.each([
    ['gpt-2', ['a', "'", 'S']],
    ['llama-bpe', ['a', "'S"]],
    ['qwen2', ['a', "'S"]],
  ])('%s splits a contraction in capitals into %j', (pre, pieces) => {
    expect(piecesOf(pre, "a'S")).toEqual(pieces);
  });

  it('qwen2 has the steps and the normalizer of the published file', () => {
    const path = new URL('../../../../test/golden/vlm/qwen2_vl/model/tokenizer.json', import.meta.url);
    const published = JSON.parse(readFileSync(path, 'utf8'));
    const ours = readTokenizer(fieldsWith('qwen2')).definition as typeof published;
    expect(ours.normalizer).toEqual(published.normalizer);
    expect(ours.pre_tokenizer).toEqual(published.pre_tokenizer);
  });
});

describe('pieces of SentencePiece', () => {
  interface Golden {
    readonly tokens: readonly string[];
    readonly scores: readonly number[];
    readonly types: readonly number[];
    readonly encoded: readonly (readonly [text: string, ids: readonly number[]])[];
  }
  const path = new URL('../../../../test/golden/pieces/sentencepiece.json', import.meta.url);
  const golden = JSON.parse(readFileSync(path, 'utf8')) as Golden;
  const { tokens, types } = golden;
  const filed = (more: Readonly<Record<string, MetadataValue>> = {}) =>
    fieldsWith('default', {
      'tokenizer.ggml.model': 'llama',
      'tokenizer.ggml.tokens': tokens,
      'tokenizer.ggml.token_type': Int32Array.from(types),
      'tokenizer.ggml.scores': Float32Array.from(golden.scores),
      'tokenizer.ggml.unknown_token_id': 0,
      'tokenizer.ggml.bos_token_id': 1,
      ...more,
    });

  it('give texts the ids of the library, and the texts back', () => {
    const tokenizer = new TextTokenizer(readTokenizer(filed()).definition);
    for (const [text, ids] of golden.encoded) {
      expect([text, ...tokenizer.encode(text)]).toEqual([text, ...ids]);
      expect(tokenizer.decode(ids).text).toBe(text.replaceAll('\u2581', ' '));
    }
  });

  it('begin with the first token and a blank unless the file says otherwise', () => {
    const { definition, config } = readTokenizer(filed());
    expect(definition).toMatchObject({ post_processor: { special_tokens: { '<s>': { ids: [1] } } } });
    expect(config).not.toHaveProperty('add_prefix_space');
    const plain = { 'tokenizer.ggml.add_space_prefix': false, 'tokenizer.ggml.add_bos_token': false };
    const without = readTokenizer(filed(plain)).definition;
    expect(without).toMatchObject({ post_processor: null });
    const tokenizer = new TextTokenizer(without);
    expect(tokenizer.decode(tokenizer.encode(' left')).text).toBe(' left');
  });

  it.each<[string, string, Readonly<Record<string, MetadataValue>>]>([
    ['GGUF_INVALID', 'a score is missing', { 'tokenizer.ggml.scores': Float32Array.of(0) }],
    ['GGUF_INVALID', 'a score is NaN', { 'tokenizer.ggml.scores': new Float32Array(tokens.length).fill(NaN) }],
    [
      'GGUF_INVALID',
      'a byte is missing',
      { 'tokenizer.ggml.token_type': Int32Array.from(types, (type) => (type === 6 ? 5 : type)) },
    ],
    ['GGUF_UNSUPPORTED', 'blanks are removed', { 'tokenizer.ggml.remove_extra_whitespaces': true }],
    ['GGUF_UNSUPPORTED', 'a piece is endless', { 'tokenizer.ggml.tokens': [...tokens.slice(0, -1), 'a'.repeat(300)] }],
    ['GGUF_UNSUPPORTED', 'the kind is another', { 'tokenizer.ggml.model': 't5' }],
  ])('are refused with %s where %s', (code, _, more) => {
    expect(() => readTokenizer(filed(more))).toThrow(expect.objectContaining({ code }));
  });
});

describe('a tokenizer', () => {
  it('has control tokens that are special, tokens of users that are text, and none that fill the embedding up', () => {
    const { definition } = readTokenizer(fieldsWith('smollm'));
    const { added_tokens: added, model } = definition as { added_tokens: object[]; model: { vocab: object } };
    expect(added).toMatchObject([
      { id: 0, content: '<s>', special: true },
      { id: 2, content: '<tool>', special: false },
    ]);
    expect(Object.keys(model.vocab)).not.toContain('<pad>');
  });

  it('begins texts with the first token where the file asks for it', () => {
    const plain = readTokenizer(fieldsWith('llama-bpe')).definition;
    expect(plain).toMatchObject({ post_processor: null });
    const asked = fieldsWith('llama-bpe', { 'tokenizer.ggml.add_bos_token': true });
    expect(readTokenizer(asked).definition).toMatchObject({
      post_processor: { type: 'TemplateProcessing', special_tokens: { '<s>': { ids: [0] } } },
    });
  });

  it('with an id outside of its tokens is refused', () => {
    const fields = fieldsWith('smollm', { 'tokenizer.ggml.eos_token_id': 9999 });
    expect(() => readTokenizer(fields)).toThrow(expect.objectContaining({ code: 'GGUF_INVALID', value: 9999 }));
  });
});
