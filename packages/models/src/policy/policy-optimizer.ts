/** The optimizer of a policy: two groups of parameters, those of the model and those of the value head. */
import { GymError } from '@vlgym/core';
import { clipGradNorm_, optim, type Parameter, type ProcessGroup } from '@vlgym/gpu';
import type { GradientNorms, OptimizerStep } from '@vlgym/rl';

export interface OptimizerOptions {
  readonly kind: 'adam' | 'adamw';
  readonly betas: readonly [number, number];
  readonly eps: number;
  readonly weightDecay: number;
}

type Groups = readonly { readonly params: readonly Parameter[] }[];

export class PolicyOptimizer {
  readonly #groups: Groups;
  readonly #optimizer: optim.Adam | optim.AdamW | optim.ShardedOptimizer<optim.AdamOptions>;
  /** The whole state of a sharded optimizer, between `gatherState` and `stateDict`. */
  #gathered: optim.OptimizerState | undefined;

  /** @param shards  Processes that each keep a part of the state; default: all of it here. */
  constructor(
    policyParameters: readonly Parameter[],
    valueParameters: readonly Parameter[],
    { kind, ...settings }: OptimizerOptions,
    shards?: ProcessGroup,
  ) {
    this.#groups = [{ params: policyParameters }, { params: valueParameters }];
    const make = (groups: Groups) =>
      kind === 'adam' ? new optim.Adam(groups, settings) : new optim.AdamW(groups, settings);
    this.#optimizer = shards ? new optim.ShardedOptimizer(shards, this.#groups, make) : make(this.#groups);
  }

  /**
   * Clips, updates, clears the gradients.
   *
   * @throws {NonFiniteGradientError} The gradients hold NaN or infinity; they are dropped and no weight has moved.
   */
  async step(options: OptimizerStep): Promise<GradientNorms> {
    const { learningRate, valueLearningRate = learningRate, maxGradNorm, valueMaxGradNorm, onlyValue } = options;
    const [policyGroup, valueGroup] = this.#groups;
    this.#optimizer.groups[0]!.options.lr = learningRate;
    this.#optimizer.groups[1]!.options.lr = valueLearningRate;
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
      await this.#optimizer.step();
      return { gradNorm, valueGradNorm };
    } finally {
      this.#optimizer.zeroGrad();
    }
  }

  /** Brings the parts of all processes together for `stateDict` on the first. Nothing to do where the state is whole. */
  async gatherState(): Promise<void> {
    this.forgetGathered();
    if (this.#optimizer instanceof optim.ShardedOptimizer) this.#gathered = await this.#optimizer.gatherState();
  }

  /** The whole state, in the same form whatever the number of processes. @throws {GymError} `STATE_NOT_GATHERED` */
  stateDict(): optim.OptimizerState {
    if (!(this.#optimizer instanceof optim.ShardedOptimizer)) return this.#optimizer.stateDict();
    if (this.#gathered) return this.#gathered;
    throw new GymError('The state of the optimizer is split over processes.', {
      code: 'STATE_NOT_GATHERED',
      expected: '`gatherState` on all processes before `save` on the first',
    });
  }

  /** After the state was written. */
  forgetGathered(): void {
    for (const tensor of this.#gathered?.tensors.values() ?? []) tensor.dispose();
    this.#gathered = undefined;
  }

  /** @throws {OptimizerStateError} The state belongs to other parameters. */
  loadState({ steps, tensors }: Pick<optim.OptimizerState, 'steps' | 'tensors'>): void {
    const { kind, groups } = this.#optimizer;
    this.#optimizer.loadStateDict({ kind, groups: groups.map(({ options }) => ({ ...options })), steps, tensors });
  }

  /** Drops the state of all parameters; the next step starts from zero moments. */
  reset(): void {
    this.#optimizer.dispose();
  }

  /** Lets go of everything; nothing can be called afterwards. */
  close(): void {
    this.forgetGathered();
    this.#optimizer.dispose();
    if (this.#optimizer instanceof optim.ShardedOptimizer) this.#optimizer.close();
  }
}
