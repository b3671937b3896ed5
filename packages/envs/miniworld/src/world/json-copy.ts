/** JSON data as a snapshot keeps it. */
import { WorldError } from './errors.js';

/** The value that a snapshot would restore: functions, dates and cycles would be lost. */
export function jsonCopy(data: unknown): unknown {
  const refuse = () => new WorldError('The data of an entity is not JSON.', data, 'numbers, texts, lists, objects');
  let text: string | undefined;
  try {
    text = JSON.stringify(data ?? null);
  } catch {
    throw refuse();
  }
  const copy = text === undefined ? undefined : (JSON.parse(text) as unknown);
  if (copy === undefined || !isDeepEqual(copy, data ?? null)) throw refuse();
  return copy;
}

function isDeepEqual(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return a === b;
  const [left, right] = [Object.entries(a), Object.entries(b)];
  return left.length === right.length && left.every(([key, value]) => isDeepEqual(value, Reflect.get(b, key)));
}
