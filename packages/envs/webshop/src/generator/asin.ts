/** Product numbers as Amazon's look. */
import { Draws } from './draws.js';

export const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const HALF = 36 ** 4;

/** `B0` and eight characters: four from a permutation of the numbers, so that all differ, and four at random. */
export function asinOf(seed: number, position: number): string {
  let unique = (position * 908_441 + 77_773) % HALF; // 908441 has no factor in common with 36
  const draws = new Draws(seed, position, 6);
  let text = 'B0';
  for (let pair = 0; pair < 4; pair += 1) {
    text += DIGITS[draws.below(36)]! + DIGITS[unique % 36]!;
    unique = Math.floor(unique / 36);
  }
  return text;
}
