/** Prompts with responses as tensors, and forwards over them. */
import type { Generator, Tensor } from '@vlgym/gpu';
import type { BatchBuilder } from '../../batch/batch-builder.js';
import { embedInTurns, forwardOffLoop } from '../../batch/off-loop.js';
import { type AllowedTokens, FORBIDDEN_SCORE } from '../../constraints/allowed-tokens.js';
import type { ForwardContext } from '../../language-model.js';
import type { ActorCritic } from '../../layers/actor-critic.js';
import { finished } from '../../layers/steps.js';
import { ChunkedScores } from './chunked-scores.js';
import { type Lines, ownLines, type ResponseRow, sharedLines } from './lines.js';
import { SegmentedForward, type Within } from './segmented-forward.js';

/** Up to this vocabulary distributions of all positions are kept at once, which is faster. */
export const DENSE_VOCABULARY = 8_192;

/** Hidden states that are cut off from the model. */
export interface CutStates {
  readonly states: Tensor;
  readonly prompts: Tensor;
  /** `states`, where the gradients of both collect. */
  readonly leaf: Tensor;
  /** Takes the gradient at the leaf on through the model; null if no weight of it is trained. */
  readonly through: ((gradient: Tensor, train: Within) => Promise<void>) | null;
  /** Tensors that `through` needs, to outlive a `tidy`. */
  readonly kept: readonly Tensor[];
  /** Frees what does not belong to a `tidy`. */
  readonly dispose: () => void;
}

/** Keep the inputs of layers alone, and compute the rest again in the backward pass. */
export interface Checkpointing {
  /** That of dropout; null without dropout. */
  readonly generator: Generator | null;
}

export interface ResponseBatchOptions {
  readonly denseVocabulary?: number | undefined;
  /** The tokens that responses may have; null if no row has a constraint. */
  readonly allowed?: AllowedTokens | null;
  /** Per row, 1 on the tokens whose log-probabilities are read; default all. */
  readonly labels?: readonly Uint8Array[] | undefined;
  /** Positions of rows that are read together, each once: the last of a group continues all others. Default: none does. */
  readonly conversations?: readonly (readonly number[])[] | undefined;
}

/** B rows with responses of at most L tokens, ready for any number of forwards. */
export class ResponseBatch {
  /** int64 [B, L], 0 on padding. */
  readonly responseIds: Tensor;
  /** [B, L] float 1 on response tokens. */
  readonly mask: Tensor;
  readonly #network: ActorCritic;
  readonly #lines: Lines;
  readonly #context: ForwardContext;
  readonly #denseVocabulary: number;
  readonly #allowed: AllowedTokens | null;
  /** Log-probabilities are read at some of the response tokens only. */
  readonly #isLabeled: boolean;
  /** int64 [N] places of response tokens in [B * L], of those with labels where there are any. */
  readonly #places: Tensor;
  readonly #hostPlaces: Int32Array;

  constructor(
    network: ActorCritic,
    builder: BatchBuilder,
    rows: readonly ResponseRow[],
    { denseVocabulary = DENSE_VOCABULARY, allowed = null, labels, conversations }: ResponseBatchOptions = {},
  ) {
    this.#denseVocabulary = denseVocabulary;
    this.#allowed = allowed;
    const longest = Math.max(...rows.map(({ responseIds }) => responseIds.length));
    const ids = new Int32Array(rows.length * longest);
    for (const [i, { responseIds }] of rows.entries()) ids.set(responseIds, i * longest);
    const mask = new Float32Array(ids.length);
    for (const [i, { responseIds }] of rows.entries()) mask.fill(1, i * longest, i * longest + responseIds.length);
    const isShared = conversations !== undefined && conversations.length < rows.length;
    this.#lines = isShared ? sharedLines(builder, rows, conversations) : ownLines(builder, rows);
    const { tokens, width } = this.#lines;
    this.#context = {
      positions: network.language.positions(tokens, width),
      mask: builder.causalMask(tokens, width),
    };
    this.#network = network;
    this.responseIds = builder.ints(ids, [rows.length, longest]);
    this.mask = builder.floats(mask, [rows.length, longest]);
    const isRead = (place: number) => !labels || labels[Math.floor(place / longest)]![place % longest] === 1;
    const places = Int32Array.from(mask.keys()).filter((place) => mask[place] === 1 && isRead(place));
    this.#isLabeled = labels !== undefined;
    this.#hostPlaces = places;
    this.#places = builder.ints(places, [places.length]);
  }

  /**
   * States that the response tokens follow from [B, L, D], and those at the last prompt token [B, D].
   *
   * @param hidden  The result of `hidden`; left out, it is computed here: a loss cannot wait for other weights' states.
   */
  forward(hidden = this.#hidden()): { states: Tensor; prompts: Tensor } {
    const states = this.#lines.statesOf(hidden);
    return { states, prompts: states.select(1, 0) };
  }

  /**
   * Hidden states of all tokens [lines, T, D]. The event loop stays free where the model has a `forwardAsync`.
   *
   * @param within  Puts weights in place for the time of one call.
   */
  async hidden(within: Within): Promise<Tensor> {
    const { language } = this.#network;
    const embeddings = await embedInTurns(language, this.#lines.tokens, within);
    const { hidden } = within(() => ({ hidden: forwardOffLoop(language, embeddings, this.#context) }));
    return hidden;
  }

  /** The result of `hidden`, cut off from the model until the loss has given its gradients. */
  cut(hidden: Tensor): CutStates {
    const root = this.#lines.statesOf(hidden);
    const through = root.requiresGrad ? (gradient: Tensor) => root.backwardAsync({ gradient }) : null;
    return { ...cutOff(root), through, kept: [root], dispose: () => {} };
  }

  /** `hidden` and `cut` that keep the inputs of layers alone, off the event loop; null if the family has no parts. */
  async forwardSegmented({ generator }: Checkpointing, train: Within): Promise<CutStates | null> {
    const parts = this.#network.language.parts?.(this.#context);
    if (!parts) return null;
    const segments = new SegmentedForward(parts, generator);
    try {
      const embeddings = await embedInTurns(this.#network.language, this.#lines.tokens, train);
      const all = await segments.run(embeddings, train);
      const hidden = all.detach().requiresGrad_();
      all.dispose();
      const root = this.#lines.statesOf(hidden);
      const through = async (gradient: Tensor, train: Within) => {
        await root.backwardAsync({ gradient });
        const ofAll = hidden.grad!;
        const first = await segments.backward(ofAll, train, embeddings.requiresGrad);
        ofAll.dispose();
        if (first) await embeddings.backwardAsync({ gradient: first });
        first?.dispose();
      };
      const { positions, mask } = this.#context;
      const kept = [hidden, root, embeddings, ...Object.values(positions), ...(mask ? [mask] : [])];
      return { ...cutOff(root), through, kept, dispose: () => segments.dispose() };
    } catch (error) {
      segments.dispose();
      throw error;
    }
  }

  /** Log-probabilities and entropies without whole distributions. */
  chunkedScores(states: Tensor, temperature: number): ChunkedScores {
    const { language } = this.#network;
    const [allowed, places] = [this.#allowed, this.#hostPlaces];
    return new ChunkedScores({
      ...{ language, states, ids: this.responseIds, places: this.#places, temperature },
      ...(allowed && { forbidden: (start, count) => allowed.forbidden(places.subarray(start, start + count), states) }),
    });
  }

  /** The vocabulary is so large that distributions are kept for a few positions at a time only. */
  get isChunked(): boolean {
    return this.#network.language.config.vocabSize > this.#denseVocabulary;
  }

  #hidden(): Tensor {
    const { language } = this.#network;
    const { ids, images } = this.#lines.tokens;
    return language.forward(finished(language.embed(ids, images)), this.#context);
  }

  /** [B, L, V] log-softmax(logits / temperature), in float32 or wider. */
  logSoftmax(states: Tensor, temperature: number): Tensor {
    const places = this.#allowed ? Int32Array.from({ length: this.mask.numel }, (_, i) => i) : this.#hostPlaces;
    return this.#logSoftmaxAt(states, temperature, places);
  }

  /** [count, V] the same at places [from, from + count) of one row. */
  logSoftmaxOf(states: Tensor, temperature: number, from: number, count: number): Tensor {
    const places = Int32Array.from({ length: count }, (_, place) => from + place);
    return this.#logSoftmaxAt(states.select(0, 0).narrow(0, from, count), temperature, places);
  }

  /** The same of states [..., D] at some places of [B * L]. */
  #logSoftmaxAt(states: Tensor, temperature: number, places: Int32Array): Tensor {
    const logits = this.#network.language.logits(states);
    const wide = logits.dtype === 'float64' ? logits : logits.to('float32');
    const scaled = temperature === 1 ? wide : wide.div(temperature);
    if (!this.#allowed) return scaled.logSoftmax(-1);
    const forbidden = this.#allowed.forbidden(places, states);
    return scaled.maskedFill(forbidden.view(scaled.shape), FORBIDDEN_SCORE).logSoftmax(-1);
  }

  /**
   * [B, L] log-probabilities of the responses, 0 where they are not read.
   *
   * @param distribution  `logSoftmax` of the same states; called only where it is needed.
   */
  logProbs(states: Tensor, temperature: number, distribution: () => Tensor): Tensor {
    if (!this.#isLabeled) return distribution().gather(2, this.responseIds.unsqueeze(2)).squeeze(2).mul(this.mask);
    const ids = this.responseIds.flatten().indexSelect(0, this.#places);
    const read = this.#logSoftmaxAt(states.flatten(0, 1).indexSelect(0, this.#places), temperature, this.#hostPlaces);
    const found = read.gather(1, ids.unsqueeze(1)).squeeze(1);
    return found.newZeros([this.mask.numel]).indexPut([this.#places], found).view(this.mask.shape);
  }

  /**
   * [B, L] each, 0 on padding; entropies only where asked for. Where whole distributions are not kept, the event loop goes
   * on. The weights are those in place at the call.
   */
  async scores(
    states: Tensor,
    temperature: number,
    withEntropies: boolean,
  ): Promise<{ readonly logProbs: Tensor; readonly entropies: Tensor | null }> {
    if (this.isChunked) {
      const chunked = this.chunkedScores(states, temperature);
      await chunked.prepare(withEntropies);
      return { entropies: withEntropies ? chunked.entropies : null, logProbs: chunked.logProbs };
    }
    const distribution = this.logSoftmax(states, temperature);
    const logProbs = this.logProbs(states, temperature, () => distribution);
    const entropies = withEntropies ? distribution.exp().mul(distribution).sum(-1).neg().mul(this.mask) : null;
    return { logProbs, entropies };
  }

  /** States [B, D] or [B, L, D] → values of the observation, or before each token of the response. */
  values(states: Tensor): Tensor {
    return this.#network.valueHead.forward(states);
  }
}

/** States without the graph behind them. */
function cutOff(root: Tensor): Pick<CutStates, 'states' | 'prompts' | 'leaf'> {
  const leaf = root.detach();
  if (root.requiresGrad) leaf.requiresGrad_();
  return { states: leaf, prompts: leaf.select(1, 0), leaf };
}
