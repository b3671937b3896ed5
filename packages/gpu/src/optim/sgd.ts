/** Stochastic gradient descent with momentum as PyTorch defines it: b = μ b + (1 - dampening) g; p = p - lr · b. */
import type { Given } from '@vlgym/core/internal';
import { native } from '../native/load.js';
import type { Parameter } from '../nn/parameter.js';
import { Optimizer, type ParameterState, type ParametersOrGroups, slot } from './optimizer.js';

export interface SGDOptions {
  lr: number;
  momentum: number;
  dampening: number;
  /** Added to the gradient as `weightDecay · p`. */
  weightDecay: number;
  nesterov: boolean;
}

export class SGD extends Optimizer<SGDOptions> {
  readonly kind = 'SGD';
  protected override readonly slots = ['momentum'];

  constructor(
    parameters: ParametersOrGroups<SGDOptions>,
    { lr = 1e-3, momentum = 0, dampening = 0, weightDecay = 0, nesterov = false }: Given<SGDOptions> = {},
  ) {
    super(parameters, { lr, momentum, dampening, weightDecay, nesterov });
  }

  protected override update(
    params: readonly Parameter[],
    { lr, momentum, dampening, weightDecay, nesterov }: SGDOptions,
    state: readonly ParameterState[],
  ): void {
    // on its first update a parameter's momentum becomes the gradient itself, without dampening
    for (const first of [true, false]) {
      const chosen = params.filter((_, index) => (state[index]!.step === 1) === first);
      if (chosen.length === 0) continue;
      native().sgdStep(
        chosen.map(({ handle }) => handle),
        momentum === 0
          ? []
          : slot(
              state.filter(({ step }) => (step === 1) === first),
              'momentum',
            ),
        lr,
        momentum,
        dampening,
        weightDecay,
        nesterov,
        first,
      );
    }
  }
}
