import { expect, it } from 'vitest';
import { BoundedCache } from './bounded-cache.js';

it('creates a value once, and evicts the least recently used one beyond its limit', () => {
  const made: string[] = [];
  const cache = new BoundedCache<string, string>(2);
  const get = (key: string) =>
    cache.get(key, () => {
      made.push(key);
      return key;
    });
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) expect(get(key)).toBe(key);
  expect(made).toEqual(['a', 'b', 'c', 'b']);
  expect(cache.size).toBe(2);
});
