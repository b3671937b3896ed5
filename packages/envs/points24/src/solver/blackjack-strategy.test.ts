import { describe, expect, it } from 'vitest';
import { shouldHit } from './blackjack-strategy.js';

/** Basic strategy without doubling or splitting, dealer stands on all 17s: Sutton and Barto, figure 5.2. */
describe('shouldHit', () => {
  it.each([
    [{ points: 11, soft: false }, 6, true],
    [{ points: 12, soft: false }, 2, true],
    [{ points: 12, soft: false }, 3, true],
    [{ points: 12, soft: false }, 4, false],
    [{ points: 13, soft: false }, 2, false],
    [{ points: 16, soft: false }, 6, false],
    [{ points: 16, soft: false }, 7, true],
    [{ points: 16, soft: false }, 10, true],
    [{ points: 17, soft: false }, 1, false],
    [{ points: 17, soft: true }, 6, true],
    [{ points: 18, soft: true }, 8, false],
    [{ points: 18, soft: true }, 9, true],
    [{ points: 19, soft: true }, 10, false],
  ])('with %j against %i: %s', (player, dealer, hit) => {
    expect(shouldHit(player, dealer)).toBe(hit);
  });
});
