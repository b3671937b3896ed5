/** Typed arrays with a shape: the dtypes, their ranges, and conversion from and to nested lists as JSON data. */

export type DType = 'float32' | 'float64' | 'int8' | 'uint8' | 'int16' | 'uint16' | 'int32' | 'uint32';

export interface TypedArrays {
  float32: Float32Array;
  float64: Float64Array;
  int8: Int8Array;
  uint8: Uint8Array;
  int16: Int16Array;
  uint16: Uint16Array;
  int32: Int32Array;
  uint32: Uint32Array;
}
export type TypedArray = TypedArrays[DType];

interface DTypeFacts {
  readonly make: new (size: number) => TypedArray;
  readonly name: string;
  readonly float: boolean;
  readonly min: number;
  readonly max: number;
}

const MAX_FLOAT32 = (2 - 2 ** -23) * 2 ** 127;

export const DTYPES: Readonly<Record<DType, DTypeFacts>> = {
  float32: { make: Float32Array, name: 'Float32Array', float: true, min: -MAX_FLOAT32, max: MAX_FLOAT32 },
  float64: { make: Float64Array, name: 'Float64Array', float: true, min: -Number.MAX_VALUE, max: Number.MAX_VALUE },
  int8: { make: Int8Array, name: 'Int8Array', float: false, min: -128, max: 127 },
  uint8: { make: Uint8Array, name: 'Uint8Array', float: false, min: 0, max: 255 },
  int16: { make: Int16Array, name: 'Int16Array', float: false, min: -32768, max: 32767 },
  uint16: { make: Uint16Array, name: 'Uint16Array', float: false, min: 0, max: 65535 },
  int32: { make: Int32Array, name: 'Int32Array', float: false, min: -2147483648, max: 2147483647 },
  uint32: { make: Uint32Array, name: 'Uint32Array', float: false, min: 0, max: 4294967295 },
};

export function isDType(value: unknown): value is DType {
  return typeof value === 'string' && Object.hasOwn(DTYPES, value);
}

export function makeArray<D extends DType>(dtype: D, size: number): TypedArrays[D] {
  return new DTYPES[dtype].make(size) as TypedArrays[D];
}

const tagOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)!.get!;

/**
 * True for a typed array of this dtype and size; reads the array's own tag, so that subclasses (`Buffer`) and arrays
 * of other realms are accepted, and look-alikes and proxies are not.
 */
export function isTypedArray<D extends DType>(value: unknown, dtype: D, size: number): value is TypedArrays[D] {
  return tagOf.call(value) === DTYPES[dtype].name && (value as TypedArray).length === size;
}

export function sizeOf(shape: readonly number[]): number {
  return shape.reduce((size, length) => size * length, 1);
}

/** Axes of one array, as in NumPy; more would overflow the stack where lists in lists are written. */
const MAX_AXES = 64;

/** True for a list of at most 64 non-negative integers. */
export function isShape(value: unknown): value is readonly number[] {
  return (
    Array.isArray(value) &&
    value.length <= MAX_AXES &&
    value.every((length) => Number.isSafeInteger(length) && length >= 0)
  );
}

/** Elements, or innermost lists where a length is 0: what a member of this shape needs as lists in lists. */
export function placesOf(shape: readonly number[]): number {
  return shape.reduce((places, length) => places * Math.max(length, 1), 1);
}

/** Elements in C order → nested lists, the outermost of length `shape[0]`; a shape of `[]` gives one number. */
export function nest(data: ArrayLike<number>, shape: readonly number[]): unknown {
  let position = 0;
  const level = (axis: number): unknown => {
    if (axis === shape.length) {
      position += 1;
      return data[position - 1]! + 0; // -0 becomes 0, because JSON text has no -0
    }
    return Array.from({ length: shape[axis]! }, () => level(axis + 1));
  };
  return level(0);
}

/**
 * Nested lists → elements in C order; `undefined` if the nesting differs from `shape`, or an element is not a number or
 * cannot be stored exactly.
 */
export function unnest<D extends DType>(json: unknown, shape: readonly number[], dtype: D): TypedArrays[D] | undefined {
  const data = makeArray(dtype, sizeOf(shape));
  let position = 0;
  const level = (part: unknown, axis: number): boolean => {
    if (axis === shape.length) {
      data[position] = part as number;
      position += 1;
      return typeof part === 'number' && (data[position - 1] === part || dtype === 'float32');
    }
    return Array.isArray(part) && part.length === shape[axis] && part.every((inner) => level(inner, axis + 1));
  };
  return level(json, 0) ? data : undefined;
}
