/** Steps of a decoder in float32, which has loops of its own for few rows, against float64, which has not; and its last token. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type DType, Generator, nn, randn, type Tensor, tensor, tidy } from '../index.js';

const HIDDEN = 37; // neither a multiple of a register nor even
const [HEADS, GROUPS, WIDTH, INNER, VOCABULARY] = [6, 2, 18, 21, 29];
const LENGTH = 19;
const MOST_ROWS = 18;

/** The same numbers in every dtype. */
function numbers(seed: number, dtype: DType, ...shape: number[]): Tensor {
  return randn(shape, { generator: new Generator(seed) }).to(dtype);
}

function decoder(dtype: DType): nn.Decoder {
  const vector = (seed: number) => numbers(seed, dtype, HIDDEN);
  const linear = (seed: number, out: number, width = HIDDEN) => ({
    weight: numbers(seed, dtype, out, width).mul(0.3),
    bias: numbers(seed + 50, dtype, out),
    parts: [{ start: 1, scale: 0.5, a: numbers(seed + 60, dtype, 3, width), b: numbers(seed + 70, dtype, out - 1, 3) }],
  });
  const layer = (seed: number) => ({
    ...{ inputNorm: vector(seed), qkv: linear(seed + 1, (HEADS + 2 * GROUPS) * WIDTH) },
    ...{ output: linear(seed + 2, HIDDEN, HEADS * WIDTH), middleNorm: vector(seed + 3) },
    ...{ gateUp: linear(seed + 4, 2 * INNER), down: linear(seed + 5, HIDDEN, INNER) },
  });
  return new nn.Decoder({
    ...{ heads: HEADS, keyValueHeads: GROUPS, headWidth: WIDTH, normEps: 1e-6, wideNorm: false, records: false },
    embedding: numbers(1, dtype, MOST_ROWS, HIDDEN),
    layers: [layer(100), layer(200)],
    norm: vector(2),
    head: linear(300, VOCABULARY),
  });
}

interface Step {
  readonly rows: readonly number[];
  readonly length: number;
  /** Columns that each row does not see; null without a mask. */
  readonly hidden: ((row: number) => number) | null;
}

/** Scores of the next token of some rows, in float64. */
function scores(dtype: DType, { rows, length, hidden }: Step): number[][] {
  return tidy(() => {
    using made = decoder(dtype);
    const ids = tensor(Int32Array.from(rows), { dtype: 'int64' });
    const cached = (seed: number) =>
      numbers(seed, dtype, MOST_ROWS, GROUPS, LENGTH + 4, WIDTH)
        .indexSelect(0, ids)
        .contiguous();
    const mask =
      hidden &&
      tensor(
        rows.flatMap((row) =>
          Array.from({ length: length + 1 }, (_, i) => (i < hidden(row) ? Number.NEGATIVE_INFINITY : 0)),
        ),
        { shape: [rows.length, 1, 1, length + 1], dtype },
      );
    const angles = numbers(3, dtype, 1, 1, 1, WIDTH);
    const found = made.scores(ids, {
      ...{ cos: angles.cos(), sin: angles.sin(), mask },
      cache: { keys: [cached(4), cached(5)], values: [cached(6), cached(7)], length },
    });
    const flat = found.toNumbers();
    return rows.map((_, i) => flat.slice(i * VOCABULARY, (i + 1) * VOCABULARY));
  });
}

const first = (count: number) => Array.from({ length: count }, (_, row) => row);
const hidden = (row: number) => row % 5;

describe.each([1, 2, 3, 4, 5, 8, 11, 16, 17, MOST_ROWS])('a token of %d rows in float32', (count) => {
  it.each([
    ['an empty cache', { length: 0, hidden: null }],
    ['a cache', { length: LENGTH, hidden: null }],
    ['columns that a mask hides', { length: LENGTH, hidden }],
  ])('has the scores of float64, with %s', (_, step) => {
    const exact = scores('float64', { ...step, rows: first(count) });
    const found = scores('float32', { ...step, rows: first(count) });
    for (const [row, expected] of exact.entries()) {
      for (const [i, score] of expected.entries()) expect(Math.abs(found[row]![i]! - score)).toBeLessThan(1e-4);
    }
  });
});

const hasAvx512 = process.platform === 'linux' && /\bavx512f\b/.test(readFileSync('/proc/cpuinfo', 'utf8'));

describe.skipIf(!hasAvx512)('with AVX-512', () => {
  it('a row has the same bits alone and among up to 15 others', () => {
    const step = { length: LENGTH, hidden };
    const alone = first(16).map((row) => scores('float32', { ...step, rows: [row] })[0]);
    for (const count of [2, 3, 7, 8, 13, 16]) {
      expect(scores('float32', { ...step, rows: first(count) })).toEqual(alone.slice(0, count));
    }
  });
});

describe('the last token alone', () => {
  const TOKENS = 5;

  interface Prompt {
    readonly lastOnly: boolean;
    readonly isMasked: boolean;
    readonly hasAdded: boolean;
    readonly before: number;
  }

  /** What comes out of a prompt of two rows behind `before` columns, and what the cache holds then. */
  function read({ lastOnly, isMasked, hasAdded, before }: Prompt): { states: Tensor; cached: number[] } {
    using made = decoder('float64');
    const x = (seed: number) => numbers(seed, 'float64', 2, TOKENS, HIDDEN);
    const cached = [4, 5, 6, 7].map((seed) => numbers(seed, 'float64', 2, GROUPS, before + TOKENS, WIDTH));
    const causal = Array.from({ length: TOKENS * (before + TOKENS) }, (_, i) => {
      const [query, key] = [Math.floor(i / (before + TOKENS)), i % (before + TOKENS)];
      return key > before + query || key === 0 ? Number.NEGATIVE_INFINITY : 0;
    });
    const mask = tensor([...causal, ...causal], { shape: [2, 1, TOKENS, before + TOKENS], dtype: 'float64' });
    const angles = numbers(3, 'float64', 1, TOKENS, 1, WIDTH);
    const context = { cos: angles.cos(), sin: angles.sin(), mask: isMasked ? mask : null };
    const cache = { keys: cached.slice(0, 2), values: cached.slice(2), length: before };
    const states = made.forward(x(8), { ...context, cache }, { lastOnly, added: hasAdded ? [x(9), x(10)] : [] });
    return { states, cached: cached.flatMap((each) => each.toNumbers()) };
  }

  it.each([
    ['without a mask', { isMasked: false, hasAdded: false, before: 0 }],
    ['with a mask behind a cache', { isMasked: true, hasAdded: false, before: 3 }],
    ['with features added to each layer', { isMasked: true, hasAdded: true, before: 2 }],
  ])('is the last of all, %s, and fills the cache as they do', (_, prompt) => {
    tidy(() => {
      const all = read({ ...prompt, lastOnly: false });
      const last = read({ ...prompt, lastOnly: true });
      expect(last.states.shape).toEqual([2, 1, HIDDEN]);
      const difference = last.states.sub(all.states.narrow(1, TOKENS - 1, 1));
      expect(difference.abs().max().item()).toBeLessThan(1e-12);
      expect(last.cached).toEqual(all.cached);
    });
  });
});
