import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closest, editDistance } from './closest.js';

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['abc', '', 3],
    ['kitten', 'sitting', 3],
    ['ab', 'ba', 1],
    ['Points24', 'pionts24', 1],
    ['gym-cards', 'gym_cards', 1],
    // optimal string alignment: a swapped pair is not edited again
    ['ca', 'abc', 3],
  ])('%s → %s: %i', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
  });

  it('is symmetric, zero for equal texts only, and at most the longer length', () => {
    const word = fc.string({ maxLength: 8 }).map((text) => text.toLowerCase());
    fc.assert(
      fc.property(word, word, (a, b) => {
        const distance = editDistance(a, b);
        expect(editDistance(b, a)).toBe(distance);
        expect(distance === 0).toBe(a === b);
        expect(distance).toBeLessThanOrEqual(Math.max([...a].length, [...b].length));
      }),
    );
  });
});

describe('closest', () => {
  it('finds a near name and no far one', () => {
    const known = ['gym_cards/Points24-v0', 'gym_cards/NumberLine-v0'];
    expect(closest('gym-cards/Point24-v0', known)).toBe('gym_cards/Points24-v0');
    expect(closest('ALFWorld', known)).toBeUndefined();
    expect(closest('anything', [])).toBeUndefined();
  });
});
