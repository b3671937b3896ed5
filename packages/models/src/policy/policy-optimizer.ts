/** The optimizer of a policy: two groups of parameters, those of the model and those of the value head. */
import { clipGradNorm_, optim, type Parameter } from '@vlgym/gpu';
import type { GradientNorms, OptimizerStep } from '@vlgym/rl';

export interface OptimizerOptions {
  readonly kind: 'adam' | 'adamw';
  readonly betas: readonly [number, number];
  readonly eps: number;
  readonly weightDecay: number;
}

export class PolicyOptimizer {
  readonly #optimizer: optim.Adam | optim.AdamW;

  constructor(
    policyParameters: readonly Parameter[],
    valueParameters: readonly Parameter[],
    { kind, ...settings }: OptimizerOptions,
  ) {
    const groups = [{ params: policyParameters }, { params: valueParameters }];
    this.#optimizer = kind === 'adam' ? new optim.Adam(groups, settings) : new optim.AdamW(groups, settings);
  }

  /**
   * Clips, updates, clears the gradients.
   *
   * @throws {NonFiniteGradientError} The gradients hold NaN or infinity; they are dropped and no weight has moved.
   */
  step(options: OptimizerStep): GradientNorms {
    const { learningRate, valueLearningRate = learningRate, maxGradNorm, valueMaxGradNorm, onlyValue } = options;
    const [policyGroup, valueGroup] = this.#optimizer.groups;
    policyGroup!.options.lr = learningRate;
    valueGroup!.options.lr = valueLearningRate;
    if (onlyValue) for (const parameter of policyGroup!.params) parameter.grad = null;
    try {
      // both are measured before either is scaled: a norm that is not finite must leave every weight alone
      const gradNorm = clipGradNorm_(policyGroup!.params, Number.POSITIVE_INFINITY, { errorIfNonFinite: true });
      const valueGradNorm = clipGradNorm_(valueGroup!.params, Number.POSITIVE_INFINITY, { errorIfNonFinite: true });
      if (valueMaxGradNorm === undefined) {
        clipGradNorm_([...policyGroup!.params, ...valueGroup!.params], maxGradNorm);
      } else {
        clipGradNorm_(policyGroup!.params, maxGradNorm);
        clipGradNorm_(valueGroup!.params, valueMaxGradNorm);
      }
      this.#optimizer.step();
      return { gradNorm, valueGradNorm };
    } finally {
      this.#optimizer.zeroGrad();
    }
  }

  stateDict(): optim.OptimizerState {
    return this.#optimizer.stateDict();
  }

  /** @throws {OptimizerStateError} The state belongs to other parameters. */
  loadState({ steps, tensors }: Pick<optim.OptimizerState, 'steps' | 'tensors'>): void {
    const { kind, groups } = this.#optimizer.stateDict();
    this.#optimizer.loadStateDict({ kind, groups, steps, tensors });
  }

  /** Drops the state of all parameters; the next step starts from zero moments. */
  reset(): void {
    this.#optimizer.dispose();
  }
}
