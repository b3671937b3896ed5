/** Layers as functions: the names of `torch.nn.functional`. */
import { native } from '../native/load.js';
import type { TensorCore } from '../tensor/core.js';
import type { Generator } from '../tensor/generator.js';
import { type Tensor, wrap } from '../tensor/tensor.js';

type Maybe = TensorCore | null | undefined;
type Size = number | readonly number[];
export type Reduction = 'none' | 'mean' | 'sum';

const REDUCTIONS = { none: 0, mean: 1, sum: 2 } as const;

function handle(tensor: Maybe): number | null {
  return tensor?.handle ?? null;
}

function sizes(size: Size, count: number): readonly number[] {
  return typeof size === 'number' ? new Array<number>(count).fill(size) : size;
}

/** x [..., in], weight [out, in], bias [out] → [..., out]. */
export function linear(x: TensorCore, weight: TensorCore, bias?: Maybe): Tensor {
  return wrap(native().linear(x.handle, weight.handle, handle(bias)));
}

/** Rows of `weight` [count, width] at the int64 `index` [...] → [..., width]. */
export function embedding(index: TensorCore, weight: TensorCore, { paddingIdx = -1 } = {}): Tensor {
  return wrap(native().embedding(weight.handle, index.handle, paddingIdx));
}

/** Mean 0, variance 1 over the last dimensions of sizes `shape`, then scaled and shifted. */
export function layerNorm(
  x: TensorCore,
  shape: readonly number[],
  { weight, bias, eps = 1e-5 }: { weight?: Maybe; bias?: Maybe; eps?: number } = {},
): Tensor {
  return wrap(native().layerNorm(x.handle, shape, handle(weight), handle(bias), eps));
}

/** x / sqrt(mean(x²) + eps) · weight; without `eps` the machine epsilon of the dtype. */
export function rmsNorm(
  x: TensorCore,
  shape: readonly number[],
  { weight, eps }: { weight?: Maybe; eps?: number | null } = {},
): Tensor {
  return wrap(native().rmsNorm(x.handle, shape, handle(weight), eps ?? null));
}

/**
 * Rotary positions in the rotate-half form: x · cos + (x with its halves exchanged) · sin.
 *
 * @param x    [rows, tokens, heads, width]
 * @param cos  [rows or 1, tokens, 1, width]
 * @param sin  The same shape, negative on the first half.
 */
export function rotate(x: TensorCore, cos: TensorCore, sin: TensorCore): Tensor {
  return wrap(native().rotate(x.handle, cos.handle, sin.handle));
}

/** x · sigmoid(1.702 x), the sigmoid form of GELU. */
export function quickGelu(x: TensorCore): Tensor {
  return wrap(native().quickGelu(x.handle));
}

export function groupNorm(
  x: TensorCore,
  groups: number,
  { weight, bias, eps = 1e-5 }: { weight?: Maybe; bias?: Maybe; eps?: number } = {},
): Tensor {
  return wrap(native().groupNorm(x.handle, groups, handle(weight), handle(bias), eps));
}

export interface ConvOptions {
  stride?: Size;
  padding?: Size;
  dilation?: Size;
  groups?: number;
}

/** x [batch, in, height, width], weight [out, in / groups, kernel height, kernel width]. */
export function conv2d(
  x: TensorCore,
  weight: TensorCore,
  bias?: Maybe,
  { stride = 1, padding = 0, dilation = 1, groups = 1 }: ConvOptions = {},
): Tensor {
  const two = (size: Size) => sizes(size, 2);
  return wrap(native().conv2d(x.handle, weight.handle, handle(bias), two(stride), two(padding), two(dilation), groups));
}

/** x [batch, in, depth, height, width]: patches of videos and of Qwen-VL's picture pairs. */
export function conv3d(
  x: TensorCore,
  weight: TensorCore,
  bias?: Maybe,
  { stride = 1, padding = 0, dilation = 1, groups = 1 }: ConvOptions = {},
): Tensor {
  const three = (size: Size) => sizes(size, 3);
  return wrap(
    native().conv3d(x.handle, weight.handle, handle(bias), three(stride), three(padding), three(dilation), groups),
  );
}

export function maxPool2d(x: TensorCore, kernel: Size, { stride = kernel, padding = 0 }: ConvOptions = {}): Tensor {
  return wrap(native().maxPool2d(x.handle, sizes(kernel, 2), sizes(stride, 2), sizes(padding, 2)));
}

export function avgPool2d(x: TensorCore, kernel: Size, { stride = kernel, padding = 0 }: ConvOptions = {}): Tensor {
  return wrap(native().avgPool2d(x.handle, sizes(kernel, 2), sizes(stride, 2), sizes(padding, 2)));
}

/** x [batch, channels, height, width] resized to `size` [height, width]. */
export function interpolate(
  x: TensorCore,
  size: readonly [number, number],
  {
    mode = 'nearest',
    alignCorners = false,
    antialias = false,
  }: { mode?: 'nearest' | 'bilinear' | 'bicubic'; alignCorners?: boolean; antialias?: boolean } = {},
): Tensor {
  if (mode === 'bilinear') return wrap(native().interpolateBilinear(x.handle, size, alignCorners, antialias));
  if (mode === 'bicubic') return wrap(native().interpolateBicubic(x.handle, size, alignCorners, antialias));
  return wrap(native().interpolateNearest(x.handle, size));
}

export interface AttentionOptions {
  /** bool (true takes part) or float (added to the scores), broadcast to [batch, heads, queries, keys]. */
  attnMask?: Maybe;
  /** Each query sees keys up to its own position. */
  isCausal?: boolean;
  /** Default 1 / sqrt(width). */
  scale?: number | null;
  /** Fewer key and value heads than query heads, each serving a group. */
  enableGqa?: boolean;
}

/** softmax(query · keyᵀ · scale + mask) · value; query [batch, heads, queries, width], key and value [.., keys, width]. */
export function scaledDotProductAttention(
  query: TensorCore,
  key: TensorCore,
  value: TensorCore,
  { attnMask, isCausal = false, scale, enableGqa = false }: AttentionOptions = {},
): Tensor {
  return wrap(
    native().scaledDotProductAttention(
      query.handle,
      key.handle,
      value.handle,
      handle(attnMask),
      isCausal,
      scale ?? null,
      enableGqa,
    ),
  );
}

/** Zeroes each entry with probability `p` and scales the rest by 1 / (1 - p); the identity outside training. */
export function dropout(
  x: Tensor,
  p = 0.5,
  { training = true, generator }: { training?: boolean; generator?: Generator | null | undefined } = {},
): Tensor {
  if (!training || p === 0) return wrap(native().alias(x.handle));
  return wrap(native().dropout(x.handle, p, generator?.raw ?? null));
}

/** int64 [...] → int64 [..., classes]; -1 classes means largest entry + 1. */
export function oneHot(x: TensorCore, classes = -1): Tensor {
  return wrap(native().oneHot(x.handle, classes));
}

export interface ClassLossOptions {
  /** One weight per class. */
  weight?: Maybe;
  reduction?: Reduction;
  /** Targets of this value do not count. */
  ignoreIndex?: number;
}

/** logits [batch, classes, ...], target int64 [batch, ...] or probabilities of the logits' shape. */
export function crossEntropy(
  logits: TensorCore,
  target: TensorCore,
  {
    weight,
    reduction = 'mean',
    ignoreIndex = -100,
    labelSmoothing = 0,
  }: ClassLossOptions & { labelSmoothing?: number } = {},
): Tensor {
  return wrap(
    native().crossEntropy(
      logits.handle,
      target.handle,
      handle(weight),
      REDUCTIONS[reduction],
      ignoreIndex,
      labelSmoothing,
    ),
  );
}

/** Log-probabilities [batch, classes, ...], target int64 [batch, ...]. */
export function nllLoss(
  logProbs: TensorCore,
  target: TensorCore,
  { weight, reduction = 'mean', ignoreIndex = -100 }: ClassLossOptions = {},
): Tensor {
  return wrap(native().nllLoss(logProbs.handle, target.handle, handle(weight), REDUCTIONS[reduction], ignoreIndex));
}

export function mseLoss(
  x: TensorCore,
  target: TensorCore,
  { reduction = 'mean' }: { reduction?: Reduction } = {},
): Tensor {
  return wrap(native().mseLoss(x.handle, target.handle, REDUCTIONS[reduction]));
}

/** Quadratic below `beta`, linear above. */
export function smoothL1Loss(
  x: TensorCore,
  target: TensorCore,
  { reduction = 'mean', beta = 1 }: { reduction?: Reduction; beta?: number } = {},
): Tensor {
  return wrap(native().smoothL1Loss(x.handle, target.handle, REDUCTIONS[reduction], beta));
}

export function binaryCrossEntropyWithLogits(
  logits: TensorCore,
  target: TensorCore,
  { weight, posWeight, reduction = 'mean' }: { weight?: Maybe; posWeight?: Maybe; reduction?: Reduction } = {},
): Tensor {
  return wrap(
    native().binaryCrossEntropyWithLogits(
      logits.handle,
      target.handle,
      handle(weight),
      handle(posWeight),
      REDUCTIONS[reduction],
    ),
  );
}
