/** Layers of plain options over each other: of algorithms, of tasks, of config files. */
import { isRecord } from './type-tests.js';

/** `over` wins, key by key and inside of objects; `undefined` leaves what was there. */
export function mergeDeep(base: Readonly<Record<string, unknown>>, over: object): Record<string, unknown> {
  // assigning to an object would lose a key named `__proto__`
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined) continue;
    const before = merged.get(key);
    merged.set(key, isRecord(value) && isRecord(before) ? mergeDeep(before, value) : value);
  }
  return Object.fromEntries(merged);
}
