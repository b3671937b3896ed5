import { expect, it } from 'vitest';
import { capacityFor } from './key-value-cache.js';

it.each([
  ['cpu', 17, 17],
  ['cuda', 16, 16],
  ['cuda:1', 17, 32],
])('a cache on %s has room for %i tokens in %i columns', (device, tokens, columns) => {
  expect(capacityFor(tokens, device)).toBe(columns);
});
