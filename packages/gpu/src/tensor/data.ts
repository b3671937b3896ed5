/** Conversion of JavaScript data to tensors. */
import { TensorArgumentError } from '../native/errors.js';
import { native } from '../native/load.js';
import { getDefaultDevice } from './default-device.js';
import { type DType, dtypeCode, dtypeOf, typedArray } from './dtype.js';
import type { Tensor } from './tensor.js';
import { wrap } from './wrap.js';

export interface TensorOptions {
  dtype?: DType | undefined;
  /** `cpu`, `cuda`, `cuda:1`, …; default: that of `setDefaultDevice`. */
  device?: string | undefined;
  requiresGrad?: boolean | undefined;
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
export function tensorFrom(
  data: TensorData,
  options: TensorOptions & { shape?: readonly number[] | undefined } = {},
): Tensor {
  const { device = getDefaultDevice(), requiresGrad = false } = options;
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
 * A CPU tensor with a copy of the bytes of a typed array, read as `dtype`: raw bits of half precision, for example.
 *
 * A copy, because JavaScript may transfer or resize the buffer at any time and N-API cannot keep its memory alive. It
 * costs what a memcpy costs: `bench/from-buffer.ts`.
 *
 * @throws {TensorArgumentError} No dtype fits the array, or shape and dtype need a different number of bytes.
 */
export function fromBuffer(array: ArrayBufferView, shape?: readonly number[], dtype?: DType): Tensor {
  const held = dtype ?? dtypeOf(array);
  if (held === undefined) throw new TensorArgumentError('fromBuffer', `no dtype fits ${kindOf(array)}`);
  const length = (array as unknown as ArrayLike<number>).length;
  return wrap(native().fromData(array, shape ?? [length], dtypeCode(held), 'cpu'));
}

function kindOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

/** The addon's limit for shapes. An array that holds itself ends there. */
const MAX_DIMENSIONS = 64;

interface Flat {
  array: ArrayBufferView;
  shape: readonly number[];
  dtype: DType;
}

function fromView(view: ArrayBufferView): Flat {
  const dtype = dtypeOf(view);
  if (dtype) return { array: view, shape: [(view as unknown as ArrayLike<number>).length], dtype };
  if (view instanceof DataView || view instanceof BigUint64Array) {
    throw new TensorArgumentError('tensor', `no dtype fits ${kindOf(view)}`);
  }
  // Int8Array, Uint16Array, …: whole numbers that int32 or float64 hold exactly
  const numbers = view as unknown as ArrayLike<number>;
  return { array: Float64Array.from(numbers), shape: [numbers.length], dtype: 'float64' };
}

function fromNested(data: NestedData, dtype: DType | undefined): Flat {
  const shape: number[] = [];
  for (let level: NestedData | undefined = data; Array.isArray(level); level = level[0]) {
    shape.push(level.length);
    if (shape.length > MAX_DIMENSIONS) {
      throw new TensorArgumentError('tensor', `the arrays are nested deeper than ${MAX_DIMENSIONS} levels`);
    }
  }
  const entries: Entry[] = [];
  flatten(data, shape, 0, entries);
  const first = entries[0];
  const natural: DType = typeof first === 'boolean' ? 'bool' : typeof first === 'bigint' ? 'int64' : 'float32';
  const wanted = dtype ?? natural;
  if (natural === 'int64') return { array: BigInt64Array.from(entries, toBigInt), shape, dtype: 'int64' };
  // float32 rounds once, on the way in; every other dtype converts from float64, which holds any number we were given
  const carrier: DType = wanted === 'float32' || wanted === 'bool' ? wanted : 'float64';
  const array = typedArray(carrier, entries.length) as Float64Array | Float32Array | Uint8Array;
  for (let i = 0; i < entries.length; i += 1) array[i] = carrier === 'bool' ? (entries[i] ? 1 : 0) : Number(entries[i]);
  return { array, shape, dtype: carrier };
}

function flatten(data: NestedData, shape: readonly number[], depth: number, into: Entry[]): void {
  if (!Array.isArray(data)) {
    if (depth !== shape.length) throw ragged(shape);
    if (typeof data !== 'number' && typeof data !== 'boolean' && typeof data !== 'bigint') {
      throw new TensorArgumentError('tensor', `an entry is ${kindOf(data)}, not a number, a boolean or a bigint`);
    }
    into.push(data);
    return;
  }
  if (data.length !== shape[depth]) throw ragged(shape);
  for (const row of data) flatten(row, shape, depth + 1, into);
}

function toBigInt(entry: Entry): bigint {
  if (typeof entry === 'number' && !Number.isSafeInteger(entry)) {
    throw new TensorArgumentError('tensor', `${entry} among bigints is not a whole number`);
  }
  return BigInt(entry);
}

function ragged(shape: readonly number[]): TensorArgumentError {
  return new TensorArgumentError('tensor', `the nested arrays are not all of the shape [${shape.join(', ')}]`);
}
