/** Settings of GTR and GTR-Turbo: recommended, and those of the published code (`docs/specs/algorithms.md` 3.5). */
import type { Overrides } from '@vlgym/rl';
import type { z } from 'zod';
import type { correctorOptions, sharedOptions } from './options.js';

type SharedOverrides = Overrides<z.ZodObject<typeof sharedOptions>>;

/**
 * RL4VLM's step ratio with a critic that does not train the backbone, so that without guidance this is `rl4vlm-stabilized`.
 * Early ends at illegal actions are left to the caller: they change the task.
 */
export const RECOMMENDED: SharedOverrides = {
  advantage: { gamma: 0.9, lambda: 0.95 },
  loss: { thoughtCoefficient: 0.5, clipLow: 0.1, clipHigh: 0.1 },
  value: { coefficient: 0.5 },
  merge: { method: 'ties', density: 0.8, weighting: 'sma', every: 'update' },
  optimizer: { epochs: 4, batch: 128, learningRate: { initial: 1e-5, final: 1e-9, period: 25 } },
};

/**
 * The published code on Points24: rewards of that game, temperature 0.2, repetition penalty, top-k, return shift. Where text
 * and code of the paper differ, the text counts in `RECOMMENDED`; here it is the code, as far as it can be repeated
 * without its mistakes (blind teacher, unshifted logits, frozen merge: `docs/specs/algorithms.md` 6.4 and 7.5).
 */
export const PUBLISHED: SharedOverrides = {
  rollout: {
    temperature: 0.2,
    repetitionPenalty: 1.2,
    topK: 5,
    fallbackLoss: 'keep',
    earlyTruncation: { rewards: [-1] },
  },
  reward: { formatValid: 3, formatInvalid: -2, formatEntry: 'return-shift' },
  advantage: { estimator: 'storage-gae', truncationIsTerminal: true, eps: 1e-5 },
  correction: { kind: 'none' },
  loss: { temperature: 0.2, span: 'skip-first-two', ratioGuard: 10 },
  value: {
    clip: 0.1,
    stopGradient: false,
    warmupUpdates: 0,
    learningRateFactor: 1,
    epochs: null,
    standardize: false,
    maxGradNorm: null,
  },
  // all of the 30 updates of 4 epochs: none is dropped
  merge: { every: 'epoch', capacity: 120 },
  optimizer: { microBatch: 1, maxGradNorm: 0.01, learningRate: { beyond: 'periodic' } },
};

/** GTR's PPO is that of RL4VLM, here with the critic that does not train the backbone. */
export const GTR_RECOMMENDED: Overrides<typeof correctorOptions> = {
  advantage: { gamma: 0.9, lambda: 0.95 },
  loss: { thoughtCoefficient: 0.5, clipLow: 0.1, clipHigh: 0.1 },
  value: { coefficient: 0.5 },
  optimizer: { epochs: 4, batch: 128, learningRate: { initial: 1e-5, final: 1e-9, period: 25 } },
};

/**
 * The published code of GTR on Points24: a format reward of 5 for valid answers and none for others, a repetition penalty of
 * 1.2, no cuts (`docs/specs/algorithms.md` 3.5 and 4.4).
 */
export const GTR_PUBLISHED: Overrides<typeof correctorOptions> = {
  rollout: {
    temperature: 0.2,
    repetitionPenalty: 1.2,
    fallbackLoss: 'keep',
    earlyTruncation: { rewards: [-1] },
  },
  reward: { formatValid: 5, formatInvalid: 0, formatEntry: 'return-shift' },
  advantage: { estimator: 'storage-gae', truncationIsTerminal: true, eps: 1e-5 },
  correction: { kind: 'none' },
  loss: { temperature: 0.2, span: 'skip-first-two', ratioGuard: 10 },
  value: {
    clip: 0.1,
    stopGradient: false,
    warmupUpdates: 0,
    learningRateFactor: 1,
    epochs: null,
    standardize: false,
    maxGradNorm: null,
  },
  optimizer: { microBatch: 1, maxGradNorm: 0.01, learningRate: { beyond: 'periodic' } },
};
