/** Golden vectors of `test/golden/algos`, and comparisons at their stated tolerance. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

export interface GoldenCase {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: each golden file has its own layout
  readonly params: any;
  // biome-ignore lint/suspicious/noExplicitAny: each golden file has its own layout
  readonly inputs: any;
  // biome-ignore lint/suspicious/noExplicitAny: each golden file has its own layout
  readonly expected: any;
}

export interface Golden {
  readonly tolerance: { readonly abs: number; readonly rel: number };
  readonly cases: readonly GoldenCase[];
}

export function golden(name: string): Golden {
  return JSON.parse(readFileSync(new URL(`./golden/algos/${name}.json`, import.meta.url), 'utf8'));
}

export function flat(value: unknown): number[] {
  return Array.isArray(value) ? value.flatMap(flat) : [Number(value)];
}

/** Every entry within abs + rel·|expected|; lengths must agree. */
export function expectClose(
  actual: ArrayLike<number> | number,
  expected: unknown,
  { abs, rel }: { readonly abs: number; readonly rel: number },
  label = '',
): void {
  const got = typeof actual === 'number' ? [actual] : Array.from(actual);
  const want = flat(expected);
  expect(got.length, `${label}: length`).toBe(want.length);
  got.forEach((value, index) => {
    const error = Math.abs(value - want[index]!);
    const bound = abs + rel * Math.abs(want[index]!);
    if (!(error <= bound)) expect(value, `${label}[${index}]: off by ${error}, allowed ${bound}`).toBe(want[index]);
  });
}
