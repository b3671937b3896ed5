/** Valid and invalid definitions of spaces, in code, as JSON and as JSON Schema. */
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import { z } from 'zod';
import type { ChatMessage } from '../dialogue/dialogue.js';
import type { Image, RgbImage } from '../image.js';
import type { Graph } from './composite/graph.js';
import type { SpaceValue } from './space.js';
import * as spaces from './spaces.js';

const coin = spaces.discrete(2);
const code = (name: string) => expect.objectContaining({ code: name });

describe('a space', () => {
  it.each<[string, () => unknown]>([
    ['discrete of 0', () => spaces.discrete(0)],
    ['discrete of 2.5', () => spaces.discrete(2.5)],
    ['discrete from 0.5', () => spaces.discrete(2, { start: 0.5 })],
    ['discrete beyond the safe integers', () => spaces.discrete(2, { start: Number.MAX_SAFE_INTEGER })],
    ['too few labels', () => spaces.discrete(3, { labels: ['a', 'b'] })],
    ['repeated labels', () => spaces.discrete(2, { labels: ['a', 'a'] })],
    ['multiDiscrete with a count of 0', () => spaces.multiDiscrete([2, 0])],
    ['multiDiscrete with too few starts', () => spaces.multiDiscrete([2, 3], { start: [0] })],
    ['multiDiscrete beyond 32 bits', () => spaces.multiDiscrete([2 ** 32])],
    ['multiDiscrete of another shape', () => spaces.multiDiscrete([2, 3], { shape: [3] })],
    ['multiBinary of 0', () => spaces.multiBinary(0)],
    ['multiBinary of -1', () => spaces.multiBinary([-1])],
    ['text with lengths out of order', () => spaces.text({ minLength: 3, maxLength: 2 })],
    ['text of negative length', () => spaces.text({ minLength: -1, maxLength: 2 })],
    ['text with a charset of words', () => spaces.text({ maxLength: 2, charset: ['ab'] })],
    ['text with half a surrogate pair', () => spaces.text({ maxLength: 2, charset: '\ud800' })],
    ['text without characters', () => spaces.text({ maxLength: 2, charset: '' })],
    ['image without rows', () => spaces.image({ height: 0, width: 2 })],
    ['image of 2 channels', () => spaces.image({ height: 1, width: 2, channels: 2 as 3 })],
    ['box with low above high', () => spaces.box({ low: 1, high: 0 })],
    ['box with NaN', () => spaces.box({ low: Number.NaN, high: 0 })],
    ['box of unknown dtype', () => spaces.box({ low: 0, high: 1, dtype: 'int64' as 'int32' })],
    ['box with a bound outside its dtype', () => spaces.box({ low: 0, high: 256, dtype: 'uint8' })],
    ['box of integers with a fractional bound', () => spaces.box({ low: 0.5, high: 2, dtype: 'int8' })],
    ['unsigned box without bound', () => spaces.box({ low: 0, high: Number.POSITIVE_INFINITY, dtype: 'uint8' })],
    ['box above everything', () => spaces.box({ low: Number.POSITIVE_INFINITY, high: Number.POSITIVE_INFINITY })],
    ['box with bounds of two lengths', () => spaces.box({ low: [0, 0], high: [1, 1, 1] })],
    ['box of negative shape', () => spaces.box({ low: 0, high: 1, shape: [-1] })],
    ['tuple of no spaces', () => spaces.tuple([coin, 3 as never])],
    ['dict of no spaces', () => spaces.dict({ a: {} as never })],
    ['dict of a list', () => spaces.dict([coin] as never)],
    ['sequence of a value that is not a space', () => spaces.sequence(null as never)],
    ['sequence with lengths out of order', () => spaces.sequence(coin, { minLength: 2, maxLength: 1 })],
    ['graph of a value that is not a space', () => spaces.graph({ nodes: 1 as never })],
    ['oneOf nothing', () => spaces.oneOf([])],
    ['chat with counts out of order', () => spaces.chat({ minMessages: 2, maxMessages: 1 })],
    ['chat with an unknown role', () => spaces.chat({ roles: ['tool' as 'user'] })],
    ['json without a schema', () => spaces.json({} as never)],
    ['json with null', () => spaces.json(null as never)],
    ['batch of 0', () => spaces.batchSpace(coin, 0)],
  ])('is refused: %s', (_, make) => {
    expect(make).toThrow(code('INVALID_SPACE'));
  });

  it.each([
    null,
    7,
    [],
    {},
    { type: 'nothing' },
    { type: 'discrete' },
    { type: 'discrete', n: '3' },
    { type: 'discrete', n: -3 },
    { type: 'discrete', n: 3, more: 1 },
    { type: 'box', dtype: 'float16', shape: [1], low: 0, high: 1 },
    { type: 'box', dtype: 'float32', shape: [1], low: 'low', high: 1 },
    { type: 'tuple', spaces: { 0: { type: 'discrete', n: 2 } } },
    { type: 'tuple', spaces: [{ type: 'discrete', n: 0 }] },
    { type: 'dict', spaces: [] },
    { type: 'chat', roles: ['tool'] },
  ])('is not described by %j', (json) => {
    expect(() => spaces.fromJSON(json)).toThrow(code('INVALID_SPACE'));
  });

  it('is not described by JSON that is nested too deep', () => {
    let json: unknown = { type: 'discrete', n: 2 };
    for (let depth = 0; depth < 5000; depth += 1) json = { type: 'tuple', spaces: [json] };
    expect(() => spaces.fromJSON(json)).toThrow(code('INVALID_SPACE'));
  });

  it('gives each position its own generator, also if one space is used twice', () => {
    const tuple = spaces.tuple([coin, coin]);
    tuple.seed([1, 2]);
    const draws = Array.from({ length: 30 }, () => tuple.sample());
    const alone = spaces.tuple([spaces.discrete(2), spaces.discrete(2)]);
    alone.seed([1, 2]);
    expect(Array.from({ length: 30 }, () => alone.sample())).toEqual(draws);
  });

  it('works with the spaces of another copy of this package', async () => {
    vi.resetModules();
    const other = (await import('./spaces.js')) as typeof spaces;
    const foreign = other.dict({ a: other.discrete(3), b: other.sequence(other.box({ low: 0, high: 1 })) });
    expect(foreign).not.toBeInstanceOf(spaces.dict({}).constructor);
    const mixed = spaces.tuple([foreign, foreign]);
    const value = mixed.sample();
    expect(spaces.unflatten(mixed, spaces.flatten(mixed, value))).toEqual(value);
    expect(spaces.iterate(mixed, spaces.concatenate(mixed, [value, value]))).toEqual([value, value]);
    expect(spaces.batchSpace(mixed, 2).contains(spaces.concatenate(mixed, [value, value]))).toBe(true);
    expect(spaces.fromJSON(foreign.toJSON()).equals(foreign)).toBe(true);
  });

  it('orders keys by code point, so that the order of definition does not affect seeds', () => {
    const one = spaces.dict({ '🙂': coin, b: coin, '\uffff': coin, a: coin, aa: coin });
    expect(one.keys).toEqual(['a', 'aa', 'b', '\uffff', '🙂']);
  });

  it('sorts a charset given as a set and keeps the order of one given as text', () => {
    expect(spaces.text({ maxLength: 1, charset: new Set(['🙂', 'b', 'a']) }).charset).toEqual(['a', 'b', '🙂']);
    expect(spaces.text({ maxLength: 1, charset: 'bab🙂' }).charset).toEqual(['b', 'a', '🙂']);
  });

  it('accepts seeds for its parts only in exactly their layout', () => {
    const dict = spaces.dict({ a: coin, b: spaces.tuple([coin, coin]) });
    expect(dict.seed({ a: 1, b: [2, 3] })).toEqual({ a: 1, b: [2, 3] });
    for (const seed of [{ a: 1 }, { a: 1, b: [2] }, { a: 1, b: 2, c: 3 }, { a: 1, b: { 0: 2, 1: 3 } }]) {
      expect(() => dict.seed(seed)).toThrow(code('INVALID_SEED'));
    }
  });

  it('knows the types of its members', () => {
    const space = spaces.dict({
      move: spaces.discrete(3),
      picture: spaces.image({ height: 2, width: 2 }),
      gray: spaces.image({ height: 2, width: 2, channels: 1 }),
      pose: spaces.tuple([spaces.box({ low: 0, high: 1 }), spaces.text({ maxLength: 3 })]),
      bag: spaces.sequence(spaces.oneOf([spaces.discrete(2), spaces.text({ maxLength: 3 })])),
      plan: spaces.json(z.object({ steps: z.array(z.string()) })),
      talk: spaces.chat(),
      map: spaces.graph({ nodes: spaces.discrete(2), edges: spaces.box({ low: 0, high: 1, dtype: 'float64' }) }),
    });
    expectTypeOf<SpaceValue<typeof space>>().toEqualTypeOf<{
      move: number;
      picture: RgbImage;
      gray: Image<1>;
      pose: [Float32Array, string];
      bag: ([index: 0, value: number] | [index: 1, value: string])[];
      plan: { steps: string[] };
      talk: readonly ChatMessage[];
      map: Graph<number, Float64Array>;
    }>();
    const value: unknown = { move: 1 };
    if (space.contains(value)) expectTypeOf(value.move).toEqualTypeOf<number>();
    expectTypeOf(spaces.discrete(2).sample()).toEqualTypeOf<number>();
  });
});

describe('JSON Schema', () => {
  it.each([
    [{ type: 'integer', minimum: -2, maximum: 4 }, spaces.discrete(7, { start: -2 })],
    [{ type: 'integer', minimum: 1, maximum: 1, description: 'one' }, spaces.discrete(1, { start: 1 })],
    [{ type: 'number', maximum: 3 }, spaces.box({ low: -Infinity, high: 3, shape: [], dtype: 'float64' })],
    [{ type: 'string', maxLength: 5 }, spaces.text({ minLength: 0, maxLength: 5 })],
    [
      {
        type: 'object',
        properties: { b: { type: 'number' }, a: { type: 'string', maxLength: 1 } },
        required: ['a', 'b'],
        additionalProperties: false,
      },
      spaces.dict({
        a: spaces.text({ minLength: 0, maxLength: 1 }),
        b: spaces.box({ low: -Infinity, high: Infinity, shape: [], dtype: 'float64' }),
      }),
    ],
    [
      { type: 'array', items: { type: 'integer', minimum: 0, maximum: 1 }, maxItems: 4 },
      spaces.sequence(coin, { maxLength: 4 }),
    ],
    [
      { type: 'array', prefixItems: [{ type: 'integer', minimum: 0, maximum: 1 }], items: false, minItems: 1 },
      spaces.tuple([coin]),
    ],
  ])('%j is a space', (schema, space) => {
    expect(spaces.fromJsonSchema(schema).toJSON()).toEqual(space.toJSON());
  });

  it.each([
    null,
    true,
    {},
    { type: 'boolean' },
    { type: 'null' },
    { type: ['integer', 'null'], minimum: 0, maximum: 1 },
    { type: 'integer' },
    { type: 'integer', minimum: 0 },
    { type: 'integer', minimum: 0, maximum: 1, multipleOf: 2 },
    { type: 'string' },
    { type: 'string', maxLength: 3, pattern: '^a' },
    { enum: ['a', 'b'] },
    { $ref: '#/$defs/a' },
    { type: 'object', properties: { a: { type: 'number' } } },
    { type: 'object', properties: { a: { type: 'number' } }, required: [], additionalProperties: false },
    { type: 'array' },
    { type: 'array', items: { type: 'string' } },
    { type: 'array', prefixItems: [{ type: 'number' }] },
    { anyOf: [{ type: 'number' }, { type: 'string', maxLength: 2 }] },
    { ...spaces.multiBinary(3).toJsonSchema(), maxItems: 4 },
  ])('%j is an error with a hint', (schema) => {
    expect(() => spaces.fromJsonSchema(schema)).toThrow(code('UNSUPPORTED_SCHEMA'));
  });

  it('puts labels into the description, for models', () => {
    expect(spaces.discrete(2, { labels: ['stand', 'hit'] }).toJsonSchema()).toMatchObject({
      type: 'integer',
      minimum: 0,
      maximum: 1,
      description: '0: stand, 1: hit',
    });
  });
});

describe('image', () => {
  const space = spaces.image({ height: 1, width: 1 });

  it.each(['AAE', 'AAE=', 'AAECAw==', 'AA EC', '*AEC', '', 3, undefined])('refuses %o as bytes', (data) => {
    expect(() => space.decode({ height: 1, width: 1, channels: 3, data })).toThrow(code('INVALID_VALUE'));
  });

  it('encodes its bytes in base64, also if they are part of a larger buffer', () => {
    const data = Uint8Array.of(9, 0, 1, 2, 9).subarray(1, 4);
    const json = { height: 1, width: 1, channels: 3, data: 'AAEC' };
    expect(space.encode({ height: 1, width: 1, channels: 3, data })).toEqual(json);
    expect(space.decode(json).data).toEqual(Uint8Array.of(0, 1, 2));
  });
});

describe('json', () => {
  it('needs a sampler, and validates its samples', () => {
    const schema = z.object({ n: z.number() });
    expect(() => spaces.json(schema).sample()).toThrow(code('SAMPLER_MISSING'));
    const wrong = spaces.json(schema, { sampler: () => ({ n: '1' }) as never });
    expect(() => wrong.sample()).toThrow(code('INVALID_VALUE'));
  });

  it('decodes values that the schema completes, and contains only complete ones', () => {
    const space = spaces.json(z.object({ n: z.coerce.number(), unit: z.string().default('m') }));
    expect(space.contains({ n: '3' })).toBe(false);
    expect(space.decode({ n: '3' })).toEqual({ n: 3, unit: 'm' });
    expect(space.contains({ n: 3, unit: 'm' })).toBe(true);
  });

  it('contains only JSON data', () => {
    const space = spaces.json(z.any());
    const shared = Array.from({ length: 40 }).reduce<unknown>((inner) => [inner, inner], 0);
    for (const value of [undefined, new Date(0), new Map(), () => 0, 1n, Number.NaN, '\ud800', [undefined], shared]) {
      expect(space.contains(value)).toBe(false);
    }
    expect(space.contains({ a: [1, 'b', null, true, { c: {} }] })).toBe(true);
  });

  it('accepts any Standard Schema', () => {
    const even = {
      '~standard': {
        version: 1 as const,
        vendor: 'by-hand',
        validate: (value: unknown) =>
          typeof value === 'number' && value % 2 === 0 ? { value } : { issues: [{ message: 'not even' }] },
        types: undefined as { input: unknown; output: number } | undefined,
      },
    };
    const space = spaces.json(even, { jsonSchema: { type: 'integer', multipleOf: 2 } });
    expectTypeOf<SpaceValue<typeof space>>().toEqualTypeOf<number>();
    expect([2, 3, '2'].map((value) => space.contains(value))).toEqual([true, false, false]);
    expect(space.toJsonSchema()).toEqual({ type: 'integer', multipleOf: 2 });
    expect(() => spaces.json(even).toJsonSchema()).toThrow(code('UNSUPPORTED_SCHEMA'));
  });

  it('refuses asynchronous schemas', () => {
    const space = spaces.json(z.string().refine(async () => true));
    expect(space.contains('a')).toBe(false);
    expect(() => space.decode('a')).toThrow(code('INVALID_VALUE'));
  });

  it('keeps its references valid inside another schema', () => {
    const tree = z.object({
      get children() {
        return z.array(tree);
      },
    });
    const space = spaces.dict({ tree: spaces.json(tree) });
    const schema = z.fromJSONSchema(JSON.parse(JSON.stringify(spaces.json(tree).toJsonSchema())));
    expect(schema.safeParse({ children: [{ children: [] }] }).success).toBe(true);
    const { tree: inner } = space.toJsonSchema().properties as Record<string, Record<string, unknown>>;
    expect(inner!.$id).toMatch(/^urn:vlgym:schema:[0-9a-f]{8}$/);
  });
});
