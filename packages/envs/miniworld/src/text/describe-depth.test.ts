import { expect, it } from 'vitest';
import { describeDepth } from './describe-depth.js';

it('states the smallest depth of each third of the middle row', () => {
  const depth = Float32Array.of(1, 1, 1, 1, 1, 1, /* the middle row */ 5, 4, 3, 3.5, 2, 9, 1, 1, 1, 1, 1, 1);
  const text = describeDepth(depth, { width: 6, height: 3 });
  expect(text).toContain('4.0 m away on the left, 3.0 m in the middle, 2.0 m on the right.');
});
