/**
 * Decoders in one native call: a prompt, a batch to score or to train on, one new token per row, and the draw of a token
 * from its scores.
 *
 * Step by step through the methods of tensors, a layer costs about 25 calls from JavaScript; with few weights these take
 * longer than the products. In float32 on the CPU a norm, a rotation and a SwiGLU are one pass over memory each, with
 * one node in the graph of gradients.
 */
import { native } from '../native/load.js';
import type { NativeDecoder } from '../native/native.js';
import type { TensorCore } from '../tensor/core.js';
import { dtypeCode } from '../tensor/dtype.js';
import type { Generator } from '../tensor/generator.js';
import { type Tensor, wrap } from '../tensor/tensor.js';

/** Rows [start, start + rows of b) of a matrix's output gain scale · b (a x). */
export interface LowRankPart {
  readonly start: number;
  readonly scale: number;
  /** [rank, in] */
  readonly a: TensorCore;
  /** [rows, rank] */
  readonly b: TensorCore;
  /** Probability that an entry of x counts as zero here, drawn with the decoder's `generator` in every forward; default 0. */
  readonly dropout?: number | undefined;
}

/** y = weight x + bias, and low-rank changes of some of its rows. */
export interface DecoderLinear {
  /** [out, in]. Where no gradients are recorded it may be in fewer bytes than the rest: `narrowed`. */
  readonly weight: TensorCore;
  /** [out] of an int8 weight. */
  readonly scales?: TensorCore | null | undefined;
  readonly bias?: TensorCore | null | undefined;
  readonly parts?: readonly LowRankPart[] | undefined;
}

/** One layer: x + attention(norm(x)), then x + mlp(norm(x)), with SwiGLU and rotary positions. */
export interface DecoderLayerWeights {
  readonly inputNorm: TensorCore;
  /** Queries, keys and values one below the other. */
  readonly qkv: DecoderLinear;
  readonly queryNorm?: TensorCore | null | undefined;
  readonly keyNorm?: TensorCore | null | undefined;
  readonly output: DecoderLinear;
  readonly middleNorm: TensorCore;
  /** Gate and up, one below the other. */
  readonly gateUp: DecoderLinear;
  readonly down: DecoderLinear;
}

export interface DecoderWeights {
  readonly heads: number;
  readonly keyValueHeads: number;
  readonly headWidth: number;
  readonly normEps: number;
  /** In half precision, RMSNorm in float32, cast back, and only then times its weight. */
  readonly wideNorm: boolean;
  /** Record gradients while they are on. Without it the factors are prepared for many calls, once. */
  readonly records: boolean;
  /**
   * Products of the layers' matrices in bfloat16, both sides rounded to it, with results in the dtype of the weights. Adapters
   * and the head compute as without it, and so does a decoding step of few rows. Default false.
   */
  readonly autocast?: boolean | undefined;
  /** [vocabulary, hidden] */
  readonly embedding: TensorCore;
  readonly layers: readonly DecoderLayerWeights[];
  readonly norm: TensorCore;
  readonly head: DecoderLinear;
  /** Draws dropout; default libtorch's global generator. */
  readonly generator?: Generator | null | undefined;
}

/** Positions of the tokens, their attention masks, and the cache that they are added to. */
export interface DecoderContext {
  /** [rows or 1, tokens, 1, head width] */
  readonly cos: TensorCore;
  /** The sines in the same shape, negative on the first half. */
  readonly sin: TensorCore;
  /** Added to the scores of attention, [rows, 1, tokens, columns]; null: each token attends to those before it. */
  readonly mask: TensorCore | null;
  readonly cache?: DecoderCache | undefined;
}

export interface DecoderCache {
  /** Per layer [rows, key-value heads, capacity, head width]; the columns from `length` on are written. */
  readonly keys: readonly TensorCore[];
  readonly values: readonly TensorCore[];
  /** Columns in use. */
  readonly length: number;
}

export interface DecoderRun {
  /** Apply the final norm to the output. Default true. */
  readonly isLast?: boolean | undefined;
  /**
   * Where `isLast`: [rows, 1, hidden] of the last token of each row; the last layer then computes nothing of the others but
   * what the cache holds. Default false.
   */
  readonly lastOnly?: boolean | undefined;
  /** [rows, tokens, hidden] each, added to what comes out of layer 0, 1, … */
  readonly added?: readonly TensorCore[] | undefined;
}

/**
 * Holds on to the tensors it was made of until `dispose`, even if their handles are disposed. The results of the
 * asynchronous methods are those of the others, bit for bit; they are computed on the native thread, one after the other.
 */
export class Decoder {
  readonly #native: NativeDecoder;

  constructor(weights: DecoderWeights) {
    const { heads, keyValueHeads, headWidth, normEps, wideNorm, records, autocast = false } = weights;
    const { embedding, layers, norm, head } = weights;
    const sizes = [layers.length, heads, keyValueHeads, headWidth, normEps];
    const numbers = [...sizes, ...[wideNorm, records, autocast].map(Number)];
    const tensors: (number | null)[] = [embedding.handle];
    const linear = ({ weight, scales, bias, parts = [] }: DecoderLinear) => {
      tensors.push(weight.handle, scales?.handle ?? null, bias?.handle ?? null);
      numbers.push(parts.length);
      for (const { start, scale, dropout = 0, a, b } of parts) {
        numbers.push(start, scale, dropout);
        tensors.push(a.handle, b.handle);
      }
    };
    for (const layer of layers) {
      tensors.push(layer.inputNorm.handle);
      linear(layer.qkv);
      tensors.push(layer.queryNorm?.handle ?? null, layer.keyNorm?.handle ?? null);
      linear(layer.output);
      tensors.push(layer.middleNorm.handle);
      linear(layer.gateUp);
      linear(layer.down);
    }
    tensors.push(norm.handle);
    linear(head);
    this.#native = native().newDecoder(numbers, tensors, weights.generator?.raw ?? null);
  }

  /** ids int64 [rows] → scores [rows, vocabulary] of the next token; never records gradients. */
  scores(ids: TensorCore, context: DecoderContext): Tensor {
    return wrap(native().decodeToken(this.#native, ids.handle, ...handles(context)));
  }

  /** The same on the native thread. Nothing may change its tensors in the meantime. */
  async scoresAsync(ids: TensorCore, context: DecoderContext): Promise<Tensor> {
    return wrap(await native().decodeTokenAsync(this.#native, ids.handle, ...handles(context)));
  }

  /** x [rows, tokens, hidden] → the same shape, or that of `lastOnly`. */
  forward(x: TensorCore, context: DecoderContext, run: DecoderRun = {}): Tensor {
    return wrap(native().runDecoder(this.#native, x.handle, ...handles(context), ...outcome(run)));
  }

  /**
   * The same on the native thread; gradients are recorded where they are on at the time of the call. Nothing may change its
   * tensors in the meantime.
   */
  async forwardAsync(x: TensorCore, context: DecoderContext, run: DecoderRun = {}): Promise<Tensor> {
    return wrap(await native().runDecoderAsync(this.#native, x.handle, ...handles(context), ...outcome(run)));
  }

  dispose(): void {
    native().closeDecoder(this.#native);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

function handles({ cos, sin, mask, cache }: DecoderContext) {
  const all = (tensors: readonly TensorCore[] = []) => tensors.map(({ handle }) => handle);
  const where = [cos.handle, sin.handle, mask?.handle ?? null] as const;
  return [...where, all(cache?.keys), all(cache?.values), cache?.length ?? 0] as const;
}

function outcome({ isLast = true, lastOnly = false, added = [] }: DecoderRun) {
  return [isLast, lastOnly, added.map(({ handle }) => handle)] as const;
}

/** Kinds of weights in fewer bytes than float32. */
export type NarrowDType = 'bfloat16' | 'int8';

/** A copy of a matrix in fewer bytes. */
export interface NarrowWeight {
  /** [out, in] */
  readonly weight: Tensor;
  /** [out]; of int8 alone. A row is about its scale times its entries, which go from -127 to 127. */
  readonly scales: Tensor | null;
}

/** @param weight  A floating-point matrix on the CPU. */
export function narrowed(weight: TensorCore, dtype: NarrowDType): NarrowWeight {
  if (dtype === 'bfloat16') return { weight: wrap(native().to(weight.handle, dtypeCode(dtype), null)), scales: null };
  const [entries, scales] = native().quantizeRows(weight.handle);
  return { weight: wrap(entries), scales: wrap(scales) };
}

export interface TokenScoresOptions {
  readonly temperature: number;
  readonly withEntropies: boolean;
  /** bool [tokens, vocabulary] that get the score `floor`. */
  readonly forbidden?: TensorCore | null | undefined;
  readonly floor?: number | undefined;
  /** Tokens whose scores are in memory at once. */
  readonly tokensAtOnce: number;
}

/**
 * Scores of an output layer for given tokens, computed on the native thread and without gradients. Do not change its tensors
 * in the meantime.
 *
 * @param states  [tokens, hidden] that the tokens follow from.
 * @param weight  [vocabulary, hidden]
 * @param ids     int64 [tokens]
 * @returns       [1 or 2, tokens] log-probabilities, and entropies where asked for, in float32 or wider.
 */
export async function scoreTokensAsync(
  states: TensorCore,
  weight: TensorCore,
  ids: TensorCore,
  { temperature, withEntropies, forbidden, floor = Number.NEGATIVE_INFINITY, tokensAtOnce }: TokenScoresOptions,
): Promise<Tensor> {
  const inputs = [states.handle, weight.handle, ids.handle, forbidden?.handle ?? null] as const;
  return wrap(await native().scoreTokensAsync(...inputs, floor, temperature, withEntropies, tokensAtOnce));
}

/** How the distribution that is drawn from comes out of scores: penalty, temperature, `allowed`, top-k, top-p. */
export interface ShapingOptions {
  /** Divides the scores; 0 keeps them unchanged. */
  readonly temperature: number;
  /** Keep entries not below the k-th largest; 0 keeps all. */
  readonly topK: number;
  /** Keep the smallest set of entries with at least this probability. */
  readonly topP: number;
  /** Positive scores of `seen` tokens are divided by it, negative ones multiplied. */
  readonly repetitionPenalty: number;
  /** bool [rows, vocabulary]. */
  readonly seen?: TensorCore | null | undefined;
  /** bool [rows, vocabulary]: all other tokens are removed. */
  readonly allowed?: TensorCore | null | undefined;
}

function shaping({ temperature, topK, topP, repetitionPenalty, seen, allowed }: ShapingOptions) {
  return [temperature, topK, topP, repetitionPenalty, seen?.handle ?? null, allowed?.handle ?? null] as const;
}

/** [rows, vocabulary] → the same shape, -inf where an entry was removed. */
export function processScores(scores: TensorCore, options: ShapingOptions): Tensor {
  return wrap(native().processScores(scores.handle, ...shaping(options)));
}

export interface DrawOptions extends ShapingOptions {
  /** float64 [rows] in [0, 1); absent if the likeliest token is taken. */
  readonly uniforms?: TensorCore | null | undefined;
}

/**
 * Inverse transform sampling in float64: the token at which the cumulative probability first exceeds the number. The drawn
 * tokens are added to `seen`.
 *
 * @param scores  [rows, vocabulary]
 * @returns float64 [3, rows]: the token; its log-softmax(scores / temperature); its log-probability under the distribution
 *   that it was drawn from.
 */
export function drawToken(scores: TensorCore, options: DrawOptions): Tensor {
  return wrap(native().drawToken(scores.handle, ...shaping(options), options.uniforms?.handle ?? null));
}
