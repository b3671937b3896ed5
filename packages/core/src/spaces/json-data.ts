/** Plain JSON data: what it is, when two pieces are equal, and bytes in it. */
import { Buffer } from 'node:buffer';

/** Equality of JSON data; objects compare by their keys in any order. */
export function isPlainEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isPlainEqual(Reflect.get(a, key), Reflect.get(b, key)))
  );
}

export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** The inverse of `toBase64`; `undefined` for any other text. */
export function fromBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  // `Buffer` skips what is no base64, so the text is compared with what these bytes are in base64
  return bytes.toString('base64') === text ? new Uint8Array(bytes) : undefined;
}

/** True for what `{…}` makes, and for any other object that is no array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A loop that ends at the first failure; `every` skips the holes of sparse arrays, and copying a huge one is costly. */
export function everyElement(values: readonly unknown[], test: (value: unknown) => boolean): boolean {
  for (let index = 0; index < values.length; index += 1) {
    if (!test(values[index])) return false;
  }
  return true;
}

/** Values in one piece of JSON data; more are refused, so that shared parts cannot make checking endless. */
const MOST_VALUES = 1_000_000;

/** True for what `JSON.parse` could return: no cycles, no holes, finite numbers, whole surrogate pairs. */
export function isJsonData(value: unknown): boolean {
  let left = MOST_VALUES;
  const isData = (part: unknown): boolean => {
    left -= 1;
    if (left < 0) return false;
    if (part === null || typeof part === 'boolean') return true;
    if (typeof part === 'number') return Number.isFinite(part);
    if (typeof part === 'string') return !/\p{Surrogate}/u.test(part);
    if (Array.isArray(part)) return everyElement(part, isData);
    if (typeof part !== 'object') return false;
    const prototype: unknown = Object.getPrototypeOf(part);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return false; // a class, not plain data
    return Object.values(part).every(isData);
  };
  return isData(value);
}
