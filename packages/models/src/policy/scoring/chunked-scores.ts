/**
 * Log-probabilities, entropies and exact divergences without the distributions of all positions at once: at a vocabulary
 * of 152,000, those of eight responses of 256 tokens take 1.25 GB each, and a backward pass keeps several.
 *
 * Scores are computed for some positions at a time, padding left out, and kept as numbers. When the loss has given their
 * gradients, the scores of each chunk are computed once more and their gradients go to the hidden states, which are cut
 * off from the model until then.
 */
import { enableGrad, isGradEnabled, nn, noGrad, type Tensor, tidy } from '@vlgym/gpu';
import { FORBIDDEN_SCORE } from '../../constraints/allowed-tokens.js';
import type { LanguageModel } from '../../language-model.js';
import type { Within } from './segmented-forward.js';

/** Scores (positions times vocabulary) of one chunk, 64 MB in float32. */
export const SCORES_PER_CHUNK = 2 ** 24;

export interface ChunkedInputs {
  readonly language: LanguageModel;
  /** [B, L, D] that the response tokens follow from; leaves of the graph while gradients are recorded. */
  readonly states: Tensor;
  /** int64 [B, L] */
  readonly ids: Tensor;
  /** int64 [N] places of response tokens in [B * L]. */
  readonly places: Tensor;
  readonly temperature: number;
  /** bool [count, V] of the places from `start` on; left out where every token is allowed. */
  readonly forbidden?: (start: number, count: number) => Tensor;
}

/** Hidden states of the same tokens under other weights, [B, L, D], constants. */
export interface OtherStates {
  readonly states: Tensor;
  /** Runs `compute` with the output layer of those weights, without gradients. */
  readonly use: (compute: () => Tensor) => Tensor;
}

/** What can be asked for at every position: `OtherStates` ask for the exact divergence from them. */
type Quantity = 'logProbs' | 'entropies' | OtherStates;

export class ChunkedScores {
  readonly #inputs: ChunkedInputs;
  readonly #isRecording = isGradEnabled();
  readonly #found = new Map<Quantity, Tensor>();

  constructor(inputs: ChunkedInputs) {
    this.#inputs = inputs;
  }

  /** [B, L], 0 on padding. */
  get logProbs(): Tensor {
    return this.#get('logProbs', ['logProbs']);
  }

  /** [B, L] nats, 0 on padding; log-probabilities come with them, so ask for these first where both are needed. */
  get entropies(): Tensor {
    return this.#get('entropies', ['logProbs', 'entropies']);
  }

  /**
   * Computes log-probabilities, and entropies where asked for, without blocking the event loop where that can be: the
   * getters then have them. The weights are those in place at the call.
   */
  async prepare(withEntropies: boolean): Promise<void> {
    const { language, states, ids, places, temperature, forbidden } = this.#inputs;
    const weight = language.outputWeight?.();
    if (!weight || forbidden || places.numel === 0) {
      // before this function first waits: other weights may be in place then
      this.#get(withEntropies ? 'entropies' : 'logProbs', withEntropies ? ['logProbs', 'entropies'] : ['logProbs']);
      return;
    }
    const options = { temperature, withEntropies, tokensAtOnce: this.#positionsAtOnce };
    const of = { states: states.flatten(0, 1).indexSelect(0, places), ids: ids.flatten().indexSelect(0, places) };
    const found = await nn.scoreTokensAsync(of.states, weight, of.ids, options);
    const quantities: Quantity[] = withEntropies ? ['logProbs', 'entropies'] : ['logProbs'];
    for (const [i, quantity] of quantities.entries()) {
      const result = noGrad(() => this.#nothing().indexCopy_(0, places, found.select(0, i)).view(ids.shape));
      this.#keep(quantity, result);
    }
  }

  /** [B, L] Σ p (log p − log q) over the vocabulary, nats, 0 on padding. */
  divergence(from: OtherStates): Tensor {
    return this.#get(from, [from]);
  }

  /** What `backward` needs, to outlive a `tidy`. */
  get tensors(): Tensor[] {
    const { states, ids, places } = this.#inputs;
    const others = [...this.#found.keys()].flatMap((quantity) => (typeof quantity === 'string' ? [] : quantity.states));
    return [states, ids, places, ...others, ...this.#found.values()];
  }

  /**
   * Adds the gradients that a loss has left at the scores to those of the states, and of the output layer's weights: one
   * chunk after the other, each backward pass off the event loop.
   *
   * @param train  Puts the trained weights in place.
   */
  async backward(train: Within): Promise<void> {
    const { places } = this.#inputs;
    const gradients = [...this.#found].flatMap(([quantity, { grad }]) =>
      grad ? [[quantity, tidy(() => grad.flatten().indexSelect(0, places))] as const] : [],
    );
    if (gradients.length === 0) return;
    const quantities = gradients.map(([quantity]) => quantity);
    const positions = places.numel;
    const size = this.#positionsAtOnce;
    try {
      for (let start = 0; start < positions; start += size) {
        const count = Math.min(size, positions - start);
        const weighted = () =>
          this.#scores(start, count, quantities)
            .map((scores, i) => scores.mul(gradients[i]![1].narrow(0, start, count)).sum())
            .reduce((sum, part) => sum.add(part));
        const sum = train(() => enableGrad(() => tidy(weighted)));
        try {
          await sum.backwardAsync();
        } finally {
          sum.dispose();
        }
      }
    } finally {
      for (const [, gradient] of gradients) gradient.dispose();
    }
  }

  #get(quantity: Quantity, together: readonly Quantity[]): Tensor {
    const found = this.#found.get(quantity);
    if (found) return found;
    const missing = together.filter((each) => !this.#found.has(each));
    const { ids, places } = this.#inputs;
    const results = noGrad(() => {
      const targets = missing.map(() => this.#nothing());
      this.#chunks((start, count) => {
        const index = places.narrow(0, start, count);
        for (const [i, scores] of this.#scores(start, count, missing).entries())
          targets[i]!.indexCopy_(0, index, scores);
      });
      return targets.map((target) => target.view(ids.shape));
    });
    for (const [i, result] of results.entries()) this.#keep(missing[i]!, result);
    return this.#found.get(quantity)!;
  }

  #keep(quantity: Quantity, result: Tensor): void {
    this.#found.set(quantity, this.#isRecording ? result.detach().requiresGrad_() : result);
  }

  /** [B · L] zeros, in float32 or wider. */
  #nothing(): Tensor {
    const { ids, states } = this.#inputs;
    return ids
      .to(states.dtype === 'float64' ? 'float64' : 'float32')
      .mul(0)
      .flatten();
  }

  get #positionsAtOnce(): number {
    return Math.max(1, Math.floor(SCORES_PER_CHUNK / this.#inputs.language.config.vocabSize));
  }

  /** At positions `start` to before `start + count` of `places`, each [count]. */
  #scores(start: number, count: number, quantities: readonly Quantity[]): Tensor[] {
    const { ids, places } = this.#inputs;
    const index = places.narrow(0, start, count);
    const forbidden = this.#inputs.forbidden?.(start, count) ?? null;
    const scaled = this.#logits(this.#inputs.states, index, forbidden);
    const total = scaled.logsumexp(-1);
    const hasSums = quantities.some((quantity) => quantity !== 'logProbs');
    const probabilities = hasSums ? scaled.softmax(-1) : null;
    // Σ p log p
    const ordered = probabilities?.mul(scaled).sum(-1).sub(total);
    return quantities.map((quantity) => {
      if (quantity === 'logProbs') {
        const chosen = scaled.gather(-1, ids.flatten().indexSelect(0, index).unsqueeze(-1)).squeeze(-1);
        return chosen.sub(total);
      }
      if (quantity === 'entropies') return ordered!.neg();
      const other = quantity.use(() => this.#logits(quantity.states, index, forbidden).logSoftmax(-1));
      return ordered!.sub(probabilities!.mul(other).sum(-1));
    });
  }

  /** [count, V] scores divided by the temperature, in float32 or wider. */
  #logits(states: Tensor, index: Tensor, forbidden: Tensor | null): Tensor {
    const { language, temperature } = this.#inputs;
    const logits = language.logits(states.flatten(0, 1).indexSelect(0, index));
    const wide = logits.dtype === 'float64' ? logits : logits.to('float32');
    const scaled = temperature === 1 ? wide : wide.div(temperature);
    return forbidden ? scaled.maskedFill(forbidden, FORBIDDEN_SCORE) : scaled;
  }

  #chunks(compute: (start: number, count: number) => void): void {
    const positions = this.#inputs.places.numel;
    const size = this.#positionsAtOnce;
    for (let start = 0; start < positions; start += size) {
      tidy(() => compute(start, Math.min(size, positions - start)));
    }
  }
}
