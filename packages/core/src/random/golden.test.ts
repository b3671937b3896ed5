/** Golden parity: every generator agrees with the NumPy and CPython that wrote the files in `test/golden/`. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Generator, PCG64, PythonRandom, SeedSequence } from './index.js';
import * as tables from './ziggurat-tables.generated.js';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../../test/golden/${name}`, import.meta.url), 'utf8'));
const numpy = read('numpy-rng.json');
const cards = read('gym-cards.json');
const times = <T>(count: number, draw: () => T) => Array.from({ length: count }, draw);

describe('NumPy', () => {
  it.each(Object.entries<number[]>(numpy.seedsequence_uint32x8))(
    'SeedSequence(%s) gives the same words',
    (seed, words) => {
      expect([...new SeedSequence(BigInt(seed)).generateState(8)]).toEqual(words);
    },
  );

  it.each(Object.entries<{ state: string; inc: string; raw_hex: string[] }>(numpy.pcg64))(
    'PCG64(%s) starts in the same state and gives the same bits',
    (seed, { state, inc, raw_hex }) => {
      const bits = new PCG64(BigInt(seed));
      expect(bits.getState()).toEqual({ state, inc, hasUint32: false, uinteger: 0 });
      expect(raw_hex.map(() => bits.nextUint64().toString(16))).toEqual(raw_hex);
    },
  );

  it('has the same ziggurat tables', () => {
    const { ki_hex, wi, fi, ke_hex, we, fe } = numpy.ziggurat;
    const whole = (hex: string[]) => hex.map((digits) => Number.parseInt(digits, 16));
    expect([...tables.KI]).toEqual(whole(ki_hex));
    expect([...tables.KE]).toEqual(whole(ke_hex));
    expect([tables.WI, tables.FI, tables.WE, tables.FE].map((table) => [...table])).toEqual([wi, fi, we, fe]);
  });

  describe.each(numpy.generator)('Generator($seed)', (golden) => {
    const fresh = () => new Generator(golden.seed);

    it('random and uniform', () => {
      expect([...fresh().random(5)]).toEqual(golden.random);
    });
  });
});

describe('Python', () => {
  it.each(cards.python_random)('random.Random($seed) gives the same sequence through every method', (golden) => {
    const random = new PythonRandom(golden.seed);
    expect(times(4, () => random.getrandbits(32))).toEqual(golden.getrandbits32);
    expect(times(3, () => random.random())).toEqual(golden.random);
    expect(times(8, () => random.randint(1, 13))).toEqual(golden.randint_1_13);
    expect(times(8, () => random.choice('HSDC'))).toEqual(golden.choice_HSDC);
    const items = times(10, () => 0).map((_, index) => index);
    random.shuffle(items);
    expect(items).toEqual(golden.shuffle_range10);
    expect(random.sample(20, 5)).toEqual(golden.sample_range20_5);
    expect(random.uniform(0, 5)).toBe(golden.uniform_0_5);
  });
});
