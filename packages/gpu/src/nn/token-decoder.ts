/**
 * Decoding one token per row in one native call each: the layers of a decoder, and the draw of a token from its scores.
 *
 * Step by step through the methods of tensors, a layer costs about 25 calls from JavaScript; with few weights these take
 * longer than the products. The operations, and their order, are those of the methods.
 */
import { native } from '../native/load.js';
import type { NativeDecoder } from '../native/native.js';
import type { TensorCore } from '../tensor/core.js';
import { type Tensor, wrap } from '../tensor/tensor.js';

/** Rows [start, start + rows of b) of a matrix's output gain scale · b (a x). */
export interface LowRankPart {
  readonly start: number;
  readonly scale: number;
  /** Rank. */
  readonly rank: number;
  /** [rank, rows] */
  readonly b: TensorCore;
}

/** y = weight x + bias, and low-rank changes of some of its rows. */
export interface DecoderLinear {
  /** [out, in] */
  readonly weight: TensorCore;
  readonly bias?: TensorCore | null | undefined;
  readonly lowRank?: {
    /** [sum of ranks, in], the parts one below the other. */
    readonly a: TensorCore;
    readonly parts: readonly LowRankPart[];
  };
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

export interface TokenDecoderWeights {
  readonly heads: number;
  readonly keyValueHeads: number;
  readonly headWidth: number;
  readonly normEps: number;
  /** In half precision, RMSNorm in float32, cast back, and only then times its weight. */
  readonly wideNorm: boolean;
  /** [vocabulary, hidden] */
  readonly embedding: TensorCore;
  readonly layers: readonly DecoderLayerWeights[];
  readonly norm: TensorCore;
  readonly head: DecoderLinear;
}

/** Where a token stands and what it attends to. */
export interface TokenContext {
  /** [rows or 1, 1, 1, head width] */
  readonly cos: TensorCore;
  /** The sines in the same shape, negative on the first half. */
  readonly sin: TensorCore;
  /** Added to the scores of attention, [rows, 1, 1, length + 1]. */
  readonly mask: TensorCore | null;
  /** Per layer [rows, key-value heads, capacity, head width]; column `length` is written. */
  readonly keys: readonly TensorCore[];
  readonly values: readonly TensorCore[];
  /** Columns in use. */
  readonly length: number;
}

/** Holds on to the tensors it was made of until `dispose`, whatever happens to their handles. */
export class TokenDecoder {
  readonly #native: NativeDecoder;

  constructor(weights: TokenDecoderWeights) {
    const { heads, keyValueHeads, headWidth, normEps, wideNorm, embedding, layers, norm, head } = weights;
    const numbers = [layers.length, heads, keyValueHeads, headWidth, normEps, Number(wideNorm)];
    const tensors: (number | null)[] = [embedding.handle];
    const linear = ({ weight, bias, lowRank }: DecoderLinear) => {
      const parts = lowRank?.parts ?? [];
      tensors.push(weight.handle, bias?.handle ?? null, lowRank?.a.handle ?? null);
      numbers.push(parts.length);
      for (const { start, rank, scale, b } of parts) {
        numbers.push(start, rank, scale);
        tensors.push(b.handle);
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
    this.#native = native().newDecoder(numbers, tensors);
  }

  /** ids int64 [rows] → scores [rows, vocabulary]; never records gradients. */
  scores(ids: TensorCore, { cos, sin, mask, keys, values, length }: TokenContext): Tensor {
    const handles = (tensors: readonly TensorCore[]) => tensors.map(({ handle }) => handle);
    return wrap(
      native().decodeToken(
        this.#native,
        ids.handle,
        cos.handle,
        sin.handle,
        mask?.handle ?? null,
        handles(keys),
        handles(values),
        length,
      ),
    );
  }

  dispose(): void {
    native().closeDecoder(this.#native);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** How the distribution that is drawn from comes out of scores: penalty, temperature, `allowed`, top-k, top-p. */
export interface ShapingOptions {
  /** Divides the scores; 0 leaves them alone. */
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
  /** float64 [rows] in [0, 1); absent where the likeliest token is taken. */
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
