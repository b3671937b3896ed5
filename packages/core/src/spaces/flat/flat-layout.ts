/**
 * The layout of members of a space in one flat array of numbers: boxes unchanged, choices one-hot, text as indices.
 *
 * Rules follow `Farama-Foundation/Gymnasium`, `gymnasium/spaces/utils.py`, with two changes: one-hot entries take one
 * byte instead of 64 bits, and text without a charset is written as code points, padded with -1.
 */
import type { Image } from '../../image.js';
import { DTYPES, type DType, makeArray, type TypedArray } from '../arrays.js';
import type { DictSpace } from '../composite/dict.js';
import type { OneOfSpace } from '../composite/one-of.js';
import type { DiscreteSpace } from '../discrete.js';
import type { ImageSpace } from '../image.js';
import { isKind } from '../kinds.js';
import { MAX_ELEMENTS } from '../limits.js';
import type { MultiDiscreteSpace } from '../multi-discrete.js';
import type { Space } from '../space.js';
import type { TextSpace } from '../text.js';

export interface FlatLayout {
  readonly dtype: DType;
  /** Numbers per member. */
  readonly size: number;
  /** Bounds per number; infinite if the space is unbounded. */
  bounds(): { low: number[]; high: number[] };
  /** Writes a member into `target`, starting at index `at`; the entries are 0 before. */
  write(value: unknown, target: TypedArray, at: number): void;
  /** Reads a member from `source`; may return a value that is not a member. */
  read(source: ArrayLike<number>, at: number): unknown;
}

/** `undefined` if members are not a fixed number of numbers (sequences, graphs, chats, JSON), or are too many. */
export function flatLayout(space: Space): FlatLayout | undefined {
  const layout = layoutOf(space);
  return layout && layout.size <= MAX_ELEMENTS ? layout : undefined;
}

function layoutOf(space: Space): FlatLayout | undefined {
  if (isKind(space, 'box')) return arrayLayout(space.dtype, space.size, () => space.openBounds());
  if (isKind(space, 'multiBinary')) return arrayLayout('uint8', space.size, () => sameBounds(space.size, 0, 1));
  if (isKind(space, 'image')) return imageLayout(space);
  if (isKind(space, 'discrete')) return discreteLayout(space);
  if (isKind(space, 'multiDiscrete')) return multiDiscreteLayout(space);
  if (isKind(space, 'text')) return textLayout(space);
  if (isKind(space, 'tuple'))
    return listLayout(
      space.spaces,
      (value) => value as unknown[],
      (values) => values,
    );
  if (isKind(space, 'dict')) return dictLayout(space);
  if (isKind(space, 'oneOf')) return oneOfLayout(space);
  return undefined;
}

function sameBounds(size: number, low: number, high: number): { low: number[]; high: number[] } {
  return { low: new Array(size).fill(low), high: new Array(size).fill(high) };
}

function arrayLayout(dtype: DType, size: number, bounds: FlatLayout['bounds']): FlatLayout {
  return {
    dtype,
    size,
    bounds,
    write: (value, target, at) => target.set(value as TypedArray, at),
    read: (source, at) => {
      const values = makeArray(dtype, size);
      for (let index = 0; index < size; index += 1) values[index] = source[at + index]!;
      return values;
    },
  };
}

function imageLayout(space: ImageSpace<1 | 3 | 4>): FlatLayout {
  const { height, width, channels } = space;
  const bytes = arrayLayout('uint8', space.size, () => sameBounds(space.size, 0, 255));
  return {
    ...bytes,
    write: (value, target, at) => bytes.write((value as Image).data, target, at),
    read: (source, at) => ({ data: bytes.read(source, at), height, width, channels }),
  };
}

function discreteLayout({ n, start }: DiscreteSpace): FlatLayout {
  return {
    dtype: 'uint8',
    size: n,
    bounds: () => sameBounds(n, 0, 1),
    write: (value, target, at) => {
      target[at + (value as number) - start] = 1;
    },
    read: (source, at) => start + onlyHot(source, at, n),
  };
}

function multiDiscreteLayout({ counts, start }: MultiDiscreteSpace): FlatLayout {
  const size = counts.reduce((total, count) => total + count, 0);
  return {
    dtype: 'uint8',
    size,
    bounds: () => sameBounds(size, 0, 1),
    write: (value, target, at) => {
      let from = at;
      for (const [index, count] of counts.entries()) {
        target[from + (value as Int32Array)[index]! - start[index]!] = 1;
        from += count;
      }
    },
    read: (source, at) => {
      let from = at;
      return Int32Array.from(counts, (count, index) => {
        from += count;
        return start[index]! + onlyHot(source, from - count, count);
      });
    },
  };
}

/** Index of the only nonzero entry; -1, which is not a choice, if none or several are nonzero. */
function onlyHot(source: ArrayLike<number>, at: number, count: number): number {
  let hot = -1;
  for (let index = 0; index < count; index += 1) {
    if (source[at + index] === 0) continue;
    if (hot !== -1) return -1;
    hot = index;
  }
  return hot;
}

function textLayout({ charset, maxLength }: TextSpace): FlatLayout {
  const padding = charset ? charset.length : -1;
  const places = charset && new Map(charset.map((character, place) => [character, place]));
  const numberOf = (character: string) => (places ? places.get(character)! : character.codePointAt(0)!);
  const characterOf = (number: number) => (charset ? charset[number] : codePoint(number));
  return {
    dtype: 'int32',
    size: maxLength,
    bounds: () => (charset ? sameBounds(maxLength, 0, padding) : sameBounds(maxLength, padding, 0x10ffff)),
    write: (value, target, at) => {
      target.fill(padding, at, at + maxLength);
      let index = at;
      for (const character of value as string) {
        target[index] = numberOf(character);
        index += 1;
      }
    },
    read: (source, at) => {
      const numbers = Array.from({ length: maxLength }, (_, index) => source[at + index]!);
      const end = numbers.indexOf(padding);
      const characters = (end === -1 ? numbers : numbers.slice(0, end)).map(characterOf);
      const padded = end === -1 || numbers.slice(end).every((number) => number === padding);
      return padded && !characters.includes(undefined) ? characters.join('') : undefined;
    },
  };
}

function codePoint(number: number): string | undefined {
  return Number.isInteger(number) && number >= 0 && number <= 0x10ffff ? String.fromCodePoint(number) : undefined;
}

function dictLayout(space: DictSpace): FlatLayout | undefined {
  const parts = space.keys.map((key) => space.spaces[key]!);
  const split = (value: unknown) => space.keys.map((key) => (value as Record<string, unknown>)[key]);
  return listLayout(parts, split, (values) => Object.fromEntries(space.keys.map((key, at) => [key, values[at]])));
}

function listLayout(
  spaces: readonly Space[],
  split: (value: unknown) => readonly unknown[],
  join: (values: readonly unknown[]) => unknown,
): FlatLayout | undefined {
  const parts = layoutsOf(spaces);
  if (!parts) return undefined;
  const starts: number[] = [];
  let size = 0;
  for (const part of parts) {
    starts.push(size);
    size += part.size;
  }
  return {
    dtype: promote(parts),
    size,
    bounds: () => {
      const bounds = parts.map((part) => part.bounds());
      return { low: bounds.flatMap(({ low }) => low), high: bounds.flatMap(({ high }) => high) };
    },
    write: (value, target, at) => {
      const values = split(value);
      for (const [index, part] of parts.entries()) part.write(values[index], target, at + starts[index]!);
    },
    read: (source, at) => join(parts.map((part, index) => part.read(source, at + starts[index]!))),
  };
}

/** The index of the space, then its member, then copies of the member's first number up to the longest member. */
function oneOfLayout(space: OneOfSpace): FlatLayout | undefined {
  const parts = layoutsOf(space.spaces);
  if (!parts) return undefined;
  const last = parts.length - 1;
  const size = 1 + Math.max(...parts.map((part) => part.size));
  const extremes = () => {
    const bounds = parts.map((part) => part.bounds());
    return {
      low: bounds.flatMap(({ low }) => low).reduce((a, b) => Math.min(a, b), 0),
      high: bounds.flatMap(({ high }) => high).reduce((a, b) => Math.max(a, b), 0),
    };
  };
  return {
    dtype: promote([...parts, { dtype: smallestInteger(0, last) }]),
    size,
    bounds: () => {
      const { low, high } = extremes();
      const rest = sameBounds(size - 1, low, high);
      return { low: [0, ...rest.low], high: [last, ...rest.high] };
    },
    write: (value, target, at) => {
      const [index, member] = value as [number, unknown];
      const part = parts[index]!;
      target[at] = index;
      part.write(member, target, at + 1);
      if (part.size > 0) target.fill(target[at + 1]!, at + 1 + part.size, at + size);
    },
    read: (source, at) => {
      const index = source[at]!;
      return [index, parts[index]?.read(source, at + 1)];
    },
  };
}

/** The layouts of all spaces; `undefined` if one has none. */
function layoutsOf(spaces: readonly Space[]): readonly FlatLayout[] | undefined {
  const layouts: FlatLayout[] = [];
  for (const space of spaces) {
    const layout = flatLayout(space);
    if (!layout) return undefined;
    layouts.push(layout);
  }
  return layouts;
}

/** The smallest dtype that holds every value of all layouts. */
function promote(parts: readonly { readonly dtype: DType }[]): DType {
  const facts = parts.map(({ dtype }) => DTYPES[dtype]);
  const wide = parts.some(({ dtype }) => dtype === 'int32' || dtype === 'uint32');
  if (parts.some(({ dtype }) => dtype === 'float64')) return 'float64';
  if (facts.some(({ float }) => float)) return wide ? 'float64' : 'float32';
  return smallestInteger(Math.min(0, ...facts.map(({ min }) => min)), Math.max(0, ...facts.map(({ max }) => max)));
}

const INTEGERS = ['uint8', 'int8', 'uint16', 'int16', 'uint32', 'int32'] as const;

/** `float64` if no integer dtype of up to 32 bits holds both ends. */
function smallestInteger(min: number, max: number): DType {
  return INTEGERS.find((dtype) => DTYPES[dtype].min <= min && max <= DTYPES[dtype].max) ?? 'float64';
}
