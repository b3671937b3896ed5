/** Published settings (`docs/specs/algorithms.md` 3.5), and options of the teacher that would have no effect. */
import { describe, expect, it } from 'vitest';
import { gtr } from './gtr.js';
import { gtrTurboKl } from './gtr-turbo-kl.js';
import { gtrTurboSft } from './gtr-turbo-sft.js';

describe('replicate', () => {
  it.each([
    ['GTR', gtr, { temperature: 0.2, repetitionPenalty: 1.2, topK: 0 }],
    ['GTR-Turbo (KL)', gtrTurboKl, { temperature: 0.2, repetitionPenalty: 1.2, topK: 5 }],
    ['GTR-Turbo (SFT)', gtrTurboSft, { temperature: 0.2, repetitionPenalty: 1.2, topK: 5 }],
  ])('%s samples as its published code, without a correction', (_, preset, rollout) => {
    const { config } = preset({}, { replicate: true });
    expect(config.rollout).toMatchObject(rollout);
    expect(config.correction.kind).toBe('none');
  });

  it('keeps the checkpoints of all epochs of the published 30 updates', () => {
    const { merge, optimizer } = gtrTurboKl({}, { replicate: true }).config;
    expect(merge.every).toBe('epoch');
    expect(merge.capacity).toBeGreaterThanOrEqual(30 * optimizer.epochs);
  });
});

describe('options of the teacher', () => {
  it.each(['exact', 'k1', 'k3', 'abs'] as const)(
    'a bound of the mean is refused with the estimator %s',
    (klEstimator) => {
      const guidance = { klEstimator, klReduction: 'mean-then-clip' } as const;
      expect(() => gtrTurboKl({ guidance })).toThrow(
        expect.objectContaining({
          code: 'INVALID_CONFIG',
          path: 'guidance.klReduction',
          expected: 'token-clip, unless klEstimator is clipped',
        }),
      );
      expect(gtrTurboKl({ guidance: { ...guidance, klEstimator: 'clipped' } }).config.guidance.klReduction).toBe(
        'mean-then-clip',
      );
    },
  );

  it('a penalty in deviations of the advantage is refused once these are normalized', () => {
    const guidance = { klScale: 'advantage-std', klEntry: 'advantage-after-normalization' } as const;
    expect(() => gtrTurboKl({ guidance })).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG', path: 'guidance.klScale' }),
    );
  });

  it('the teacher can be what the policy is held to, where there is one', () => {
    const regularizer = { kl: 'k2', klTo: 'teacher' } as const;
    expect(gtrTurboKl({ regularizer }).config.regularizer.klTo).toBe('teacher');
    expect(() => gtr({ regularizer } as never)).toThrow(expect.objectContaining({ path: 'regularizer.klTo' }));
  });
});
