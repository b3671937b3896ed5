/** Golden parity on random calls: 600 of NumPy's generator and 600 of Python's, with seeds from 0 to 2^300. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Generator, type IntegerType, PythonRandom, SeedSequence } from './index.js';

type Call = [method: string, args: never[], answer: unknown];
interface Run {
  seed: string;
  calls: Call[];
}
const golden: { generator: Run[]; random: Run[]; spawn42_0_1_10_and_key3: number[][]; lists: [number[], number[]][] } =
  JSON.parse(readFileSync(new URL('../../../../test/golden/generators-fuzz.json', import.meta.url), 'utf8'));

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

const NUMPY: Record<string, (generator: Generator, ...args: never[]) => unknown> = {
  random: (g) => g.random(),
  uniform: (g, low: number, high: number) => g.uniform(low, high),
  normal: (g, mean: number, deviation: number, size: number) => [...g.normal(mean, deviation, size)],
  exponential: (g, scale: number, size: number) => [...g.exponential(scale, size)],
  geometric: (g, p: number) => g.geometric(p),
  integers: (g, low: number, high: number) => g.integers(low, high),
  integersBig: (g, low: string, high: string) => String(g.integersBig(BigInt(low), BigInt(high))),
  integersArray: (g, low: number, high: number, size: number, dtype: IntegerType) =>
    g.integersArray(low, high, size, dtype),
  choice: (g, n: number, size: number, replace: boolean, p: number[] | null) =>
    g.choice(n, { size, replace, ...(p ? { p } : {}) }),
  permutation: (g, n: number) => g.permutation(n),
  getState: (g) => g.getState(),
};

const PYTHON: Record<string, (random: PythonRandom, ...args: never[]) => unknown> = {
  random: (r) => r.random(),
  uniform: (r, a: number, b: number) => r.uniform(a, b),
  getrandbits: (r, k: number) => r.getrandbits(k),
  getrandbitsBig: (r, k: number) => String(r.getrandbitsBig(k)),
  below: (r, n: number) => r.below(n),
  belowBig: (r, n: string) => String(r.belowBig(BigInt(n))),
  randint: (r, a: number, b: number) => r.randint(a, b),
  choices: (r, n: number, k: number, weights: number[] | null) =>
    r.choices(upTo(n), { k, ...(weights ? { weights } : {}) }),
  sample: (r, n: number, k: number) => r.sample(n, k),
  shuffle: (r, n: number) => {
    const items = upTo(n);
    r.shuffle(items);
    return items;
  },
};

describe('every call gives the same result as the original', () => {
  it.each(golden.generator)('numpy.random.default_rng($seed)', ({ seed, calls }) => {
    const generator = new Generator(BigInt(seed));
    expect(calls.map(([method, args]) => [method, args, NUMPY[method]!(generator, ...args)])).toEqual(calls);
  });

  it.each(golden.random)('random.Random($seed)', ({ seed, calls }) => {
    const random = new PythonRandom(BigInt(seed));
    expect(calls.map(([method, args]) => [method, args, PYTHON[method]!(random, ...args)])).toEqual(calls);
  });

  it('SeedSequence.spawn, and seeds of several numbers', () => {
    const [first, second] = new SeedSequence(42).spawn(2);
    const sequences = [first!, second!, ...second!.spawn(1), new SeedSequence(2n ** 130n, { spawnKey: [3] })];
    expect(sequences.map((sequence) => [...sequence.generateState(4)])).toEqual(golden.spawn42_0_1_10_and_key3);
    for (const [entropy, words] of golden.lists) expect([...new SeedSequence(entropy).generateState(4)]).toEqual(words);
  });
});
