/**
 * A small decoder with the same numbers in every dtype, and the scores of a step of it. As a program it prints what a process
 * finds of them, for `ATEN_CPU_CAPABILITY`: `node --import tsx decoder.test-helper.ts`.
 */
import { type DType, Generator, nn, randn, type Tensor, tensor, tidy } from '../index.js';

export const HIDDEN = 37; // neither a multiple of a register nor even
export const [HEADS, GROUPS, WIDTH, INNER, VOCABULARY] = [6, 2, 18, 21, 29];
export const LENGTH = 19;
export const MOST_ROWS = 18;

/** The same numbers in every dtype. */
export function numbers(seed: number, dtype: DType, ...shape: number[]): Tensor {
  return randn(shape, { generator: new Generator(seed) }).to(dtype);
}

export function decoder(dtype: DType): nn.Decoder {
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

export interface Step {
  readonly rows: readonly number[];
  readonly length: number;
  /** Columns that each row does not see; null without a mask. */
  readonly hidden: ((row: number) => number) | null;
}

/** Scores of the next token of some rows, in float64. */
export function scores(dtype: DType, { rows, length, hidden }: Step): number[][] {
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

/** The first rows of the table. */
export const first = (count: number) => Array.from({ length: count }, (_, row) => row);

/** Columns that a row does not see. */
export const hidden = (row: number) => row % 5;

export interface Found {
  /** Largest distance of the scores in float32 from those in float64. */
  readonly distance: number;
  /** Up to 16 rows, a row has the same bits alone and among others. */
  readonly isIndependent: boolean;
}

function found(): Found {
  const step = { length: LENGTH, hidden };
  const exact = scores('float64', { ...step, rows: first(MOST_ROWS) });
  const alone = first(MOST_ROWS).map((row) => scores('float32', { ...step, rows: [row] })[0]!);
  const counts = [1, 2, 3, 5, 7, 8, 13, 16, MOST_ROWS];
  const together = counts.map((count) => scores('float32', { ...step, rows: first(count) }));
  const distances = [alone, ...together].flatMap((rows) =>
    rows.flatMap((row, i) => row.map((score, j) => Math.abs(score - exact[i]![j]!))),
  );
  const bits = (rows: number[][]) => JSON.stringify(rows.slice(0, 16));
  const isIndependent = together.every((rows) => rows.length > 16 || bits(rows) === bits(alone.slice(0, rows.length)));
  return { distance: Math.max(...distances), isIndependent };
}

if (process.argv[1]?.endsWith('decoder.test-helper.ts')) console.log(JSON.stringify(found()));
