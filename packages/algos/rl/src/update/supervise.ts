/**
 * Supervised gradients on labeled sequences, added to those of the current optimizer step.
 *
 * Token mean over all labels of the step, so that PPO and imitation have equal weight (`docs/specs/algorithms.md` 17).
 */
import { sftLoss } from '../losses/sft-loss.js';
import type { Sequence } from '../policy.js';
import type { Run } from '../training/algorithm.js';
import { accumulate } from './accumulate.js';
import { microBatches } from './micro-batches.js';

/** A response to imitate. */
export interface LabeledSequence extends Sequence {
  /** [L] 1 on the tokens that are trained, e.g. a teacher's thought. */
  readonly labelMask: Uint8Array;
}

export interface SuperviseOptions {
  readonly coefficient: number;
  /** Sequences per forward pass. */
  readonly microBatch: number;
  /** Tokens per forward pass, padding included; default: no limit. */
  readonly microBatchTokens?: number | undefined;
  /** Temperature of the log-probabilities; default 1. */
  readonly temperature?: number | undefined;
}

export async function supervise(
  run: Pick<Run, 'policy' | 'metrics' | 'signal'>,
  samples: readonly LabeledSequence[],
  { coefficient, microBatch, microBatchTokens, temperature = 1 }: SuperviseOptions,
): Promise<void> {
  const tokens = samples.reduce((sum, { labelMask }) => sum + labelMask.reduce((n, bit) => n + bit, 0), 0);
  if (tokens === 0) return;
  const batches = microBatches(samples, (sample) => sample, { rows: microBatch, tokens: microBatchTokens });
  for (const batch of batches) {
    const length = Math.max(...batch.map(({ responseIds }) => responseIds.length));
    const mask = new Uint8Array(batch.length * length);
    batch.forEach(({ labelMask }, row) => {
      mask.set(labelMask, row * length);
    });
    await accumulate(
      run,
      batch,
      ({ logProbs }) => {
        const loss = sftLoss(logProbs, mask, tokens);
        run.metrics.part('loss/sft', loss.detach().item(), 1 / batches.length);
        return loss.mul(coefficient);
      },
      { temperature, stopGradient: true, labels: batch.map(({ labelMask }) => labelMask) },
    );
  }
}
