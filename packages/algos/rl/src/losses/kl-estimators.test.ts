/** The mean gradient of a loss made of an estimator, over tokens that the agent sampled. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exactKl, type KlEstimator, klEstimate, stepKl } from './kl-estimators.js';

const logits = fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: 4, maxLength: 4 });

function logSoftmax(scores: readonly number[]): number[] {
  const total = Math.log(scores.reduce((sum, score) => sum + Math.exp(score), 0));
  return scores.map((score) => score - total);
}

const STEP = 1e-5;
const slope = (f: (x: number) => number, at: number) => (f(at + STEP) - f(at - STEP)) / (2 * STEP);

/** d/dz of a function of the agent's scores z. */
const gradient = (f: (scores: readonly number[]) => number, scores: readonly number[]) =>
  scores.map((score, j) => slope((x) => f(scores.with(j, x)), score));

/** Σ_y p_y·k'(x_y)·d log p_y / dz: tokens are drawn, and not differentiated. */
function meanGradient(kind: KlEstimator, scores: readonly number[], other: readonly number[]): number[] {
  const logP = logSoftmax(scores);
  const p = logP.map(Math.exp);
  const slopes = logP.map((value, y) => slope((x) => klEstimate(x, kind), value - other[y]!));
  return scores.map((_, j) => p.reduce((sum, py, y) => sum + py * slopes[y]! * ((y === j ? 1 : 0) - p[j]!), 0));
}

const expected = {
  k1: (scores: readonly number[]) => scores.map(() => 0),
  k2: (scores: readonly number[], other: readonly number[]) =>
    gradient((moved) => exactKl(logSoftmax(moved), other), scores),
  k3: (scores: readonly number[], other: readonly number[]) =>
    gradient((moved) => exactKl(other, logSoftmax(moved)), scores),
};

it.each([
  ['k1', 'nothing'],
  ['k2', 'KL(agent ‖ other)'],
  ['k3', 'KL(other ‖ agent)'],
] as const)('the mean gradient of %s is that of %s', (kind, _) => {
  fc.assert(
    fc.property(logits, logits, (scores, reference) => {
      const other = logSoftmax(reference);
      const want = expected[kind](scores, other);
      const got = meanGradient(kind, scores, other);
      for (const [j, value] of got.entries()) expect(value).toBeCloseTo(want[j]!, 6);
    }),
  );
});

it('stays finite however unlikely the other model finds a token, and counts no token of an empty mask', () => {
  for (const estimator of ['k1', 'k2', 'k3', 'abs', 'clipped', 'forward'] as const) {
    for (const gap of [-1e9, -50, 50, 1e9]) expect(Number.isFinite(klEstimate(gap, estimator))).toBe(true);
    expect(stepKl([-1e9], [0], [0], { estimator })).toBe(0);
  }
});
