/** Copies of observations and infos, because returned objects belong to the caller. */
import { isTypedArray } from '../type-tests.js';

export type TypedArray = Uint8Array | Float64Array;

/** A deep copy that owns its bytes, shared memory or not. */
export function copyValue<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  // not `value.slice()`: that of a Buffer is a view
  if (isTypedArray(value)) return Uint8Array.prototype.slice.call(value) as T;
  if (Array.isArray(value)) return value.map(copyValue) as T;
  if (isPlainObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, copyValue(child)])) as T;
  }
  return structuredClone(value);
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
