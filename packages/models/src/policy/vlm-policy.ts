/**
 * A language model as the algorithms see it (`Policy` of @vlgym/rl). Each job is in its own file; this one says how they
 * share the model.
 *
 * Calls run one after the other, whatever the caller awaits. Scoring repeats the exact input of sampling, in evaluation
 * mode; both agree to rounding (`vlm-policy.test.ts`).
 */
import type { Completion } from '@vlgym/agents/model';
import type { ChatMessage } from '@vlgym/core';
import { type DType, Generator, type Module, type Parameter, safetensors, type Tensor, tidy } from '@vlgym/gpu';
import type {
  AccumulateOptions,
  GradientNorms,
  ModelInput,
  OptimizerStep,
  PolicyOutputs,
  ScoreOptions,
  Scores,
  Sequence,
  WarmStartPolicy,
} from '@vlgym/rl';
import type { RolloutSampler } from '@vlgym/rl/rollout';
import type { ActorCritic } from '../layers/actor-critic.js';
import type { TextTokenizer } from '../tokenizer/tokenizer.js';
import { type AdapterOrigin, adapterOrigin, loadAdapter, saveAdapter, saveMerged } from './adapter-files.js';
import { PolicyOptimizer } from './policy-optimizer.js';
import { type PolicyParts, policyParts } from './policy-parts.js';
import { type SampleOptions, sampleResponses, type ValuedCompletion, withConstraints } from './sample.js';
import { accumulateLoss, accumulateValueLoss, type LossTensor, valuesOfStates } from './scoring/accumulate.js';
import { type AlternativesOptions, alternativesOf, type TokenPlace } from './scoring/alternatives.js';
import { stackStates } from './scoring/forward.js';
import { scoreSequences } from './scoring/score.js';
import type { VlmPolicyOptions } from './vlm-policy-options.js';
import { type Identity, identityOf } from './weights/checkpoint.js';
import { type PolicyState, restorePolicy, savePolicy } from './weights/save-policy.js';
import { StoredWeights } from './weights/stored-weights.js';
import { weightsDigest } from './weights/weights-digest.js';

export class VlmPolicy implements WarmStartPolicy {
  readonly name: string;
  /** Only where processes train together: what this one computes alone. */
  readonly localSampler?: RolloutSampler & Pick<VlmPolicy, 'score'>;
  readonly #options: VlmPolicyOptions;
  readonly #identity: Identity;
  readonly #parts: PolicyParts;
  readonly #optimizer: PolicyOptimizer;
  readonly #state: PolicyState;
  #version = 0;

  constructor(network: ActorCritic, tokenizer: TextTokenizer, options: VlmPolicyOptions) {
    this.name = options.name;
    this.#options = options;
    const generator = new Generator(options.seed);
    this.#parts = policyParts(network, tokenizer, options, generator);
    this.#identity = identityOf(network.language, tokenizer, options);
    const { sets } = this.#parts;
    const trained = { policy: sets.trained, value: network.valueHead.parameters(), matrices: sets.matrices };
    this.#optimizer = new PolicyOptimizer(trained, options.optimizer, options.shards);
    this.#state = { sets, optimizer: this.#optimizer, generator };
  }

  get version(): number {
    return this.#version;
  }

  /** Sampling rounds otherwise than scoring (`samplerDtype`, `autocast`): losses correct for it. */
  get hasSamplingMismatch(): boolean {
    return this.#parts.samplesOtherwise;
  }

  get vocabularySize(): number {
    return this.#parts.network.language.config.vocabSize;
  }

  /** Of the products of the model, in scores and gradients. */
  get dtype(): DType {
    return this.#parts.dtype;
  }

  /** Adapters are trained, and not all weights. */
  get hasAdapters(): boolean {
    return this.#options.training !== 'full';
  }

  /** For reading: its weights belong to this policy. */
  get model(): Module {
    return this.#parts.network;
  }

  /**
   * @throws {ImageMissingError}  An image part has no picture, or a text contains the template's image token.
   * @throws {PromptTooLongError} More tokens than `maxPositionEmbeddings` of the model.
   */
  encode(messages: readonly ChatMessage[]): ModelInput {
    return this.#parts.prompts.encode(messages);
  }

  /** Ends are offsets into the text as decoded, which differs from `text` only where the tokenizer normalizes it. */
  encodeResponse(text: string): { readonly ids: Int32Array; readonly tokenEnds: Int32Array } {
    return this.#parts.prompts.encodeResponse(text);
  }

  async generate(prompts: readonly (readonly ChatMessage[])[], options: SampleOptions): Promise<Completion[]> {
    return this.sample(this.inputsOf(prompts, options), options);
  }

  /** @throws {InvalidOptionError} Constraints are not one per prompt. */
  protected inputsOf(prompts: readonly (readonly ChatMessage[])[], { constraints }: SampleOptions): ModelInput[] {
    const inputs = prompts.map((messages) => this.encode(messages));
    return withConstraints(inputs, constraints);
  }

  /** One response per input. With one generator for all rows they decode as one batch; with one per row, in `slots`. */
  sample(inputs: readonly ModelInput[], options: SampleOptions): Promise<ValuedCompletion[]> {
    return sampleResponses(this.#parts, inputs, options);
  }

  /** @throws {EmptyResponseError} A sequence has no response. */
  score(sequences: readonly Sequence[], options: ScoreOptions = {}): Promise<Scores> {
    return scoreSequences(this.#parts, sequences, options, this.#options.batchTokens);
  }

  /** The likeliest tokens at each place of one response. @throws {EmptyResponseError} The sequence has no response. */
  alternatives(sequence: Sequence, options: AlternativesOptions = {}): Promise<TokenPlace[]> {
    return alternativesOf(this.#parts, sequence, options);
  }

  valuesOf(states: readonly Float32Array[]): Promise<Float32Array> {
    return valuesOfStates(this.#parts, states);
  }

  /** @throws {EmptyResponseError} A sequence has no response. */
  accumulate(
    sequences: readonly Sequence[],
    loss: (outputs: PolicyOutputs) => LossTensor,
    options: AccumulateOptions = {},
  ): Promise<number> {
    return accumulateLoss(this.#parts, sequences, loss, options);
  }

  accumulateValues(states: readonly Float32Array[], loss: (values: LossTensor) => LossTensor): Promise<number> {
    return accumulateValueLoss(this.#parts, states, loss);
  }

  standardizeValues(states: readonly Float32Array[]): void {
    tidy(() => this.#parts.network.valueHead.standardize(stackStates(this.#parts, states)));
  }

  /** @throws {NonFiniteGradientError} The gradients hold NaN or infinity; they are dropped and no weight has moved. */
  step(options: OptimizerStep): Promise<GradientNorms> {
    const { lowPrecision, promptCache, serialQueue } = this.#parts;
    return serialQueue.run(async () => {
      const norms = await this.#optimizer.step(options);
      if (options.onlyValue) return norms;
      this.#version += 1;
      promptCache?.clear();
      if (!this.hasAdapters) lowPrecision?.clear(); // adapters leave the base as it is
      return norms;
    });
  }

  forgetPrompts(): Promise<void> {
    return this.#parts.serialQueue.run(async () => this.#parts.promptCache?.clear());
  }

  /** What the next optimizer step moves. */
  protected parametersOf({ onlyValue }: Pick<OptimizerStep, 'onlyValue'>): readonly Parameter[] {
    return [...(onlyValue ? [] : this.#parts.sets.trained), ...this.#parts.network.valueHead.parameters()];
  }

  keepOld(): void {
    this.#parts.sets.keepOld();
  }

  get adaptedNames(): readonly string[] {
    return this.#parts.sets.names;
  }

  /** A copy of what is trained (LoRA factors or whole matrices, without the value head). */
  adapterState(): Map<string, Tensor> {
    return this.#parts.sets.state();
  }

  /**
   * Dense float32 task vector θ_i − θ_0 of one matrix, e.g. (α/r)·B·A.
   *
   * @throws {UnknownWeightError} `name` is not in `adaptedNames`, or the state lacks it.
   */
  delta(state: ReadonlyMap<string, Tensor>, name: string): Tensor {
    return this.#parts.sets.delta(state, name);
  }

  /** Matrices without a delta equal θ_0. @throws {UnknownWeightError} The teacher is then θ_0. */
  setTeacher(deltas: Iterable<readonly [name: string, delta: Tensor]>): void {
    this.#parts.sets.setTeacher(deltas);
  }

  /** The teacher becomes the new θ_0 too. */
  foldIntoReference(): void {
    this.#parts.sets.fold();
    this.#clearCopies();
    this.#optimizer.reset();
  }

  weightsDigest(): Promise<string> {
    const { sets, serialQueue } = this.#parts;
    return serialQueue.run(async () => tidy(() => weightsDigest(this.#identity, sets.tensors('current')!)));
  }

  prepareSave(): Promise<void> {
    return this.#parts.serialQueue.run(() => this.#optimizer.gatherState());
  }

  save(folder: string): Promise<readonly string[]> {
    const { optimizer, tokenizerSource, base } = this.#options;
    return this.#parts.serialQueue.run(() =>
      savePolicy(folder, this.#state, {
        ...this.#identity,
        base,
        tokenizer: tokenizerSource,
        name: this.name,
        optimizer: { ...optimizer, betas: [...optimizer.betas] as [number, number] },
        version: this.#version,
      }).finally(() => this.#optimizer.forgetGathered()),
    );
  }

  /**
   * @param options.weightsOnly  Start from the weights of another run: they are θ_0, and the optimizer starts anew. Default false.
   * @throws {CheckpointMismatchError}  Another model, or another way of training; names the first difference.
   * @throws {CheckpointDamagedError}   Missing, truncated or damaged. Nothing has changed in either case.
   */
  load(folder: string, { weightsOnly = false }: { readonly weightsOnly?: boolean } = {}): Promise<void> {
    return this.#parts.serialQueue.run(async () => {
      const { version } = await restorePolicy(folder, this.#state, this.#identity, weightsOnly);
      if (weightsOnly) this.#parts.sets.fold();
      this.#clearCopies();
      this.#version = version;
    });
  }

  /**
   * The adapters in the layout of peft, to be opened with `PeftModel.from_pretrained(model, folder)`; the value head
   * next to them. What a warm start taught is part of them: their rank is then that of both.
   *
   * @throws {NoAdapterError}         All weights are trained.
   * @throws {AdapterIncompleteError} The base is in no folder, so that an adapter alone would be another policy.
   */
  saveAdapter(folder: string): Promise<void> {
    return this.#parts.serialQueue.run(() => saveAdapter(folder, this.#parts, this.#options));
  }

  /** What of an adapter is known before it is trained. @throws as `saveAdapter` */
  checkAdapter(): AdapterOrigin {
    return adapterOrigin(this.#parts.sets, this.#options);
  }

  /**
   * The model without its value head, as a folder like that of its base: adapters added, rounded to the dtype of the files.
   *
   * @throws {NoModelFolderError} The weights were drawn at random: nothing says what such a folder would be.
   * @throws {FolderExistsError}  There is one already.
   */
  saveMerged(folder: string): Promise<void> {
    return this.#parts.serialQueue.run(() => saveMerged(folder, this.#parts.sets, this.#options));
  }

  /**
   * Takes the factors of an adapter in the layout of peft, and the value head next to it if there is one.
   *
   * @throws {AdapterMismatchError} It belongs to another model, or to other matrices than are trained.
   * @throws {NoAdapterError}       All weights are trained.
   */
  loadAdapter(folder: string): Promise<void> {
    return this.#parts.serialQueue.run(() => loadAdapter(folder, this.#parts, this.#options));
  }

  saveWeights(path: string, weights: ReadonlyMap<string, Tensor>): Promise<void> {
    return safetensors.save(path, weights);
  }

  /** @throws {SafetensorsReadError | SafetensorsInvalidError} The file is missing, truncated or breaks the format. */
  async loadWeights(path: string): Promise<StoredWeights> {
    return new StoredWeights(path);
  }

  close(): void {
    this.#optimizer.close();
    this.#clearCopies();
    this.#parts.sets.dispose();
    this.#parts.network.dispose();
  }

  /** Removes what was computed from earlier weights, those of the vision encoder included. */
  #clearCopies(): void {
    this.#parts.pictures?.clear();
    this.#parts.lowPrecision?.clear();
    this.#parts.promptCache?.clear();
  }
}
