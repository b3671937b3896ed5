/**
 * Converts arguments of a command line, or values of a config file, to the values that a schema checks: numbers,
 * ranges, lists, and objects as JSON or as dotted pairs.
 */
import { show } from '@vlgym/core';
import { isRecord } from '@vlgym/core/internal';
import { UsageError } from './usage-error.js';

/** A longer range is assumed to be a typing error. */
const MAX_RANGE = 10_000;

/** Text that is not a number is kept as typed, so that the message can show it. */
export function toNumber(text: string): number | string {
  const value = Number(text);
  return text.trim() === '' || Number.isNaN(value) ? text : value;
}

/** `0-2` is 0, 1, 2; anything else is one number or the text itself. */
function numbersIn(item: string): (number | string)[] {
  const [, from, to] = /^(\d{1,15})-(\d{1,15})$/.exec(item) ?? [];
  if (from === undefined || to === undefined) return [toNumber(item)];
  const [first, last] = [Number(from), Number(to)];
  if (last < first || last - first >= MAX_RANGE) {
    throw new UsageError(`Invalid range: ${show(item)}.`, {
      expected: `FIRST-LAST with FIRST <= LAST, at most ${MAX_RANGE} numbers`,
    });
  }
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** `0,2-4` → [0, 2, 3, 4]. */
export const toNumbers = (text: string): (number | string)[] =>
  text.split(',').flatMap((item) => numbersIn(item.trim()));

/** Ranges inside of a list of numbers, and one range in place of a list, as config files have them. */
export function expandRanges(value: unknown): unknown {
  if (typeof value === 'string') return toNumbers(value);
  if (!Array.isArray(value)) return value;
  return value.flatMap((item: unknown) => (typeof item === 'string' ? numbersIn(item.trim()) : [item]));
}

/** One word of an object option: a JSON object, or `path.to.key=value`. */
export function toObject(flag: string, text: string): Record<string, unknown> {
  if (!/^\s*[{[]/.test(text)) return fromPair(flag, text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw notAnObject(flag, text, cause);
  }
  if (isRecord(value)) return expandDots(value, `--${flag}`);
  throw notAnObject(flag, text);
}

const notAnObject = (flag: string, text: string, cause?: unknown) =>
  new UsageError(`--${flag} is neither KEY=VALUE nor a JSON object: ${show(text)}`, {
    expected: `--${flag} section.key=value, or a JSON object`,
    cause,
  });

function fromPair(flag: string, text: string): Record<string, unknown> {
  const [, path, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (path === undefined || value === undefined) throw notAnObject(flag, text);
  return nested(path.trim(), plainValue(value));
}

/** JSON where it is JSON, else the text itself: `0.2`, `true`, `null`, `[1,2]`, `mean`. */
function plainValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function nested(path: string, value: unknown): Record<string, unknown> {
  const keys = path.split('.');
  // the schemas skip `__proto__` silently
  if (keys.some((key) => key === '' || key === '__proto__')) {
    throw new UsageError(`Invalid key: ${show(path)}.`, { expected: 'section.key' });
  }
  return keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Record<string, unknown>;
}

/**
 * Both together.
 *
 * @param name  The option, for the message.
 * @throws {UsageError} Both say something about one key: the last would win in silence.
 */
export function mergeOnce(
  name: string,
  first: Record<string, unknown>,
  second: Record<string, unknown>,
): Record<string, unknown> {
  const merged = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const before = merged[key];
    if (before === undefined) merged[key] = value;
    else if (isRecord(before) && isRecord(value)) merged[key] = mergeOnce(`${name}.${key}`, before, value);
    else throw givenTwice(`${name}.${key}`, before, value);
  }
  return merged;
}

/** The error of an option that holds one value and was given two. */
export const givenTwice = (name: string, first: unknown, second: unknown): UsageError =>
  new UsageError(`${name} is given twice: ${show(first)} and ${show(second)}.`, {
    value: second,
    expected: 'one value',
    hint: 'leave one of them out',
  });

/** `{ 'loss.clipLow': 0.2 }` → `{ loss: { clipLow: 0.2 } }`; keys further inside stay as they are. */
export function expandDots(object: Record<string, unknown>, name = 'the object'): Record<string, unknown> {
  return Object.entries(object).reduce<Record<string, unknown>>(
    (merged, [key, value]) => mergeOnce(name, merged, nested(key, value)),
    {},
  );
}
