/** Members of spaces as parts of a frame: pictures and boxes as raw arrays, everything else as the space's JSON form. */
import { type Image, type Space, spaces } from '@vlgym/core';
import { isRecord, placesOf } from '@vlgym/core/internal';
import type { BoxSpace, DictSpace, DType, TupleSpace } from '@vlgym/core/spaces';
import { FrameError, NdArray } from './codec.js';

export const NUMPY_NAMES: Readonly<Record<DType, string>> = {
  float32: '<f4',
  float64: '<f8',
  int8: '|i1',
  uint8: '|u1',
  int16: '<i2',
  uint16: '<u2',
  int32: '<i4',
  uint32: '<u4',
};

const parts = (space: Space): readonly (readonly [string, Space])[] =>
  Object.entries((space as DictSpace<never>).spaces);

/** Most entries of an array that is sent as lists, which take a hundred times the memory of bytes. */
const MAX_LISTED = 1_000_000;

/** A member as part of a frame. */
export function toWire(space: Space, value: unknown): unknown {
  if (spaces.isKind(space, 'image')) return value;
  if (spaces.isKind(space, 'box')) return new NdArray(NUMPY_NAMES[space.dtype], space.shape, value as never);
  if (spaces.isKind(space, 'dict')) {
    const record = value as Record<string, unknown>;
    return Object.fromEntries(parts(space).map(([key, part]) => [key, toWire(part, record[key])]));
  }
  if (spaces.isKind(space, 'tuple')) {
    return (space as TupleSpace<readonly Space[]>).spaces.map((part, index) =>
      toWire(part, (value as unknown[])[index]),
    );
  }
  if (spaces.isKind(space, 'text') && typeof value === 'string') return value;
  return space.encode(value);
}

/** A part of a frame as a member of the space; the caller checks membership. @throws {FrameError} */
export function fromWire(space: Space, wire: unknown): unknown {
  if (spaces.isKind(space, 'image')) return imageOf(wire);
  if (spaces.isKind(space, 'box')) return boxOf(space, wire);
  if (spaces.isKind(space, 'multiDiscrete') && wire instanceof NdArray) return converted(wire, 'int32', space.shape);
  if (spaces.isKind(space, 'multiBinary') && wire instanceof NdArray) return converted(wire, 'uint8', space.shape);
  if (spaces.isKind(space, 'dict') && isRecord(wire)) {
    return Object.fromEntries(parts(space).map(([key, part]) => [key, fromWire(part, wire[key])]));
  }
  if (spaces.isKind(space, 'tuple') && Array.isArray(wire)) {
    return (space as TupleSpace<readonly Space[]>).spaces.map((part, index) => fromWire(part, wire[index]));
  }
  const data = plainData(wire);
  // an environment without a checker may leave its space, as Python's may
  if (spaces.isKind(space, 'text') && typeof data === 'string') return data;
  if (spaces.isKind(space, 'discrete') && Number.isSafeInteger(data)) return data;
  return space.decode(data);
}

/** As a number, if a number can represent it exactly. */
const exact = (integer: bigint): number | bigint => (Number.isSafeInteger(Number(integer)) ? Number(integer) : integer);

/** Arrays as nested lists, for spaces that read JSON data. @throws {FrameError} More entries than lists may have. */
export function plainData(wire: unknown): unknown {
  if (wire instanceof NdArray) return nested(wire);
  if (Array.isArray(wire)) return wire.map(plainData);
  if (typeof wire === 'bigint') return exact(wire);
  if (!isRecord(wire)) return wire;
  return Object.fromEntries(Object.entries(wire).map(([key, part]) => [key, plainData(part)]));
}

const numbersOf = ({ data }: NdArray): number[] => Array.from(data as unknown as ArrayLike<number | bigint>, Number);

function nested(wire: NdArray): unknown {
  const { shape } = wire;
  // lists of lists count, too: a shape of [100, 50000000, 0] has no bytes, one of [1000000, 1, 1, 1] a list for each
  const places = placesOf(shape) * Math.max(1, shape.length);
  if (places > MAX_LISTED) {
    throw new FrameError(`An array has more than ${MAX_LISTED} entries as lists.`, shape);
  }
  const numbers = Array.from(wire.data as unknown as ArrayLike<number | bigint>, (each) =>
    typeof each === 'bigint' ? exact(each) : each,
  );
  let used = 0;
  const level = (axis: number): unknown =>
    axis === shape.length ? numbers[used++] : Array.from({ length: shape[axis]! }, () => level(axis + 1));
  return level(0);
}

function imageOf(wire: unknown): Image {
  const [height, width, channels = 1] = wire instanceof NdArray ? wire.shape : [];
  if (!(wire instanceof NdArray) || wire.dtype !== '|u1' || height === undefined || width === undefined) {
    throw new FrameError('Expected a picture.', wire);
  }
  return { data: wire.data as unknown as Uint8Array, height, width, channels: channels as 1 | 3 | 4 };
}

const CLASSES = {
  float32: Float32Array,
  float64: Float64Array,
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
} as const;

function boxOf({ dtype, shape }: BoxSpace<DType>, wire: unknown): unknown {
  if (!(wire instanceof NdArray)) throw new FrameError('Expected an array.', wire);
  return wire.dtype === NUMPY_NAMES[dtype] ? wire.data : converted(wire, dtype, shape);
}

/** Converts to the dtype of the space: Python may send 64-bit numbers. An array of a different size is not a member. */
function converted(wire: NdArray, dtype: DType, shape: readonly number[]): unknown {
  return placesOf(wire.shape) === placesOf(shape) ? CLASSES[dtype].from(numbersOf(wire)) : wire.data;
}
