/**
 * Muon for the matrices inside a network, as `torch.optim.Muon` defines it (https://kellerjordan.github.io/posts/muon/):
 * momentum, made orthogonal by five Newton-Schulz steps.
 *
 *     b = μ b + (1 - μ) g        u = (1 - μ) g + μ b with nesterov, else b
 *     p = (1 - lr · weightDecay) p - lr · scale · orthogonal(u)
 *
 * Embeddings, output layers, biases and norms are left to Adam (`CombinedOptimizer`).
 */
import { InvalidOptionError } from '@vlgym/core';
import { type Given, withDefaults } from '@vlgym/core/internal';
import { native } from '../native/load.js';
import type { Parameter } from '../nn/parameter.js';
import { Optimizer, type ParameterState, type ParametersOrGroups, slot } from './optimizer.js';

export interface MuonOptions {
  lr: number;
  /** μ, in [0, 1). */
  momentum: number;
  nesterov: boolean;
  /** A matrix shrinks by `1 - lr · weightDecay` first. */
  weightDecay: number;
  /**
   * `original`: the scale is sqrt(max(1, rows / columns)). `match-rms-adamw`: 0.2 · sqrt(max(rows, columns)), so that learning
   * rates of Adam fit (arXiv 2502.16982, equation 4).
   */
  adjustLr: 'original' | 'match-rms-adamw';
  /** Orthogonalize in bfloat16, as PyTorch does, instead of the dtype of the parameters; slow where a processor cannot multiply it. */
  bfloat16: boolean;
}

const DEFAULTS: MuonOptions = {
  lr: 1e-3,
  momentum: 0.95,
  nesterov: true,
  weightDecay: 0.1,
  adjustLr: 'original',
  bfloat16: false,
};

export class Muon extends Optimizer<MuonOptions> {
  readonly kind = 'Muon';
  protected override readonly slots = ['momentum'];

  /** @throws {InvalidOptionError} A parameter is not a matrix. */
  constructor(parameters: ParametersOrGroups<MuonOptions>, options: Given<MuonOptions> = {}) {
    super(parameters, withDefaults(DEFAULTS, options));
    const other = this.groups.flatMap(({ params }) => params).find(({ shape }) => shape.length !== 2);
    if (other) throw new InvalidOptionError('parameters', `a shape of [${other.shape}]`, 'matrices');
  }

  protected override update(
    params: readonly Parameter[],
    { lr, momentum, nesterov, weightDecay, adjustLr, bfloat16 }: MuonOptions,
    state: readonly ParameterState[],
  ): void {
    const handles = params.map(({ handle }) => handle);
    const likeAdam = adjustLr === 'match-rms-adamw';
    native().muonStep(handles, slot(state, 'momentum'), lr, momentum, weightDecay, nesterov, likeAdam, bfloat16);
  }
}
