/** Parts of a `tokenizer.json` that are read as Hugging Face's `tokenizers` 0.23 reads them, and parts that are refused. */
import { describe, expect, it } from 'vitest';
import { byteCharacters } from './byte-level.js';
import { TextTokenizer } from './tokenizer.js';

const merges = ['Â ²', 'x Â²', '1 2', 'a Ġ', 'Ġ b'];
const tokens = [...byteCharacters(), ...merges.map((merge) => merge.replace(' ', ''))];
const byteLevel = { type: 'ByteLevel', add_prefix_space: false, use_regex: false };
const definitionOf = (step: object, added: readonly object[] = []) => ({
  added_tokens: added.map((token, i) => ({ id: tokens.length + i, special: false, normalized: false, ...token })),
  normalizer: null,
  pre_tokenizer: { type: 'Sequence', pretokenizers: [step, byteLevel] },
  model: { type: 'BPE', vocab: Object.fromEntries(tokens.map((token, id) => [token, id])), merges },
});
const split = (pattern: object, behavior: string, invert = false) => ({ type: 'Split', pattern, behavior, invert });
const digits = (individual_digits: boolean) => ({ type: 'Digits', individual_digits });

describe('a text is divided', () => {
  it.each<[string, object, readonly string[], readonly string[]]>([
    ['at each number of Unicode', digits(true), ['x', 'Â²', 'Ġ', '1', '2'], ['aĠ', 'b', 'Ġ', 'Â', '½']],
    ['around numbers', digits(false), ['x', 'Â²', 'Ġ', '12'], ['aĠ', 'b', 'Ġ', 'Â', '½']],
    ['at numbers, which go', split({ Regex: '\\p{N}' }, 'Removed'), ['x', 'Ġ'], ['aĠ', 'b', 'Ġ']],
    ['at letters, which stay', split({ Regex: '\\p{L}+' }, 'Removed', true), ['x'], ['a', 'b']],
    ['at blanks', split({ String: ' ' }, 'Isolated'), ['xÂ²', 'Ġ', '12'], ['a', 'Ġ', 'b', 'Ġ', 'Â', '½']],
  ])('%s', (_, step, first, second) => {
    const tokenizer = new TextTokenizer(definitionOf(step));
    const read = (text: string) => Array.from(tokenizer.encode(text), (id) => tokenizer.token(id));
    expect([read('x² 12'), read('a b ½')]).toEqual([first, second]);
  });
});

describe('a definition is refused', () => {
  const number = { Regex: '\\p{N}' };
  const behavior = 'expected behavior "Isolated" without invert, or "Removed" with a Regex';
  it.each<[string, object, string]>([
    ['that joins numbers to the text before', definitionOf(split(number, 'MergedWithPrevious')), behavior],
    ['that joins numbers to the text behind', definitionOf(split(number, 'MergedWithNext')), behavior],
    ['that joins numbers to each other', definitionOf(split(number, 'Contiguous')), behavior],
    ['that isolates all but numbers', definitionOf(split(number, 'Isolated', true)), behavior],
    ['that removes blanks', definitionOf(split({ String: ' ' }, 'Removed')), behavior],
    ['that joins blanks of bytes', definitionOf(split({ String: ' ' }, 'MergedWithPrevious')), 'Split: only in'],
    ['with tokens of whole words', definitionOf(digits(true), [{ content: 'w', single_word: true }]), 'single_word'],
    [
      'whose tokens contend for blanks',
      definitionOf(digits(true), [{ content: '<t>', lstrip: true }, { content: '  ' }]),
      '"<t>" strips blanks that "  " has',
    ],
  ])('%s', (_, definition, message) => {
    const make = () => new TextTokenizer(definition);
    expect(make).toThrow(expect.objectContaining({ code: 'TOKENIZER_FILE' }));
    expect(make).toThrow(message);
  });
});
