/** Shapes of `Tensor`: the same numbers seen or arranged differently. Views share memory with their source. */
import { native } from '../native/load.js';
import { type Dims, dims, TensorReductions } from './reductions.js';
import type { Tensor } from './tensor.js';
import { wrap, wrapAll } from './wrap.js';

export class TensorShapes extends TensorReductions {
  /** A view with a different shape; one size may be -1. Fails if the memory layout does not allow it. */
  view(shape: readonly number[]): Tensor {
    return wrap(native().view(this.handle, shape));
  }

  /** As `view`, copying where needed. */
  reshape(shape: readonly number[]): Tensor {
    return wrap(native().reshape(this.handle, shape));
  }

  /** Dimensions `start` to `end` as one. */
  flatten(start = 0, end = -1): Tensor {
    return wrap(native().flatten(this.handle, start, end));
  }

  /** Splits one dimension into several; one size may be -1. */
  unflatten(dim: number, sizes: readonly number[]): Tensor {
    return wrap(native().unflatten(this.handle, dim, sizes));
  }

  /** Two dimensions exchanged. */
  transpose(a: number, b: number): Tensor {
    return wrap(native().transpose(this.handle, a, b));
  }

  /** A matrix transposed. */
  t(): Tensor {
    return wrap(native().t(this.handle));
  }

  /** Dimensions in a new order. */
  permute(order: readonly number[]): Tensor {
    return wrap(native().permute(this.handle, order));
  }

  /** Without dimension `dim` if its size is 1; without `dim`, all such. */
  squeeze(dim?: number): Tensor {
    return wrap(native().squeeze(this.handle, dim ?? null));
  }

  /** With a new dimension of size 1. */
  unsqueeze(dim: number): Tensor {
    return wrap(native().unsqueeze(this.handle, dim));
  }

  /** Dimensions of size 1 seen as larger without a copy; -1 keeps a size. */
  expand(shape: readonly number[]): Tensor {
    return wrap(native().expand(this.handle, shape));
  }

  expandAs(other: Tensor): Tensor {
    return this.expand(other.shape);
  }

  viewAs(other: Tensor): Tensor {
    return this.view(other.shape);
  }

  /** The whole tensor repeated per dimension. */
  repeat(times: readonly number[]): Tensor {
    return wrap(native().repeat(this.handle, times));
  }

  /** Each entry repeated in place, along `dim` or flattened. */
  repeatInterleave(times: number | Tensor, dim?: number | null): Tensor {
    return typeof times === 'number'
      ? wrap(native().repeatInterleave(this.handle, times, dim ?? null))
      : wrap(native().repeatInterleaveTensor(this.handle, times.handle, dim ?? null));
  }

  /** `length` positions from `start` along `dim`; a view. */
  narrow(dim: number, start: number, length: number): Tensor {
    return wrap(native().narrow(this.handle, dim, start, length));
  }

  /** Positions `start` to before `end`, Python style; a view. */
  slice(dim: number, start?: number | null, end?: number | null, step = 1): Tensor {
    return wrap(native().slice(this.handle, dim, start ?? null, end ?? null, step));
  }

  /** One position along `dim`, which disappears; a view. */
  select(dim: number, index: number): Tensor {
    return wrap(native().select(this.handle, dim, index));
  }

  /** Reversed along dimensions. */
  flip(dim: Dims): Tensor {
    return wrap(native().flip(this.handle, dims(dim) ?? []));
  }

  /** Shifted along dimensions, round the end. */
  roll(shifts: Dims, dim: Dims = []): Tensor {
    return wrap(native().roll(this.handle, dims(shifts) ?? [], dims(dim) ?? []));
  }

  /** Lower triangle; the rest is 0. */
  tril(diagonal = 0): Tensor {
    return wrap(native().tril(this.handle, diagonal));
  }

  /** Upper triangle; the rest is 0. */
  triu(diagonal = 0): Tensor {
    return wrap(native().triu(this.handle, diagonal));
  }

  /** The diagonal of two dimensions; a view. */
  diagonal(offset = 0, a = 0, b = 1): Tensor {
    return wrap(native().diagonal(this.handle, offset, a, b));
  }

  /** Padded at both ends, last dimension first: [left, right, top, bottom, …]. */
  pad(
    amounts: readonly number[],
    { mode = 'constant', value = 0 }: { mode?: 'constant' | 'reflect' | 'replicate' | 'circular'; value?: number } = {},
  ): Tensor {
    return wrap(native().pad(this.handle, amounts, mode, mode === 'constant' ? value : null));
  }

  /** Pieces of one size, or of the given sizes; views. */
  split(sizes: number | readonly number[], dim = 0): Tensor[] {
    return typeof sizes === 'number'
      ? wrapAll(native().split(this.handle, sizes, dim))
      : wrapAll(native().splitSizes(this.handle, sizes, dim));
  }

  /** At most `count` pieces of equal size; views. */
  chunk(count: number, dim = 0): Tensor[] {
    return wrapAll(native().chunk(this.handle, count, dim));
  }

  /** One tensor per position along `dim`; views. */
  unbind(dim = 0): Tensor[] {
    return wrapAll(native().unbind(this.handle, dim));
  }

  /** Sliding windows of `size` along `dim`, put into a new last dimension; a view. */
  unfold(dim: number, size: number, step: number): Tensor {
    return wrap(native().unfold(this.handle, dim, size, step));
  }
}
