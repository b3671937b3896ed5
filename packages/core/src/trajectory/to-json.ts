/**
 * Any value as JSON data, for `info`, options and observations in a trajectory.
 *
 * Never throws: writing an odd entry of `info` as text is better than losing the episode.
 */

import type { Image } from '../image.js';
import { isImage } from '../images/is-image.js';
import { checkNames, names } from '../options.js';
import { type JsonValue, TRAJECTORY_LIMITS } from './schema.js';

export type TypedArray = ArrayBufferView & ArrayLike<number | bigint>;

export interface ToJsonOptions {
  /** Replaces a picture. */
  readonly image: (image: Image) => JsonValue;
  /** Replaces a typed array; default: a list of its numbers. */
  readonly array?: (array: TypedArray) => JsonValue;
}

const TO_JSON_OPTIONS = names<ToJsonOptions>({ image: 0, array: 0 });

/**
 * Plain data is unchanged, `undefined` members are omitted. NaN and infinities become their names, a bigint its digits, a
 * Map its entries, a Set its members, an error its name, code and message; `toJSON` is called if present. Cycles and data
 * that is nested too deep become a word in brackets.
 */
export function toJson(value: unknown, options: ToJsonOptions): JsonValue {
  checkNames('options', options, TO_JSON_OPTIONS);

  return convert(value, options, []) ?? null;
}

function convert(value: unknown, options: ToJsonOptions, above: readonly object[]): JsonValue | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object') return undefined;
  if (above.includes(value)) return '[circular]';
  if (above.length >= TRAJECTORY_LIMITS.depth - 1) return '[too deep]';
  if (isImage(value)) return options.image(value);
  try {
    return convertObject(value, options, [...above, value]);
  } catch (error) {
    return `[unreadable: ${String(error)}]`;
  }
}

function convertObject(value: object, options: ToJsonOptions, above: readonly object[]): JsonValue | undefined {
  const inner = (entry: unknown) => convert(entry, options, above);
  const list = (entries: Iterable<unknown>) => Array.from(entries, (entry) => inner(entry) ?? null);
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    const array = value as unknown as TypedArray;
    return options.array?.(array) ?? list(Array.from(array));
  }
  if (Array.isArray(value) || value instanceof Set || value instanceof Map) return list(value);
  if ('toJSON' in value && typeof value.toJSON === 'function') return inner(value.toJSON());
  if (value instanceof Error) {
    const { name, message } = value;
    return { name, message, ...('code' in value ? { code: String(value.code) } : {}) };
  }
  const record: { [key: string]: JsonValue } = {};
  for (const [key, entry] of Object.entries(value)) {
    const converted = inner(entry);
    if (converted === undefined) continue;
    // not an assignment: a key named __proto__ must stay a key
    Object.defineProperty(record, key, { value: converted, enumerable: true, writable: true, configurable: true });
  }
  return record;
}
