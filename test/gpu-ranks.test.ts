/**
 * Two processes: gradients that are summed in buckets during the backward pass, and an optimizer whose state is split.
 * Numbers are those of the table in `packages/queue/README.md`.
 */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { startRanks } from './support/ranks.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

interface Sums {
  readonly distance: number;
  readonly counts: { readonly buckets: number; readonly early: number; readonly again: number };
}

interface Outcome {
  readonly rank: number;
  readonly float32: Sums;
  readonly float64: Sums;
  readonly unused: { readonly first: number[] | null; readonly second: number[] | null };
  readonly late: Sums;
  readonly notFinite: string;
  readonly sharded: Readonly<Record<'float32' | 'float64', { readonly equal: boolean; readonly stateEqual: boolean }>>;
  readonly stopped: { readonly code?: string; readonly seconds: number };
}

let ranks: Outcome[] = [];
beforeAll(async () => {
  const ended = await startRanks(2, 'gpu-ranks-child.ts');
  for (const { code, errors } of ended) expect(code, errors).toBe(0);
  ranks = ended.map(({ output }) => JSON.parse(output) as Outcome);
});

describe('28 and 29. gradients of two ranks', () => {
  it('are those of one process with all samples, accumulated over micro-batches', () => {
    for (const { float32, float64 } of ranks) {
      expect(float64.distance).toBeLessThan(1e-12);
      expect(float32.distance).toBeLessThan(1e-5); // gradients of up to 30
    }
  });

  it('leave in the backward pass, each once', () => {
    for (const { float64 } of ranks) {
      const { buckets, early, again } = float64.counts;
      expect(buckets).toBeGreaterThan(2);
      expect(early).toBe(3 * buckets);
      expect(again).toBe(0);
    }
  });

  it('are right where a gradient comes after its bucket has left on one rank', () => {
    for (const { late } of ranks) {
      expect(late.distance).toBeLessThan(1e-12);
      expect(late.counts.again).toBeGreaterThan(0);
    }
  });
});

describe('30. a parameter without a gradient', () => {
  it('keeps none where no rank has one, and counts as zero where another has', () => {
    const [one, other] = ranks as [Outcome, Outcome];
    expect([one.unused.first, other.unused.first]).toEqual([null, null]);
    expect(one.unused.second).not.toBeNull();
    expect(one.unused.second).toEqual(other.unused.second);
  });
});

describe('31. NaN on one rank', () => {
  it('makes every rank skip the step', () => {
    expect(ranks.map(({ notFinite }) => notFinite)).toEqual(['NON_FINITE_GRADIENT', 'NON_FINITE_GRADIENT']);
  });
});

describe('32. a rank that hangs', () => {
  it('ends the call of the other at its time limit', () => {
    const { code, seconds } = ranks[0]!.stopped;
    expect(code).toBe('PROCESS_GROUP_FAILED');
    expect(seconds).toBeGreaterThan(0.9);
  });
});

describe('33. an optimizer that is split over the ranks', () => {
  it.each(['float32', 'float64'] as const)('moves weights as the whole one does, bit for bit: %s', (dtype) => {
    expect(ranks.map(({ sharded }) => sharded[dtype].equal)).toEqual([true, true]);
  });

  it('has the state of the whole one when it is gathered, on the first rank alone', () => {
    for (const { sharded } of ranks) {
      expect([sharded.float32.stateEqual, sharded.float64.stateEqual]).toEqual([true, true]);
    }
  });
});
