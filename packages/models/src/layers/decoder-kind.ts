/** How the decoders of the families differ, and the parts that follow from it. */
import { nn, type Parameter } from '@vlgym/gpu';
import type { WeightInit } from './fresh-parameter.js';
import type { DecoderSizes } from './native-decoder.js';
import { HalfSafeRmsNorm, OffsetRmsNorm } from './rms-norm.js';

export interface DecoderConfig extends DecoderSizes {
  readonly vocabSize: number;
  readonly hiddenSize: number;
  readonly intermediateSize: number;
  readonly numHiddenLayers: number;
}

/** How the decoders of the families differ. */
export interface DecoderKind {
  /** Query, key and value have biases (Qwen2). */
  readonly attentionBias: boolean;
  /** The output projection of attention has a bias (Llama and Qwen3 with `attention_bias`). */
  readonly outputBias?: boolean;
  /** The three matrices of the MLP have biases (Llama with `mlp_bias`). */
  readonly mlpBias?: boolean;
  /**
   * Per layer: how many tokens a token attends to, itself and those right before it; null: all before it. Default: null for
   * all.
   */
  readonly windows?: readonly (number | null)[] | undefined;
  /** Queries and keys are normalized per head before they are rotated (Qwen3). */
  readonly headNorms?: boolean;
  /** In half precision, norms are computed in float32, cast back, and only then times their weight. */
  readonly wideNorm: boolean;
  /** Norms multiply by one plus their weight (Gemma). */
  readonly normOffset?: boolean;
  /** The results of attention and MLP are normalized too before they are added (Gemma). */
  readonly normsAfter?: boolean;
  /** Activation of the gate of the MLP; default `silu`. `gelu`: the form with tanh. */
  readonly activation?: 'silu' | 'gelu';
  /** Products of queries and keys are times this; default: headDim^-0.5. */
  readonly attentionScale?: number;
  /**
   * Layers that write to the residual stream, 2 * layers times, start smaller, so that its variance does not grow with
   * depth (GPT-2).
   */
  readonly smallResiduals?: boolean;
  /** [vocabulary, width] the table of embeddings; default: drawn like the other weights. */
  readonly table?: Parameter;
}

/** Whether `nn.Decoder` computes decoders of this kind. */
export function hasNativeForm({ normsAfter, normOffset, activation = 'silu', attentionScale }: DecoderKind): boolean {
  return !normsAfter && !normOffset && activation === 'silu' && attentionScale === undefined;
}

export type Norm = HalfSafeRmsNorm | OffsetRmsNorm | nn.RMSNorm;

export function newNorm(
  width: number,
  eps: number,
  { wideNorm, normOffset }: DecoderKind,
  { dtype, device }: WeightInit,
): Norm {
  if (normOffset) return new OffsetRmsNorm(width, eps, { dtype, device });
  return wideNorm ? new HalfSafeRmsNorm(width, eps, { dtype, device }) : new nn.RMSNorm(width, { eps, dtype, device });
}

export function residualInit(
  { numHiddenLayers }: DecoderConfig,
  { smallResiduals }: DecoderKind,
  init: WeightInit,
): WeightInit {
  return smallResiduals ? { ...init, std: init.std / Math.sqrt(2 * numHiddenLayers) } : init;
}
