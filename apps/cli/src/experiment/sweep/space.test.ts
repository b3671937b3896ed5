import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandDots } from '../../command-line/option-values.js';
import { resultsOf, sensitivityOf } from './results.js';
import { firstRung, rungsOf, survivorsOf } from './rungs.js';
import { asSettings, dimensionsOf, drawnFrom, gridOf } from './space.js';
import type { SweepFile } from './sweep-file.js';

const over = (pairs: Record<string, unknown>) => dimensionsOf(expandDots(pairs));

describe('what varies', () => {
  it('is every combination of listed values, as --set has them', () => {
    const points = gridOf(
      over({ 'loss.clipLow': '0.1,0.2', 'optimizer.epochs': [2, 4], 'loss.aggregation': 'token-mean,step-mean' }),
    );
    expect(points).toHaveLength(8);
    expect(points[1]).toEqual({ 'loss.clipLow': 0.1, 'loss.aggregation': 'token-mean', 'optimizer.epochs': 4 });
    expect(asSettings(points[1]!)).toEqual({
      loss: { clipLow: 0.1, aggregation: 'token-mean' },
      optimizer: { epochs: 4 },
    });
  });

  it('is drawn within its range, the same for the same seed', () => {
    const dimensions = over({ a: 'log:1e-5..1e-3', b: 'int:1..8', c: '0.9..1', d: 'x,y' });
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const points = drawnFrom(dimensions, 30, seed);
        expect(points).toEqual(drawnFrom(dimensions, 30, seed));
        for (const { a, b, c, d } of points as { a: number; b: number; c: number; d: string }[]) {
          expect(a >= 1e-5 && a <= 1e-3 && Number.isInteger(b) && b >= 1 && b <= 8 && c >= 0.9 && c <= 1).toBe(true);
          expect(['x', 'y']).toContain(d);
        }
      }),
      { numRuns: 30 },
    );
    const below = drawnFrom(dimensions, 2000, 1).filter(({ a }) => (a as number) < 1e-4).length;
    expect(below / 2000).toBeGreaterThan(0.46); // half of a logarithmic range lies below its geometric middle
    expect(below / 2000).toBeLessThan(0.54);
  });

  it.each<[what: unknown, says: RegExp]>([
    ['0.1', /two or more different/],
    [0.1, /two or more different/],
    ['0.1,0.1', /two or more different/],
    ['1..0.5', /LOW < HIGH/],
    ['log:0..1', /above 0/],
    ['int:0.5..2', /whole/],
    ['log:1..x', /LOW < HIGH/],
    [null, /two or more different/],
  ])('%j is refused', (value, says) => {
    expect(() => over({ 'loss.clipLow': value })).toThrow(
      expect.objectContaining({ expected: expect.stringMatching(says) }),
    );
  });

  it('is something, and no range in a grid', () => {
    expect(() => over({})).toThrow(/Nothing is varied/);
    expect(() => gridOf(over({ a: '0..1' }))).toThrow(/cannot search the range of a/);
    expect(() =>
      gridOf(over({ a: Array.from({ length: 200 }, (_, i) => i), b: Array.from({ length: 200 }, (_, i) => i) })),
    ).toThrow(/40000 points/);
  });
});

describe('successive halving', () => {
  it.each([
    [27, 3, 27, [1, 3, 9, 27]],
    [10, 3, 9, [2, 6, 10]],
    [10, 2, 16, [1, 2, 4, 8, 10]],
    [4, 3, 2, [4]],
  ])('of %d updates by %d with %d points has the rungs %j', (updates, eta, points, rungs) => {
    expect(rungsOf(updates, eta, firstRung(updates, eta, points))).toEqual(rungs);
  });

  it('keeps the best share, in their order, and never a failed one', () => {
    expect(survivorsOf([0.1, 0.9, undefined, 0.5, 0.9, 0.2], 3)).toEqual([1, 4]);
    expect(survivorsOf([undefined, undefined], 2)).toEqual([]);
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }), { minLength: 1 }),
        fc.integer({ min: 2, max: 5 }),
        (scores, eta) => {
          const kept = survivorsOf(scores, eta);
          const measured = scores.filter((score) => score !== undefined);
          expect(kept).toHaveLength(Math.min(measured.length, Math.ceil(scores.length / eta)));
          const worst = Math.min(...kept.map((index) => scores[index]!));
          const others = scores.filter((score, index) => score !== undefined && !kept.includes(index));
          expect(others.every((score) => score! <= worst)).toBe(true);
        },
      ),
    );
  });
});

describe('results', () => {
  const file = {
    points: [
      { name: 'p1', values: { clip: 0.1, epochs: 2 } },
      { name: 'p2', values: { clip: 0.2, epochs: 2 } },
      { name: 'p3', values: { clip: 0.1, epochs: 4 } },
      { name: 'p4', values: { clip: 0.2, epochs: 4 } },
    ],
    rungs: [
      {
        updates: 2,
        scores: {
          p1: [{ seed: 0, score: 0.2 }],
          p2: [{ seed: 0, score: 0.6 }],
          p3: [{ seed: 0, error: 'killed' }],
          p4: [{ seed: 0, score: 0.5 }],
        },
      },
      { updates: 6, scores: { p2: [{ seed: 0, score: 0.55 }], p4: [{ seed: 0, score: 0.7 }] } },
    ],
  } as unknown as SweepFile;

  it('come in order of merit among those that trained as long; a failure is last and no score', () => {
    expect(resultsOf(file).map(({ name, score, updates, isComplete }) => [name, score, updates, isComplete])).toEqual([
      ['p4', 0.7, 6, true],
      ['p2', 0.55, 6, true],
      ['p1', 0.2, 2, false],
      ['p3', undefined, 2, false],
    ]);
  });

  it('say how much a choice matters, on the rung that all points have trained to', () => {
    const [first, second] = sensitivityOf(file);
    expect(first).toMatchObject({
      key: 'clip',
      effects: [
        { value: 0.1, scores: [0.2] },
        { value: 0.2, scores: [0.6, 0.5], mean: 0.55 },
      ],
    });
    expect(first!.spread).toBeCloseTo(0.35);
    expect(second).toMatchObject({
      key: 'epochs',
      effects: [
        { value: 2, scores: [0.2, 0.6] },
        { value: 4, scores: [0.5] },
      ],
    });
  });
});
