/** One forward over prompts with responses, and the quantities a loss asks of it, each computed when first asked for. */
import type { Divergence, PolicyOutputs, WeightSet } from '@vlgym/rl';
import type { BatchBuilder, TokenRow } from '../models/batch.js';
import type { VisionLanguageModel } from '../models/vision-language-model.js';
import type { Tensor } from '../tensor/tensor.js';

/** B rows with responses of at most L tokens, ready for any number of forwards. */
export class ResponseBatch {
  /** int64 [B, L], 0 on padding. */
  readonly responseIds: Tensor;
  /** [B, L] float 1 on response tokens. */
  readonly mask: Tensor;
  readonly #model: VisionLanguageModel;
  readonly #tokens: ReturnType<BatchBuilder['tokens']>;
  readonly #context: Parameters<VisionLanguageModel['forward']>[1];

  constructor(
    model: VisionLanguageModel,
    builder: BatchBuilder,
    rows: readonly (TokenRow & { readonly responseIds: Int32Array })[],
  ) {
    const longest = Math.max(...rows.map(({ responseIds }) => responseIds.length));
    const ids = new Int32Array(rows.length * longest);
    for (const [i, { responseIds }] of rows.entries()) ids.set(responseIds, i * longest);
    const mask = new Float32Array(ids.length);
    for (const [i, { responseIds }] of rows.entries()) mask.fill(1, i * longest, i * longest + responseIds.length);
    // the last token is predicted, never read
    this.#tokens = builder.tokens(rows, longest - 1);
    const width = this.#tokens.promptLength + longest - 1;
    this.#context = {
      rotary: builder.rotary(this.#tokens, width),
      mask: builder.causalMask(this.#tokens, width),
    };
    this.#model = model;
    this.responseIds = builder.ints(ids, [rows.length, longest]);
    this.mask = builder.floats(mask, [rows.length, longest]);
  }

  /** States that the response tokens follow from [B, L, D], and those at the last prompt token [B, D]. */
  forward(): { states: Tensor; prompts: Tensor } {
    const all = this.#model.forward(this.#tokens.ids, this.#context, this.#tokens.images);
    const first = this.#tokens.promptLength - 1;
    return { states: all.narrow(1, first, this.mask.size(1)), prompts: all.select(1, first) };
  }

  /** [B, L, V] log-softmax(logits / temperature), in float32 or wider. */
  logSoftmax(states: Tensor, temperature: number): Tensor {
    const logits = this.#model.logits(states);
    const wide = logits.dtype === 'float64' ? logits : logits.to('float32');
    return (temperature === 1 ? wide : wide.div(temperature)).logSoftmax(-1);
  }

  values(prompts: Tensor): Tensor {
    return this.#model.values(prompts);
  }
}

export interface OutputOptions {
  readonly temperature: number;
  readonly stopGradient: boolean;
  /** Runs `compute` under other weights, without gradients. */
  readonly use: <T>(weights: WeightSet, compute: () => T) => T;
}

export class ForwardOutputs implements PolicyOutputs {
  readonly mask: Tensor;
  readonly #batch: ResponseBatch;
  readonly #options: OutputOptions;
  readonly #states: Tensor;
  readonly #prompts: Tensor;
  #distribution: Tensor | undefined;
  #logProbs: Tensor | undefined;
  #probabilities: Tensor | undefined;
  #negativeEntropy: Tensor | undefined;
  #entropies: Tensor | undefined;
  #values: Tensor | undefined;

  /** Runs the forward under the weights in place. */
  constructor(batch: ResponseBatch, options: OutputOptions) {
    const { states, prompts } = batch.forward();
    this.#batch = batch;
    this.#options = options;
    this.#states = states;
    this.#prompts = prompts;
    this.mask = batch.mask;
  }

  get logProbs(): Tensor {
    this.#logProbs ??= this.distribution().gather(2, this.#batch.responseIds.unsqueeze(2)).squeeze(2).mul(this.mask);
    return this.#logProbs;
  }

  get entropies(): Tensor {
    this.#entropies ??= this.#negativeEntropies().neg().mul(this.mask);
    return this.#entropies;
  }

  get values(): Tensor {
    this.#values ??= this.#batch.values(this.#options.stopGradient ? this.#prompts.detach() : this.#prompts);
    return this.#values;
  }

  /** Hidden states at the last prompt token [B, D], which values are read from. */
  get promptStates(): Tensor {
    return this.#prompts;
  }

  distribution(): Tensor {
    this.#distribution ??= this.#batch.logSoftmax(this.#states, this.#options.temperature);
    return this.#distribution;
  }

  distributionOf(weights: WeightSet, temperature = this.#options.temperature): Tensor {
    return this.#options.use(weights, () => this.#batch.logSoftmax(this.#batch.forward().states, temperature));
  }

  /** [B, L] how far these weights are from others at each response position, from one further forward. */
  divergence({ from, temperature = this.#options.temperature, kind }: Divergence): Tensor {
    const isOwn = temperature === this.#options.temperature;
    const own = isOwn ? this.distribution() : this.#batch.logSoftmax(this.#states, temperature);
    const others = this.distributionOf(from, temperature);
    if (kind === 'log-ratio') return own.sub(others).gather(2, this.#batch.responseIds.unsqueeze(2)).squeeze(2);
    // Σ p log p − Σ p log q: the entropy already has the first sum
    const probabilities = isOwn ? this.#probability() : own.exp();
    const negativeEntropy = isOwn ? this.#negativeEntropies() : probabilities.mul(own).sum(-1);
    return negativeEntropy.sub(probabilities.mul(others).sum(-1));
  }

  #probability(): Tensor {
    this.#probabilities ??= this.distribution().exp();
    return this.#probabilities;
  }

  /** [B, L] Σ p log p over the vocabulary. */
  #negativeEntropies(): Tensor {
    this.#negativeEntropy ??= this.#probability().mul(this.distribution()).sum(-1);
    return this.#negativeEntropy;
  }
}
