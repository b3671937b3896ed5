/**
 * Limits on the size of spaces. Sixty bytes of text can describe a space whose sample exhausts the memory of any machine,
 * so each space is bounded, and everything built from one description (`fromJSON`) is bounded in total.
 */
import { DTYPES, placesOf } from './arrays.js';
import { SpaceTooLargeError } from './errors.js';
import { isKind } from './kinds.js';
import type { Space } from './space.js';

/** Numbers in one member of a box or of a multi-binary space, and pixels of a picture: 67 million. */
export const MAX_ELEMENTS = 2 ** 26;
/** Code points of one text: 16 million. */
export const MAX_TEXT_LENGTH = 2 ** 24;
/** Estimated bytes of a space that `fromJSON` builds, including one sample: 512 MiB. */
export const MAX_JSON_BYTES = 2 ** 29;

/** @throws {SpaceTooLargeError} */
export function refuseTooLarge(
  space: string,
  value: unknown,
  size: number,
  limit = MAX_ELEMENTS,
  unit = 'elements',
): void {
  if (!(size <= limit)) throw new SpaceTooLargeError(space, value, `at most ${limit} ${unit}`);
}

/** Additional bytes per element of a box: two flags, and a double while a sample is drawn. */
const BOX_OVERHEAD = 10;
/** An element of a multi-binary member is drawn as a number. */
const BYTES_PER_SWITCH = 10;
/** The range of an element is an object in the JSON Schema. */
const BYTES_PER_RANGE = 200;
/** A list in lists, where a shape has empty ones. */
const BYTES_PER_LIST = 32;
/** A character is drawn as a number and joined as a string. */
const BYTES_PER_CHARACTER = 16;
const BYTES_PER_MESSAGE = 1000;

/** A graph has 10 nodes by default, and at most 10 * 9 - 1 edges. */
export const DEFAULT_NODES = 10;
const MAX_DEFAULT_EDGES = DEFAULT_NODES * (DEFAULT_NODES - 1) - 1;

/** Estimated bytes of a box with `size` elements, including one sample. */
export function boxBytes(size: number, dtype: keyof typeof DTYPES): number {
  return size * (3 * new DTYPES[dtype].make(0).BYTES_PER_ELEMENT + BOX_OVERHEAD);
}

/** Estimated bytes of the space and its largest sample; for lists without a minimum length, one element. */
export function bytesOf(space: Space): number {
  if (isKind(space, 'box')) return boxBytes(space.size, space.dtype);
  if (isKind(space, 'multiBinary')) return BYTES_PER_SWITCH * space.size;
  if (isKind(space, 'multiDiscrete')) {
    return BYTES_PER_RANGE * space.counts.length + BYTES_PER_LIST * placesOf(space.shape);
  }
  if (isKind(space, 'image')) return space.size;
  if (isKind(space, 'text')) return BYTES_PER_CHARACTER * space.maxLength;
  if (isKind(space, 'chat')) return BYTES_PER_MESSAGE * space.minMessages;
  if (isKind(space, 'sequence')) return Math.max(space.minLength, 1) * bytesOf(space.element);
  if (isKind(space, 'tuple') || isKind(space, 'oneOf')) return sum(space.spaces.map(bytesOf));
  if (isKind(space, 'dict')) return sum(Object.values(space.spaces).map(bytesOf));
  if (isKind(space, 'graph')) {
    return DEFAULT_NODES * bytesOf(space.nodes) + (space.edges ? MAX_DEFAULT_EDGES * bytesOf(space.edges) : 0);
  }
  return 0;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
