import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import smallAsset from '../../assets/small-tokenizer.json';
import asset from '../../assets/tiny-tokenizer.json';
import { trainTinyTokenizer } from '../../scripts/train-tiny-tokenizer.js';
import { chatMl } from '../chat/chat-template.js';
import { tinyTokenizer } from '../models/tiny/presets.js';
import { hasUnknownPattern } from './definition.js';
import { TextTokenizer, TokenizerFileError } from './tokenizer.js';

const tokenizer = tinyTokenizer();

/** A copy of `value` with one value in it, at a place that `choices` name, replaced. */
function replaceSomewhere(value: unknown, choices: Iterator<number>, by: unknown): unknown {
  if (typeof value !== 'object' || value === null) return by;
  const keys = Object.keys(value);
  const key = keys[choices.next().value % (keys.length + 1)];
  if (key === undefined) return by;
  const changed = replaceSomewhere((value as Record<string, unknown>)[key], choices, by);
  return Array.isArray(value)
    ? value.map((item, i) => (String(i) === key ? changed : item))
    : { ...value, [key]: changed };
}

/** The text of every token, cut out by its end offsets. */
function pieces(ids: Int32Array): string[] {
  const { text, tokenEnds } = tokenizer.decode(ids);
  return [...tokenEnds].map((end, i) => text.slice(i === 0 ? 0 : tokenEnds[i - 1]!, end));
}

it.each([
  ['tiny', asset],
  ['small', smallAsset],
])('the pattern of %s is known to be linear: no timer watches it', (_, definition) => {
  expect(hasUnknownPattern(definition)).toBe(false);
});

describe('tokenizer of the tiny preset', () => {
  it('is what its script makes', () => expect(asset).toEqual(trainTinyTokenizer()));

  it('gives a text the same ids again, whatever its caller did with the first ones', () => {
    const fresh = new TextTokenizer(asset);
    const first = fresh.encode('forward').slice();
    fresh.encode('forward').fill(0);
    for (let i = 0; i < 300; i++) fresh.encode(`left ${i}`);
    expect(fresh.encode('forward')).toEqual(first);
    fresh.encode('forward').fill(0);
    expect(fresh.encode('forward')).toEqual(first);
  });

  it('has 1,024 entries', () => expect(tokenizer.size).toBe(1024));

  it('gives back any text, whatever its characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        fc.pre(!text.includes('<|'));
        const ids = tokenizer.encode(text);
        expect(tokenizer.decode(ids).text).toBe(text);
        expect(pieces(ids).join('')).toBe(text);
      }),
    );
  });

  it.each([
    ['digits stand alone', '10', ['1', '0']],
    ['operators and brackets stand alone', '(10*4)-', ['(', '1', '0', '*', '4', ')', '-']],
    ['numbers keep their tokens inside JSON', '[4, 10], "', ['[', '4', ', ', '1', '0', '], "']],
    ['JSON glue is short', '{"cards": [4', ['{"', 'cards', '": [', '4']],
    ['the action key is one word', '", "action": "8"}', ['", "', 'action', '": "', '8', '"}']],
  ])('%s', (_, text, expected) => expect(pieces(tokenizer.encode(text))).toEqual(expected));

  it('gives a character spread over several tokens to the one that completes it', () => {
    const ids = tokenizer.encode('a😀é');
    expect(pieces(ids)).toEqual(['a', '', '', '', '😀', '', 'é']);
  });

  it('gives bytes that are not UTF-8 to a token as well, so that nothing is lost', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1030), { maxLength: 12 }), (ids) => {
        const { text, tokenEnds } = tokenizer.decode(ids);
        expect(pieces(Int32Array.from(ids)).join('')).toBe(text);
        expect([...tokenEnds]).toEqual([...tokenEnds].sort((a, b) => a - b));
      }),
    );
    const half = tokenizer.encode('é').slice(0, 1);
    expect(tokenizer.decode([...half, tokenizer.id('<|im_end|>')])).toEqual({
      text: '\ufffd',
      tokenEnds: Int32Array.of(1, 1),
    });
  });

  it('keeps special tokens out of the text', () => {
    const ids = tokenizer.encode('{"action": "="}<|im_end|>');
    expect(ids.at(-1)).toBe(tokenizer.id('<|im_end|>'));
    expect(tokenizer.decode(ids).text).toBe('{"action": "="}');
    expect(tokenizer.decode(ids).tokenEnds.at(-1)).toBe('{"action": "="}'.length);
  });

  it('writes a compact card prompt in few tokens', () => {
    const { text } = chatMl().render([
      { role: 'user', content: 'Formula: 4*\nAnswer as JSON: cards, formula, thoughts, action.' },
    ]);
    expect(tokenizer.encode(text).length).toBeLessThan(32);
  });
});

describe('chat template', () => {
  const image = { data: new Uint8Array(3), height: 1, width: 1, channels: 3 } as const;

  it('writes turns in ChatML and opens the answer', () => {
    const { text, images } = chatMl().render([
      { role: 'system', content: 'Play.' },
      {
        role: 'user',
        content: [
          { type: 'image', image },
          { type: 'text', text: 'Your move?' },
        ],
      },
    ]);
    expect(text).toBe(
      '<|im_start|>system\nPlay.<|im_end|>\n' +
        '<|im_start|>user\n<|vision_start|><|image_pad|><|vision_end|>Your move?<|im_end|>\n' +
        '<|im_start|>assistant\n',
    );
    expect(images).toEqual([image]);
  });

  it('adds a default system message only where there is none', () => {
    const options = { defaultSystem: 'You are a helpful assistant.' };
    const open = '<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n';
    expect(
      chatMl(options)
        .render([{ role: 'user', content: 'Hi' }])
        .text.startsWith(open),
    ).toBe(true);
    expect(chatMl(options).render([{ role: 'system', content: 'Hi' }]).text).not.toContain(open);
  });
});

describe('a tokenizer folder', () => {
  it('loads from its tokenizer.json', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tokenizer-'));
    await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(asset));
    const loaded = await TextTokenizer.fromFolder(folder);
    expect(loaded.encode('4 + 8 = 12')).toEqual(tokenizer.encode('4 + 8 = 12'));
    await rm(folder, { recursive: true });
  });

  it('changed anywhere, it is refused with a code or encodes', () => {
    const small = {
      ...asset,
      model: {
        ...asset.model,
        vocab: Object.fromEntries(Object.entries(asset.model.vocab).slice(0, 300)),
        merges: ['a b'],
      },
    };
    const attempt = (definition: unknown) => {
      try {
        new TextTokenizer(definition as object).encode('4 + 8 = ä<|im_end|>');
      } catch (error) {
        expect((error as { code?: string }).code).toBe('TOKENIZER_FILE');
      }
    };
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat(1000)), fc.jsonValue(), (choices, value) =>
        attempt(replaceSomewhere(small, choices, value)),
      ),
      { numRuns: 400 },
    );
    fc.assert(fc.property(fc.jsonValue(), attempt));
  });

  it.each<[string, (definition: typeof asset) => unknown]>([
    ['ids of billions', ({ model }) => ({ ...asset, model: { ...model, vocab: { ...model.vocab, a: 4e9 } } })],
    ['pieces of length 0', () => ({ ...asset, pre_tokenizer: { type: 'FixedLength', length: 0 } })],
    ['a broken pattern', () => ({ ...asset, pre_tokenizer: { type: 'Split', pattern: { Regex: '(' } } })],
    ['another kind of model', ({ model }) => ({ ...asset, model: { ...model, type: 'Unigram' } })],
    ['merges that are numbers', ({ model }) => ({ ...asset, model: { ...model, merges: [1, 2] } })],
    ['null', () => null],
  ])('with %s is a typed error', (_, change) => {
    expect(() => new TextTokenizer(change(asset) as object)).toThrow(TokenizerFileError);
  });

  it('is refused with a reason when it is missing or something else', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tokenizer-'));
    await expect(TextTokenizer.fromFolder(folder)).rejects.toThrow(TokenizerFileError);
    await writeFile(join(folder, 'tokenizer.json'), '{"model": ');
    await expect(TextTokenizer.fromFolder(folder)).rejects.toMatchObject({ code: 'TOKENIZER_FILE' });
    await rm(folder, { recursive: true });
  });
});
