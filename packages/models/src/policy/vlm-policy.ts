/**
 * A language model as the algorithms see it: encode, sample, score, one differentiable forward at a time, and sets of
 * weights (`@vlgym/rl`, `Policy`). Each job is in its own file; this one says how they share the model.
 *
 * Calls run one after the other, whatever the caller awaits. Scoring repeats the exact input of sampling, in evaluation
 * mode; sampling and scoring agree to rounding (`vlm-policy.test.ts`, ratio-is-one).
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Completion } from '@vlgym/agents/model';
import { type ChatMessage, InvalidOptionError } from '@vlgym/core';
import { SerialQueue } from '@vlgym/core/internal';
import { type DType, Generator, type Module, type Parameter, safetensors, type Tensor, tidy } from '@vlgym/gpu';
import type { ProcessGroup } from '@vlgym/gpu/distributed';
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
import {
  AdapterIncompleteError,
  AdapterMismatchError,
  NoAdapterError,
  NoModelFolderError,
} from '../adapters/peft/errors.js';
import { loadFactors, readPeftAdapter } from '../adapters/peft/read-adapter.js';
import { VALUE_HEAD_FILE, writePeftAdapter } from '../adapters/peft/write-adapter.js';
import { BatchBuilder } from '../batch/batch-builder.js';
import { PictureCache } from '../batch/picture-cache.js';
import type { ChatTemplate } from '../chat/chat-template.js';
import { modelFamily } from '../families.js';
import type { ActorCritic } from '../layers/actor-critic.js';
import { writeModelFolder } from '../pretrained/write-model-folder.js';
import { asyncThreshold } from '../sampling/plan.js';
import { PromptCache } from '../sampling/prompt-cache.js';
import type { TextTokenizer } from '../tokenizer/tokenizer.js';
import { type OptimizerOptions, PolicyOptimizer } from './policy-optimizer.js';
import { PromptEncoder } from './prompt-encoder.js';
import { type SampleOptions, sampleResponses, type ValuedCompletion } from './sample.js';
import { accumulateLoss, accumulateValueLoss, valuesOfStates } from './scoring/accumulate.js';
import { type PolicyParts, stackStates } from './scoring/forward.js';
import { scoreSequences } from './scoring/score.js';
import { type Training, trainingToData } from './training.js';
import type { Identity, Manifest } from './weights/checkpoint.js';
import { type SamplerDType, samplerWeights } from './weights/sampler-weights.js';
import { restorePolicy, savePolicy } from './weights/save-policy.js';
import { StoredWeights } from './weights/stored-weights.js';
import { WeightSets } from './weights/weight-sets.js';
import { weightsDigest } from './weights/weights-digest.js';

export interface VlmPolicyOptions {
  readonly name: string;
  /** Name of the model family. */
  readonly family: string;
  readonly chatTemplate: ChatTemplate;
  /** Name of a preset that brings its tokenizer, or the folder that the tokenizer came from. */
  readonly tokenizerSource: string;
  /** The folder that the weights came from, and its digest; undefined where they were drawn at random. */
  readonly base?: { readonly folder: string; readonly sha256: string } | undefined;
  readonly training: Training;
  readonly optimizer: OptimizerOptions;
  /** Seed of adapters and their dropout. */
  readonly seed: number;
  /** Tokens of one forward when scoring, padding included. */
  readonly batchTokens: number;
  /** Largest vocabulary whose distributions are kept for all positions at once; default 8192. */
  readonly denseVocabulary?: number | undefined;
  /** Keep the inputs of layers alone for a backward pass, and compute the rest again. */
  readonly checkpointActivations?: boolean | undefined;
  /** Bytes of encoded pictures that are kept while the vision encoder is frozen; 0 keeps none. */
  readonly imageCacheBytes?: number | undefined;
  /** Bytes of keys and values that sampling keeps of conversations; default 0. */
  readonly promptCacheBytes?: number | undefined;
  /** What the current weights are sampled in; default `same`. */
  readonly samplerDtype?: SamplerDType | undefined;
  /** Keep a copy of θ_0 where all weights are trained; default true. */
  readonly keepReference?: boolean | undefined;
  /** Processes that each keep a part of the optimizer's state; default: all of it here. */
  readonly shards?: ProcessGroup | undefined;
}

export class VlmPolicy implements WarmStartPolicy {
  readonly name: string;
  /** Only where processes train together: what this one computes alone. */
  readonly localSampler?: RolloutSampler & Pick<VlmPolicy, 'score'>;
  readonly #options: VlmPolicyOptions;
  readonly #tokenizer: TextTokenizer;
  readonly #parts: PolicyParts;
  readonly #generator: Generator;
  readonly #optimizer: PolicyOptimizer;
  /** Encoded pictures; null where the vision encoder is trained. */
  readonly #pictures: PictureCache | null;
  #version = 0;

  constructor(network: ActorCritic, tokenizer: TextTokenizer, options: VlmPolicyOptions) {
    this.name = options.name;
    this.#options = options;
    this.#tokenizer = tokenizer;
    this.#generator = new Generator(options.seed);
    const prompts = new PromptEncoder(network.language, tokenizer, options.chatTemplate);
    const { training } = options;
    const sets = new WeightSets(network, training, this.#generator, {
      hasStoredBase: options.base !== undefined,
      keepsReference: options.keepReference ?? true,
    });
    const hasDropout = training !== 'full' && (training.lora.dropout ?? 0) > 0;
    this.#pictures = sets.changesPictures ? null : new PictureCache(network.language, options.imageCacheBytes);
    this.#parts = {
      network: network.eval(),
      prompts,
      builder: new BatchBuilder(network.language, prompts.imageToken, this.#pictures),
      sets,
      turns: new SerialQueue(),
      asyncThreshold: asyncThreshold(network.language.parameters()),
      narrow: samplerWeights(network.language, options.samplerDtype),
      promptCache: options.promptCacheBytes ? new PromptCache(options.promptCacheBytes) : null,
      denseVocabulary: options.denseVocabulary,
      checkpointing: options.checkpointActivations ? { generator: hasDropout ? this.#generator : null } : null,
    };
    const trained = { policy: sets.trained, value: network.valueHead.parameters(), matrices: sets.matrices };
    this.#optimizer = new PolicyOptimizer(trained, options.optimizer, options.shards);
  }

  get version(): number {
    return this.#version;
  }

  /** Sampling computes with weights in fewer bytes than scoring: losses correct for it. */
  get hasSamplingMismatch(): boolean {
    return this.#parts.narrow !== null;
  }

  get vocabularySize(): number {
    return this.#parts.network.language.config.vocabSize;
  }

  /** Dtype of the weights of the model and of its products. */
  get dtype(): DType {
    return this.#parts.network.language.dtype;
  }

  /** Adapters are trained, and not all weights. */
  get hasAdapters(): boolean {
    return this.#options.training !== 'full';
  }

  /** The module tree, for reading: its weights belong to this policy. */
  get model(): Module {
    return this.#parts.network;
  }

  // ---- words and tokens ----

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
  protected inputsOf(
    prompts: readonly (readonly ChatMessage[])[],
    { constraints }: Pick<SampleOptions, 'constraints'>,
  ): ModelInput[] {
    const inputs = prompts.map((messages) => this.encode(messages));
    if (!constraints) return inputs;
    if (constraints.length !== prompts.length) {
      throw new InvalidOptionError('constraints', constraints.length, `one per prompt (${prompts.length})`);
    }
    return inputs.map((input, row) => ({ ...input, constraint: constraints[row]! }));
  }

  // ---- without gradients ----

  /** One response per input. With one generator for all rows they decode as one batch; with one per row, in `slots`. */
  sample(inputs: readonly ModelInput[], options: SampleOptions): Promise<ValuedCompletion[]> {
    return sampleResponses(this.#parts, inputs, options);
  }

  /** @throws {EmptyResponseError} A sequence has no response. */
  score(sequences: readonly Sequence[], options: ScoreOptions = {}): Promise<Scores> {
    return scoreSequences(this.#parts, sequences, options, this.#options.batchTokens);
  }

  valuesOf(states: readonly Float32Array[]): Promise<Float32Array> {
    return valuesOfStates(this.#parts, states);
  }

  // ---- with gradients ----

  /** @throws {EmptyResponseError} A sequence has no response. */
  accumulate(
    sequences: readonly Sequence[],
    loss: (outputs: PolicyOutputs) => PolicyOutputs['logProbs'],
    options: AccumulateOptions = {},
  ): Promise<number> {
    return accumulateLoss(this.#parts, sequences, loss, options);
  }

  accumulateValues(
    states: readonly Float32Array[],
    loss: (values: PolicyOutputs['values']) => PolicyOutputs['values'],
  ): Promise<number> {
    return accumulateValueLoss(this.#parts, states, loss);
  }

  standardizeValues(states: readonly Float32Array[]): void {
    tidy(() => this.#parts.network.valueHead.standardize(stackStates(this.#parts, states)));
  }

  /** @throws {NonFiniteGradientError} The gradients hold NaN or infinity; they are dropped and no weight has moved. */
  step(options: OptimizerStep): Promise<GradientNorms> {
    return this.#parts.turns.run(async () => {
      const norms = await this.#optimizer.step(options);
      if (options.onlyValue) return norms;
      this.#version += 1;
      this.#parts.promptCache?.clear();
      // adapters leave the base as it is
      if (!this.hasAdapters) this.#parts.narrow?.clear();
      return norms;
    });
  }

  /** What the next optimizer step moves. */
  protected parametersOf({ onlyValue }: Pick<OptimizerStep, 'onlyValue'>): readonly Parameter[] {
    const { network, sets } = this.#parts;
    const head = [...network.valueHead.parameters()];
    return onlyValue ? head : [...sets.trained, ...head];
  }

  // ---- sets of weights; call these while nothing above is running ----

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

  // ---- files ----

  weightsDigest(): Promise<string> {
    const { sets, turns } = this.#parts;
    return turns.run(async () => tidy(() => weightsDigest(this.#identity(), sets.tensors('current')!)));
  }

  prepareSave(): Promise<void> {
    return this.#parts.turns.run(() => this.#optimizer.gatherState());
  }

  save(folder: string): Promise<readonly string[]> {
    const { optimizer, tokenizerSource, base } = this.#options;
    return this.#parts.turns.run(() =>
      savePolicy(folder, this.#state(), {
        ...this.#identity(),
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
    return this.#parts.turns.run(async () => {
      const { version } = await restorePolicy(folder, this.#state(), this.#identity(), weightsOnly);
      if (weightsOnly) this.#parts.sets.fold();
      // weights of the vision encoder may have come with it
      this.#pictures?.clear();
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
  async saveAdapter(folder: string): Promise<void> {
    const { network, sets, turns } = this.#parts;
    return turns.run(async () => {
      const { lora, baseModel, baseSha256 } = this.checkAdapter();
      const { language: model, valueHead } = network;
      await writePeftAdapter(folder, { model, adapted: sets.adapters, lora, baseModel, baseSha256 });
      await safetensors.save(join(folder, VALUE_HEAD_FILE), valueHead.stateDict());
    });
  }

  /** What of an adapter is known before it is trained. @throws as `saveAdapter` */
  checkAdapter() {
    const { training, base, name } = this.#options;
    if (training === 'full') throw new NoAdapterError();
    if (!base || !this.#parts.sets.hasStoredBase) throw new AdapterIncompleteError(name, base?.folder);
    return { lora: training.lora, baseModel: base.folder, baseSha256: base.sha256 };
  }

  /**
   * The whole model as a folder like that of its base, adapters added to its weights; rounded to the dtype of the files. The
   * value head is not part of it.
   *
   * @throws {NoModelFolderError} The weights were drawn at random: nothing says what such a folder would be.
   * @throws {FolderExistsError}  There is one already.
   */
  async saveMerged(folder: string): Promise<void> {
    const { base, family, name: policy } = this.#options;
    const { sets, turns } = this.#parts;
    if (!base) throw new NoModelFolderError(policy);
    const internal = modelFamily(family).published?.internalName ?? ((name: string) => name);
    await turns.run(() => writeModelFolder(base.folder, folder, (name, stored) => sets.merged(internal(name), stored)));
  }

  /**
   * Takes the factors of an adapter in the layout of peft, and the value head next to it if there is one.
   *
   * @throws {AdapterMismatchError} It belongs to another model, or to other matrices than are trained.
   * @throws {NoAdapterError}       All weights are trained.
   */
  async loadAdapter(folder: string): Promise<void> {
    const { training, base, family } = this.#options;
    const { network, sets, turns } = this.#parts;
    if (training === 'full') throw new NoAdapterError();
    return turns.run(async () => {
      const adapter = await readPeftAdapter(folder, modelFamily(family).published?.internalName);
      if (adapter.baseSha256 !== undefined && base && adapter.baseSha256 !== base.sha256) {
        throw new AdapterMismatchError(folder, `it was trained on weights with SHA-256 ${adapter.baseSha256}`);
      }
      loadFactors(adapter, sets.adapters);
      this.#parts.promptCache?.clear();
      const path = join(folder, VALUE_HEAD_FILE);
      if (!existsSync(path)) return;
      const state = safetensors.load(path);
      network.valueHead.loadStateDict(state);
      for (const tensor of state.values()) tensor.dispose();
    });
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
    this.#pictures?.clear();
    this.#clearCopies();
    this.#parts.sets.dispose();
    this.#parts.network.dispose();
  }

  /** What was made of weights that are others now. */
  #clearCopies(): void {
    this.#parts.narrow?.clear();
    this.#parts.promptCache?.clear();
  }

  #state() {
    return { sets: this.#parts.sets, optimizer: this.#optimizer, generator: this.#generator };
  }

  #identity(): Identity {
    const { language } = this.#parts.network;
    return {
      family: this.#options.family,
      config: language.config as unknown as Manifest['config'],
      training: trainingToData(this.#options.training, language.adapterTargets),
      dtype: language.dtype as Manifest['dtype'],
      tokenizerSha256: this.#tokenizer.sha256,
      // absent where the weights were drawn: digests of such policies stay what they were
      ...(this.#options.base && { baseSha256: this.#options.base.sha256 }),
    };
  }
}
