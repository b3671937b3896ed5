/** The six colors of boxes, balls and keys, in the order of random draws. */
import type { Triple } from './parameters.js';

export const COLORS = {
  blue: [0, 0, 1],
  green: [0, 1, 0],
  grey: [0.39, 0.39, 0.39],
  purple: [0.44, 0.15, 0.76],
  red: [1, 0, 0],
  yellow: [1, 1, 0],
} as const satisfies Record<string, Triple>;

export type ColorName = keyof typeof COLORS;

export const COLOR_NAMES = ['blue', 'green', 'grey', 'purple', 'red', 'yellow'] as const satisfies readonly ColorName[];
