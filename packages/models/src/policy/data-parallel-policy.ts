/**
 * A policy that several processes train together. Each process is a whole run with equal options and equal seeds; they
 * share the work of the model and agree on everything else:
 *
 * - episodes: each rank plays its own environments with `own`, and all get the steps of all (`SharedCollector` of `@vlgym/rl`);
 * - scoring: each rank computes its share of the rows, and all get the results of all;
 * - gradients: each rank computes every size-th micro-batch, and their sum is that of one process. An algorithm's file
 *   does not change, because every micro-batch knows the counts of its whole optimizer step. Sums leave in buckets while the
 *   last micro-batch of a rank is still in its backward pass (`GradientBuckets` of `@vlgym/gpu`);
 * - a critic fitted on stored states is cheap: every rank computes the whole of it, and the mean keeps them equal;
 * - the optimizer: every rank updates all weights, or, with `shards`, its part of each.
 */
import { type Completion, rowGenerators } from '@vlgym/agents/model';
import type { ChatMessage, GeneratorState } from '@vlgym/core';
import { GradientBuckets, type ProcessGroup } from '@vlgym/gpu/distributed';
import type {
  AccumulateOptions,
  GradientNorms,
  ModelInput,
  OptimizerStep,
  PolicyOutputs,
  ScoreOptions,
  Scores,
  Sequence,
} from '@vlgym/rl';
import type { ActorCritic } from '../layers/actor-critic.js';
import type { TextTokenizer } from '../tokenizer/tokenizer.js';
import type { SampleOptions, ValuedCompletion } from './sample.js';
import { VlmPolicy } from './vlm-policy.js';
import type { VlmPolicyOptions } from './vlm-policy-options.js';

export class DataParallelPolicy extends VlmPolicy {
  override readonly localSampler: NonNullable<VlmPolicy['localSampler']>;
  readonly #group: ProcessGroup;
  /** Gradients of everything, which may leave early, and of the value head alone. */
  readonly #buckets: { readonly all: GradientBuckets; readonly value: GradientBuckets };
  /** Micro-batches since the last optimizer step. */
  #microBatches = 0;

  constructor(network: ActorCritic, tokenizer: TextTokenizer, options: VlmPolicyOptions, group: ProcessGroup) {
    super(network, tokenizer, options);
    this.#group = group;
    const all = this.parametersOf({});
    const value = this.parametersOf({ onlyValue: true });
    this.#buckets = {
      all: new GradientBuckets(group, all),
      value: new GradientBuckets(group, value, { overlap: false }),
    };
    const version = () => this.version;
    this.localSampler = {
      get version() {
        return version();
      },
      hasSamplingMismatch: this.hasSamplingMismatch,
      encode: (messages) => this.encode(messages),
      sample: (inputs, choices) => super.sample(inputs, choices),
      score: (sequences, choices) => super.score(sequences, choices),
    };
  }

  /** Each rank alone: evaluations are not in lock step. */
  override generate(prompts: readonly (readonly ChatMessage[])[], options: SampleOptions): Promise<Completion[]> {
    return super.sample(this.inputsOf(prompts, options), options);
  }

  /**
   * All ranks ask for the same; each computes its share. As of one process, but for rounding where rows decode in smaller
   * batches. With one generator for all rows, every rank samples all of them.
   */
  override async sample(inputs: readonly ModelInput[], options: SampleOptions): Promise<ValuedCompletion[]> {
    const generators = rowGenerators(options.rng, inputs.length);
    if (new Set(generators).size < generators.length) return super.sample(inputs, options);
    const [start, end] = this.#share(inputs.length);
    const own = await super.sample(inputs.slice(start, end), { ...options, rng: generators.slice(start, end) });
    const states = generators.slice(start, end).map((generator) => generator.getState());
    const all = await this.#group.gather({ own, states });
    const after: GeneratorState[] = all.flatMap((rank) => rank.states);
    for (const [row, generator] of generators.entries()) generator.setState(after[row]!);
    return all.flatMap((rank) => rank.own);
  }

  override async score(sequences: readonly Sequence[], options: ScoreOptions = {}): Promise<Scores> {
    const [start, end] = this.#share(sequences.length);
    const all = await this.#group.gather(await super.score(sequences.slice(start, end), options));
    return {
      logProbs: all.flatMap(({ logProbs }) => logProbs),
      entropies: all.flatMap(({ entropies }) => entropies),
      values: Float32Array.from(all.flatMap(({ values }) => [...values])),
      ...(options.divergence && { divergences: all.flatMap(({ divergences }) => divergences!) }),
      ...(options.states && { states: all.flatMap(({ states }) => states!) }),
      ...(options.tokenValues && { tokenValues: all.flatMap(({ tokenValues }) => tokenValues!) }),
    };
  }

  /** @returns The loss; 0 for a micro-batch that another rank computes. */
  override async accumulate(
    sequences: readonly Sequence[],
    loss: (outputs: PolicyOutputs) => PolicyOutputs['logProbs'],
    options: AccumulateOptions = {},
  ): Promise<number> {
    const { rank, size } = this.#group;
    const { remaining, ...forward } = options;
    const isOwn = this.#microBatches % size === rank;
    this.#microBatches += 1;
    if (!isOwn) return 0;
    // the last one that this rank computes: the next would come `size` calls later
    if (remaining !== undefined && remaining < size) this.#buckets.all.arm();
    return super.accumulate(sequences, loss, forward);
  }

  override async step(options: OptimizerStep): Promise<GradientNorms> {
    const parts = this.#microBatches > 0 ? 1 : this.#group.size;
    this.#microBatches = 0;
    await this.#buckets[options.onlyValue ? 'value' : 'all'].sum(1 / parts);
    return super.step(options);
  }

  /** Messages that carried gradients: all of a step, those that left during a backward pass, those sent twice. */
  get gradientMessages(): GradientBuckets['counts'] {
    return this.#buckets.all.counts;
  }

  override close(): void {
    this.#buckets.all.dispose();
    this.#buckets.value.dispose();
    super.close();
  }

  /** Begin and end of the rows of this rank. */
  #share(rows: number): [start: number, end: number] {
    const { rank, size } = this.#group;
    return [Math.floor((rows * rank) / size), Math.floor((rows * (rank + 1)) / size)];
  }
}
