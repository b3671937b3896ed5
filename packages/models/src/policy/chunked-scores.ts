/**
 * Log-probabilities and entropies of response tokens without the distributions of all positions at once: at a vocabulary
 * of 152,000, those of eight responses of 256 tokens take 1.25 GB each, and a backward pass keeps several.
 *
 * Scores are computed for some positions at a time, padding left out, and kept as numbers. When the loss has given their
 * gradients, the scores of each chunk are computed once more and their gradients go to the hidden states, which are cut
 * off from the model until then.
 */
import { enableGrad, isGradEnabled, noGrad, type Tensor, tidy } from '@vlgym/gpu';
import type { LanguageModel } from '../language-model.js';

/** Scores (positions times vocabulary) of one chunk, 64 MB in float32. */
const SCORES_PER_CHUNK = 2 ** 24;

export interface ChunkedInputs {
  readonly language: LanguageModel;
  /** [B, L, D] that the response tokens follow from; leaves of the graph while gradients are recorded. */
  readonly states: Tensor;
  /** int64 [B, L] */
  readonly ids: Tensor;
  /** int64 [N] places of response tokens in [B * L]. */
  readonly places: Tensor;
  readonly temperature: number;
}

export class ChunkedScores {
  readonly #inputs: ChunkedInputs;
  readonly #isRecording = isGradEnabled();
  #logProbs: Tensor | undefined;
  #entropies: Tensor | undefined;

  constructor(inputs: ChunkedInputs) {
    this.#inputs = inputs;
  }

  /** [B, L], 0 on padding. */
  get logProbs(): Tensor {
    if (!this.#logProbs) this.#compute(false);
    return this.#logProbs!;
  }

  /** [B, L] nats, 0 on padding; log-probabilities come with them, so ask for these first where both are needed. */
  get entropies(): Tensor {
    if (!this.#entropies) this.#compute(true);
    return this.#entropies!;
  }

  /** What `backward` needs, to outlive a `tidy`. */
  get tensors(): Tensor[] {
    const { states, ids, places } = this.#inputs;
    return [states, ids, places, this.#logProbs, this.#entropies].filter((tensor) => tensor !== undefined);
  }

  /** Adds the gradients that a loss has left at the scores to those of the states, and of the output layer's weights. */
  backward(): void {
    tidy(() => {
      const { places } = this.#inputs;
      const gradients = [this.#logProbs?.grad, this.#entropies?.grad].map((gradient) =>
        gradient?.flatten().indexSelect(0, places),
      );
      const [logProbGradients, entropyGradients] = gradients;
      if (!logProbGradients && !entropyGradients) return;
      this.#chunks((start, count) =>
        enableGrad(() => {
          const { logProbs, entropies } = this.#scores(start, count, entropyGradients !== undefined);
          const parts: Tensor[] = [];
          if (logProbGradients) parts.push(logProbs.mul(logProbGradients.narrow(0, start, count)).sum());
          if (entropyGradients) parts.push(entropies!.mul(entropyGradients.narrow(0, start, count)).sum());
          parts.reduce((sum, part) => sum.add(part)).backward();
        }),
      );
    });
  }

  #compute(withEntropies: boolean): void {
    const { ids, places } = this.#inputs;
    const dtype = this.#inputs.states.dtype === 'float64' ? 'float64' : 'float32';
    const [logProbs, entropies] = noGrad(() => {
      const targets = [0, 1].map(() => ids.to(dtype).mul(0).flatten()) as [Tensor, Tensor];
      this.#chunks((start, count) => {
        const index = places.narrow(0, start, count);
        const scores = this.#scores(start, count, withEntropies);
        targets[0].indexCopy_(0, index, scores.logProbs);
        if (scores.entropies) targets[1].indexCopy_(0, index, scores.entropies);
      });
      return targets.map((target) => target.view(ids.shape)) as [Tensor, Tensor];
    });
    const leaf = (tensor: Tensor) => (this.#isRecording ? tensor.detach().requiresGrad_() : tensor);
    this.#logProbs ??= leaf(logProbs);
    if (withEntropies) this.#entropies = leaf(entropies);
  }

  /** Positions `start` to before `start + count` of `places`, each [count]. */
  #scores(start: number, count: number, withEntropies: boolean): { logProbs: Tensor; entropies: Tensor | null } {
    const { language, states, ids, places, temperature } = this.#inputs;
    const index = places.narrow(0, start, count);
    const logits = language.logits(states.flatten(0, 1).indexSelect(0, index));
    const wide = logits.dtype === 'float64' ? logits : logits.to('float32');
    const scaled = temperature === 1 ? wide : wide.div(temperature);
    const total = scaled.logsumexp(-1);
    const chosen = scaled.gather(-1, ids.flatten().indexSelect(0, index).unsqueeze(-1)).squeeze(-1);
    const entropies = withEntropies ? total.sub(scaled.softmax(-1).mul(scaled).sum(-1)) : null;
    return { logProbs: chosen.sub(total), entropies };
  }

  #chunks(compute: (start: number, count: number) => void): void {
    const positions = this.#inputs.places.numel;
    const size = Math.max(1, Math.floor(SCORES_PER_CHUNK / this.#inputs.language.config.vocabSize));
    for (let start = 0; start < positions; start += size) {
      tidy(() => compute(start, Math.min(size, positions - start)));
    }
  }
}
