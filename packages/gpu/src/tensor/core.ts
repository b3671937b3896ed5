/** The base class of `Tensor`: handle, disposal, shape and dtype, and the numbers. */
import { TensorArgumentError, TensorDisposedError } from '../native/errors.js';
import { native } from '../native/load.js';
import type { Handle, Scalar } from '../native/native.js';
import { type DType, dtypeName, type TypedArray, typedArray } from './dtype.js';
import { forget, track } from './scope.js';
import type { Tensor } from './tensor.js';

const DISPOSED = -1;

export type NestedNumbers = number | NestedNumbers[];

export class TensorCore {
  /** Position in the addon's table; -1 after `dispose`. */
  handle: Handle;
  /** True once `keep` has taken the tensor out of every `tidy`. */
  kept = false;

  #shape: readonly number[] | undefined;
  #dtype: DType | undefined;

  constructor(handle: Handle) {
    this.handle = handle;
    track(this);
  }

  // ---- life ----

  /** Frees the tensor; further use throws `TENSOR_DISPOSED`. Disposing twice is harmless. */
  dispose(): void {
    if (this.handle === DISPOSED) return;
    native().dispose(this.handle);
    this.handle = DISPOSED;
    forget(this);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  get isDisposed(): boolean {
    return this.handle === DISPOSED;
  }

  /** Takes the place of another handle, freeing its own; for `Module.to`. */
  protected adopt(handle: Handle): void {
    native().dispose(this.handle);
    this.handle = handle;
    this.#shape = undefined;
    this.#dtype = undefined;
  }

  // ---- what it is ----

  get shape(): readonly number[] {
    if (this.#shape === undefined) this.#shape = Object.freeze(native().shape(this.handle));
    return this.#shape;
  }

  get dtype(): DType {
    this.#dtype ??= dtypeName(native().dtype(this.handle));
    return this.#dtype;
  }

  /** `cpu`, `cuda:0`, … */
  get device(): string {
    return native().device(this.handle);
  }

  get ndim(): number {
    return this.shape.length;
  }

  /** Number of entries. */
  get numel(): number {
    return this.shape.reduce((count, size) => count * size, 1);
  }

  /** Size of one dimension; negative counts from the end. */
  size(dim: number): number {
    const size = this.shape.at(dim);
    if (size === undefined)
      throw new TensorArgumentError('size', `dimension ${dim} is not in the shape [${this.shape.join(', ')}]`);
    return size;
  }

  stride(): readonly number[] {
    return native().strides(this.handle);
  }

  isContiguous(): boolean {
    return native().isContiguous(this.handle);
  }

  // ---- its numbers ----

  /** The only entry, as a number; int64 beyond 2^53 loses digits. */
  item(): number {
    return native().item(this.handle);
  }

  /**
   * All entries in row-major order, copied. int64 gives a BigInt64Array, bool 0 and 1 in a Uint8Array, float16 and
   * bfloat16 their raw bits in a Uint16Array (convert `to('float32')` first to read them).
   */
  toArray(): TypedArray {
    if (this.handle === DISPOSED) throw new TensorDisposedError('toArray(disposed)');
    const array = typedArray(this.dtype, this.numel);
    native().copyTo(this.handle, array);
    return array;
  }

  /** The same as `toArray`. */
  data(): TypedArray {
    return this.toArray();
  }

  /** All entries as plain numbers in row-major order, for every dtype. */
  toNumbers(): number[] {
    if (this.dtype === 'float16' || this.dtype === 'bfloat16') {
      const addon = native();
      const wide = addon.to(this.handle, 6, null);
      const array = new Float32Array(this.numel);
      addon.copyTo(wide, array);
      addon.dispose(wide);
      return Array.from(array);
    }
    return Array.from(this.toArray(), Number);
  }

  /** Entries as nested arrays in the tensor's shape; a plain number for a tensor without dimensions. */
  tolist(): NestedNumbers {
    const flat = this.toNumbers();
    let next = 0;
    const build = (shape: readonly number[]): NestedNumbers => {
      const [length, ...rest] = shape;
      if (length === undefined) return flat[next++] ?? 0;
      return Array.from({ length }, () => build(rest));
    };
    return build(this.shape);
  }

  toString(): string {
    if (this.isDisposed) return 'Tensor(disposed)';
    return `Tensor(${this.dtype} [${this.shape.join(', ')}] on ${this.device})`;
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.toString();
  }
}

/** The right side of a binary operation. */
export type Operand = Tensor | number;

export function isTensor(value: unknown): value is Tensor {
  return value instanceof TensorCore;
}

export type { Scalar };
