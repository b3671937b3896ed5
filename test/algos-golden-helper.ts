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

/** Values that are expected and that no test has read yet, by file. */
const unread = new Map<string, Set<string>>();

/** The file; every expected value of it is to be read before `expectAllRead`. */
export function golden(name: string): Golden {
  const data: Golden = JSON.parse(readFileSync(new URL(`./golden/algos/${name}.json`, import.meta.url), 'utf8'));
  const left = new Set<string>();
  unread.set(name, left);
  return {
    ...data,
    cases: data.cases.map((each) => ({ ...each, expected: watched(each.expected, each.name, left) })),
  };
}

/** Takes the path of what is read out of `left`. */
function watched(value: unknown, path: string, left: Set<string>): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const inner = Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      const here = `${path}: ${key}`;
      const isLeaf = typeof each !== 'object' || each === null || Array.isArray(each);
      if (isLeaf) left.add(here);
      return [key, watched(each, here, left)];
    }),
  );
  return new Proxy(inner, {
    get(target, key) {
      left.delete(`${path}: ${String(key)}`);
      return Reflect.get(target, key);
    },
  });
}

/** For the end of a test file: vectors that are in a file and not compared would pass whatever the code does. */
export function expectAllRead(): void {
  expect(
    Object.fromEntries([...unread].map(([name, left]) => [name, [...left]]).filter(([, left]) => left!.length)),
  ).toEqual({});
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
