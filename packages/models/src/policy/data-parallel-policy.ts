/**
 * A policy that several processes train together. Each process is a whole run with equal options and equal seeds; they
 * share the work of the model and agree on everything else:
 *
 * - sampling and scoring: each rank computes its share of the rows, and all get the results of all;
 * - gradients: each rank computes every size-th micro-batch, and their sum is that of one process. An algorithm's file
 *   does not change, because every micro-batch knows the counts of its whole optimizer step;
 * - a critic fitted on stored states is cheap: every rank computes the whole of it, and the mean keeps them equal.
 *
 * Environments are stepped by every rank and must give equal observations for equal seeds; `sample` compares them.
 */
import { createHash } from 'node:crypto';
import { type Completion, rowGenerators } from '@vlgym/agents';
import { type ChatMessage, type GeneratorState, GymError } from '@vlgym/core';
import type { ProcessGroup } from '@vlgym/gpu';
import type {
  ForwardOptions,
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
import { sumGradients } from './sum-gradients.js';
import { VlmPolicy, type VlmPolicyOptions } from './vlm-policy.js';

/** The ranks of a run do not compute the same thing. */
export class RanksDifferError extends GymError {
  constructor(readonly what: string) {
    super(`The processes of this run differ in ${what}.`, {
      code: 'RANKS_DIFFER',
      value: what,
      expected: 'equal options, equal files and environments that are functions of their seeds',
      hint: 'start all ranks with one command; train environments that depend on time or network in one process',
    });
  }
}

export class DataParallelPolicy extends VlmPolicy {
  readonly #group: ProcessGroup;
  /** Micro-batches since the last optimizer step. */
  #microBatches = 0;

  constructor(network: ActorCritic, tokenizer: TextTokenizer, options: VlmPolicyOptions, group: ProcessGroup) {
    super(network, tokenizer, options);
    this.#group = group;
  }

  /** Each rank alone: evaluations are not in lock step. */
  override generate(prompts: readonly (readonly ChatMessage[])[], options: SampleOptions): Promise<Completion[]> {
    return super.sample(
      prompts.map((messages) => this.encode(messages)),
      options,
    );
  }

  /**
   * As of one process, but for rounding where rows decode in smaller batches. With one generator for all rows, every rank
   * samples all of them.
   *
   * @throws {RanksDifferError} The ranks were given different inputs.
   */
  override async sample(inputs: readonly ModelInput[], options: SampleOptions): Promise<ValuedCompletion[]> {
    const generators = rowGenerators(options.rng, inputs.length);
    if (new Set(generators).size < generators.length) return super.sample(inputs, options);
    const [start, end] = this.#share(inputs.length);
    const own = await super.sample(inputs.slice(start, end), { ...options, rng: generators.slice(start, end) });
    const states = generators.slice(start, end).map((generator) => generator.getState());
    const all = await this.#group.gather({ inputs: digestOf(inputs), own, states });
    if (all.some((rank) => rank.inputs !== all[0]!.inputs)) throw new RanksDifferError('their observations');
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
    };
  }

  /** @returns The loss; 0 for a micro-batch that another rank computes. */
  override async accumulate(
    sequences: readonly Sequence[],
    loss: (outputs: PolicyOutputs) => PolicyOutputs['logProbs'],
    options: ForwardOptions = {},
  ): Promise<number> {
    const { rank, size } = this.#group;
    const isOwn = this.#microBatches % size === rank;
    this.#microBatches += 1;
    return isOwn ? super.accumulate(sequences, loss, options) : 0;
  }

  override async step(options: OptimizerStep): Promise<GradientNorms> {
    const parts = this.#microBatches > 0 ? 1 : this.#group.size;
    this.#microBatches = 0;
    await sumGradients(this.#group, this.parametersOf(options), 1 / parts);
    return super.step(options);
  }

  /** Begin and end of the rows of this rank. */
  #share(rows: number): [start: number, end: number] {
    const { rank, size } = this.#group;
    return [Math.floor((rows * rank) / size), Math.floor((rows * (rank + 1)) / size)];
  }
}

function digestOf(inputs: readonly ModelInput[]): string {
  const hash = createHash('sha256');
  for (const { promptIds, images, constraint } of inputs) {
    hash.update(promptIds);
    if (constraint) hash.update(JSON.stringify(constraint));
    for (const { data } of images) hash.update(data);
  }
  return hash.digest('hex');
}
