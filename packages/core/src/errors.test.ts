import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { EpisodeOverError, GymError, show } from './errors.js';

describe('a GymError', () => {
  it('prints only the fields it has', () => {
    expect(inspect(new GymError('Nothing else is known.', { code: 'PLAIN' }))).not.toContain('undefined');
    const over = inspect(new EpisodeOverError());
    expect(over).toContain("code: 'EPISODE_OVER'");
    expect(over).toContain('call `await env.reset()`');
    expect(over).not.toContain('expected');
  });
});

describe('show (NaN read null in errors)', () => {
  it.each([
    ['text', '"text"'],
    [7n, '7n'],
    [undefined, 'undefined'],
    [[1n, { a: null }], '[1n,{"a":null}]'],
    [Number.NaN, 'NaN'],
    [[Number.NEGATIVE_INFINITY, { a: Number.NaN }, -0], '[-Infinity,{"a":NaN},-0]'],
    [Float32Array.of(Number.NaN, 1), '[NaN,1]'],
    [Uint8Array.of(1, 2), '[1,2]'],
  ])('renders %o as %s', (value, text) => {
    expect(show(value)).toBe(text);
  });

  it('stays short, also for values that are huge, cyclic or throw', () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    const thrower = {
      get x() {
        throw new Error('hostile');
      },
    };
    const wide = Array.from({ length: 50 }, () => new Array(1e8));
    for (const value of [new Array(4e9), new Float64Array(1e6), 'x'.repeat(1e6), cycle, thrower, wide]) {
      expect(show(value).length).toBeLessThanOrEqual(80);
    }
  });
});
