import { describe, expect, it } from 'vitest';
import { type MicroBatchLimits, microBatches } from './micro-batches.js';

const sequence = (first: number, prompt: number, response: number) => ({
  input: { promptIds: Int32Array.from({ length: prompt }, () => first), images: [] },
  responseIds: new Int32Array(response),
});

describe('of sequences that have nothing in common', () => {
  const sizes = [
    [1, 1],
    [2, 1],
    [1, 3],
    [9, 9],
    [9, 9],
  ].map(([prompt, response], i) => sequence(i + 1, prompt!, response!));
  const lengths = (limits: MicroBatchLimits) =>
    microBatches(sizes, (item) => item, limits).map((group) => group.length);

  it('hold at most the rows asked for', () => {
    expect(lengths({ rows: 2 })).toEqual([2, 2, 1]);
    expect(lengths({ rows: 8 })).toEqual([5]);
    expect(lengths({})).toEqual([5]);
  });

  it('hold at most the tokens asked for, padding included, but at least one row', () => {
    // three rows are as wide as the widest prompt and the widest response: 2 + 3
    expect(lengths({ rows: 8, tokens: 15 })).toEqual([3, 1, 1]);
    expect(lengths({ rows: 8, tokens: 14 })).toEqual([2, 1, 1, 1]);
    expect(lengths({ rows: 8, tokens: 36 })).toEqual([3, 2]);
    expect(lengths({ rows: 8, tokens: 1 })).toEqual([1, 1, 1, 1, 1]);
  });

  it('hold at most the response tokens asked for', () => {
    expect(lengths({ responseTokens: 9 })).toEqual([3, 1, 1]);
    expect(lengths({ responseTokens: 8 })).toEqual([2, 1, 1, 1]);
  });

  it('are in the order of their lengths, and of the list', () => {
    const order = microBatches([4, 2, 3, 0], (i) => sizes[i]!, { rows: 1 });
    expect(order).toEqual([[0], [2], [4], [3]]);
  });
});

describe('of conversations', () => {
  /** Turns of 2 tokens of the world and 3 of the player. */
  const turns = (player: number, count: number) =>
    Array.from({ length: count }, (_, turn) => ({
      input: { promptIds: Int32Array.from({ length: 5 * turn + 2 }, () => player), images: [] },
      responseIds: Int32Array.of(player, player, player),
    }));
  const list = [...turns(1, 4), ...turns(2, 4)].map((item, i) => ({ ...item, i }));
  const positions = (limits: MicroBatchLimits) =>
    microBatches(list, (item) => item, limits).map((group) => group.map(({ i }) => i));

  const whole = [
    [0, 1, 2, 3],
    [4, 5, 6, 7],
  ];
  const halves = [
    [0, 1],
    [4, 5],
    [2, 3],
    [6, 7],
  ];

  it('count each once', () => {
    expect(positions({ tokens: 40 })).toEqual([whole.flat()]);
    expect(positions({ tokens: 39 })).toEqual(whole);
    expect(positions({ rows: 2 })).toEqual([whole.flat()]);
    expect(positions({ rows: 1 })).toEqual(whole);
  });

  it('cut one that has too many tokens to score', () => {
    expect(positions({ responseTokens: 11, rows: 1 }).map(({ length }) => length)).toEqual([3, 3, 1, 1]);
    expect(positions({ responseTokens: 6 })).toEqual(halves);
  });

  it('score no more tokens than they read, so that a long answer cuts a conversation of short ones', () => {
    const [first, ...others] = turns(1, 4);
    const long = { ...others.at(-1)!, responseIds: new Int32Array(13) };
    const group = microBatches([first!, ...others.slice(0, -1), long], (item) => item, { tokens: 30 });
    // 30 tokens are read with the long answer: two answers of up to 13
    expect(group.map(({ length }) => length)).toEqual([2, 2]);
  });
});
