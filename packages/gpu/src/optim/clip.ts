/** Gradient clipping. */
import { GymError } from '@vlgym/core';
import { native } from '../native/load.js';
import type { TensorCore } from '../tensor/core.js';

/** The gradients hold NaN or an infinity; they were left as they are. */
export class NonFiniteGradientError extends GymError {
  constructor(readonly norm: number) {
    super(`The norm of the gradients is ${norm}.`, {
      code: 'NON_FINITE_GRADIENT',
      value: norm,
      hint: 'skip the update and look at the loss; a log-ratio that overflowed is the usual cause',
    });
  }
}

/**
 * Scales all gradients by min(1, maxNorm / (norm + 1e-6)).
 *
 * @returns The Euclidean norm over all gradients before scaling; 0 when there are none.
 */
export function clipGradNorm_(
  parameters: Iterable<TensorCore>,
  maxNorm: number,
  { errorIfNonFinite = false } = {},
): number {
  const handles = Array.from(parameters, ({ handle }) => handle);
  if (errorIfNonFinite) {
    const norm = native().clipGradNorm(handles, Number.POSITIVE_INFINITY);
    if (!Number.isFinite(norm)) throw new NonFiniteGradientError(norm);
  }
  return native().clipGradNorm(handles, maxNorm);
}
