/** What a loss asks of one forward over prompts with responses; each quantity is computed at its first use. */
import { isGradEnabled, type Tensor } from '@vlgym/gpu';
import type { Divergence, PolicyOutputs, WeightSet } from '@vlgym/rl';
import type { ChunkedScores } from './chunked-scores.js';
import type { ResponseBatch } from './response-batch.js';

export interface OutputOptions {
  readonly temperature: number;
  readonly stopGradient: boolean;
  /** Runs `compute` under other weights, without gradients. */
  readonly use: <T>(weights: WeightSet, compute: () => T) => T;
}

/** The way of gradients from the scores to the model, when the loss has left them at the scores. */
export interface DeferredBackward {
  /** Hidden states of the model [B, T, D], and the same cut off from it. */
  readonly root: Tensor;
  readonly leaf: Tensor;
  readonly chunks: readonly ChunkedScores[];
  /** Tensors of the chunks, so that they outlive a `tidy`. */
  readonly kept: readonly Tensor[];
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

  /** By temperature; only where the vocabulary is too large for whole distributions. */
  readonly #chunked = new Map<number, ChunkedScores>();
  readonly #cut: { readonly root: Tensor; readonly leaf: Tensor } | null;

  /** Runs the forward under the weights in place. */
  constructor(batch: ResponseBatch, options: OutputOptions) {
    const cut = batch.isChunked && isGradEnabled() ? batch.forwardCut() : null;
    const { states, prompts } = cut ?? batch.forward();
    this.#cut = cut;
    this.#batch = batch;
    this.#options = options;
    this.#states = states;
    this.#prompts = prompts;
    this.mask = batch.mask;
  }

  /**
   * What is left to do after the loss's backward, where the states were cut off from the model: null where nothing is.
   * To be taken inside the `tidy` of the forward and returned from it.
   */
  deferred(): DeferredBackward | null {
    if (!this.#cut?.root.requiresGrad) return null;
    const chunks = [...this.#chunked.values()];
    return { ...this.#cut, chunks, kept: chunks.flatMap(({ tensors }) => tensors) };
  }

  get logProbs(): Tensor {
    if (this.#batch.isChunked) return this.#scores().logProbs;
    this.#logProbs ??= this.distribution().gather(2, this.#batch.responseIds.unsqueeze(2)).squeeze(2).mul(this.mask);
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

  /** [B, L] divergence of these weights from others at each response position; costs one more forward. */
  divergence({ from, temperature = this.#options.temperature, kind }: Divergence): Tensor {
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
