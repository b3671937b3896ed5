/** Golden parity: every generator agrees with the NumPy and CPython outputs in `test/golden/`. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Generator, PCG64, PythonRandom, SeedSequence } from './index.js';
import * as tables from './ziggurat-tables.generated.js';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../../test/golden/${name}`, import.meta.url), 'utf8'));
interface GeneratorGolden {
  seed: number;
  random: number[];
  'uniform_-3_7': number[];
  uniform_vec: number[];
  integers_mixed: number[];
  interleave: number[];
  choice_n4_x8: number[];
  choice_p: number[];
  choice_no_replace_20_5: number[];
  permutation_10: number[];
  shuffle_array_10: number[];
  shuffle_list_10: number[];
  standard_normal_8: number[];
  normal_2_3_x4: number[];
  exponential_6: number[];
  normal_20000_sum: number;
  normal_20000_tail: number[];
}

interface PythonGolden {
  seed: number;
  getrandbits32: number[];
  random: number[];
  randint_1_13: number[];
  choice_HSDC: string[];
  shuffle_range10: number[];
  sample_range20_5: number[];
  uniform_0_5: number;
}

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

  describe.each(numpy.generator as GeneratorGolden[])('Generator($seed)', (golden) => {
    const fresh = () => new Generator(golden.seed);
    const upTo = (count: number) => times(count, () => 0).map((_, index) => index);

    it('random and uniform', () => {
      expect([...fresh().random(5)]).toEqual(golden.random);
      const three = fresh();
      expect([fresh().uniform(-3, 7), ...times(3, () => three.uniform(-3, 7))]).toEqual(golden['uniform_-3_7']);
      const bounds = fresh();
      expect([bounds.uniform(0, 1), bounds.uniform(0, 0), bounds.uniform(-2, 2)]).toEqual(golden.uniform_vec);
    });

    it('integers of every width, with doubles in between', () => {
      const mixed = fresh();
      const ranges = [1, 2, 3, 4, 6, 10, 13, 100, 1, 7, 2 ** 31, 2 ** 32, 2 ** 33, 1e18];
      expect(ranges.map((range) => Number(mixed.integersBig(0n, BigInt(range))))).toEqual(golden.integers_mixed);
      const interleaved = fresh();
      const draws = [0, 1, 0, 1, 0].map((kind) => (kind === 0 ? interleaved.integers(10) : interleaved.random()));
      expect(draws).toEqual(golden.interleave);
    });

    it('choice', () => {
      expect(fresh().choice(4, { size: 8 })).toEqual(golden.choice_n4_x8);
      expect(fresh().choice(4, { size: 8, p: [0.1, 0.2, 0.3, 0.4] })).toEqual(golden.choice_p);
      expect(fresh().choice(20, { size: 5, replace: false })).toEqual(golden.choice_no_replace_20_5);
    });

    it('permutation and shuffle', () => {
      expect(fresh().permutation(10)).toEqual(golden.permutation_10);
      const list = upTo(10);
      fresh().shuffle(list);
      expect(list).toEqual(golden.shuffle_list_10);
      const array = Int32Array.from(upTo(10));
      fresh().shuffle(array);
      expect([...array]).toEqual(golden.shuffle_array_10);
    });

    it('normal and exponential', () => {
      expect([...fresh().normal(0, 1, 8)]).toEqual(golden.standard_normal_8);
      expect([...fresh().normal(2, 3, 4)]).toEqual(golden.normal_2_3_x4);
      expect([...fresh().exponential(1, 6)]).toEqual(golden.exponential_6);
      const many = fresh().normal(0, 1, 20000);
      expect(many.reduce((sum, value) => sum + value)).toBeCloseTo(golden.normal_20000_sum, 9);
      expect([Math.max(...many), Math.min(...many)]).toEqual(golden.normal_20000_tail);
    });
  });
});

describe('Python', () => {
  it.each(cards.python_random as PythonGolden[])(
    'random.Random($seed) gives the same numbers through every method',
    (golden) => {
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
    },
  );
});
