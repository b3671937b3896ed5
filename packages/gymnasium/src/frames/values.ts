/** Members of spaces as parts of a frame: pictures and boxes as raw arrays, everything else as the space's JSON form. */
import {
  type BoxSpace,
  type DictSpace,
  type DType,
  type Image,
  type Space,
  spaces,
  type TupleSpace,
} from '@vlgym/core';
import { isRecord } from '@vlgym/core/internal';
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
  return space.encode(value);
}

/** A part of a frame as a member of the space; the caller checks membership. @throws {FrameError} */
export function fromWire(space: Space, wire: unknown): unknown {
  if (spaces.isKind(space, 'image')) return imageOf(wire);
  if (spaces.isKind(space, 'box')) return boxOf(space, wire);
  if (spaces.isKind(space, 'multiDiscrete') && wire instanceof NdArray) return Int32Array.from(numbersOf(wire));
  if (spaces.isKind(space, 'multiBinary') && wire instanceof NdArray) return Uint8Array.from(numbersOf(wire));
  if (spaces.isKind(space, 'dict') && isRecord(wire)) {
    return Object.fromEntries(parts(space).map(([key, part]) => [key, fromWire(part, wire[key])]));
  }
  if (spaces.isKind(space, 'tuple') && Array.isArray(wire)) {
    return (space as TupleSpace<readonly Space[]>).spaces.map((part, index) => fromWire(part, wire[index]));
  }
  return space.decode(plainData(wire));
}

/** Arrays as nested lists, for spaces that read JSON data. */
export function plainData(wire: unknown): unknown {
  if (wire instanceof NdArray) return nested(numbersOf(wire), wire.shape);
  if (Array.isArray(wire)) return wire.map(plainData);
  if (!isRecord(wire)) return typeof wire === 'bigint' ? Number(wire) : wire;
  return Object.fromEntries(Object.entries(wire).map(([key, part]) => [key, plainData(part)]));
}

export const numbersOf = ({ data }: NdArray): number[] =>
  Array.from(data as unknown as ArrayLike<number | bigint>, Number);

function nested(numbers: readonly number[], shape: readonly number[]): unknown {
  const [first, ...rest] = shape;
  if (first === undefined) return numbers[0];
  const size = rest.reduce((product, each) => product * each, 1);
  return Array.from({ length: first }, (_, index) => nested(numbers.slice(index * size, (index + 1) * size), rest));
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

/** With the dtype of the space: Python may send 64-bit numbers for a smaller one. */
function boxOf({ dtype }: BoxSpace<DType>, wire: unknown): unknown {
  if (!(wire instanceof NdArray)) throw new FrameError('Expected an array.', wire);
  if (wire.dtype === NUMPY_NAMES[dtype]) return wire.data;
  return CLASSES[dtype].from(numbersOf(wire));
}
