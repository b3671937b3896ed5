import { COLORS } from './colors.js';
import { WorldError } from './errors.js';

export function checkColor(color: string): void {
  if (!Object.hasOwn(COLORS, color)) {
    throw new WorldError(`Unknown color "${color}".`, color, Object.keys(COLORS).join(', '));
  }
}

export function checkSizes(what: string, sizes: readonly number[]): void {
  if (!sizes.every((size) => size > 0 && size <= 1000)) {
    throw new WorldError(`Invalid size of ${what}.`, sizes, 'meters, above 0 and at most 1000');
  }
}
