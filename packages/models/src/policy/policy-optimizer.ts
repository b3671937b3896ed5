/** The optimizer of a policy: groups of parameters of the model, and last that of the value head. */

import { GymError, InvalidOptionError } from '@vlgym/core';
import { names } from '@vlgym/core/internal';
import { clipGradNorm_, optim, type Parameter } from '@vlgym/gpu';
import type { ProcessGroup } from '@vlgym/gpu/distributed';
import type { GradientNorms, OptimizerStep } from '@vlgym/rl';

export interface OptimizerOptions {
  /** `muon`: Muon for the matrices inside layers, Adam for the rest; needs fewer steps where all weights are trained. */
  readonly kind: 'adam' | 'adamw' | 'muon';
  readonly betas: readonly [number, number];
  readonly eps: number;
  readonly weightDecay: number;
  /** Muon orthogonalizes in bfloat16: faster where the processor multiplies it, much slower elsewhere. Default false. */
  readonly bfloat16?: boolean | undefined;
}

export const OPTIMIZER_OPTIONS = names<OptimizerOptions>({ kind: 0, betas: 0, eps: 0, weightDecay: 0, bfloat16: 0 });

/** Adam as in the published runs (`docs/specs/algorithms.md` 11). */
export const defaultOptimizer: OptimizerOptions = { kind: 'adam', betas: [0.9, 0.999], eps: 1e-7, weightDecay: 0 };

/** Trained parameters, by what moves them. */
export interface TrainedParameters {
  readonly policy: readonly Parameter[];
  readonly value: readonly Parameter[];
  /** Those of `policy` that are matrices inside layers. */
  readonly matrices: ReadonlySet<Parameter>;
}

type Groups = readonly { readonly params: readonly Parameter[] }[];

export class PolicyOptimizer {
  readonly #trained: TrainedParameters;
  readonly #optimizer: optim.Adam | optim.AdamW | optim.CombinedOptimizer | optim.ShardedOptimizer<optim.AdamOptions>;
  /** The whole state of a sharded optimizer, between `gatherState` and `stateDict`. */
  #gathered: optim.OptimizerState | undefined;

  /**
   * @param shards  Processes that each keep a part of the state; default: all of it here.
   * @throws {InvalidOptionError} Muon with `shards`: it needs whole matrices. Or without a matrix to train.
   */
  constructor(trained: TrainedParameters, { kind, bfloat16, ...settings }: OptimizerOptions, shards?: ProcessGroup) {
    this.#trained = trained;
    const { policy, value, matrices } = trained;
    const adamGroups = [{ params: policy }, { params: value }];
    if (kind === 'muon') {
      if (shards) throw new InvalidOptionError('optimizer.kind', kind, 'adam or adamw where the state is split');
      if (matrices.size === 0) throw new InvalidOptionError('optimizer.kind', kind, 'adam or adamw without matrices');
      const rest = policy.filter((parameter) => !matrices.has(parameter));
      const { weightDecay } = settings;
      const options = { weightDecay, adjustLr: 'match-rms-adamw', bfloat16: bfloat16 ?? false } as const;
      const muon = new optim.Muon([{ params: matrices }], options);
      this.#optimizer = new optim.CombinedOptimizer(
        muon,
        new optim.Adam([{ params: rest }, { params: value }], settings),
      );
      return;
    }
    const make = (groups: Groups) =>
      kind === 'adam' ? new optim.Adam(groups, settings) : new optim.AdamW(groups, settings);
    this.#optimizer = shards ? new optim.ShardedOptimizer(shards, adamGroups, make) : make(adamGroups);
  }

  /**
   * Clips, updates, clears the gradients.
   *
   * @throws {NonFiniteGradientError} The gradients hold NaN or infinity; they are dropped and no weight has moved.
   */
  async step(options: OptimizerStep): Promise<GradientNorms> {
    const { learningRate, valueLearningRate = learningRate, maxGradNorm, valueMaxGradNorm, onlyValue } = options;
    const { policy, value } = this.#trained;
    const { groups } = this.#optimizer;
    for (const group of groups) group.options.lr = group === groups.at(-1) ? valueLearningRate : learningRate;
    if (onlyValue) for (const parameter of policy) parameter.grad = null;
    try {
      // both are measured before either is scaled: a norm that is not finite must leave every weight alone
      const gradNorm = clipGradNorm_(policy, Number.POSITIVE_INFINITY, { errorIfNonFinite: true });
      const valueGradNorm = clipGradNorm_(value, Number.POSITIVE_INFINITY, { errorIfNonFinite: true });
      if (valueMaxGradNorm === undefined) {
        clipGradNorm_([...policy, ...value], maxGradNorm);
      } else {
        clipGradNorm_(policy, maxGradNorm);
        clipGradNorm_(value, valueMaxGradNorm);
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
