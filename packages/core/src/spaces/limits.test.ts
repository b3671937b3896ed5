import { describe, expect, it } from 'vitest';
import type { GymError } from '../errors.js';
import { MAX_ELEMENTS, MAX_TEXT_LENGTH } from './limits.js';
import { fromJSON } from './serialization/from-json.js';
import * as spaces from './spaces.js';

const code = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    return (error as GymError).code;
  }
  return 'nothing was refused';
};
const box = (shape: readonly number[]) => ({ type: 'box', dtype: 'float32', shape, low: 0, high: 1 });

describe('a space that is too large (60 bytes of JSON exhausted the memory)', () => {
  it.each([
    ['a box', box([1e8])],
    ['a box of many axes', box(new Array(60).fill(9))],
    ['a box beyond all numbers', box(new Array(40).fill(1e15))],
    ['doubles just below the limit of one box', { ...box([2 ** 26]), dtype: 'float64' }],
    ['many boxes', { type: 'tuple', spaces: new Array(60).fill(box([1e6])) }],
    ['switches', { type: 'multiBinary', shape: [1e9] }],
    ['a text', { type: 'text', maxLength: 1e9 }],
    ['many texts', { type: 'tuple', spaces: new Array(60).fill({ type: 'text', maxLength: 1e7 }) }],
    ['a picture', { type: 'image', height: 65_535, width: 65_535 }],
    ['many pictures', { type: 'tuple', spaces: new Array(60).fill({ type: 'image', height: 4096, width: 4096 }) }],
    ['a long list', { type: 'sequence', element: { type: 'discrete', n: 2 }, minLength: 1e9 }],
    ['a list of boxes', { type: 'sequence', element: box([1e5]), minLength: 1e4 }],
    ['a graph with large edges', { type: 'graph', nodes: box([1]), edges: box([1e6]) }],
    [
      'graphs of graphs',
      new Array(9).fill(0).reduce((nodes) => ({ type: 'graph', nodes }), { type: 'multiBinary', shape: [4] }),
    ],
    ['empty lists', { type: 'multiDiscrete', counts: [], shape: [1e8, 0] }],
    ['an empty box of many lists', box([1e8, 0])],
    ['a long conversation', { type: 'chat', minMessages: 1e9, maxMessages: 1e9 }],
  ])('%s from JSON is refused with a code', (_, json) => {
    expect(code(() => fromJSON(json))).toBe('SPACE_TOO_LARGE');
  });

  it.each([
    ['a box', () => spaces.box({ low: 0, high: 1, shape: [1e8] })],
    ['switches', () => spaces.multiBinary(1e9)],
    ['a text', () => spaces.text({ maxLength: 1e9 })],
    ['a picture', () => spaces.image({ height: 65_535, width: 65_535 })],
    ['a batch of boxes', () => spaces.batchSpace(spaces.box({ low: 0, high: 1, shape: [1e6] }), 1000)],
  ])('%s in code is refused with a code', (_, make) => {
    expect(code(make)).toBe('SPACE_TOO_LARGE');
  });

  it('is not flattened', () => {
    expect(code(() => spaces.flattenSpace(spaces.discrete(1e12)))).toBe('NOT_FLATTENABLE');
    expect(code(() => spaces.flattenSpace(spaces.discrete(1e8)))).toBe('NOT_FLATTENABLE');
  });

  it('has at most 64 axes, as in NumPy (lists in lists overflowed the stack)', () => {
    const ones = (axes: number) => fromJSON(box(new Array(axes).fill(1)));
    expect(JSON.stringify(ones(64).toJsonSchema())).toContain('maxItems');
    expect(code(() => ones(65))).toBe('INVALID_SPACE');
  });

  it('allows every space in use: the largest views and texts of the environments', () => {
    expect(fromJSON(box([4096, 4096])).type).toBe('box');
    expect(fromJSON({ type: 'image', height: 8192, width: 2560 }).type).toBe('image');
    expect(fromJSON({ type: 'text', minLength: 0, maxLength: 10_000_000 }).type).toBe('text');
    expect(spaces.text({ maxLength: MAX_TEXT_LENGTH }).maxLength).toBe(MAX_TEXT_LENGTH);
    expect(MAX_ELEMENTS).toBeGreaterThan(4096 * 4096);
  });
});

describe('String(space) (was [object Object])', () => {
  it.each([
    [spaces.discrete(3), 'Discrete(3)'],
    [spaces.discrete(3, { start: -1 }), 'Discrete(3, start=-1)'],
    [spaces.box({ low: 0, high: 255, shape: [60, 80, 3], dtype: 'uint8' }), 'Box(0, 255, (60, 80, 3), uint8)'],
    [spaces.box({ low: -1, high: 1, shape: [3] }), 'Box(-1.0, 1.0, (3,), float32)'],
    [spaces.box({ low: Number.NEGATIVE_INFINITY, high: 0.1, shape: [] }), 'Box(-inf, 0.1, (), float32)'],
    [spaces.box({ low: [-4.8, 0], high: [4.8, 1e10] }), 'Box([-4.8 0.0], [4.8 10000000000.0], (2,), float32)'],
    [spaces.box({ low: 0, high: 1e-7, dtype: 'float64' }), 'Box(0.0, 1e-07, (1,), float64)'],
    [spaces.image({ height: 60, width: 80 }), 'Box(0, 255, (60, 80, 3), uint8)'],
    [spaces.multiDiscrete([5, 2, 2]), 'MultiDiscrete([5 2 2])'],
    [spaces.multiDiscrete([5, 2], { start: [1, 0] }), 'MultiDiscrete([5 2], start=[1 0])'],
    [spaces.multiBinary(5), 'MultiBinary(5)'],
    [spaces.multiBinary([3, 2]), 'MultiBinary((3, 2))'],
    [spaces.text({ maxLength: 8, charset: 'ab' }), 'Text(1, 8, charset=ab)'],
    [spaces.dict({ b: spaces.discrete(2), a: spaces.multiBinary(1) }), "Dict('a': MultiBinary(1), 'b': Discrete(2))"],
    [spaces.tuple([spaces.discrete(2), spaces.discrete(3)]), 'Tuple(Discrete(2), Discrete(3))'],
    [spaces.oneOf([spaces.discrete(2), spaces.discrete(3)]), 'OneOf(Discrete(2), Discrete(3))'],
    [spaces.sequence(spaces.discrete(2)), 'Sequence(Discrete(2), stack=False)'],
    [spaces.graph({ nodes: spaces.discrete(2) }), 'Graph(Discrete(2), None)'],
  ])('is what Gymnasium prints: %s', (space, text) => {
    expect(String(space)).toBe(text);
  });

  it('describes the spaces that Gymnasium does not have', () => {
    expect(String(spaces.text({ maxLength: 8 }))).toBe('Text(1, 8)');
    expect(String(spaces.chat())).toBe('Chat(0, 1024)');
  });
});
