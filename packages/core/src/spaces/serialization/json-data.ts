/** Plain JSON data: validation, equality, and bytes as base64. */
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
  // `Buffer` skips invalid characters, so the decoded bytes are encoded again and compared with the text
  return bytes.toString('base64') === text ? new Uint8Array(bytes) : undefined;
}

/** Stops at the first failure. Not `every`, which skips the holes of sparse arrays, and no copy, which is costly. */
export function everyElement(values: readonly unknown[], test: (value: unknown) => boolean): boolean {
  for (let index = 0; index < values.length; index += 1) {
    if (!test(values[index])) return false;
  }
  return true;
}

/** Maximum number of values in JSON data: shared parts could otherwise make the check exponential. */
const MAX_VALUES = 1_000_000;

/** True for possible results of `JSON.parse`: no cycles, no holes, finite numbers, complete surrogate pairs. */
export function isJsonData(value: unknown): boolean {
  let left = MAX_VALUES;
  const isData = (part: unknown): boolean => {
    left -= 1;
    if (left < 0) return false;
    if (part === null || typeof part === 'boolean') return true;
    if (typeof part === 'number') return Number.isFinite(part);
    if (typeof part === 'string') return !/\p{Surrogate}/u.test(part);
    if (Array.isArray(part)) return everyElement(part, isData);
    if (typeof part !== 'object') return false;
    const prototype: unknown = Object.getPrototypeOf(part);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return false; // an instance of a class
    return Object.values(part).every(isData);
  };
  return isData(value);
}
