/** Masks and probabilities of samples: valid layouts, their effect, and the resulting frequencies. */
import { describe, expect, it } from 'vitest';
import type { BaseSpace } from './base-space.js';
import * as spaces from './spaces.js';

const COUNT = 4000;
/** A fair generator fails at these values with probability 0.1 %; seeds are fixed, so the tests are deterministic. */
const CRITICAL: Record<number, number> = {
  1: 10.83,
  2: 13.82,
  3: 16.27,
  4: 18.47,
  5: 20.52,
  6: 22.46,
  9: 27.88,
  15: 37.7,
  61: 102.2,
};

function draw<T>(space: BaseSpace<T>, options = {}, count = COUNT): T[] {
  space.seed(2024);
  return Array.from({ length: count }, () => space.sample(options));
}

/** Chi-square of the counts against the weights; a value of weight 0 must never be drawn. */
function expectShares(values: readonly unknown[], weights: Record<string, number>): void {
  const counts: Record<string, number> = {};
  for (const value of values) counts[String(value)] = (counts[String(value)] ?? 0) + 1;
  const likely = Object.entries(weights).filter(([, weight]) => weight > 0);
  expect(Object.keys(counts).filter((value) => !(weights[value]! > 0))).toEqual([]);
  const chiSquare = likely.reduce((sum, [value, weight]) => {
    const expected = weight * values.length;
    return sum + ((counts[value] ?? 0) - expected) ** 2 / expected;
  }, 0);
  expect(chiSquare).toBeLessThan(CRITICAL[likely.length - 1] ?? 0.001);
}
const evenly = (values: readonly (string | number)[]) =>
  Object.fromEntries(values.map((value) => [String(value), 1 / values.length]));

describe('discrete', () => {
  const space = spaces.discrete(5, { start: -2 });

  it('draws uniformly', () => expectShares(draw(space), evenly([-2, -1, 0, 1, 2])));

  it('draws uniformly from the entries that a mask allows', () => {
    expectShares(draw(space, { mask: [1, 0, 0, 1, 1] }), evenly([-2, 1, 2]));
  });

  it('draws by probability', () => {
    expectShares(draw(space, { probability: [0.5, 0, 0.25, 0.25, 0] }), { '-2': 0.5, 0: 0.25, 1: 0.25 });
  });

  it('gives its start without a draw if the mask allows nothing', () => {
    const before = space.getState();
    expect(space.sample({ mask: new Uint8Array(5) })).toBe(-2);
    expect(space.getState()).toEqual(before);
  });

  it.each([
    [{ mask: [1, 0, 0, 1] }],
    [{ mask: [1, 0, 0, 1, 2] }],
    [{ mask: [1, 0, 0, 1, Number.NaN] }],
    [{ mask: ['1', 0, 0, 1, 1] }],
    [{ mask: 31 }],
    [{ probability: [0.5, 0.5, 0.5, 0, 0] }],
    [{ probability: [0.2, 0.2, 0.2, 0.2, 0.1999] }],
    [{ probability: [1.5, -0.5, 0, 0, 0] }],
    [{ probability: [Number.NaN, 1, 0, 0, 0] }],
    [{ probability: [1, 0, 0, 0] }],
    [{ mask: [1, 1, 1, 1, 1], probability: [1, 0, 0, 0, 0] }],
  ])('refuses %j without a draw', (options) => {
    const before = space.getState();
    expect(() => space.sample(options as object)).toThrow(expect.objectContaining({ code: 'INVALID_MASK' }));
    expect(space.getState()).toEqual(before);
  });
});

describe('multiDiscrete', () => {
  const space = spaces.multiDiscrete([2, 3], { start: [0, 10] });

  it('draws every element uniformly', () => {
    const values = draw(space);
    expectShares(values.map(String), evenly(['0,10', '0,11', '0,12', '1,10', '1,11', '1,12']));
  });

  it('draws by one mask or probability per element', () => {
    expectShares(
      draw(space, {
        mask: [
          [1, 1],
          [0, 1, 1],
        ],
      }).map(String),
      evenly(['0,11', '0,12', '1,11', '1,12']),
    );
    const weights = { '0,10': 0.25, '0,12': 0.25, '1,10': 0.25, '1,12': 0.25 };
    expectShares(
      draw(space, {
        probability: [
          [0.5, 0.5],
          [0.5, 0, 0.5],
        ],
      }).map(String),
      weights,
    );
  });

  it('accepts probabilities that sum to 1 up to rounding, like Gymnasium', () => {
    expect(
      space.contains(
        space.sample({
          probability: [
            [0.500001, 0.5],
            [1, 0, 0],
          ],
        }),
      ),
    ).toBe(true);
  });

  it.each([
    [{ mask: [[1, 1]] }],
    [
      {
        mask: [
          [1, 1],
          [1, 1],
        ],
      },
    ],
    [{ mask: [1, 1, 1, 1, 1] }],
    [
      {
        probability: [
          [1, 0],
          [0.5, 0.4, 0],
        ],
      },
    ],
  ])('refuses %j', (options) => {
    expect(() => space.sample(options as object)).toThrow(expect.objectContaining({ code: 'INVALID_MASK' }));
  });
});

describe('multiBinary', () => {
  const space = spaces.multiBinary(4);

  it('flips fair coins', () => {
    const values = draw(space).map((value) => Number.parseInt(value.join(''), 2));
    expectShares(values, evenly(Array.from({ length: 16 }, (_, value) => value)));
  });

  it('sets the entries that the mask fixes and flips coins for the rest', () => {
    expectShares(draw(space, { mask: [0, 1, 2, 1] }).map(String), evenly(['0,1,0,1', '0,1,1,1']));
  });

  it('flips biased coins', () => {
    const ones = draw(space, { probability: [0, 1, 0.25, 1] }).map(String);
    expectShares(ones, { '0,1,1,1': 0.25, '0,1,0,1': 0.75 });
  });

  it.each([[{ mask: [0, 1, 3, 0] }], [{ mask: [0, 1] }], [{ probability: [0, 1.1, 0, 0] }]])(
    'refuses %j',
    (options) => {
      expect(() => space.sample(options)).toThrow(expect.objectContaining({ code: 'INVALID_MASK' }));
    },
  );
});

describe('text', () => {
  it('draws lengths, letters and digits uniformly', () => {
    const texts = draw(spaces.text({ maxLength: 10 }));
    expectShares(
      texts.map((text) => text.length),
      evenly([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
    );
    expectShares([...texts.join('')], evenly([...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']));
  });

  it('draws from the allowed characters, with the given length', () => {
    const space = spaces.text({ maxLength: 9, charset: 'aé🙂' });
    const texts = draw(space, { mask: [2, [1, 0, 1]] });
    expectShares(texts, evenly(['aa', 'a🙂', '🙂a', '🙂🙂']));
    expectShares(draw(space, { probability: [1, [0.5, 0.25, 0.25]] }), { a: 0.5, é: 0.25, '🙂': 0.25 });
  });

  it('gives the empty text if no character is allowed and it may be empty', () => {
    expect(spaces.text({ minLength: 0, maxLength: 9, charset: 'ab' }).sample({ mask: [null, [0, 0]] })).toBe('');
    const refusal = expect.objectContaining({ code: 'INVALID_MASK' });
    expect(() => spaces.text({ maxLength: 9, charset: 'ab' }).sample({ mask: [null, [0, 0]] })).toThrow(refusal);
  });

  it.each([
    [{ mask: [4, null] }],
    [{ mask: [null, [1]] }],
    [{ mask: [1, 0] }],
    [{ mask: [null] }],
    [{ probability: [null, [0.5, 0.6]] }],
  ])('refuses %j', (options) => {
    const space = spaces.text({ maxLength: 3, charset: 'ab' });
    expect(() => space.sample(options as object)).toThrow(expect.objectContaining({ code: 'INVALID_MASK' }));
  });
});

describe('spaces of spaces', () => {
  const coin = spaces.discrete(2);

  it('pass masks down to their parts', () => {
    const dict = spaces.dict({ a: coin, b: spaces.discrete(2) });
    expect(dict.sample({ mask: { a: [0, 1], b: [1, 0] } })).toEqual({ a: 1, b: 0 });
    const tuple = spaces.tuple([spaces.discrete(2), spaces.discrete(2)]);
    expectShares(draw(tuple, { probability: [[1, 0], null] }).map(String), evenly(['0,0', '0,1']));
    const oneOf = spaces.oneOf([spaces.discrete(2), spaces.discrete(3)]);
    expectShares(
      draw(oneOf, {
        mask: [
          [0, 1],
          [0, 0, 1],
        ],
      }).map(String),
      evenly(['0,1', '1,2']),
    );
    const graph = spaces.graph({ nodes: spaces.discrete(2), edges: spaces.multiBinary(2) });
    const drawn = graph.sample({
      mask: [
        [0, 1],
        [1, 2],
      ],
      numNodes: 3,
      numEdges: 5,
    });
    expect([drawn.nodes, drawn.edges!.map((edge) => edge[0])]).toEqual([
      [1, 1, 1],
      [1, 1, 1, 1, 1],
    ]);
  });

  it('refuse masks of another layout', () => {
    const refusal = expect.objectContaining({ code: 'INVALID_MASK' });
    expect(() => spaces.dict({ a: coin }).sample({ mask: {} })).toThrow(refusal);
    expect(() => spaces.dict({ a: coin }).sample({ mask: { a: null, b: null } })).toThrow(refusal);
    expect(() => spaces.tuple([coin]).sample({ mask: [null, null] })).toThrow(refusal);
    expect(() => spaces.oneOf([coin]).sample({ mask: [] })).toThrow(refusal);
    expect(() => spaces.sequence(coin).sample({ mask: [-1, null] })).toThrow(refusal);
    expect(() => spaces.sequence(coin, { maxLength: 3 }).sample({ mask: [4, null] })).toThrow(refusal);
    expect(() => spaces.graph({ nodes: coin }).sample({ numNodes: 0 })).toThrow(refusal);
    expect(() => spaces.tuple([spaces.box({ low: 0, high: 1 })]).sample({ mask: [[1]] })).toThrow(refusal);
  });

  it('choose their part, their length and their links uniformly', () => {
    const choices = draw(spaces.oneOf([coin, coin, coin])).map(([index]) => index);
    expectShares(choices, evenly([0, 1, 2]));
    const lengths = draw(spaces.sequence(coin)).map((list) => Math.min(list.length, 5));
    expectShares(lengths, { 1: 0.25, 2: 0.1875, 3: 0.140625, 4: 0.10546875, 5: 0.31640625 });
    const given = draw(spaces.sequence(coin), { mask: [[2, 6], null] }).map((list) => list.length);
    expectShares(given, evenly([2, 6]));
    const links = draw(spaces.graph({ nodes: coin, edges: coin }), { numNodes: 2, numEdges: 1 });
    expectShares(
      links.map(({ edgeLinks }) => String(edgeLinks![0])),
      evenly(['0,0', '0,1', '1,0', '1,1']),
    );
  });
});

describe('box', () => {
  const infinity = Number.POSITIVE_INFINITY;

  it('is uniform between bounds, exponential above one, normal without bounds', () => {
    const space = spaces.box({ low: [2, 5, -infinity, -infinity], high: [4, infinity, 7, infinity], dtype: 'float64' });
    const values = draw(space, {}, 20_000);
    const average = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;
    const moments = [0, 1, 2, 3].map((index) => {
      const column = values.map((value) => value[index]!);
      const mean = average(column);
      return { mean, variance: average(column.map((value) => (value - mean) ** 2)) };
    });
    const expected = [
      { mean: 3, variance: 1 / 3 },
      { mean: 6, variance: 1 },
      { mean: 6, variance: 1 },
      { mean: 0, variance: 1 },
    ];
    for (const [index, { mean, variance }] of expected.entries()) {
      expect(Math.abs(moments[index]!.mean - mean)).toBeLessThan(0.03);
      expect(Math.abs(moments[index]!.variance / variance - 1)).toBeLessThan(0.05);
    }
  });

  it('draws whole numbers uniformly, both bounds included', () => {
    const space = spaces.box({ low: -1, high: 2, shape: [1], dtype: 'int8' });
    expectShares(draw(space).map(String), evenly([-1, 0, 1, 2]));
  });

  it('draws within a range that is larger than any number', () => {
    const space = spaces.box({ low: -Number.MAX_VALUE, high: Number.MAX_VALUE, dtype: 'float64' });
    const values = draw(space, {}, 200).map(([value]) => value!);
    expect(values.every(Number.isFinite)).toBe(true);
    expect(Math.min(...values) < 0 && Math.max(...values) > 0).toBe(true);
  });
});
