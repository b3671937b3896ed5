/** The first difference of two values: as text for reports, and of JSON as values. */
import { show } from '../errors.js';
import { isTypedArray } from '../type-tests.js';
import { isPlainObject } from '../wrappers/copy-value.js';

/**
 * `undefined` when equal: same types, same entries, NaN equal to NaN, an `undefined` entry equal to a missing one.
 *
 * @param path  Name of the values, e.g. `observation`.
 */
export function firstDifference(a: unknown, b: unknown, path: string): string | undefined {
  if (Object.is(a, b) || a === b) return undefined;
  if (isTypedArray(a) && isTypedArray(b)) {
    if (a.constructor.name !== b.constructor.name) return `${path}: ${a.constructor.name} and ${b.constructor.name}`;
    if (a.length !== b.length) return `${path}.length: ${a.length} and ${b.length}`;
    const at = (a as Uint8Array).findIndex((entry, index) => !Object.is(entry, b[index]));
    return at < 0 ? undefined : `${path}[${at}]: ${a[at]} and ${b[at]}`;
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return `${path}.length: ${a.length} and ${b.length}`;
    return first(a.keys(), (index) => firstDifference(a[index], b[index], `${path}[${index}]`));
  }
  if (isPlainObject(a) && isPlainObject(b)) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    return first(keys, (key) => firstDifference(a[key], b[key], `${path}.${key}`));
  }
  return `${path}: ${show(a)} and ${show(b)}`;
}

function first<T>(items: Iterable<T>, f: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = f(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Path and values of the first leaf at which two JSON values differ; the order of keys does not matter. */
export function differingLeaf(
  found: unknown,
  wanted: unknown,
  path = '',
): [path: string, found: unknown, wanted: unknown] | undefined {
  const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
  if (!isObject(found) || !isObject(wanted)) return found === wanted ? undefined : [path, found, wanted];
  for (const key of new Set([...Object.keys(wanted), ...Object.keys(found)])) {
    const difference = differingLeaf(found[key], wanted[key], path === '' ? key : `${path}.${key}`);
    if (difference) return difference;
  }
  return undefined;
}
