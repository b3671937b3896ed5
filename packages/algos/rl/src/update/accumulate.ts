/**
 * One micro-batch forward and backward; a loss that is not finite is skipped and counted instead of poisoning the
 * gradient, and too many of them stop the run (`docs/specs/algorithms.md` 11).
 */
import { GymError } from '@vlgym/core';
import type { AccumulateOptions, PolicyOutputs, Sequence } from '../policy.js';
import type { Tensor } from '../tensor.js';
import type { Run } from '../training/algorithm.js';

/** Sequences skipped in one update before the run stops. */
const BUDGET = 64;

/** Losses keep coming out as NaN or infinite. */
class NonFiniteLossError extends GymError {
  constructor(readonly skipped: number) {
    super(`${skipped} sequences of one update had a loss that is not finite.`, {
      code: 'NON_FINITE_LOSS',
      value: skipped,
      hint: 'lower the learning rate, or resume from an earlier checkpoint',
    });
  }
}

class SkipMicroBatch extends Error {}

/** @throws the signal's reason when aborted; {NonFiniteLossError} beyond the budget. */
export async function accumulate(
  { policy, metrics, signal }: Pick<Run, 'policy' | 'metrics' | 'signal'>,
  sequences: readonly Sequence[],
  loss: (outputs: PolicyOutputs) => Tensor,
  options: AccumulateOptions,
): Promise<void> {
  signal?.throwIfAborted();
  try {
    await policy.accumulate(
      sequences,
      (outputs) => {
        const total = loss(outputs);
        if (!Number.isFinite(total.detach().item())) throw new SkipMicroBatch();
        return total;
      },
      options,
    );
  } catch (error) {
    if (!(error instanceof SkipMicroBatch)) throw error;
    const name = 'optimizer/skipped-sequences';
    metrics.sum(name, sequences.length);
    const skipped = metrics.toMetrics()[name] ?? 0;
    if (skipped > BUDGET) throw new NonFiniteLossError(skipped);
  }
}
