/**
 * Tests that stop early: at most one false alarm in twenty, by simulation as by the exact computation; agents at the rate
 * that a test claims to detect are found; episodes are saved against the fixed number.
 */
import { Generator, InvalidOptionError } from '@vlgym/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mcnemarExact } from '../paired-comparison.js';
import { type SuccessPair, sequentialPairs } from './pairs.js';
import { sequentialRate } from './rate.js';

const RUNS = 4000;
/** A share of simulated runs is this close to its probability, with four standard errors. */
const NOISE = 4 * Math.sqrt((0.05 * 0.95) / RUNS);

const draws = (rng: Generator, count: number, rate: number) => Array.from({ length: count }, () => rng.random() < rate);

const designs = [
  { rate: 0.8, episodes: 40 },
  { rate: 0.9, episodes: 100 },
  { rate: 0.5, episodes: 20 },
  { rate: 0.95, episodes: 200 },
  { rate: 1, episodes: 20 },
];

describe.each(designs)('a promised rate of $rate, at most $episodes episodes', (design) => {
  const test = sequentialRate(design);
  const play = (rate: number) => {
    const rng = new Generator(3);
    const results = Array.from({ length: RUNS }, () => test.judge(draws(rng, design.episodes, rate))!);
    return {
      alarm: results.filter(({ verdict }) => verdict === 'alarm').length / RUNS,
      episodes: results.reduce((sum, { episodes }) => sum + episodes, 0) / RUNS,
    };
  };

  it('alarms about an agent that keeps it at most one time in twenty', () => {
    const { alarm } = play(design.rate);
    expect(test.falseAlarms).toBeLessThanOrEqual(0.05);
    expect(alarm).toBeLessThanOrEqual(0.05 + NOISE);
    expect(Math.abs(alarm - test.falseAlarms)).toBeLessThanOrEqual(NOISE);
    expect(test.expect((1 + design.rate) / 2).alarm).toBeLessThanOrEqual(test.falseAlarms);
  });

  it('finds an agent at the rate that it says it detects', () => {
    expect(test.detects).toBeLessThan(design.rate);
    expect(play(test.detects).alarm).toBeGreaterThan(0.9 - 4 * Math.sqrt(0.09 / RUNS));
  });

  it('saves episodes where the answer is clear, on average for every rate', () => {
    const [good, bad] = [play((1 + design.rate) / 2), play(test.detects / 2)];
    expect(Math.abs(good.episodes - test.expect((1 + design.rate) / 2).episodes)).toBeLessThan(1.5);
    expect(bad.episodes).toBeLessThan(0.6 * design.episodes);
    for (const rate of [0.1, 0.5, design.rate, 0.99]) {
      expect(test.expect(rate).episodes).toBeLessThanOrEqual(design.episodes);
    }
    if (design.rate < 1) expect(good.episodes).toBeLessThan(0.65 * design.episodes);
  });

  it('has no verdict before it is clear, and always one at the end', () => {
    expect(test.judge([])).toBeUndefined();
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: design.episodes, maxLength: design.episodes }), (outcomes) => {
        const { verdict, episodes } = test.judge(outcomes)!;
        expect(test.judge(outcomes.slice(0, episodes))).toEqual({ verdict, episodes });
        expect(test.judge(outcomes.slice(0, episodes - 1))).toBeUndefined();
      }),
    );
  });
});

it('one more success never turns a pass into an alarm', () => {
  const test = sequentialRate({ rate: 0.8, episodes: 30 });
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }), fc.nat(29), (outcomes, place) => {
      const better = outcomes.with(place, true);
      if (test.judge(outcomes)!.verdict === 'pass') expect(test.judge(better)!.verdict).toBe('pass');
    }),
  );
});

it('refuses a design that could never alarm, with the smallest one that can', () => {
  const attempt = () => sequentialRate({ rate: 0.3, episodes: 5 });
  expect(attempt).toThrow(InvalidOptionError);
  expect(attempt).toThrow(/9 or more/);
  expect(sequentialRate({ rate: 0.3, episodes: 9 }).detects).toBeGreaterThan(0);
});

describe('pairs of before and now', () => {
  const pairs = 40;
  const test = sequentialPairs({ pairs });
  const play = (before: number, now: number, seed = 5) => {
    const rng = new Generator(seed);
    const results = Array.from({ length: RUNS }, () => {
      const outcomes = Array.from({ length: pairs }, (): SuccessPair => [rng.random() < before, rng.random() < now]);
      return test.judge(outcomes)!;
    });
    return results.filter(({ verdict }) => verdict === 'alarm').length / RUNS;
  };

  it.each([0.3, 0.5, 0.9])('an agent that still solves %d of its tasks raises at most one alarm in twenty', (rate) => {
    expect(play(rate, rate)).toBeLessThanOrEqual(0.05 + NOISE);
  });

  it('an agent that lost 30 points is found, one that gained never', () => {
    expect(play(0.9, 0.6)).toBeGreaterThan(0.85);
    expect(play(0.6, 0.9)).toBeLessThan(0.001);
  });

  it('an agent that plays the same passes before the last pair', () => {
    const same = Array.from({ length: 200 }, (_, index): SuccessPair => [index % 3 > 0, index % 3 > 0]);
    const { verdict, pairs: used } = sequentialPairs({ pairs: 200 }).judge(same)!;
    expect([verdict, used < 40]).toEqual(['pass', true]);
  });

  it('an alarm at the end is one that the exact sign test supports', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: pairs, maxLength: pairs }),
        (outcomes) => {
          const { verdict, pairs: used } = test.judge(outcomes)!;
          if (verdict === 'pass') return;
          const seen = outcomes.slice(0, used);
          const losses = seen.filter(([before, now]) => before && !now).length;
          const gains = seen.filter(([before, now]) => !before && now).length;
          expect(losses).toBeGreaterThan(gains);
          expect(mcnemarExact(losses, gains) / 2).toBeLessThanOrEqual(0.05);
        },
      ),
    );
  });
});
