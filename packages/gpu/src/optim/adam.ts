/**
 * Adam (Kingma and Ba, arXiv 1412.6980) and AdamW (Loshchilov and Hutter, arXiv 1711.05101), with bias correction:
 *
 *     m = β1 m + (1 - β1) g        v = β2 v + (1 - β2) g²
 *     p = p - lr / (1 - β1ᵗ) · m / (sqrt(v) / sqrt(1 - β2ᵗ) + eps)
 *
 * `test/golden/algos/optimiser.json` pins both.
 */
import type { Given } from '@vlgym/core/internal';
import { native } from '../native/load.js';
import type { Parameter } from '../nn/parameter.js';
import { Optimizer, type ParameterState, type ParametersOrGroups, slot } from './optimizer.js';

export interface AdamOptions {
  /** Learning rate. */
  lr: number;
  /** Decay of the two averages, each in [0, 1). */
  betas: readonly [number, number];
  eps: number;
  /** Adam: added to the gradient as `weightDecay · p`. AdamW: p shrinks by `1 - lr · weightDecay` first. */
  weightDecay: number;
}

abstract class AdamFamily extends Optimizer<AdamOptions> {
  protected override readonly slots = ['expAvg', 'expAvgSq'];
  readonly #decoupled: boolean;

  protected constructor(parameters: ParametersOrGroups<AdamOptions>, options: AdamOptions, decoupled: boolean) {
    super(parameters, options);
    this.#decoupled = decoupled;
  }

  protected override update(
    params: readonly Parameter[],
    { lr, betas, eps, weightDecay }: AdamOptions,
    state: readonly ParameterState[],
  ): void {
    native().adamStep(
      params.map(({ handle }) => handle),
      slot(state, 'expAvg'),
      slot(state, 'expAvgSq'),
      state.map(({ step }) => step),
      lr,
      betas[0],
      betas[1],
      eps,
      weightDecay,
      this.#decoupled,
    );
  }
}

export class Adam extends AdamFamily {
  readonly kind = 'Adam';

  constructor(
    parameters: ParametersOrGroups<AdamOptions>,
    { lr = 1e-3, betas = [0.9, 0.999], eps = 1e-8, weightDecay = 0 }: Given<AdamOptions> = {},
  ) {
    super(parameters, { lr, betas, eps, weightDecay }, false);
  }
}

export class AdamW extends AdamFamily {
  readonly kind = 'AdamW';

  constructor(
    parameters: ParametersOrGroups<AdamOptions>,
    { lr = 1e-3, betas = [0.9, 0.999], eps = 1e-8, weightDecay = 0.01 }: Given<AdamOptions> = {},
  ) {
    super(parameters, { lr, betas, eps, weightDecay }, true);
  }
}
