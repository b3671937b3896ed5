/** Tables of operations and their values, worked out by hand or by PyTorch's documentation. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setNumThreads } from '../src/native/runtime.js';
import type { NestedNumbers } from '../src/tensor/core.js';
import * as torch from '../src/tensor/creation.js';
import { tidy } from '../src/tensor/scope.js';
import type { Tensor } from '../src/tensor/tensor.js';

type Value = NestedNumbers | boolean;
export type Row = [name: string, compute: () => Tensor | number | boolean | readonly Tensor[], wanted: Value | Value[]];

export const t = (data: Parameters<typeof torch.tensor>[0]) => torch.tensor(data, { dtype: 'float64' });
export const long = (data: Parameters<typeof torch.tensor>[0]) => torch.tensor(data, { dtype: 'int64' });
export const m = () =>
  t([
    [1, 2, 3],
    [4, 5, 6],
  ]);
export const v = () => t([3, -1, 2]);
export const { E, LN2, SQRT2, log, exp } = Math;
export const nan = Number.NaN;
export const inf = Number.POSITIVE_INFINITY;
export const sigmoid = (x: number) => 1 / (1 + exp(-x));

function value(result: Tensor | number | boolean | readonly Tensor[]): unknown {
  if (typeof result !== 'object') return result;
  return 'tolist' in result ? result.tolist() : result.map((tensor) => tensor.tolist());
}

function expectClose(actual: unknown, wanted: unknown): void {
  if (Array.isArray(wanted)) {
    expect(Array.isArray(actual) && actual.length).toBe(wanted.length);
    for (const [index, entry] of wanted.entries()) expectClose((actual as unknown[])[index], entry);
  } else if (typeof wanted === 'number') {
    expect(Math.abs((actual as number) - wanted)).toBeLessThanOrEqual(1e-14 + 1e-12 * Math.abs(wanted));
  } else {
    expect(actual).toBe(wanted);
  }
}

/** One test per row. */
export function testOperations(tables: Readonly<Record<string, readonly Row[]>>): void {
  beforeAll(() => setNumThreads(1));

  describe.each(Object.entries(tables))('%s', (_, rows) => {
    it.each([...rows])('%s', (_name, compute, wanted) => {
      tidy(() => expectClose(value(compute()), wanted));
    });
  });
}
