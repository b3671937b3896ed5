/** JavaScript data to tensors. */
import { TensorArgumentError } from '../native/errors.js';
import { native } from '../native/load.js';
import { type DType, dtypeCode, dtypeOf, typedArray } from './dtype.js';
import type { Tensor } from './tensor.js';
import { wrap } from './wrap.js';

export interface TensorOptions {
  dtype?: DType;
  /** `cpu`, `cuda`, `cuda:1`, … */
  device?: string;
  requiresGrad?: boolean;
}

type Entry = number | boolean | bigint;
export type NestedData = Entry | readonly NestedData[];
/** Numbers, booleans or bigints, nested or flat, or a typed array. */
export type TensorData = NestedData | ArrayLike<number> | ArrayBufferView;

/**
 * A tensor with a copy of `data`. Without `dtype`: float32 for numbers, bool for booleans, int64 for bigints, and
 * what a typed array holds. `shape` reshapes flat data.
 *
 * @throws {TensorArgumentError} Rows of different lengths, or data that does not fill the shape.
 */
export function tensorFrom(data: TensorData, options: TensorOptions & { shape?: readonly number[] } = {}): Tensor {
  const { device = 'cpu', requiresGrad = false } = options;
  const flat = ArrayBuffer.isView(data) ? fromView(data) : fromNested(data as NestedData, options.dtype);
  const shape = options.shape ?? flat.shape;
  const wanted = options.dtype ?? flat.dtype;
  const addon = native();
  let handle = addon.fromData(flat.array, shape, dtypeCode(flat.dtype), device);
  if (wanted !== flat.dtype) {
    const converted = addon.to(handle, dtypeCode(wanted), null);
    addon.dispose(handle);
    handle = converted;
  }
  const tensor = wrap(handle);
  return requiresGrad ? tensor.requiresGrad_() : tensor;
}

/**
 * A CPU tensor over the memory of a typed array, without a copy: writes on either side show on the other. The buffer
 * lives as long as the tensor.
 */
export function fromBuffer(array: ArrayBufferView, shape?: readonly number[], dtype?: DType): Tensor {
  const held = dtype ?? dtypeOf(array);
  if (held === undefined) throw new TensorArgumentError('fromBuffer', `no dtype fits a ${array.constructor.name}`);
  const length = (array as unknown as ArrayLike<number>).length;
  return wrap(native().fromBuffer(array, shape ?? [length], dtypeCode(held)));
}

interface Flat {
  array: ArrayBufferView;
  shape: readonly number[];
  dtype: DType;
}

function fromView(view: ArrayBufferView): Flat {
  const dtype = dtypeOf(view);
  if (dtype) return { array: view, shape: [(view as unknown as ArrayLike<number>).length], dtype };
  if (view instanceof DataView || view instanceof BigUint64Array) {
    throw new TensorArgumentError('tensor', `no dtype fits a ${view.constructor.name}`);
  }
  // Int8Array, Uint16Array, …: whole numbers that int32 or float64 hold exactly
  const numbers = view as unknown as ArrayLike<number>;
  return { array: Float64Array.from(numbers), shape: [numbers.length], dtype: 'float64' };
}

function fromNested(data: NestedData, dtype: DType | undefined): Flat {
  const shape: number[] = [];
  for (let level: NestedData | undefined = data; Array.isArray(level); level = level[0]) shape.push(level.length);
  const entries: Entry[] = [];
  flatten(data, shape, 0, entries);
  const first = entries[0];
  const natural: DType = typeof first === 'boolean' ? 'bool' : typeof first === 'bigint' ? 'int64' : 'float32';
  const wanted = dtype ?? natural;
  if (natural === 'int64') return { array: BigInt64Array.from(entries, BigInt), shape, dtype: 'int64' };
  // float32 rounds once, on the way in; every other dtype converts from float64, which holds any number we were given
  const carrier: DType = wanted === 'float32' || wanted === 'bool' ? wanted : 'float64';
  const array = typedArray(carrier, entries.length) as Float64Array | Float32Array | Uint8Array;
  for (let i = 0; i < entries.length; i += 1) array[i] = carrier === 'bool' ? (entries[i] ? 1 : 0) : Number(entries[i]);
  return { array, shape, dtype: carrier };
}

function flatten(data: NestedData, shape: readonly number[], depth: number, into: Entry[]): void {
  if (!Array.isArray(data)) {
    if (depth !== shape.length) throw ragged(shape);
    into.push(data as Entry);
    return;
  }
  if (data.length !== shape[depth]) throw ragged(shape);
  for (const each of data) flatten(each, shape, depth + 1, into);
}

function ragged(shape: readonly number[]): TensorArgumentError {
  return new TensorArgumentError('tensor', `the nested arrays are not all of the shape [${shape.join(', ')}]`);
}
