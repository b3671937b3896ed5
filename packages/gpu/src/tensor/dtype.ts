/** Names of dtypes, libtorch's numbers for them (`c10/core/ScalarType.h`), and the typed arrays that carry them. */
import { OutOfMemoryError, TensorArgumentError } from '../native/errors.js';

export type DType = 'float32' | 'float64' | 'float16' | 'bfloat16' | 'int64' | 'int32' | 'uint8' | 'bool';

const CODES: Readonly<Record<DType, number>> = {
  uint8: 0,
  int32: 3,
  int64: 4,
  float16: 5,
  float32: 6,
  float64: 7,
  bool: 11,
  bfloat16: 15,
};

const NAMES = new Map<number, DType>(Object.entries(CODES).map(([name, code]) => [code, name as DType]));

export const DTYPES = Object.keys(CODES) as readonly DType[];

export type TypedArray = Float32Array | Float64Array | BigInt64Array | Int32Array | Uint8Array | Uint16Array;

export function dtypeCode(dtype: DType): number {
  const code = CODES[dtype];
  if (code === undefined) {
    throw new TensorArgumentError('dtype', `"${String(dtype)}" is not one of ${DTYPES.join(', ')}`);
  }
  return code;
}

/** The name of libtorch's type number; kinds that this package does not offer show as their number. */
export function dtypeName(code: number): DType {
  return NAMES.get(code) ?? (`dtype ${code}` as DType);
}

/** The dtype that a typed array holds; undefined for those libtorch has no dtype for here (for example Int8Array). */
export function dtypeOf(array: ArrayBufferView): DType | undefined {
  if (array instanceof Float32Array) return 'float32';
  if (array instanceof Float64Array) return 'float64';
  if (array instanceof BigInt64Array) return 'int64';
  if (array instanceof Int32Array) return 'int32';
  if (array instanceof Uint8Array || array instanceof Uint8ClampedArray) return 'uint8';
  return undefined;
}

/**
 * An empty typed array for `length` entries of a dtype; half precision is handed over as its 16 raw bits.
 *
 * @throws {OutOfMemoryError} JavaScript cannot hold that many.
 */
export function typedArray(dtype: DType, length: number): TypedArray {
  try {
    return newTypedArray(dtype, length);
  } catch (cause) {
    throw new OutOfMemoryError('typedArray', `${length} entries of ${dtype}: ${(cause as Error).message}`);
  }
}

function newTypedArray(dtype: DType, length: number): TypedArray {
  switch (dtype) {
    case 'float32':
      return new Float32Array(length);
    case 'float64':
      return new Float64Array(length);
    case 'int64':
      return new BigInt64Array(length);
    case 'int32':
      return new Int32Array(length);
    case 'float16':
    case 'bfloat16':
      return new Uint16Array(length);
    default:
      return new Uint8Array(length);
  }
}
