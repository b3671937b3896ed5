/** Beyond the golden files: laws of the generators, and errors for invalid arguments. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freshSeed, Generator, PCG64, PythonRandom, SeedSequence } from './index.js';

const code = (name: string) => expect.objectContaining({ code: name });
const seed = fc.oneof(fc.nat(), fc.bigInt({ min: 0n, max: 2n ** 200n }));
const asText = <T>(data: T) => JSON.parse(JSON.stringify(data)) as T;
/** Mixes 32 and 64-bit draws, so that a half-word is buffered at some points. */
const draws = (generator: Generator) => [
  generator.integers(10),
  generator.random(),
  generator.integers(2 ** 40),
  generator.normal(),
  generator.integers(3),
  generator.choice(['a', 'b', 'c']),
];

describe('Generator', () => {
  it('continues exactly from a saved state, at any point', () => {
    fc.assert(
      fc.property(seed, fc.nat(9), (start, skipped) => {
        const first = new Generator(start);
        for (let index = 0; index < skipped; index += 1) first.integers(7);
        const state = asText(first.getState());
        const second = new Generator(0);
        second.setState(state);
        expect(draws(second)).toEqual(draws(first));
        expect(second.getState()).toEqual(first.getState());
      }),
    );
  });

  it('treats a number and an equal bigint alike', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (start) => {
        expect(new Generator(start).getState()).toEqual(new Generator(BigInt(start)).getState());
      }),
    );
  });

  it('draws whole numbers within any range, the same as number and as bigint', () => {
    const bound = fc.maxSafeInteger();
    fc.assert(
      fc.property(seed, bound, bound, (start, a, b) => {
        fc.pre(a !== b);
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        const drawn = new Generator(start).integers(low, high);
        expect(drawn >= low && drawn < high).toBe(true);
        expect(new Generator(start).integersBig(BigInt(low), BigInt(high))).toBe(BigInt(drawn));
      }),
    );
  });

  it('shuffles into permutations, and chooses without repeating', () => {
    fc.assert(
      fc.property(seed, fc.array(fc.string()), fc.double({ min: 0, max: 1, noNaN: true }), (start, items, share) => {
        const generator = new Generator(start);
        expect(generator.permutation(items).sort()).toEqual([...items].sort());
        const size = Math.floor(share * items.length);
        expect(new Set(generator.choice(items.length, { size, replace: false })).size).toBe(size);
      }),
    );
  });

  it('spawns generators that differ from it and from each other, without a draw', () => {
    const parent = new Generator(5);
    const before = parent.getState();
    const family = [...parent.spawn(2), ...parent.spawn(2)];
    expect(parent.getState()).toEqual(before);
    expect(new Set([parent, ...family].map((generator) => generator.random())).size).toBe(5);
    expect(family.map((generator) => generator.seedUsed)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('reports its seed until its state is replaced', () => {
    const first = new Generator();
    expect(draws(new Generator(first.seedUsed))).toEqual(draws(first));
    first.setState(new Generator(1).getState());
    expect(first.seedUsed).toBeUndefined();
    expect(Number.isSafeInteger(freshSeed())).toBe(true);
    expect(freshSeed()).not.toBe(freshSeed());
  });

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, -1n, '7', null, true, {}])(
    'refuses %o as a seed',
    (wrong) => {
      expect(() => new Generator(wrong as number)).toThrow(code('INVALID_SEED'));
      expect(() => new PCG64(wrong as number)).toThrow(code('INVALID_SEED'));
    },
  );

  it.each<[string, (generator: Generator) => unknown]>([
    ['an empty range', (g) => g.integers(3, 3)],
    ['a reversed range', (g) => g.integers(3, 2)],
    ['a fractional bound', (g) => g.integers(0, 2.5)],
    ['a bound of NaN', (g) => g.integers(Number.NaN)],
    ['a bound that is not safe', (g) => g.integers(0, 2 ** 53)],
    ['an empty bigint range', (g) => g.integersBig(3n, 3n)],
    ['a range of more than 64 bits', (g) => g.integersBig(0n, 2n ** 64n + 1n)],
    ['a bound outside the dtype', (g) => g.integersArray(0, 257, 2, 'uint8')],
    ['a negative size', (g) => g.random(-1)],
    ['a fractional size', (g) => g.normal(0, 1, 1.5)],
    ['a reversed uniform range', (g) => g.uniform(1, 0)],
    ['uniform over an infinite range', (g) => g.uniform(-1e308, 1e308)],
    ['a negative deviation', (g) => g.normal(0, -1)],
    ['a negative scale', (g) => g.exponential(-1)],
    ['an impossible success', (g) => g.geometric(0)],
    ['a choice from nothing', (g) => g.choice([])],
    ['a choice from fewer than nothing', (g) => g.choice(-3)],
    ['more than the population', (g) => g.choice(3, { size: 4, replace: false })],
    ['too few weights', (g) => g.choice(3, { p: [0.5, 0.5] })],
    ['weights that sum to more', (g) => g.choice(2, { p: [0.6, 0.6] })],
    ['negative weights', (g) => g.choice(2, { p: [1.5, -0.5] })],
    ['weights of NaN', (g) => g.choice(2, { p: [Number.NaN, 1] })],
    ['more than the items with positive weight', (g) => g.choice(3, { size: 2, replace: false, p: [1, 0, 0] })],
    ['a negative permutation', (g) => g.permutation(-1)],
    ['a negative spawn', (g) => g.spawn(-1)],
  ])('refuses %s and draws nothing', (_, call) => {
    const generator = new Generator(1);
    const before = generator.getState();
    expect(() => call(generator)).toThrow(code('INVALID_DRAW'));
    expect(generator.getState()).toEqual(before);
  });

  it.each([
    null,
    {},
    { ...new Generator(1).getState(), inc: '0'.repeat(32) },
    { ...new Generator(1).getState(), state: 'xyz' },
    { ...new Generator(1).getState(), uinteger: -1 },
    { ...new Generator(1).getState(), hasUint32: 1 },
  ])('refuses %j as a state', (state) => {
    expect(() => new Generator(1).setState(state as never)).toThrow(code('INVALID_STATE'));
  });

  it('chooses an empty list from an empty population', () => {
    expect(new Generator(1).choice([], { size: 0 })).toEqual([]);
  });
});

describe('SeedSequence', () => {
  it('gives the same first words for any count', () => {
    const sequence = new SeedSequence(99);
    expect([...sequence.generateState(3)]).toEqual([...sequence.generateState(50)].slice(0, 3));
  });
});

describe('PythonRandom', () => {
  const drawsOf = (random: PythonRandom) => [
    random.random(),
    random.below(10),
    random.getrandbits(40),
    random.choice('abc'),
  ];

  it('continues exactly from a saved state, at any point', () => {
    fc.assert(
      fc.property(seed, fc.nat(2000), (start, skipped) => {
        const first = new PythonRandom(start);
        for (let index = 0; index < skipped; index += 1) first.getrandbits(32);
        const second = new PythonRandom(0);
        second.setState(asText(first.getState()));
        expect(drawsOf(second)).toEqual(drawsOf(first));
      }),
      { numRuns: 40 },
    );
  });

  it('ignores the sign of a seed, like Python, and restarts with `seed`', () => {
    const random = new PythonRandom(-5);
    const expected = drawsOf(new PythonRandom(5n));
    expect(drawsOf(random)).toEqual(expected);
    random.seed(5);
    expect(drawsOf(random)).toEqual(expected);
    random.seed();
    expect(drawsOf(new PythonRandom(random.seedUsed))).toEqual(drawsOf(random));
  });

  it('draws the same as number and as bigint', () => {
    fc.assert(
      fc.property(seed, fc.integer({ min: 1, max: 2 ** 53 - 1 }), fc.nat(53), (start, n, k) => {
        expect(new PythonRandom(start).belowBig(BigInt(n))).toBe(BigInt(new PythonRandom(start).below(n)));
        expect(new PythonRandom(start).getrandbitsBig(k)).toBe(BigInt(new PythonRandom(start).getrandbits(k)));
      }),
    );
  });

  it('samples without repeating, and chooses all items of positive weight only', () => {
    fc.assert(
      fc.property(seed, fc.nat(400), fc.nat(400), (start, n, k) => {
        const size = Math.min(n, k);
        const sample = new PythonRandom(start).sample(n, size);
        expect(new Set(sample.filter((index) => index >= 0 && index < n)).size).toBe(size);
      }),
    );
    const chosen = new PythonRandom(3).choices(['a', 'b', 'c'], { k: 200, weights: [1, 0, 3] });
    expect(new Set(chosen)).toEqual(new Set(['a', 'c']));
  });

  it.each([0.5, Number.NaN, 2 ** 53, '7', null])('refuses %o as a seed', (wrong) => {
    expect(() => new PythonRandom(wrong as number)).toThrow(code('INVALID_SEED'));
  });

  it.each<[string, (random: PythonRandom) => unknown]>([
    ['below 0', (r) => r.below(0)],
    ['below half', (r) => r.below(0.5)],
    ['below -1n', (r) => r.belowBig(-1n)],
    ['54 bits as a number', (r) => r.getrandbits(54)],
    ['-1 bits', (r) => r.getrandbitsBig(-1)],
    ['a reversed range', (r) => r.randint(2, 1)],
    ['a reversed bigint range', (r) => r.randintBig(2n, 1n)],
    ['a choice from nothing', (r) => r.choice([])],
    ['choices from nothing', (r) => r.choices([])],
    ['weights that are all 0', (r) => r.choices([1], { weights: [0] })],
    ['negative weights', (r) => r.choices([1, 2], { weights: [2, -1] })],
    ['too few weights', (r) => r.choices([1, 2], { weights: [1] })],
    ['a sample larger than its population', (r) => r.sample([1, 2], 3)],
    ['a sample of -1', (r) => r.sample(5, -1)],
  ])('refuses %s and draws nothing', (_, call) => {
    const random = new PythonRandom(1);
    const before = random.getState();
    expect(() => call(random)).toThrow(code('INVALID_DRAW'));
    expect(random.getState()).toEqual(before);
  });

  it.each([
    null,
    {},
    { words: [1], index: 0 },
    { words: new Array(624).fill(-1), index: 0 },
    { words: new Array(624).fill(0), index: 625 },
  ])('refuses %j as a state', (state) => {
    expect(() => new PythonRandom(1).setState(state as never)).toThrow(code('INVALID_STATE'));
  });
});
