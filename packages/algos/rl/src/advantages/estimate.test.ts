/** A step whose environment failed says nothing: neither about its action, nor about what led there, nor to the critic. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { RolloutBuffer, StepRecord } from '../rollout/record.js';
import { estimateAdvantages } from './estimate.js';

const OPTIONS = { normalize: 'none', std: 'sample', eps: 1e-8 } as const;

const share = fc.double({ min: 0, max: 1, noNaN: true });
const number = fc.double({ min: -10, max: 10, noNaN: true });

it.each([
  ['step-gae', false],
  ['step-gae', true],
  ['storage-gae', false],
  ['storage-gae', true],
] as const)('with %s, time limits as ends: %s', (estimator, truncationIsTerminal) => {
  fc.assert(
    fc.property(share, share, number, number, number, (gamma, lambda, before, value, reward) => {
      const steps = [
        { value: before, nextValue: value, terminated: false, truncated: false },
        // as `rescore` leaves it: without a successor
        { value, nextValue: value, terminated: false, truncated: true, error: { code: 'ENVIRONMENT_FAILED' } },
      ] as unknown as StepRecord[];
      const buffer: RolloutBuffer = { steps, trajectories: [[0, 1]], episodes: [], taskKeys: [] };
      const { advantages, returns } = estimateAdvantages(Float64Array.of(1, reward), buffer, {
        ...OPTIONS,
        ...{ estimator, gamma, lambda, truncationIsTerminal },
      });
      expect(advantages[1]).toBeCloseTo(0, 9);
      expect(returns[1]).toBeCloseTo(value, 9);
      expect(advantages[0]).toBeCloseTo(1 + gamma * value - before, 9);
    }),
  );
});
