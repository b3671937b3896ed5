/** Picking and placing entries of `Tensor` by index, and products of matrices. Index tensors are int64. */
import { native } from '../native/load.js';
import { TensorShapes } from './shapes.js';
import type { Tensor } from './tensor.js';
import { wrap } from './wrap.js';

/** One index per dimension; null takes the whole dimension. Tensors are int64 or a bool mask. */
export type Indices = Tensor | readonly (Tensor | null)[];

function handles(index: Indices): readonly (number | null)[] {
  return 'handle' in index ? [index.handle] : index.map((tensor) => tensor?.handle ?? null);
}

export class TensorIndexing extends TensorShapes {
  /** Entries along `dim` at the positions of `index`, which has the shape of the result. */
  gather(dim: number, index: Tensor): Tensor {
    return wrap(native().gather(this.handle, dim, index.handle));
  }

  /** A copy with `source` written along `dim` at the positions of `index`. */
  scatter(dim: number, index: Tensor, source: Tensor): Tensor {
    return wrap(native().scatter(this.handle, dim, index.handle, source.handle));
  }

  /** A copy with one number written along `dim` at the positions of `index`. */
  scatterValue(dim: number, index: Tensor, value: number): Tensor {
    return wrap(native().scatterScalar(this.handle, dim, index.handle, value));
  }

  /** A copy with `source` added along `dim` at the positions of `index`; repeats add up. */
  scatterAdd(dim: number, index: Tensor, source: Tensor): Tensor {
    return wrap(native().scatterAdd(this.handle, dim, index.handle, source.handle));
  }

  /** Whole slices along `dim`; `index` has one dimension. */
  indexSelect(dim: number, index: Tensor): Tensor {
    return wrap(native().indexSelect(this.handle, dim, index.handle));
  }

  /** A copy with the slices of `source` added along `dim` at `index`. */
  indexAdd(dim: number, index: Tensor, source: Tensor): Tensor {
    return wrap(native().indexAdd(this.handle, dim, index.handle, source.handle));
  }

  /** Advanced indexing, `x[a, :, b]`. */
  index(index: Indices): Tensor {
    return wrap(native().index(this.handle, handles(index)));
  }

  /** A copy with `values` written, or added, at advanced indices. */
  indexPut(index: Indices, values: Tensor, accumulate = false): Tensor {
    return wrap(native().indexPut(this.handle, handles(index), values.handle, accumulate));
  }

  /** Entries of the flattened tensor. */
  take(index: Tensor): Tensor {
    return wrap(native().take(this.handle, index.handle));
  }

  /** As `gather` with broadcasting; the mate of `argsort`. */
  takeAlongDim(index: Tensor, dim?: number | null): Tensor {
    return wrap(native().takeAlongDim(this.handle, index.handle, dim ?? null));
  }

  /** A copy with `value` where the bool `mask` is true. */
  maskedFill(mask: Tensor, value: number): Tensor {
    return wrap(native().maskedFill(this.handle, mask.handle, value));
  }

  /** The entries where the bool `mask` is true, in one dimension. */
  maskedSelect(mask: Tensor): Tensor {
    return wrap(native().maskedSelect(this.handle, mask.handle));
  }

  /** A copy with the entries of `source`, in order, where `mask` is true. */
  maskedScatter(mask: Tensor, source: Tensor): Tensor {
    return wrap(native().maskedScatter(this.handle, mask.handle, source.handle));
  }

  /** Indices of the nonzero entries, [count, dimensions]. */
  nonzero(): Tensor {
    return wrap(native().nonzero(this.handle));
  }

  /** How often each number 0, 1, … occurs, or the sum of its weights. */
  bincount({ weights, minlength = 0 }: { weights?: Tensor; minlength?: number } = {}): Tensor {
    return wrap(native().bincount(this.handle, weights?.handle ?? null, minlength));
  }

  indexPut_(index: Indices, values: Tensor, accumulate = false): this {
    native().indexPut_(this.handle, handles(index), values.handle, accumulate);
    return this;
  }

  /** Writes the slices of `source` along `dim` at `index`. */
  indexCopy_(dim: number, index: Tensor, source: Tensor): this {
    native().indexCopy_(this.handle, dim, index.handle, source.handle);
    return this;
  }

  scatter_(dim: number, index: Tensor, source: Tensor): this {
    native().scatter_(this.handle, dim, index.handle, source.handle);
    return this;
  }

  // ---- products ----

  /** Product of vectors, matrices, or batches of matrices. */
  matmul(other: Tensor): Tensor {
    return wrap(native().matmul(this.handle, other.handle));
  }

  /** Product of two matrices. */
  mm(other: Tensor): Tensor {
    return wrap(native().mm(this.handle, other.handle));
  }

  /** Product of two batches of matrices. */
  bmm(other: Tensor): Tensor {
    return wrap(native().bmm(this.handle, other.handle));
  }

  /** Inner product of two vectors. */
  dot(other: Tensor): Tensor {
    return wrap(native().dot(this.handle, other.handle));
  }

  /** Outer product of two vectors. */
  outer(other: Tensor): Tensor {
    return wrap(native().outer(this.handle, other.handle));
  }

  /** `beta * this + alpha * (a @ b)`. */
  addmm(a: Tensor, b: Tensor, { beta = 1, alpha = 1 } = {}): Tensor {
    return wrap(native().addmm(this.handle, a.handle, b.handle, beta, alpha));
  }
}
