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
