/** Flat arrays: their numbers, their dtypes, and arrays that cannot be unflattened. */
import { describe, expect, it } from 'vitest';
import type { BoxSpace } from '../box.js';
import * as spaces from '../spaces.js';

const code = (name: string) => expect.objectContaining({ code: name });
const dtypeOf = (...parts: Parameters<typeof spaces.tuple>[0]) =>
  (spaces.flattenSpace(spaces.tuple(parts)) as BoxSpace).dtype;
const ofType = (dtype: 'float32' | 'float64' | 'int8' | 'uint8' | 'int16' | 'uint16' | 'int32' | 'uint32') =>
  spaces.box({ low: 0, high: 1, dtype });

describe('flatten', () => {
  it('writes choices one-hot, text as indices, and parts one after the other', () => {
    const space = spaces.dict({
      b: spaces.discrete(3, { start: 5 }),
      a: spaces.multiDiscrete([2, 3]),
      c: spaces.text({ maxLength: 4, charset: 'xy🙂' }),
    });
    expect(spaces.flatSize(space)).toBe(5 + 3 + 4);
    expect(spaces.flatten(space, { a: Int32Array.of(1, 0), b: 7, c: '🙂x' })).toEqual(
      Int32Array.of(0, 1, 1, 0, 0, 0, 0, 1, 2, 0, 3, 3),
    );
  });

  it('writes text of any characters as code points', () => {
    expect(spaces.flatten(spaces.text({ maxLength: 3 }), 'é🙂')).toEqual(Int32Array.of(0xe9, 0x1f642, -1));
  });

  it('keeps the structure around parts without a fixed length', () => {
    const space = spaces.dict({ bag: spaces.sequence(spaces.discrete(2)), at: spaces.discrete(2) });
    expect([spaces.isFlattenable(space), spaces.isFlattenable(spaces.discrete(2))]).toEqual([false, true]);
    expect(spaces.flatten(space, { bag: [1, 0], at: 0 })).toEqual({
      bag: [Uint8Array.of(0, 1), Uint8Array.of(1, 0)],
      at: Uint8Array.of(1, 0),
    });
    expect(() => spaces.flatSize(space)).toThrow(code('NOT_FLATTENABLE'));
  });

  it('uses the smallest dtype that holds every part', () => {
    expect(dtypeOf(spaces.discrete(3), spaces.multiBinary(2))).toBe('uint8');
    expect(dtypeOf(ofType('uint8'), ofType('int8'))).toBe('int16');
    expect(dtypeOf(ofType('uint16'), ofType('int8'))).toBe('int32');
    expect(dtypeOf(ofType('uint32'), ofType('int8'))).toBe('float64');
    expect(dtypeOf(ofType('float32'), ofType('int16'))).toBe('float32');
    expect(dtypeOf(ofType('float32'), ofType('int32'))).toBe('float64');
    expect(dtypeOf(ofType('float64'), ofType('uint8'))).toBe('float64');
    const many = spaces.oneOf(Array.from({ length: 300 }, () => spaces.multiBinary(1)));
    expect((spaces.flattenSpace(many) as BoxSpace).dtype).toBe('uint16');
  });

  it('refuses a value that is not a member', () => {
    expect(() => spaces.flatten(spaces.discrete(3), 3)).toThrow(code('INVALID_VALUE'));
  });
});

describe('unflatten', () => {
  const pair = spaces.multiDiscrete([2, 2]);
  const nested = spaces.tuple([spaces.sequence(spaces.discrete(2))]);
  const graph = spaces.graph({ nodes: spaces.discrete(2) });

  it.each<[string, () => unknown]>([
    ['a choice without a 1', () => spaces.unflatten(spaces.discrete(3), new Uint8Array(3))],
    ['a choice with two', () => spaces.unflatten(spaces.discrete(3), Uint8Array.of(1, 1, 0))],
    ['one of two choices without a 1', () => spaces.unflatten(pair, Uint8Array.of(0, 1, 0, 0))],
    ['too few numbers', () => spaces.unflatten(pair, Uint8Array.of(0, 1))],
    ['a plain list', () => spaces.unflatten(pair, [0, 1, 0, 1])],
    ['an invalid character', () => spaces.unflatten(spaces.text({ maxLength: 1, charset: 'ab' }), Int32Array.of(9))],
    ['an invalid code point', () => spaces.unflatten(spaces.text({ maxLength: 1 }), Int32Array.of(-5))],
    ['a number outside the box', () => spaces.unflatten(spaces.box({ low: 0, high: 1 }), Float32Array.of(2))],
    ['a part that does not exist', () => spaces.unflatten(spaces.oneOf([spaces.discrete(2)]), Uint8Array.of(1, 1, 0))],
    ['a missing structure', () => spaces.unflatten(nested, [3])],
    ['an invalid graph', () => spaces.unflatten(graph, {})],
    ['nothing', () => spaces.unflatten(nested, undefined)],
  ])('refuses %s', (_, call) => {
    expect(call).toThrow(code('INVALID_VALUE'));
  });
});
