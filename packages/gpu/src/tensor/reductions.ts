/** Reductions of `Tensor`: sums, extremes, softmax, sorting. Without `dim` they reduce over all dimensions. */
import { native } from '../native/load.js';
import type { Handle } from '../native/native.js';
import { type DType, dtypeCode } from './dtype.js';
import { TensorInPlace } from './in-place.js';
import type { Tensor } from './tensor.js';
import { wrap } from './wrap.js';

/** One dimension or several; negative ones count from the end. */
export type Dims = number | readonly number[];

/** Values and where they stood (int64). */
export interface ValuesAndIndices {
  readonly values: Tensor;
  readonly indices: Tensor;
}

export function dims(dim: Dims | undefined | null): readonly number[] | null {
  return dim === undefined || dim === null ? null : typeof dim === 'number' ? [dim] : dim;
}

function pair([values, indices]: readonly [Handle, Handle]): ValuesAndIndices {
  return { values: wrap(values), indices: wrap(indices) };
}

export class TensorReductions extends TensorInPlace {
  /** Sum; bool and integers give int64. */
  sum(dim?: Dims | null, keepdim = false): Tensor {
    return wrap(native().sum(this.handle, dims(dim), keepdim));
  }

  /** Mean of a float tensor. */
  mean(dim?: Dims | null, keepdim = false): Tensor {
    return wrap(native().mean(this.handle, dims(dim), keepdim));
  }

  /** Variance over n - `correction`. */
  var(dim?: Dims | null, { correction = 1, keepdim = false } = {}): Tensor {
    return wrap(native().variance(this.handle, dims(dim), correction, keepdim));
  }

  /** Standard deviation over n - `correction`. */
  std(dim?: Dims | null, { correction = 1, keepdim = false } = {}): Tensor {
    return wrap(native().std(this.handle, dims(dim), correction, keepdim));
  }

  /** Product. */
  prod(dim?: number | null, keepdim = false): Tensor {
    return wrap(native().prod(this.handle, dim ?? null, keepdim));
  }

  /** Largest entry; gradients are shared among equals. */
  amax(dim: Dims = [], keepdim = false): Tensor {
    return wrap(native().amax(this.handle, dims(dim) ?? [], keepdim));
  }

  /** Smallest entry; gradients are shared among equals. */
  amin(dim: Dims = [], keepdim = false): Tensor {
    return wrap(native().amin(this.handle, dims(dim) ?? [], keepdim));
  }

  /** Largest entry; with a dimension also where it stood. */
  max(): Tensor;
  max(dim: number, keepdim?: boolean): ValuesAndIndices;
  max(dim?: number, keepdim = false): Tensor | ValuesAndIndices {
    return dim === undefined ? wrap(native().max(this.handle)) : pair(native().maxDim(this.handle, dim, keepdim));
  }

  /** Smallest entry; with a dimension also where it stood. */
  min(): Tensor;
  min(dim: number, keepdim?: boolean): ValuesAndIndices;
  min(dim?: number, keepdim = false): Tensor | ValuesAndIndices {
    return dim === undefined ? wrap(native().min(this.handle)) : pair(native().minDim(this.handle, dim, keepdim));
  }

  /** Position of the largest entry, int64; without `dim` in the flattened tensor. */
  argmax(dim?: number | null, keepdim = false): Tensor {
    return wrap(native().argmax(this.handle, dim ?? null, keepdim));
  }

  /** Position of the smallest entry, int64; without `dim` in the flattened tensor. */
  argmin(dim?: number | null, keepdim = false): Tensor {
    return wrap(native().argmin(this.handle, dim ?? null, keepdim));
  }

  /** bool: is any entry nonzero? */
  any(dim?: number | null, keepdim = false): Tensor {
    return wrap(native().any(this.handle, dim ?? null, keepdim));
  }

  /** bool: are all entries nonzero? */
  all(dim?: number | null, keepdim = false): Tensor {
    return wrap(native().all(this.handle, dim ?? null, keepdim));
  }

  /** Vector norm of the given order, by default Euclidean. */
  norm(order = 2, dim?: Dims | null, keepdim = false): Tensor {
    return wrap(native().norm(this.handle, order, dims(dim), keepdim));
  }

  /** log(sum(exp(x))), stable. */
  logsumexp(dim: Dims, keepdim = false): Tensor {
    return wrap(native().logsumexp(this.handle, dims(dim) ?? [], keepdim));
  }

  /** exp(x) / sum(exp(x)) along `dim`, computed in `dtype` when given. */
  softmax(dim: number, dtype?: DType): Tensor {
    return wrap(native().softmax(this.handle, dim, dtype ? dtypeCode(dtype) : null));
  }

  /** log(softmax(x)), stable. */
  logSoftmax(dim: number, dtype?: DType): Tensor {
    return wrap(native().logSoftmax(this.handle, dim, dtype ? dtypeCode(dtype) : null));
  }

  /** Running sum along `dim`. */
  cumsum(dim: number): Tensor {
    return wrap(native().cumsum(this.handle, dim));
  }

  /** Running product along `dim`. */
  cumprod(dim: number): Tensor {
    return wrap(native().cumprod(this.handle, dim));
  }

  /** Sorted along `dim`; `stable` keeps the order of equal entries. */
  sort(
    dim = -1,
    { descending = false, stable = true }: { descending?: boolean; stable?: boolean } = {},
  ): ValuesAndIndices {
    return pair(native().sort(this.handle, dim, descending, stable));
  }

  /** The positions that `sort` would return. */
  argsort(dim = -1, { descending = false, stable = true }: { descending?: boolean; stable?: boolean } = {}): Tensor {
    return wrap(native().argsort(this.handle, dim, descending, stable));
  }

  /** The `k` largest (or smallest) entries along `dim`. */
  topk(
    k: number,
    dim = -1,
    { largest = true, sorted = true }: { largest?: boolean; sorted?: boolean } = {},
  ): ValuesAndIndices {
    return pair(native().topk(this.handle, k, dim, largest, sorted));
  }

  /** The `k`-th smallest entry along `dim`, from 1. */
  kthvalue(k: number, dim = -1, keepdim = false): ValuesAndIndices {
    return pair(native().kthvalue(this.handle, k, dim, keepdim));
  }

  /** The lower median of all entries. */
  median(): Tensor {
    return wrap(native().median(this.handle));
  }

  /** Linear-interpolated quantile, `q` in [0, 1]. */
  quantile(q: number, dim?: number | null, keepdim = false): Tensor {
    return wrap(native().quantile(this.handle, q, dim ?? null, keepdim));
  }

  /** The distinct entries, sorted. */
  unique(): Tensor {
    return wrap(native().unique(this.handle));
  }

  /** Same shape and entries? */
  equal(other: Tensor): boolean {
    return native().equal(this.handle, other.handle);
  }

  /** Is |this - other| <= atol + rtol · |other| everywhere? */
  allclose(other: Tensor, { rtol = 1e-5, atol = 1e-8, equalNan = false } = {}): boolean {
    return native().allclose(this.handle, other.handle, rtol, atol, equalNan);
  }
}
