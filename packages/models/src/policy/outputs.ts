/** What a loss asks of one forward over prompts with responses; each quantity is computed at its first use. */
import type { Tensor } from '@vlgym/gpu';
import type { Divergence, PolicyOutputs, WeightSet } from '@vlgym/rl';
import type { ResponseBatch } from './response-batch.js';

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

  /** [B, L] divergence of these weights from others at each response position; costs one more forward. */
  divergence({ from, temperature = this.#options.temperature, kind }: Divergence): Tensor {
    const isSameTemperature = temperature === this.#options.temperature;
    const logP = isSameTemperature ? this.distribution() : this.#batch.logSoftmax(this.#states, temperature);
    const logQ = this.distributionOf(from, temperature);
    if (kind === 'log-ratio') return logP.sub(logQ).gather(2, this.#batch.responseIds.unsqueeze(2)).squeeze(2);
    // Σ p log p − Σ p log q: the entropy already has the first sum
    const probabilities = isSameTemperature ? this.#probability() : logP.exp();
    const negativeEntropy = isSameTemperature ? this.#negativeEntropies() : probabilities.mul(logP).sum(-1);
    return negativeEntropy.sub(probabilities.mul(logQ).sum(-1));
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
