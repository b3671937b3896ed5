/** The quantities that a loss asks of one forward over prompts with responses; each quantity is computed at its first use. */
import type { Tensor } from '@vlgym/gpu';
import type { Divergence, PolicyOutputs, WeightSet } from '@vlgym/rl';
import type { ChunkedScores, OtherStates } from './chunked-scores.js';
import type { CutStates, ResponseBatch } from './response-batch.js';

export interface OutputOptions {
  readonly temperature: number;
  readonly stopGradient: boolean;
  /** Runs `compute` under other weights, without gradients. */
  readonly use: <T>(weights: WeightSet, compute: () => T) => T;
  /** The same for the output layer alone. */
  readonly useOutput: <T>(weights: WeightSet, compute: () => T) => T;
}

/** The forward that outputs are computed from. */
export type Computed = ReturnType<ResponseBatch['forward']> | CutStates;

/** The way of gradients from the scores to the model, when the loss has left them at the scores. */
export interface DeferredBackward extends Pick<CutStates, 'leaf' | 'kept' | 'dispose'> {
  readonly through: NonNullable<CutStates['through']>;
  readonly chunks: readonly ChunkedScores[];
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
  #tokenValues: Tensor | undefined;

  /** By temperature; only where the vocabulary is too large for whole distributions. */
  readonly #chunked = new Map<number, ChunkedScores>();
  /** By set of weights, where their exact divergence was asked for. */
  readonly #others = new Map<WeightSet, OtherStates>();
  readonly #cut: CutStates | null;

  constructor(batch: ResponseBatch, options: OutputOptions, computed: Computed) {
    this.#cut = 'leaf' in computed ? computed : null;
    this.#batch = batch;
    this.#options = options;
    this.#states = computed.states;
    this.#prompts = computed.prompts;
    this.mask = batch.mask;
  }

  /**
   * The rest of the backward pass after the loss's own, if the states were cut off from the model; null otherwise.
   * To be taken inside the `tidy` of the forward and returned from it.
   */
  deferred(): DeferredBackward | null {
    if (!this.#cut?.through) return null;
    const { leaf, through, kept, dispose } = this.#cut;
    const chunks = [...this.#chunked.values()];
    return { leaf, through, chunks, kept: [...kept, ...chunks.flatMap(({ tensors }) => tensors)], dispose };
  }

  /** Computes log-probabilities of a large vocabulary without blocking the event loop, before a loss asks for them. */
  async prepare(): Promise<void> {
    if (this.#batch.isChunked) await this.#scores().prepare(false);
  }

  /** Where `deferred` is not asked for: a loss has failed. */
  dispose(): void {
    this.#cut?.dispose();
  }

  get logProbs(): Tensor {
    if (this.#batch.isChunked) return this.#scores().logProbs;
    this.#logProbs ??= this.#batch.logProbs(this.#states, this.#options.temperature, () => this.distribution());
    return this.#logProbs;
  }

  get entropies(): Tensor {
    if (this.#batch.isChunked) return this.#scores().entropies;
    this.#entropies ??= this.#negativeEntropies().neg().mul(this.mask);
    return this.#entropies;
  }

  get values(): Tensor {
    this.#values ??= this.#batch.values(this.#options.stopGradient ? this.#prompts.detach() : this.#prompts);
    return this.#values;
  }

  get tokenValues(): Tensor {
    this.#tokenValues ??= this.#batch.values(this.#options.stopGradient ? this.#states.detach() : this.#states);
    return this.#tokenValues;
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

  /** [B, L] Σ p (log p − log q) with gradients, without whole distributions; undefined if these are kept anyway. */
  klFrom(weights: WeightSet): Tensor | undefined {
    if (!this.#batch.isChunked) return undefined;
    return this.divergence({ from: weights, kind: 'exact-kl' });
  }

  /** [B, L] divergence of these weights from others at each response position; costs one more forward. */
  divergence({ from, temperature = this.#options.temperature, kind }: Divergence): Tensor {
    if (kind === 'exact-kl' && this.#batch.isChunked) {
      return this.#scores(temperature).divergence(this.#other(from));
    }
    if (kind === 'log-ratio' && this.#batch.isChunked) {
      const other = () => this.#batch.chunkedScores(this.#batch.forward().states, temperature).logProbs;
      return this.#scores(temperature).logProbs.sub(this.#options.use(from, other));
    }
    const isSameTemperature = temperature === this.#options.temperature;
    const logP = isSameTemperature ? this.distribution() : this.#batch.logSoftmax(this.#states, temperature);
    const logQ = this.distributionOf(from, temperature);
    if (kind === 'log-ratio') return logP.sub(logQ).gather(2, this.#batch.responseIds.unsqueeze(2)).squeeze(2);
    // Σ p log p − Σ p log q: the entropy already has the first sum
    const probabilities = isSameTemperature ? this.#probability() : logP.exp();
    const negativeEntropy = isSameTemperature ? this.#negativeEntropies() : probabilities.mul(logP).sum(-1);
    return negativeEntropy.sub(probabilities.mul(logQ).sum(-1));
  }

  #scores(temperature = this.#options.temperature): ChunkedScores {
    const scores = this.#chunked.get(temperature) ?? this.#batch.chunkedScores(this.#states, temperature);
    this.#chunked.set(temperature, scores);
    return scores;
  }

  #other(weights: WeightSet): OtherStates {
    const { use, useOutput } = this.#options;
    const known = this.#others.get(weights);
    if (known) return known;
    const states = use(weights, () => this.#batch.forward().states);
    const other = { states, use: (compute: () => Tensor) => useOutput(weights, compute) };
    this.#others.set(weights, other);
    return other;
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
