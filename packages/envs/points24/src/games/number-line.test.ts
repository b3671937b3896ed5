import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NumberLineEnv } from './number-line.js';

describe('NumberLine', () => {
  it.each([
    ['a step nearer', [1, 4], 1, 0],
    ['a step away', [2, 4], 0, -1],
    ['a step against the border', [0, 3], 0, -1],
    ['arriving', [3, 4], 1, 1],
  ])('rewards %s from %j', (_, [current, target], action, reward) => {
    const env = new NumberLineEnv();
    let { info } = env.reset({ seed: 0 });
    while (info.Current !== current || info.Target !== target) ({ info } = env.reset());
    expect(env.step(action)).toMatchObject({ reward, terminated: reward === 1, truncated: false });
  });

  it('moves a target that equals the start by one, modulo the maximum', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 2, max: 9 }), (seed, maxPosition) => {
        const { Current, Target } = new NumberLineEnv({ maxPosition }).reset({ seed }).info;
        expect(Current).not.toBe(Target);
        expect(Math.max(Current, Target)).toBeLessThanOrEqual(maxPosition);
      }),
    );
  });

  it('is solved by its expert on the shortest path, also if both numbers are 0', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 12 }), (seed, maxPosition) => {
        const env = new NumberLineEnv({ maxPosition });
        const { Current, Target } = env.reset({ seed }).info;
        let steps = 1;
        while (!env.step(env.oracle()).terminated) steps += 1;
        expect(steps).toBe(Math.max(1, Math.abs(Current - Target)));
      }),
    );
  });

  it('draws the line as text', () => {
    const env = new NumberLineEnv({ renderMode: 'ansi' });
    env.reset({ seed: 0 });
    expect(env.render()).toBe('·──·──·──●──◎──·\nCurrent: 3   Target: 4\n');
  });
});
