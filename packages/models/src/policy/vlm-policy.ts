/**
 * A vision-language model as the algorithms see it: encode, sample, score, one differentiable forward at a time, and
 * sets of weights (`@vlgym/rl`, `Policy`).
 *
 * Calls run one after the other, whatever the caller awaits. Scoring repeats the exact input of sampling, in evaluation
 * mode; sampling and scoring agree to rounding (`vlm-policy.test.ts`, ratio-is-one).
 */
import { type Completion, rowGenerators } from '@vlgym/agents';
import { type ChatMessage, InvalidOptionError } from '@vlgym/core';
import type {
  ForwardOptions,
  GradientNorms,
  ModelInput,
  OptimizerStep,
  Policy,
  PolicyOutputs,
  ScoreOptions,
  Scores,
  Sequence,
  WeightSet,
} from '@vlgym/rl';
import { noGrad } from '../autograd/grad-mode.js';
import { BatchBuilder, ImageMissingError } from '../models/batch.js';
import type { VisionLanguageModel } from '../models/vision-language-model.js';
import type { Module } from '../nn/index.js';
import { Adam, AdamW, clipGradNorm_ } from '../optim/index.js';
import { load, save } from '../safetensors/index.js';
import { generate } from '../sampling/generate.js';
import { logitOptions } from '../sampling/process-logits.js';
import { Generator } from '../tensor/generator.js';
import { keep, tidy } from '../tensor/scope.js';
import type { Tensor } from '../tensor/tensor.js';
import {
  type ChatTemplate,
  END_OF_TEXT,
  END_OF_TURN,
  IMAGE_PLACEHOLDER,
  renderChat,
} from '../tokenizer/chat-template.js';
import type { TextTokenizer } from '../tokenizer/tokenizer.js';
import {
  assertSameTensors,
  disposeAll,
  type Manifest,
  readCheckpoint,
  type TensorFile,
  writeCheckpoint,
} from './checkpoint.js';
import { EmptyResponseError, PromptTooLongError } from './errors.js';
import { microBatches } from './micro-batches.js';
import { ForwardOutputs, ResponseBatch } from './outputs.js';
import { asData, type Training, WeightSets } from './weight-sets.js';
import { weightsDigest } from './weights-digest.js';

export interface OptimizerOptions {
  readonly kind: 'adam' | 'adamw';
  readonly betas: readonly [number, number];
  readonly eps: number;
  readonly weightDecay: number;
}

export interface VlmPolicyOptions {
  readonly name: string;
  /** `tiny`, or the folder the tokenizer came from. */
  readonly tokenizerSource: string;
  readonly training: Training;
  readonly optimizer: OptimizerOptions;
  readonly template: ChatTemplate;
  /** Of adapters and their dropout. */
  readonly seed: number;
  /** Tokens of one forward when scoring, padding included. */
  readonly batchTokens: number;
}

type SampleOptions = Parameters<Policy['sample']>[1];

/** Scores of one forward, 256 MB in float32. */
const SCORES_PER_BATCH = 2 ** 26;
/** Rows that decode together when each has a generator of its own. */
const ROWS_PER_DECODING = 128;

export class VlmPolicy implements Policy {
  readonly name: string;
  readonly #model: VisionLanguageModel;
  readonly #tokenizer: TextTokenizer;
  readonly #options: VlmPolicyOptions;
  readonly #builder: BatchBuilder;
  readonly #generator: Generator;
  readonly #sets: WeightSets;
  readonly #optimizer: Adam | AdamW;
  readonly #imageToken: number;
  readonly #endTokens: ReadonlySet<number>;
  #version = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(model: VisionLanguageModel, tokenizer: TextTokenizer, options: VlmPolicyOptions) {
    this.name = options.name;
    this.#model = model.eval();
    this.#tokenizer = tokenizer;
    this.#options = options;
    this.#imageToken = tokenizer.id(IMAGE_PLACEHOLDER);
    this.#endTokens = new Set([tokenizer.id(END_OF_TURN), tokenizer.id(END_OF_TEXT)]);
    this.#builder = new BatchBuilder(model, this.#imageToken);
    this.#generator = new Generator(options.seed);
    this.#sets = new WeightSets(model, options.training, this.#generator);
    const { kind, ...settings } = options.optimizer;
    const groups = [{ params: this.#sets.trained }, { params: model.value_head.parameters() }];
    this.#optimizer = kind === 'adam' ? new Adam(groups, settings) : new AdamW(groups, settings);
  }

  get version(): number {
    return this.#version;
  }

  get vocabularySize(): number {
    return this.#model.config.vocabSize;
  }

  get adaptedNames(): readonly string[] {
    return this.#sets.names;
  }

  /** The module tree, for reading: its weights belong to this policy. */
  get model(): Module {
    return this.#model;
  }

  // ---- words and tokens ----

  /**
   * @throws {ImageMissingError}  An image part has no picture, or a text contains `<|image_pad|>`.
   * @throws {PromptTooLongError} More tokens than `maxPositionEmbeddings` of the model.
   */
  encode(messages: readonly ChatMessage[]): ModelInput {
    const { text, images } = renderChat(messages, this.#options.template);
    const limit = this.#model.config.maxPositionEmbeddings;
    const least = this.#tokenizer.leastTokens(text);
    if (least > limit) throw new PromptTooLongError(least, limit, false);
    const ids = this.#tokenizer.encode(text);
    const places = ids.filter((id) => id === this.#imageToken).length;
    const present = images.filter((image) => image?.data instanceof Uint8Array);
    if (present.length !== images.length || places !== images.length) {
      throw new ImageMissingError(places, present.length, 'pictures');
    }
    const { processor } = this.#builder;
    const counts = images.map((image) => processor.tokens(processor.grid(image)));
    let next = 0;
    const promptIds = Array.from(ids).flatMap((id) =>
      id === this.#imageToken ? new Array<number>(counts[next++]!).fill(id) : [id],
    );
    if (promptIds.length > limit) throw new PromptTooLongError(promptIds.length, limit, true);
    return { promptIds: Int32Array.from(promptIds), images };
  }

  /** Ends are offsets into the text as decoded, which differs from `text` only where the tokenizer normalizes it. */
  encodeResponse(text: string): { readonly ids: Int32Array; readonly tokenEnds: Int32Array } {
    const ids = Int32Array.of(...this.#tokenizer.encode(text), this.#tokenizer.id(END_OF_TURN));
    return { ids, tokenEnds: this.#tokenizer.decode(ids).tokenEnds };
  }

  async generate(prompts: readonly (readonly ChatMessage[])[], options: SampleOptions): Promise<Completion[]> {
    return this.sample(
      prompts.map((messages) => this.encode(messages)),
      options,
    );
  }

  // ---- without gradients ----

  /**
   * One response per input. With one generator for all rows they decode as one batch; with a generator per row, in
   * batches of 128.
   */
  async sample(
    inputs: readonly ModelInput[],
    options: SampleOptions,
  ): Promise<(Completion & { readonly value: number })[]> {
    const { maxNewTokens = 256, rng, signal, weights = 'current' } = options;
    if (!(Number.isInteger(maxNewTokens) && maxNewTokens >= 1)) {
      throw new InvalidOptionError('maxNewTokens', maxNewTokens, 'a whole number of at least 1');
    }
    const logits = logitOptions(options);
    const generators = rowGenerators(rng, inputs.length);
    const rowsAtOnce = new Set(generators).size === generators.length ? ROWS_PER_DECODING : inputs.length;
    const run = <T>(compute: () => T): T => this.#sets.use(weights, () => tidy(compute));
    const results: (Completion & { readonly value: number })[] = [];
    for (let start = 0; start < inputs.length; start += rowsAtOnce) {
      const rows = inputs.slice(start, start + rowsAtOnce);
      const plan = {
        logits,
        maxNewTokens,
        endTokens: this.#endTokens,
        generators: generators.slice(start, start + rowsAtOnce),
        signal,
        run,
      };
      const sampled = await this.#exclusive(() => generate(this.#model, this.#builder, rows, plan));
      for (const [i, each] of sampled.entries()) {
        results.push({ ...each, ...this.#tokenizer.decode(each.tokenIds), promptTokenIds: rows[i]!.promptIds });
      }
    }
    return results;
  }

  async score(sequences: readonly Sequence[], options: ScoreOptions = {}): Promise<Scores> {
    const { weights = 'current', divergence, states } = options;
    const scores = {
      logProbs: new Array<Float32Array>(sequences.length),
      entropies: new Array<Float32Array>(sequences.length),
      values: new Float32Array(sequences.length),
      ...(divergence && { divergences: new Array<Float32Array>(sequences.length) }),
      ...(states && { states: new Array<Float32Array>(sequences.length) }),
    };
    await this.#forEachBatch(sequences, (rows, positions) =>
      this.#sets.use(weights, () => {
        const outputs = this.#outputs(rows, options);
        const values = outputs.values.toNumbers();
        const logProbs = perRow(outputs.logProbs, rows);
        const entropies = perRow(outputs.entropies, rows);
        const divergences = divergence && perRow(outputs.divergence(divergence), rows);
        const width = outputs.promptStates.size(1);
        const prompts = states && Float32Array.from(outputs.promptStates.toNumbers());
        for (const [i, position] of positions.entries()) {
          scores.logProbs[position] = logProbs[i]!;
          scores.entropies[position] = entropies[i]!;
          scores.values[position] = values[i]!;
          if (divergences) scores.divergences![position] = divergences[i]!;
          if (prompts) scores.states![position] = prompts.slice(i * width, (i + 1) * width);
        }
      }),
    );
    return scores;
  }

  // ---- with gradients ----

  /** @throws {EmptyResponseError} A sequence has no response. */
  async accumulate(
    sequences: readonly Sequence[],
    loss: (outputs: PolicyOutputs) => ReturnType<PolicyOutputs['distribution']>,
    options: ForwardOptions = {},
  ): Promise<number> {
    assertResponses(sequences);
    if (sequences.length === 0) throw new InvalidOptionError('sequences', sequences, 'at least one sequence');
    const { weights = 'current' } = options;
    if (weights !== 'current')
      throw new InvalidOptionError('weights', weights, "'current', the only set that is trained");
    return this.#exclusive(async () => {
      this.#model.train();
      try {
        const result = tidy(() => this.#sets.train(() => loss(this.#outputs(sequences, options)) as Tensor));
        try {
          await result.backwardAsync();
          return result.item();
        } finally {
          result.dispose();
        }
      } finally {
        this.#model.eval();
      }
    });
  }

  async accumulateValues(
    states: readonly Float32Array[],
    loss: (values: ReturnType<PolicyOutputs['distribution']>) => ReturnType<PolicyOutputs['distribution']>,
  ): Promise<number> {
    return this.#exclusive(async () => {
      const result = tidy(() => loss(this.#model.values(this.#stack(states))) as Tensor);
      try {
        await result.backwardAsync();
        return result.item();
      } finally {
        result.dispose();
      }
    });
  }

  async valuesOf(states: readonly Float32Array[]): Promise<Float32Array> {
    return this.#exclusive(async () =>
      noGrad(() => tidy(() => Float32Array.from(this.#model.values(this.#stack(states)).toNumbers()))),
    );
  }

  standardizeValues(states: readonly Float32Array[]): void {
    tidy(() => this.#model.value_head.standardize(this.#stack(states)));
  }

  /** @throws {NonFiniteGradientError} The gradients hold NaN or infinity; they are dropped and no weight has moved. */
  async step(options: OptimizerStep): Promise<GradientNorms> {
    const { learningRate, valueLearningRate = learningRate, maxGradNorm, valueMaxGradNorm, onlyValue } = options;
    return this.#exclusive(async () => {
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
        if (!onlyValue) {
          this.#version += 1;
          this.#sets.changed();
        }
        return { gradNorm, valueGradNorm };
      } finally {
        this.#optimizer.zeroGrad();
      }
    });
  }

  // ---- sets of weights; to be called while nothing above is under way ----

  adapterState(): Map<string, Tensor> {
    return this.#sets.state();
  }

  /** @throws {UnknownWeightError} `name` is none of `adaptedNames`, or the state lacks it. */
  delta(state: ReadonlyMap<string, Tensor>, name: string): Tensor {
    return this.#sets.delta(state, name);
  }

  /** Matrices without a delta equal θ_0. @throws {UnknownWeightError} The teacher is then θ_0. */
  setTeacher(deltas: Iterable<readonly [name: string, delta: Tensor]>): void {
    this.#sets.setTeacher(deltas);
  }

  keepOld(): void {
    this.#sets.keepOld();
  }

  /** The teacher becomes the new θ_0 too. */
  foldIntoReference(): void {
    this.#sets.fold();
    this.#optimizer.dispose();
  }

  // ---- files ----

  async weightsDigest(): Promise<string> {
    return this.#exclusive(async () => tidy(() => weightsDigest(this.#identity(), this.#sets.tensors('current')!)));
  }

  async save(folder: string): Promise<void> {
    await this.#exclusive(() => {
      const { steps, tensors } = this.#optimizer.stateDict();
      const manifest = {
        ...this.#identity(),
        tokenizer: this.#options.tokenizerSource,
        name: this.name,
        optimizer: { ...this.#options.optimizer, betas: [...this.#options.optimizer.betas] as [number, number] },
        version: this.#version,
        optimizerSteps: [...steps],
      };
      return writeCheckpoint(folder, manifest, () => {
        const files: Partial<Record<TensorFile, Map<string, Tensor>>> = {
          optimizer: new Map([...tensors, ['generator', this.#generator.getState()]]),
        };
        for (const set of ['current', 'reference', 'teacher'] as const) {
          const state = this.#sets.tensors(set);
          if (state) files[set] = state;
        }
        return files;
      });
    });
  }

  /**
   * @throws {CheckpointMismatchError}  Another model, or another way of training; names the first difference.
   * @throws {CheckpointInvalidError}   Missing, truncated or damaged. Nothing has changed in either case.
   */
  async load(folder: string): Promise<void> {
    await this.#exclusive(async () => {
      const { manifest, tensors } = await readCheckpoint(folder, this.#identity());
      try {
        tidy(() => this.#restore(folder, manifest, tensors));
      } finally {
        for (const state of tensors.values()) disposeAll(state);
      }
    });
  }

  async saveWeights(path: string, weights: ReadonlyMap<string, Tensor>): Promise<void> {
    await save(path, weights);
  }

  async loadWeights(path: string): Promise<Map<string, Tensor>> {
    const weights = load(path);
    for (const tensor of weights.values()) keep(tensor);
    return weights;
  }

  close(): void {
    this.#optimizer.dispose();
    this.#sets.dispose();
    this.#model.dispose();
  }

  /** Compares everything first, then copies. */
  #restore(folder: string, manifest: Manifest, tensors: ReadonlyMap<TensorFile, ReadonlyMap<string, Tensor>>): void {
    const layout = this.#sets.layout();
    for (const set of ['current', 'reference', 'teacher'] as const) {
      const found = tensors.get(set);
      if (set === 'teacher' && !found) continue;
      assertSameTensors(folder, set, found ?? new Map(), layout[set]);
    }
    const optimizer = new Map(tensors.get('optimizer'));
    const generator = optimizer.get('generator');
    optimizer.delete('generator');
    const { kind, groups } = this.#optimizer.stateDict();
    this.#optimizer.loadStateDict({ kind, groups, steps: manifest.optimizerSteps, tensors: optimizer });
    if (generator) this.#generator.setState(generator);
    this.#sets.restore({
      current: tensors.get('current')!,
      reference: tensors.get('reference'),
      teacher: tensors.get('teacher'),
    });
    this.#version = manifest.version;
  }

  #identity(): Pick<Manifest, 'config' | 'training' | 'dtype' | 'tokenizerSha256'> {
    const { training } = this.#options;
    const dtype = this.#model.model.norm.weight.dtype as Manifest['dtype'];
    return { config: this.#model.config, training: asData(training), dtype, tokenizerSha256: this.#tokenizer.sha256 };
  }

  // ---- how it is done ----

  #outputs(rows: readonly Sequence[], { temperature = 1, stopGradient = false }: ForwardOptions): ForwardOutputs {
    if (!(temperature > 0)) throw new InvalidOptionError('temperature', temperature, 'a number above 0');
    const batch = new ResponseBatch(
      this.#model,
      this.#builder,
      rows.map(({ input, responseIds }) => ({ ...input, responseIds })),
    );
    const use = <T>(weights: WeightSet, compute: () => T): T => this.#sets.use(weights, compute);
    return new ForwardOutputs(batch, { temperature, stopGradient, use });
  }

  /** [N, D] hidden states as one tensor, where the value head is. */
  #stack(states: readonly Float32Array[]): Tensor {
    const width = states[0]?.length ?? 0;
    const flat = new Float32Array(states.length * width);
    for (const [row, state] of states.entries()) flat.set(state, row * width);
    return this.#builder.floats(flat, [states.length, width]);
  }

  /** Runs `compute` for all sequences in batches of like length, with their positions in the list. */
  async #forEachBatch(
    sequences: readonly Sequence[],
    compute: (rows: readonly Sequence[], positions: readonly number[]) => void,
  ): Promise<void> {
    assertResponses(sequences);
    const sizes = sequences.map(({ input, responseIds }) => ({
      prompt: input.promptIds.length,
      response: responseIds.length,
    }));
    const limits = { tokens: this.#options.batchTokens, scores: SCORES_PER_BATCH, vocabulary: this.vocabularySize };
    for (const positions of microBatches(sizes, limits)) {
      const rows = positions.map((position) => sequences[position]!);
      await this.#exclusive(async () => tidy(() => compute(rows, positions)));
    }
  }

  /** Calls share one set of parameters, so they take turns. */
  async #exclusive<T>(work: () => Promise<T>): Promise<T> {
    const running = this.#last.then(work);
    this.#last = running.catch(() => {});
    return running;
  }
}

function assertResponses(sequences: readonly Sequence[]): void {
  const empty = sequences.findIndex(({ responseIds }) => responseIds.length === 0);
  if (empty >= 0) throw new EmptyResponseError(empty);
}

/** The response tokens of every row of a [B, L] tensor. */
function perRow(tensor: Tensor, rows: readonly Sequence[]): Float32Array[] {
  const length = tensor.size(1);
  const all = Float32Array.from(tensor.toArray() as Float32Array | Float64Array);
  return rows.map(({ responseIds }, i) => all.slice(i * length, i * length + responseIds.length));
}
